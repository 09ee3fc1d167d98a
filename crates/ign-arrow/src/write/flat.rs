//! Lists as text, for formats without lists.

use std::{fmt::Write, sync::Arc};

use arrow_array::{
    Array, ArrayRef, RecordBatch, RecordBatchOptions, builder::StringBuilder, cast::AsArray,
};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_json::LineDelimitedWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use ign_archive::Result;

use crate::error::error_of_arrow;

/// What stands for an item that is null.
const NULL: &str = "null";

/// The schema with text in place of lists.
pub fn schema(schema: &Schema) -> SchemaRef {
    let flat = |field: &Arc<Field>| match field.data_type() {
        DataType::List(_) => Field::new(field.name(), DataType::Utf8, field.is_nullable()).into(),
        _ => field.clone(),
    };
    Arc::new(Schema::new(
        schema.fields().iter().map(flat).collect::<Vec<_>>(),
    ))
}

/// A batch with text in place of lists. `schema` is its flat schema.
///
/// # Errors
/// Internal.
pub fn batch(schema: &SchemaRef, batch: &RecordBatch) -> Result<RecordBatch> {
    let arrays: Result<Vec<ArrayRef>> = batch.columns().iter().map(array).collect();
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema.clone(), arrays?, &options).map_err(error_of_arrow)
}

fn array(array: &ArrayRef) -> Result<ArrayRef> {
    let Some(lists) = array.as_list_opt::<i32>() else {
        return Ok(array.clone());
    };
    let mut text = StringBuilder::new();
    if matches!(lists.value_type(), DataType::Struct(_)) {
        for row in 0..lists.len() {
            match lists.is_valid(row) {
                true => text.append_value(json(&lists.value(row))?),
                false => text.append_null(),
            }
        }
        return Ok(Arc::new(text.finish()));
    }
    let options = FormatOptions::default().with_null(NULL);
    let items = ArrayFormatter::try_new(lists.values(), &options).map_err(error_of_arrow)?;
    for (row, range) in lists.value_offsets().windows(2).enumerate() {
        if lists.is_null(row) {
            text.append_null();
            continue;
        }
        for item in range[0]..range[1] {
            let space = if item > range[0] { " " } else { "" };
            // A builder in memory does not fail.
            _ = write!(text, "{space}{}", items.value(item as usize));
        }
        text.append_value("");
    }
    Ok(Arc::new(text.finish()))
}

/// A list of structures as a JSON array.
fn json(items: &ArrayRef) -> Result<String> {
    let batch = RecordBatch::from(items.as_struct().clone());
    let mut writer = LineDelimitedWriter::new(Vec::new());
    writer.write(&batch).map_err(error_of_arrow)?;
    writer.finish().map_err(error_of_arrow)?;
    let lines = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    let objects: Vec<&str> = lines.lines().collect();
    Ok(format!("[{}]", objects.join(",")))
}
