//! The comments of a block, record by record (spec §4.5.4, §4.5.8).

use super::{BY_MOVES, CommentModel, FIRST_WITHOUT, Record, copies::Copies, count_clocks};
use crate::{error::Result, pgn::parts};

/// A part ends behind the record with which it has so many comments and a group of the moves ends: so
/// what it takes are the moves of few groups.
const PART: usize = 1000;
/// Where the moves help, the first part has fewer, and is told without them: every other one
/// takes what it has taught, but none of its moves.
const FIRST_BY_MOVES: usize = 1000;
/// With fewer clocks than this all comments are one part.
const MANY: usize = FIRST_BY_MOVES + PART;

/// Where parts end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// Nowhere, told by the moves: there is one.
    Nowhere,
    /// Where groups of the moves do, told by them but for the first.
    WithGroups,
    /// There too, told without them.
    WithoutMoves,
}

/// The comments of a block.
#[derive(Default)]
pub struct Packed {
    /// Their streams.
    pub streams: parts::Packed,
    /// Which records are copies: a stream too.
    pub copies: Vec<u8>,
    /// The switches of the column.
    pub switches: u8,
    /// Whether the time controls of the games have helped to tell them.
    pub asked_control: bool,
}

/// Packs the comments of a block.
pub struct Packer {
    parts: parts::Packer<CommentModel>,
    ends: Ends,
    /// Whether the time controls of the games have helped to tell them.
    asked_control: bool,
    /// Comments of the part.
    count: usize,
    copies: Copies,
    /// Records so far.
    records: usize,
    /// The comments of the last.
    last: Vec<u8>,
}

impl Packer {
    /// A packer of the comments of a text. What is told by the moves waits for them, so that is
    /// left where no clock is.
    pub fn new(text: &[u8]) -> Self {
        Self {
            parts: parts::Packer::default(),
            ends: match count_clocks(text, MANY) {
                0 => Ends::WithoutMoves,
                MANY.. => Ends::WithGroups,
                _ => Ends::Nowhere,
            },
            asked_control: false,
            count: 0,
            copies: Copies::default(),
            records: 0,
            last: Vec::new(),
        }
    }

    /// Whether the moves help to tell the comments of the next record.
    pub fn asks_for_moves(&self) -> bool {
        match self.ends {
            Ends::Nowhere => true,
            Ends::WithGroups => !self.parts.is_in_first(),
            Ends::WithoutMoves => false,
        }
    }

    /// Adds a record: the comments it has, each with its `}`, how many moves, and whether no
    /// group of them is under way behind it.
    ///
    /// # Errors
    /// None but those of a model that fails on what it is given.
    pub fn push(
        &mut self,
        record: Record,
        comments: &[u8],
        plies: usize,
        ends_group: bool,
    ) -> Result<()> {
        if comments == self.last && Copies::is_worth(comments) {
            self.copies.push(self.records);
        } else if record.layout.comments {
            let turn = self.parts.record();
            turn.model.code(
                turn.coder,
                turn.text,
                record,
                Some((comments, plies)),
                None,
                usize::MAX,
            )?;
            self.asked_control |= turn.model.asked_control();
            self.count += memchr::memchr_iter(b'}', comments).count();
        }
        self.records += 1;
        self.last.clear();
        self.last.extend_from_slice(comments);
        let ends_part = match self.ends {
            Ends::Nowhere => false,
            Ends::WithGroups if self.parts.is_in_first() => self.count >= FIRST_BY_MOVES,
            Ends::WithGroups | Ends::WithoutMoves => self.count >= PART && ends_group,
        };
        if ends_part {
            self.count = 0;
        }
        self.parts.end_record(ends_part);
        Ok(())
    }

    /// The column.
    pub fn finish(self) -> Packed {
        Packed {
            streams: self.parts.finish(),
            copies: self.copies.write(),
            switches: match self.ends {
                Ends::WithoutMoves => 0,
                Ends::Nowhere => BY_MOVES,
                Ends::WithGroups => BY_MOVES | FIRST_WITHOUT,
            },
            asked_control: self.asked_control,
        }
    }
}

/// Unpacks the comments of a block.
pub struct Unpacker<'a> {
    /// The parts.
    pub parts: parts::Unpacker<'a, CommentModel>,
    copies: Copies,
    /// Records so far.
    records: usize,
    /// The comments of the last, if somebody asks for them.
    out: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    /// The comments of so many records; those of records that are not wanted may
    /// be left out.
    ///
    /// # Errors
    /// Corrupt when the parts are not those of the streams, or the copies not those of the records.
    pub fn new(
        [codes, text, parts, copies]: [&'a [u8]; 4],
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        let copies = Copies::read(copies, records)?;
        // Who wants a copy wants what it is a copy of.
        let wanted = |record| copies.from(record).any(&wanted);
        Ok(Self {
            parts: parts::Unpacker::new([codes, text, parts], records, wanted)?,
            copies,
            records: 0,
            out: Vec::new(),
        })
    }

    /// Goes on to the next record; tells whether it is among those that are decoded.
    ///
    /// # Errors
    /// Corrupt when text of the part before is left over.
    pub fn next_record(&mut self) -> Result<bool> {
        self.parts.next_record()?;
        self.records += 1;
        Ok(self.parts.is_needed() && !self.copies.contains(self.records - 1))
    }

    /// The comments of the record, at most so many bytes. Where it is not wanted they are anything:
    /// others only learn from them, if they are decoded.
    ///
    /// # Errors
    /// Corrupt.
    pub fn take(&mut self, record: Record, wanted: bool, most: usize) -> Result<&[u8]> {
        if self.records > 0 && self.copies.contains(self.records - 1) {
            return Ok(&self.out);
        }
        self.out.clear();
        if record.layout.comments {
            let asked = wanted || self.copies.contains(self.records);
            let out = asked.then_some(&mut self.out);
            self.parts.decode(|turn| {
                let (coder, text) = (turn.coder, turn.text);
                turn.model.code(coder, text, record, None, out, most)
            })?;
        }
        Ok(&self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{
        comments::clock_model::TimeControl,
        gaps::Templates,
        layout::{Layout, LayoutModel},
    };

    /// The records of each part, and whether they were told by the moves, of games with as many
    /// comments, which are that many clocks if there are some at all, in groups of four.
    fn parts_of(games: usize, comments: usize, clocks: bool) -> (Vec<usize>, Vec<bool>) {
        // No game has those of the one before it.
        let comment = |game: usize| match clocks {
            true => format!("[%clk 0:01:{:02}]}}", game % 60),
            false => format!("+0.3/{game} 1s}}"),
        };
        let layout = Layout {
            comments: true,
            gaps: vec![0; comments - 1],
            told: comments - 1,
            ..Layout::default()
        };
        let gaps = Templates::read(b" \x02 \0").unwrap();
        let comments = |game: usize| comment(game).repeat(comments);
        let text: String = (0..games).map(comments).collect();
        let mut packer = Packer::new(text.as_bytes());
        let mut by_moves = Vec::new();
        for game in 0..games {
            by_moves.push(packer.asks_for_moves());
            let record = Record {
                layout: &layout,
                model: &LayoutModel::default(),
                gaps: &gaps,
                control: TimeControl::default(),
                moves: None,
            };
            let ends_group = game % 4 == 3;
            let pushed = packer.push(record, comments(game).as_bytes(), layout.told, ends_group);
            pushed.unwrap();
        }
        let packed = packer.finish();
        assert_eq!(packed.switches & BY_MOVES != 0, clocks);
        let parts::Packed { codes, text, parts } = &packed.streams;
        let streams = [&codes[..], text, parts, &packed.copies];
        let unpacker = Unpacker::new(streams, games, |_| true).unwrap();
        let records = unpacker.parts.lens().collect();
        (records, by_moves)
    }

    #[test]
    fn where_there_are_many_clocks_the_first_part_is_told_without_moves() {
        // 1,000 comments; then as many or more, to the end of a group.
        let (records, by_moves) = parts_of(33, 100, true);
        assert_eq!(records, [10, 10, 12, 1]);
        assert!(
            by_moves
                .iter()
                .enumerate()
                .all(|(game, &by)| by == (game >= 10))
        );
        // Groups do not matter to the first.
        assert_eq!(parts_of(33, 90, true).0, [12, 12, 9]);
    }

    #[test]
    fn the_first_part_may_be_the_only_one() {
        // What looks like clocks stands in another place, or the last record ends the part.
        let text = b"%clk ".repeat(MANY);
        let packer = Packer::new(&text);
        assert!(!packer.asks_for_moves());
        assert_eq!(packer.finish().switches, BY_MOVES | FIRST_WITHOUT);
        let (records, by_moves) = parts_of(1, 2200, true);
        assert_eq!((records, by_moves), (vec![1], vec![false]));
    }

    #[test]
    fn few_clocks_are_one_part_and_other_comments_need_no_moves() {
        let (records, by_moves) = parts_of(19, 100, true);
        assert_eq!((records, by_moves), (vec![19], vec![true; 19]));
        let (records, by_moves) = parts_of(33, 100, false);
        assert_eq!((records, by_moves), (vec![12, 12, 9], vec![false; 33]));
    }
}
