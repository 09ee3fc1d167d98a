//! Record batches of a scan.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use ign_archive::{Batch, MappedScan, Result, Scan};

use crate::{
    arrays,
    columns::{GameColumn, schema},
    encoding::Encoding,
    error::{arrow_error, error_of_arrow},
};

/// An iterator over the record batches of a scan: one for each block with games of the scan, in order.
///
/// The threads of the scan decode blocks and build the arrays in advance; at most the number of threads
/// plus 4 batches are in memory. The first error ends the iteration. A batch of a block of 8 MiB of text
/// has some thousands of rows.
pub struct RecordBatches {
    schema: SchemaRef,
    batches: MappedScan<RecordBatch>,
}

impl RecordBatches {
    /// The batches of a scan with these columns, which replace those that the scan has chosen.
    pub fn of(scan: Scan, columns: &[GameColumn], encoding: Encoding) -> Self {
        let schema = schema(columns, encoding);
        let sources = columns.iter().map(|column| column.source().clone());
        let scan = scan.columns(sources);
        let of_batch = {
            let schema = schema.clone();
            move |batch: Batch| {
                let (games, columns) = batch.into_parts();
                let columns = columns.into_iter();
                let arrays = columns.map(|column| arrays::of(column, encoding));
                record_batch(&schema, arrays, games.len())
            }
        };
        Self {
            schema,
            batches: scan.map_batches(of_batch),
        }
    }

    /// The schema of all batches.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// A record batch of this number of rows, which may have no columns.
///
/// # Errors
/// That of an array; internal if the arrays are not those of the schema.
pub(crate) fn record_batch(
    schema: &SchemaRef,
    arrays: impl Iterator<Item = Result<ArrayRef>>,
    rows: usize,
) -> Result<RecordBatch> {
    let arrays: Result<Vec<_>> = arrays.collect();
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::clone(schema), arrays?, &options).map_err(error_of_arrow)
}

impl Iterator for RecordBatches {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.batches.next()?.map_err(arrow_error))
    }
}

impl RecordBatchReader for RecordBatches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
