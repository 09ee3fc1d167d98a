//! Record batches of a scan.

use std::{collections::VecDeque, fmt, sync::Arc};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use ign_archive::{
    Result, Scan,
    scan::{Batch, ColumnData, MappedScan},
};

use crate::{
    arrays,
    columns::{GameColumn, schema},
    encoding::Encoding,
    error::{arrow_error, error_of_arrow},
};

/// An iterator over the record batches of scans: one for each block with games of a scan, in order.
///
/// The threads of a scan decode blocks and build the arrays in advance; at most the number of
/// threads plus 4 batches are in memory. The first error ends the iteration. A batch of a block of
/// 8 MiB of text has some thousands of rows.
pub struct RecordBatches {
    columns: Vec<GameColumn>,
    encoding: Encoding,
    schema: SchemaRef,
    /// The scans that are still to come, each with what is added to the numbers of its games.
    rest: VecDeque<(u64, Scan)>,
    current: Option<MappedScan<RecordBatch>>,
}

impl fmt::Debug for RecordBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordBatches")
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

impl RecordBatches {
    /// The batches of a scan with these columns, which replace those that the scan has chosen.
    pub fn of(scan: Scan, columns: &[GameColumn], encoding: Encoding) -> Self {
        Self::of_all([(0, scan)], columns, encoding)
    }

    /// The batches of scans of several archives, one scan after the other. Each scan is preceded by
    /// what is added to the numbers of its games: the number of games of the archives before.
    pub fn of_all(
        scans: impl IntoIterator<Item = (u64, Scan)>,
        columns: &[GameColumn],
        encoding: Encoding,
    ) -> Self {
        Self {
            columns: columns.to_vec(),
            encoding,
            schema: schema(columns, encoding),
            rest: scans.into_iter().collect(),
            current: None,
        }
    }

    /// The schema of all batches.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Starts the next scan.
    fn start(&self, scan: Scan, before: u64) -> MappedScan<RecordBatch> {
        let (schema, encoding) = (self.schema.clone(), self.encoding);
        let sources = self.columns.iter().map(|column| column.source().clone());
        scan.columns(sources).map_batches(move |batch: Batch| {
            let (games, columns) = batch.into_parts();
            let columns = columns.into_iter().map(|column| match column {
                ColumnData::Number(mut numbers) => {
                    numbers.iter_mut().for_each(|number| *number += before);
                    ColumnData::Number(numbers)
                }
                other => other,
            });
            let arrays = columns.map(|column| arrays::of(column, encoding));
            record_batch(&schema, arrays, games.len())
        })
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
        loop {
            if let Some(batches) = &mut self.current {
                match batches.next() {
                    Some(Ok(batch)) => return Some(Ok(batch)),
                    Some(Err(error)) => {
                        self.current = None;
                        self.rest.clear();
                        return Some(Err(arrow_error(error)));
                    }
                    None => self.current = None,
                }
            }
            let (before, scan) = self.rest.pop_front()?;
            self.current = Some(self.start(scan, before));
        }
    }
}

impl RecordBatchReader for RecordBatches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
