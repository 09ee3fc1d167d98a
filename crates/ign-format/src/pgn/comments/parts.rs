//! The comments column: packer and unpacker, in parts (spec §4.5.4, §4.5.8).

use super::{
    Networks,
    duplicates::Duplicates,
    model::{CommentModel, Record},
};
use crate::{error::Result, pgn::parts};

/// Flag of a column that is predicted from the moves.
pub const BY_MOVES: u8 = 1;

/// Flag of a column whose first part is coded without the moves, regardless of [`BY_MOVES`].
pub const FIRST_WITHOUT: u8 = 2;

/// Number of comments after which a part ends, at the next end of a group of weighted games. So a
/// part needs the moves of few groups.
const PART: usize = 1000;
/// Number of comments in the first part if [`FIRST_WITHOUT`] is set: enough to adapt the model
/// that all other parts start from.
const FIRST_PART: usize = 1000;
/// Blocks with fewer clocks than this have a single part.
const MIN_CLOCKS: usize = FIRST_PART + PART;

/// Counts what looks like clocks in the comments of a text, up to `max`.
pub fn count_clocks(text: &[u8], max: usize) -> usize {
    memchr::memmem::find_iter(text, b"%clk ").take(max).count()
}

/// Division of the column into parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Division {
    /// A single part, predicted from the moves.
    Single,
    /// Parts predicted from the moves, except the first.
    ByMoves,
    /// Parts coded without the moves.
    WithoutMoves,
}

/// The comments column of a block.
#[derive(Debug, Default)]
pub struct Packed {
    /// Streams of the parts.
    pub streams: parts::Packed,
    /// Stream of the duplicates.
    pub duplicates: Vec<u8>,
    /// Flags of the column.
    pub flags: u8,
    /// Whether any value was predicted from a time control, so that a reader needs that tag.
    pub uses_time_control: bool,
}

/// Packs the comments of a block.
#[derive(Debug)]
pub struct Packer {
    parts: parts::Packer<CommentModel>,
    division: Division,
    uses_time_control: bool,
    /// Number of comments in the current part.
    count: usize,
    duplicates: Duplicates,
    /// Number of records so far.
    records: usize,
    /// Comments of the last record.
    last: Vec<u8>,
}

impl Packer {
    /// A packer for the comments of a text. A column that needs the moves is read after them, so
    /// texts without clocks do without.
    pub fn new(text: &[u8], networks: Networks) -> Self {
        Self {
            parts: parts::Packer::new(CommentModel::new(networks)),
            division: match count_clocks(text, MIN_CLOCKS) {
                0 => Division::WithoutMoves,
                MIN_CLOCKS.. => Division::ByMoves,
                _ => Division::Single,
            },
            uses_time_control: false,
            count: 0,
            duplicates: Duplicates::default(),
            records: 0,
            last: Vec::new(),
        }
    }

    /// Whether the comments of the next record are predicted from its moves.
    pub fn needs_moves(&self) -> bool {
        match self.division {
            Division::Single => true,
            Division::ByMoves => !self.parts.is_in_first(),
            Division::WithoutMoves => false,
        }
    }

    /// Adds a record: its comments, each followed by `}`, its number of plies, and whether a group
    /// of weighted games ends with it.
    ///
    /// # Errors
    /// Returns an error only if the model rejects its input.
    pub fn push(
        &mut self,
        record: Record,
        comments: &[u8],
        plies: usize,
        ends_group: bool,
    ) -> Result<()> {
        if comments == self.last && Duplicates::is_worthwhile(comments) {
            self.duplicates.push(self.records);
        } else if record.layout.comments {
            let part = self.parts.record();
            part.model
                .encode(part.coder, part.text, record, comments, plies)?;
            self.uses_time_control |= part.model.uses_time_control();
            self.count += memchr::memchr_iter(b'}', comments).count();
        }
        self.records += 1;
        self.last.clear();
        self.last.extend_from_slice(comments);
        let ends_part = match self.division {
            Division::Single => false,
            Division::ByMoves if self.parts.is_in_first() => self.count >= FIRST_PART,
            Division::ByMoves | Division::WithoutMoves => self.count >= PART && ends_group,
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
            duplicates: self.duplicates.write(),
            flags: match self.division {
                Division::WithoutMoves => 0,
                Division::Single => BY_MOVES,
                Division::ByMoves => BY_MOVES | FIRST_WITHOUT,
            },
            uses_time_control: self.uses_time_control,
        }
    }
}

/// Unpacks the comments of a block.
#[derive(Debug)]
pub struct Unpacker<'a> {
    /// The parts.
    pub parts: parts::Unpacker<'a, CommentModel>,
    duplicates: Duplicates,
    /// Number of records so far.
    records: usize,
    /// Comments of the last record, if they are needed.
    out: Vec<u8>,
}

impl<'a> Unpacker<'a> {
    /// An unpacker for a number of records. Records that are not wanted may be skipped.
    ///
    /// # Errors
    /// Returns a corruption error if the parts do not fit the streams or the duplicates do not fit
    /// the records.
    pub fn new(
        networks: Networks,
        [codes, text, parts, duplicates]: [&'a [u8]; 4],
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        let duplicates = Duplicates::read(duplicates, records)?;
        // A duplicate needs its original.
        let wanted = |record| duplicates.with_duplicates(record).any(&wanted);
        Ok(Self {
            parts: parts::Unpacker::new(
                CommentModel::new(networks),
                [codes, text, parts],
                records,
                wanted,
            )?,
            duplicates,
            records: 0,
            out: Vec::new(),
        })
    }

    /// Goes to the next record; returns whether it is decoded.
    ///
    /// # Errors
    /// Returns a corruption error if text of the previous part is left over.
    pub fn next_record(&mut self) -> Result<bool> {
        self.parts.next_record()?;
        self.records += 1;
        Ok(self.parts.is_needed() && !self.duplicates.contains(self.records - 1))
    }

    /// The comments of the current record, of at most `max_len` bytes. If the record is not wanted
    /// the result is unspecified: it may be decoded only to adapt the model.
    ///
    /// # Errors
    /// Returns a corruption error if the input is malformed.
    pub fn take(&mut self, record: Record, wanted: bool, max_len: usize) -> Result<&[u8]> {
        if self.records > 0 && self.duplicates.contains(self.records - 1) {
            return Ok(&self.out);
        }
        self.out.clear();
        if record.layout.comments {
            let is_needed = wanted || self.duplicates.contains(self.records);
            self.parts.decode(|part| {
                let (model, coder, text) = (part.model, part.coder, part.text);
                if is_needed {
                    model.decode(coder, text, record, &mut self.out, max_len)
                } else {
                    model.skip(coder, text, record)
                }
            })?;
        }
        Ok(&self.out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{
        comments::{
            fixtures::{adapted_model, layout},
            time_control::TimeControl,
        },
        gaps::Templates,
        layout::{Layout, LayoutModel},
    };

    /// Packs games with this number of comments each, clocks or others, in groups of four games.
    /// Returns the number of records in each part, and for each record whether its moves were used.
    fn parts_of(games: usize, comments: usize, clocks: bool) -> (Vec<usize>, Vec<bool>) {
        // No game duplicates the one before it.
        let comment = |game: usize| {
            if clocks {
                format!("[%clk 0:01:{:02}]}}", game % 60)
            } else {
                format!("+0.3/{game} 1s}}")
            }
        };
        let layout = Layout {
            comments: true,
            gaps: vec![0; comments - 1],
            stored_gaps: comments - 1,
            ..Layout::default()
        };
        let gaps = Templates::read(b" \x02 \0").unwrap();
        let comments = |game: usize| comment(game).repeat(comments);
        let text: String = (0..games).map(comments).collect();
        let mut packer = Packer::new(text.as_bytes(), Networks::builtin());
        let mut by_moves = Vec::new();
        for game in 0..games {
            by_moves.push(packer.needs_moves());
            let record = Record {
                layout: &layout,
                model: &LayoutModel::default(),
                gaps: &gaps,
                control: TimeControl::default(),
                moves: None,
            };
            let ends_group = game % 4 == 3;
            let pushed = packer.push(
                record,
                comments(game).as_bytes(),
                layout.stored_gaps,
                ends_group,
            );
            pushed.unwrap();
        }
        let packed = packer.finish();
        assert_eq!(packed.flags & BY_MOVES != 0, clocks);
        let parts::Packed { codes, text, parts } = &packed.streams;
        let streams = [&codes[..], text, parts, &packed.duplicates];
        let unpacker = Unpacker::new(Networks::builtin(), streams, games, |_| true).unwrap();
        let records = unpacker.parts.lens().collect();
        (records, by_moves)
    }

    #[test]
    fn with_many_clocks_only_the_first_part_is_coded_without_moves() {
        // 1,000 comments, then at least as many, up to the end of a group.
        let (records, by_moves) = parts_of(33, 100, true);
        assert_eq!(records, [10, 10, 12, 1]);
        assert!(
            by_moves
                .iter()
                .enumerate()
                .all(|(game, &by)| by == (game >= 10))
        );
        // The first part may end within a group.
        assert_eq!(parts_of(33, 90, true).0, [12, 12, 9]);
    }

    #[test]
    fn the_first_part_may_be_the_only_one() {
        // The clocks counted are not in comments, or the last record ends the first part.
        let text = b"%clk ".repeat(MIN_CLOCKS);
        let packer = Packer::new(&text, Networks::builtin());
        assert!(!packer.needs_moves());
        assert_eq!(packer.finish().flags, BY_MOVES | FIRST_WITHOUT);
        let (records, by_moves) = parts_of(1, 2200, true);
        assert_eq!((records, by_moves), (vec![1], vec![false]));
    }

    #[test]
    fn few_clocks_make_one_part_and_other_comments_need_no_moves() {
        let (records, by_moves) = parts_of(19, 100, true);
        assert_eq!((records, by_moves), (vec![19], vec![true; 19]));
        let (records, by_moves) = parts_of(33, 100, false);
        assert_eq!((records, by_moves), (vec![12, 12, 9], vec![false; 33]));
    }

    fn without_moves<'a>(
        layout: &'a Layout,
        model: &'a LayoutModel,
        gaps: &'a Templates,
    ) -> Record<'a> {
        Record {
            layout,
            model,
            gaps,
            control: TimeControl::default(),
            moves: None,
        }
    }

    #[test]
    fn a_record_needs_the_first_part_and_its_own() {
        let (model, gaps) = adapted_model();
        let layout = layout(0);
        let record = without_moves(&layout, &model, &gaps);
        let comments = |game: usize| -> Vec<u8> {
            let text: String = (0..100)
                .map(|i| format!("t{} {}}}", game / 50, i * game))
                .collect();
            text.into_bytes()
        };
        let games = 500;
        let mut packer = Packer::new(b"", Networks::builtin());
        for game in 0..games {
            let ends_group = game % 10 == 9;
            packer
                .push(record, &comments(game), 100, ends_group)
                .unwrap();
        }
        let packed = packer.finish().streams;
        let streams = [&packed.codes[..], &packed.text, &packed.parts, &[]];
        for wanted in [0, 163, 164, 300, games - 1] {
            let mut unpacker =
                Unpacker::new(Networks::builtin(), streams, games, |g| g == wanted).unwrap();
            let mut others = 0;
            for game in 0..games {
                unpacker.next_record().unwrap();
                let found = unpacker.take(record, true, 1 << 20).unwrap();
                assert!(game != wanted || found == comments(game), "game {game}");
                others += usize::from(game != wanted && !found.is_empty());
            }
            unpacker.parts.finish().unwrap();
            assert!(
                others < 300,
                "{others} others are decoded for game {wanted}"
            );
        }
        for bad in [
            [&packed.codes[1..], &packed.text, &packed.parts, &[]],
            [&packed.codes, &packed.text[1..], &packed.parts, &[]],
            [&packed.codes, &packed.text, &packed.parts[1..], &[]],
            [&packed.codes, &packed.text, &[], &[]],
            [&[], &[], &[0, 0, 0], &[]],
        ] {
            assert!(Unpacker::new(Networks::builtin(), bad, games, |_| true).is_err());
        }
    }

    #[test]
    fn duplicates_are_decoded_with_their_originals() {
        let (model, gaps) = adapted_model();
        let layout = layout(0);
        let record = without_moves(&layout, &model, &gaps);
        // Each game occurs three times; each part ends after the first of three.
        let comments = |game: usize| -> Vec<u8> {
            let text: String = (0..400).map(|i| format!("{}}}", i * (game / 3))).collect();
            text.into_bytes()
        };
        let games = 60;
        let mut packer = Packer::new(b"", Networks::builtin());
        for game in 0..games {
            let pushed = packer.push(record, &comments(game), 400, game % 3 == 0);
            pushed.unwrap();
        }
        let packed = packer.finish();
        let Packed {
            streams,
            duplicates,
            ..
        } = &packed;
        let streams = [
            &streams.codes[..],
            &streams.text,
            &streams.parts,
            duplicates,
        ];
        for wanted in 0..games {
            let mut unpacker =
                Unpacker::new(Networks::builtin(), streams, games, |game| game == wanted).unwrap();
            for game in 0..games {
                let decoded = unpacker.next_record().unwrap();
                assert!(!decoded || game % 3 == 0);
                let found = unpacker.take(record, game == wanted, 1 << 20).unwrap();
                assert!(game != wanted || found == comments(game), "game {game}");
            }
        }
        assert!(Unpacker::new(Networks::builtin(), streams, games - 1, |_| true).is_err());
    }
}
