//! Where the games of a block start (spec §4.2.1), found once for all its records.
//!
//! Nearly all start at the usual position, so a record keeps a number, and only the other
//! positions are kept themselves, once where several in a row are the same. A *game to play* is a
//! record that has a start and moves.

use crate::{
    columns::{Span, Table},
    pgn::start::{self, Start},
};

/// The number of a record without a start, and of one with the usual position; those above are
/// places among the others.
const NONE: u32 = 0;
const USUAL: u32 = 1;

/// Where the records of a block start their games.
#[derive(Debug, Clone, Default)]
pub struct Starts {
    usual: Start,
    others: Vec<Start>,
    /// A number for each record.
    numbers: Vec<u32>,
    /// For each record whether it has moves.
    moves: Vec<bool>,
    /// The records that are games to play.
    played: Vec<u32>,
}

impl Starts {
    /// The tags that tell them.
    pub const TAGS: [&'static str; 2] = ["FEN", "Variant"];

    /// Those of the records of a table, in which these tags are decoded.
    pub fn of_table(table: &Table, has_moves: impl Fn(usize) -> bool) -> Self {
        let tags = Self::TAGS.map(|name| table.tag(name.as_bytes()));
        let mut starts = Self::with_capacity(table.rows);
        let span = |tag: Option<u16>, row| tag.map_or(Span::ABSENT, |tag| table.span(tag, row));
        let mut before = [Span::ABSENT; 2];
        let mut number = USUAL;
        for row in 0..table.rows {
            // Nearly all have what the one before had, and equal values have equal spans.
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

    /// Those of records without these tags, each of which has moves or not.
    pub fn of_moves(moves: impl ExactSizeIterator<Item = bool>) -> Self {
        let mut starts = Self::with_capacity(moves.len());
        moves.for_each(|has_moves| starts.push_usual(has_moves));
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

    /// Adds a record that starts at the usual position.
    #[inline]
    fn push_usual(&mut self, has_moves: bool) {
        self.add(USUAL, has_moves);
    }

    /// Adds a record.
    pub fn push(&mut self, start: Option<&Start>, has_moves: bool) {
        let number = self.number_of(start);
        self.add(number, has_moves);
    }

    /// The number of a start; that of another than the last of these is a new one.
    fn number_of(&mut self, start: Option<&Start>) -> u32 {
        match start {
            None => NONE,
            Some(start) if *start == self.usual => USUAL,
            Some(start) => {
                if self.others.last() != Some(start) {
                    self.others.push(start.clone());
                }
                USUAL + self.others.len() as u32
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

    /// Where a record's game starts; none when it cannot be played.
    #[inline]
    pub fn of(&self, record: usize) -> Option<&Start> {
        match self.numbers[record] {
            NONE => None,
            USUAL => Some(&self.usual),
            other => Some(&self.others[(other - USUAL - 1) as usize]),
        }
    }

    /// Where those of the records from this on start that are games to play.
    pub fn from(&self, record: usize) -> impl Iterator<Item = &Start> {
        let records = record..self.numbers.len();
        let played = records.filter(|&record| self.is_played(record));
        played.filter_map(|record| self.of(record))
    }

    /// Whether a record is a game to play.
    #[inline]
    pub fn is_played(&self, record: usize) -> bool {
        self.moves[record] && self.numbers[record] != NONE
    }

    /// The number of a record among the games to play, if it is one.
    pub fn number(&self, record: usize) -> Option<usize> {
        self.played.binary_search(&(record as u32)).ok()
    }

    /// The records that are games to play, in order.
    pub fn played(&self) -> &[u32] {
        &self.played
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_keep_their_starts() {
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
            starts.push(start.as_ref(), record != 5);
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
