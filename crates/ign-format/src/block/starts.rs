//! Start positions of a block's records (spec §4.2.1), determined once for all records.
//!
//! Nearly all games start from the standard position, so each record has a number. Only other start
//! positions are stored, once for each run of records that share one. A *playable* record has a
//! start and moves; the moves column holds the games of exactly these records. Where they have null
//! moves is known with their starts.

use crate::{
    block::nulls::NullMoves,
    columns::{Span, Table},
    error::{Error, Result},
    pgn::start::{self, Start},
};
use ign_notation::chess::{self, Position};

/// The number of a record without a start.
const NONE: u32 = 0;
/// The number of a record that starts from the standard position. A greater number `n` is that of
/// `others[n - STANDARD - 1]`.
const STANDARD: u32 = 1;

/// Whether a game is standard chess from the standard starting position.
pub fn is_standard(start: &Start) -> bool {
    let start = start.as_chess();
    start.is_some_and(|start| start.position == Position::default())
}

/// The start positions of the records of a block.
#[derive(Debug, Clone, Default)]
pub struct Starts {
    standard: Start,
    others: Vec<Start>,
    /// A number for each record.
    numbers: Vec<u32>,
    /// For each record whether it has moves.
    moves: Vec<bool>,
    /// The playable records, ascending.
    played: Vec<u32>,
    nulls: NullMoves,
}

impl Starts {
    /// The tags that determine where a game starts.
    pub const TAGS: [&'static str; 2] = ["FEN", "Variant"];

    /// The starts of the records of a table in which [`TAGS`](Self::TAGS) are decoded.
    pub fn of_table(table: &Table, has_moves: impl Fn(usize) -> bool) -> Self {
        let tags = Self::TAGS.map(|name| table.tag(name.as_bytes()));
        let mut starts = Self::with_capacity(table.rows);
        let span = |tag: Option<u16>, row| tag.map_or(Span::ABSENT, |tag| table.span(tag, row));
        let mut before = [Span::ABSENT; 2];
        let mut number = STANDARD;
        for row in 0..table.rows {
            // Consecutive records mostly have equal values, and equal values have equal spans.
            let spans = tags.map(|tag| span(tag, row));
            if spans != before {
                let [fen, variant] = tags.map(|tag| table.value(tag?, row));
                number = starts.number_of(start::of_tags(fen, variant).as_ref());
                before = spans;
            }
            starts.add(number, has_moves(row));
        }
        starts
    }

    /// The starts of records without these tags; `moves` tells for each whether it has moves.
    pub fn of_moves(moves: impl ExactSizeIterator<Item = bool>) -> Self {
        let mut starts = Self::with_capacity(moves.len());
        moves.for_each(|has_moves| starts.add(STANDARD, has_moves));
        starts
    }

    fn with_capacity(records: usize) -> Self {
        Self {
            numbers: Vec::with_capacity(records),
            moves: Vec::with_capacity(records),
            played: Vec::with_capacity(records),
            ..Self::default()
        }
    }

    /// The same records with these null moves.
    ///
    /// # Errors
    /// Corrupt if a record has null moves, but no start or one of a variant.
    pub fn with_nulls(mut self, nulls: &NullMoves) -> Result<Self> {
        let is_chess = |record| self.of(record).is_some_and(Start::has_null_moves);
        if !nulls.records().all(is_chess) {
            return Err(Error::corrupt(
                "a record has null moves, but is not a game of chess",
            ));
        }
        self.nulls.clone_from(nulls);
        Ok(self)
    }

    /// Adds a record with null moves at these plies.
    pub fn push(&mut self, start: Option<&Start>, has_moves: bool, nulls: &[u32]) {
        let number = self.number_of(start);
        self.nulls.push(self.numbers.len(), nulls);
        self.add(number, has_moves);
    }

    /// The number of a start. A start that differs from the last of `others` gets a new one.
    fn number_of(&mut self, start: Option<&Start>) -> u32 {
        match start {
            None => NONE,
            Some(start) if *start == self.standard => STANDARD,
            Some(start) => {
                if self.others.last() != Some(start) {
                    self.others.push(start.clone());
                }
                STANDARD + self.others.len() as u32
            }
        }
    }

    #[inline]
    fn add(&mut self, number: u32, has_moves: bool) {
        if has_moves && number != NONE {
            self.played.push(self.numbers.len() as u32);
        }
        self.moves.push(has_moves);
        self.numbers.push(number);
    }

    /// Where a record's game starts; `None` if the record cannot be played.
    #[inline]
    pub fn of(&self, record: usize) -> Option<&Start> {
        match self.numbers[record] {
            NONE => None,
            STANDARD => Some(&self.standard),
            other => Some(&self.others[(other - STANDARD - 1) as usize]),
        }
    }

    /// The plies of the null moves of a record, ascending.
    #[inline]
    pub fn nulls(&self, record: usize) -> &[u32] {
        self.nulls.of(record)
    }

    /// The start of a record if it is a game of chess without null moves: the number of legal moves
    /// of each position is all that reading its integer takes.
    #[inline]
    pub fn regular(&self, record: usize) -> Option<&chess::Start> {
        let start = self.of(record)?.as_chess()?;
        self.nulls(record).is_empty().then_some(start)
    }

    /// The playable records from `record` on.
    pub fn played_from(&self, record: usize) -> impl Iterator<Item = usize> {
        let records = record..self.numbers.len();
        records.filter(|&record| self.is_played(record))
    }

    /// Whether a record is playable.
    #[inline]
    pub fn is_played(&self, record: usize) -> bool {
        self.moves[record] && self.numbers[record] != NONE
    }

    /// The number of a record among the playable ones, if it is playable.
    pub fn number(&self, record: usize) -> Option<usize> {
        self.played.binary_search(&(record as u32)).ok()
    }

    /// The playable records, ascending.
    pub fn played(&self) -> &[u32] {
        &self.played
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_the_start_of_each_record() {
        let start = |fen: &[u8]| start::of_tags(Some(fen), None).unwrap();
        let all = [
            None,
            start::of_tags(None, None),
            Some(start(b"4k3/8/8/8/8/8/8/4K2R b - - 0 17")),
            None,
            Some(start(b"4k3/8/8/8/8/8/8/4K2R w - - 0 17")),
            start::of_tags(None, None),
            start::of_tags(None, Some(b"crazyhouse")),
            start::of_tags(None, Some(b"crazyhouse")),
        ];
        let mut starts = Starts::default();
        for (record, start) in all.iter().enumerate() {
            starts.push(start.as_ref(), record != 5, &[]);
        }
        for (record, start) in all.iter().enumerate() {
            assert_eq!(starts.of(record), start.as_ref());
        }
        assert_eq!(starts.played(), [1, 2, 4, 6, 7]);
        assert_eq!((starts.number(4), starts.number(5)), (Some(2), None));
        assert_eq!(starts.others.len(), 3);
        assert!(starts.is_played(1) && !starts.is_played(0) && !starts.is_played(5));
    }
}
