//! Numbers of games as a record batch.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use ign_archive::{CountTable, GameKey, KeyValue, Result};

use crate::batches::record_batch;

/// A table of numbers of games as a record batch: a column for each key, of integers if the key has
/// [bands](ign_archive::GameKey::band) and else of strings, and the column
/// [`games`](ign_archive::CountTable::GAMES). A missing value is null.
///
/// # Errors
/// Unsupported if the table has more rows than a batch can have.
pub fn count_batch(table: &CountTable) -> Result<RecordBatch> {
    let field = |key: &GameKey| {
        let data_type = match key.band() {
            Some(_) => DataType::Int32,
            None => DataType::Utf8,
        };
        Field::new(key.name(), data_type, true)
    };
    let games = Field::new(CountTable::GAMES, DataType::UInt64, false);
    let fields: Vec<Field> = table.keys.iter().map(field).chain([games]).collect();
    let columns = table.keys.iter().enumerate().map(|(place, key)| {
        let values = table.rows.iter().map(|row| &row.values[place]);
        let array: ArrayRef = match key.band() {
            Some(_) => Arc::new(Int32Array::from_iter(values.map(|value| match value {
                KeyValue::Number(number) => Some(*number),
                _ => None,
            }))),
            None => Arc::new(StringArray::from_iter(values.map(|value| match value {
                KeyValue::Text(text) => Some(text),
                _ => None,
            }))),
        };
        Ok(array)
    });
    let games = table.rows.iter().map(|row| row.games);
    let games: ArrayRef = Arc::new(UInt64Array::from_iter_values(games));
    let columns = columns.chain([Ok(games)]);
    record_batch(&Arc::new(Schema::new(fields)), columns, table.rows.len())
}
