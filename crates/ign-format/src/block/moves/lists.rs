//! The moves of a block's records as lists, for readers that need them more than once.

use std::ops::Range;

use ign_notation::chess::Move;

/// The moves of some records of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoveLists {
    moves: Vec<Move>,
    /// Where the moves of each record are; `None` for records that have no start or were not
    /// decoded.
    ranges: Vec<Option<Range<usize>>>,
}

impl MoveLists {
    /// Lists for `records` records, without moves.
    pub(in crate::block) fn new(records: usize) -> Self {
        Self {
            moves: Vec::new(),
            ranges: vec![None; records],
        }
    }

    /// Sets the moves of a record.
    pub(in crate::block) fn set(&mut self, record: usize, moves: &[Move]) {
        let start = self.moves.len();
        self.moves.extend_from_slice(moves);
        self.ranges[record] = Some(start..self.moves.len());
    }

    /// The moves of a record. `None` if it has no start, or if its moves were not decoded.
    pub fn of(&self, record: usize) -> Option<&[Move]> {
        let range = self.ranges.get(record)?.clone()?;
        Some(&self.moves[range])
    }
}
