//! Lists as text, for formats without lists.

use std::{fmt::Write, sync::Arc};

use arrow_array::{Array, ArrayRef, RecordBatch, builder::StringBuilder, cast::AsArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_json::ArrayWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use ign_archive::{Error, Result};

use crate::{batches::record_batch, error::error_of_arrow};

/// The text of a null item.
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
    record_batch(schema, batch.columns().iter().map(array), batch.num_rows())
}

fn array(array: &ArrayRef) -> Result<ArrayRef> {
    let Some(lists) = array.as_list_opt::<i32>() else {
        return Ok(array.clone());
    };
    let mut text = StringBuilder::new();
    if matches!(lists.value_type(), DataType::Struct(_)) {
        for row in 0..lists.len() {
            if lists.is_valid(row) {
                text.append_value(json(&lists.value(row))?)
            } else {
                text.append_null()
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
    let mut writer = ArrayWriter::new(Vec::new());
    writer.write(&batch).map_err(error_of_arrow)?;
    writer.finish().map_err(error_of_arrow)?;
    String::from_utf8(writer.into_inner()).map_err(|_| Error::internal("JSON is not UTF-8"))
}
