//! Record batches of positions.

use std::fmt;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use ign_archive::{PositionScan, Result, positions::PositionBatch};

use super::{
    arrays,
    columns::{PositionField, position_schema},
};
use crate::{batches::record_batch, encoding::Encoding, error::arrow_error};

/// An iterator over the record batches of a scan of positions, one for each batch of the scan.
///
/// ```
/// # use ign_archive::{Archive, Input, Packer};
/// # let text = b"[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
/// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
/// # let archive = Archive::from_read_at(bytes, "a.ign")?;
/// use ign_arrow::{Encoding, PositionField, PositionRecordBatches};
///
/// let columns = PositionField::named_all(["game", "ply", "fen", "move", "result"])?;
/// for batch in PositionRecordBatches::of(archive.positions(), &columns, Encoding::PLAIN) {
///     let batch = batch?;
///     assert_eq!((batch.num_rows(), batch.num_columns()), (4, 5));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The first error ends the iteration.
pub struct PositionRecordBatches {
    scan: PositionScan,
    columns: Vec<PositionField>,
    encoding: Encoding,
    schema: SchemaRef,
}

impl fmt::Debug for PositionRecordBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PositionRecordBatches")
            .field("scan", &self.scan)
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

impl PositionRecordBatches {
    /// The batches of a scan with these columns, which replace those that the scan has chosen.
    pub fn of(scan: PositionScan, columns: &[PositionField], encoding: Encoding) -> Self {
        Self {
            scan: scan.columns(columns.iter().map(PositionField::source)),
            columns: columns.to_vec(),
            encoding,
            schema: position_schema(columns, encoding),
        }
    }

    /// The place after the last batch ([`PositionScan::token`]).
    ///
    /// # Errors
    /// As [`PositionScan::token`].
    pub fn token(&mut self) -> Result<String> {
        self.scan.token()
    }

    /// A batch of positions as a record batch.
    fn record_batch(&self, mut batch: PositionBatch) -> Result<RecordBatch> {
        let rows = batch.len();
        let columns = self.columns.iter();
        let arrays = columns.map(|&column| arrays::of(&mut batch, column, self.encoding));
        record_batch(&self.schema, arrays, rows)
    }
}

impl Iterator for PositionRecordBatches {
    type Item = std::result::Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.scan.next()?;
        let made = batch.and_then(|batch| self.record_batch(batch));
        Some(made.map_err(arrow_error))
    }
}

impl RecordBatchReader for PositionRecordBatches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
