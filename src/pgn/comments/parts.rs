//! The comments of a block, record by record (spec §4.5.4).

use super::{BY_MOVES, CommentModel, FIRST_WITHOUT, Record, count_clocks};
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
        if record.layout.comments {
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
    out: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    /// The comments of so many records; those of records that are not wanted may
    /// be left out.
    ///
    /// # Errors
    /// Corrupt when the parts are not those of the streams.
    pub fn new(
        streams: [&'a [u8]; 3],
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        Ok(Self {
            parts: parts::Unpacker::new(streams, records, wanted)?,
            out: Vec::new(),
        })
    }

    /// Goes on to the next record; tells whether it is among those that are decoded.
    ///
    /// # Errors
    /// Corrupt when text of the part before is left over.
    pub fn next_record(&mut self) -> Result<bool> {
        self.parts.next_record()?;
        Ok(self.parts.is_needed())
    }

    /// The comments of the record, at most so many bytes; nothing where they are not needed, or
    /// only learned from.
    ///
    /// # Errors
    /// Corrupt.
    pub fn take(&mut self, record: Record, most: Option<usize>) -> Result<&[u8]> {
        self.out.clear();
        if record.layout.comments {
            let out = most.is_some().then_some(&mut self.out);
            let most = most.unwrap_or(usize::MAX);
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
        comments::pace::TimeControl,
        gaps::Templates,
        layout::{Layout, LayoutModel},
    };

    /// The records of each part, and whether they were told by the moves, of games with as many
    /// comments, which are that many clocks if there are some at all, in groups of four.
    fn parts_of(games: usize, comments: usize, clocks: bool) -> (Vec<usize>, Vec<bool>) {
        let comment = if clocks {
            "[%clk 0:01:00]}"
        } else {
            "+0.3/9 1s}"
        };
        let layout = Layout {
            comments: true,
            gaps: vec![0; comments - 1],
            told: comments - 1,
            ..Layout::default()
        };
        let gaps = Templates::read(b" \x02 \0").unwrap();
        let comments = comment.repeat(comments);
        let mut packer = Packer::new(comments.repeat(games).as_bytes());
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
            let pushed = packer.push(record, comments.as_bytes(), layout.told, ends_group);
            pushed.unwrap();
        }
        let packed = packer.finish();
        assert_eq!(packed.switches & BY_MOVES != 0, clocks);
        let parts::Packed { codes, text, parts } = &packed.streams;
        let unpacker = Unpacker::new([codes, text, parts], games, |_| true).unwrap();
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
