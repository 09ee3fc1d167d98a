//! The bytes that a table takes in different representations, for comparison.

use ign_archive::Result;
use ign_endgame::{
    file::IntervalTable,
    intervals::{View, raw},
    numbering::Numbering,
    table::Table,
};

/// The zstd level of the comparison.
const LEVEL: i32 = 19;

/// Bytes of the table with one side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// One byte for each index of F1.
    pub raw: u64,
    /// The same, compressed with zstd.
    pub raw_zstd: u64,
    /// One byte for each index of the table's own numbering, compressed with zstd.
    pub ordered_zstd: u64,
    /// Four bytes for each interval: 24 bits for its last index, 8 for its value.
    pub searchable: u64,
    /// The file of intervals.
    pub file: u64,
}

impl Sizes {
    /// Measures a solved endgame and its intervals.
    ///
    /// # Errors
    /// Io if zstd fails.
    pub fn new(table: &Table, intervals: &IntervalTable) -> Result<Self> {
        let f1 = Numbering::f1(table.material().pieces().len());
        let view = View::new(table, intervals.turn(), &f1, &[]);
        let plain = raw(&view.intervals(&f1));
        let zstd =
            |bytes: &[u8]| -> Result<u64> { Ok(zstd::bulk::compress(bytes, LEVEL)?.len() as u64) };
        Ok(Self {
            raw: plain.len() as u64,
            raw_zstd: zstd(&plain)?,
            ordered_zstd: zstd(&raw(intervals.intervals()))?,
            searchable: 4 * intervals.intervals().len() as u64,
            file: intervals.to_bytes().len() as u64,
        })
    }
}
