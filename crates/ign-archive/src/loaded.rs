//! A block in memory, with the columns that were asked for.
//!
//! [`Game`](crate::Game)s of a block share one of these. Each part is decoded when it is first
//! asked for. A block is loaded for one game, for some or for all of its games ([`Scope`]); the
//! parts of these are decoded without those of their neighbours as far as the format allows.

use std::{
    borrow::Cow,
    ops::Range,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use ign_format::{
    block::{
        decode::{Block, Records},
        moves::MoveLists,
        starts::Starts,
    },
    columns::{Table, openings},
    container::{NotUnderstood, index::Source},
    error::Result,
    game_number::GameNumber,
    pgn::start::Start,
};
use ign_notation::{chess::Move, signature::Signature};

use crate::{
    archive::Archive,
    asked::{Asked, GameData},
    opened::OpenBlock,
};

/// The number of games of a block that are decoded one by one. The next request decodes all games
/// of the scope: a program that reads few games decodes little, and one that reads all decodes each
/// block once.
const MAX_SINGLE: u32 = 3;

/// The part of a block that the columns are decoded for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Scope {
    /// One record.
    One(usize),
    /// Some records, ascending.
    Some(Vec<usize>),
    /// All records.
    All,
}

/// A block in memory.
pub(crate) struct LoadedBlock {
    archive: Archive,
    /// Its number, from 0.
    number: usize,
    open: OpenBlock,
    scope: Scope,
    /// The tag list of each record.
    pub(crate) records: Arc<Records>,
    tags: OnceLock<Table>,
    openings: OnceLock<Table>,
    /// The tag Variant alone.
    variants: OnceLock<Table>,
    reasons: OnceLock<Vec<Option<NotUnderstood>>>,
    starts: OnceLock<Starts>,
    moves: OnceLock<MoveLists>,
    text: OnceLock<Text>,
    san_text: OnceLock<Text>,
    /// For each record whether its text is in SAN already.
    in_san: OnceLock<Vec<bool>>,
    signatures: OnceLock<Vec<Signature>>,
    /// Games whose moves, text, or text in SAN, were decoded one by one.
    single: [AtomicU32; 3],
    /// Where games of the block report what is asked of them.
    asked: Option<Arc<Asked>>,
}

/// The text of the records of the scope.
struct Text {
    bytes: Vec<u8>,
    /// The place of each of these records.
    ranges: Vec<Range<usize>>,
}

impl Text {
    /// The texts that `decode` returns. It passes the length of the text after each record.
    fn collect(decode: impl FnOnce(&mut dyn FnMut(usize)) -> Result<Vec<u8>>) -> Result<Self> {
        let mut ranges = Vec::new();
        let mut end = 0;
        let bytes = decode(&mut |len| {
            ranges.push(end..len);
            end = len;
        })?;
        Ok(Self { bytes, ranges })
    }
}

impl LoadedBlock {
    /// Reads a block. `scope` chooses the records that it is loaded for.
    pub(crate) fn read(
        archive: &Archive,
        number: usize,
        scope: impl FnOnce(&Records) -> Result<Scope>,
    ) -> Result<Self> {
        let open = archive.open_block(number)?;
        let scope = archive.in_block(number, || scope(&open.records))?;
        Ok(Self::of(archive, number, open, scope))
    }

    /// Reads the head of a block. Its columns are read when they are needed.
    pub(crate) fn read_columns(archive: &Archive, number: usize) -> Result<Self> {
        let open = archive.open_columns(number)?;
        Ok(Self::of(archive, number, open, Scope::All))
    }

    fn of(archive: &Archive, number: usize, open: OpenBlock, scope: Scope) -> Self {
        Self {
            archive: archive.clone(),
            number,
            scope,
            records: open.records.clone(),
            open,
            tags: OnceLock::new(),
            openings: OnceLock::new(),
            variants: OnceLock::new(),
            reasons: OnceLock::new(),
            starts: OnceLock::new(),
            moves: OnceLock::new(),
            text: OnceLock::new(),
            san_text: OnceLock::new(),
            in_san: OnceLock::new(),
            signatures: OnceLock::new(),
            single: Default::default(),
            asked: None,
        }
    }

    /// The block, whose games report what is asked of them.
    pub(crate) fn reporting(mut self, asked: &Arc<Asked>) -> Self {
        self.asked = Some(asked.clone());
        self
    }

    /// Reports that a part was asked of a game. Games do so once for each part.
    pub(crate) fn report(&self, part: GameData) {
        if let Some(asked) = &self.asked {
            asked.count(part);
        }
    }

    /// Runs an operation on the block; its errors name the block.
    pub(crate) fn with<R>(&self, operation: impl FnOnce(&Block) -> Result<R>) -> Result<R> {
        self.archive
            .in_block(self.number, || operation(&self.open.block()?))
    }

    /// The value of a cell, computed on the first call.
    fn cell<'c, R>(
        &self,
        cell: &'c OnceLock<R>,
        compute: impl FnOnce(&Block) -> Result<R>,
    ) -> Result<&'c R> {
        if let Some(value) = cell.get() {
            return Ok(value);
        }
        let value = self.with(compute)?;
        Ok(cell.get_or_init(|| value))
    }

    /// The number of the block's first game, counted from 0.
    pub(crate) fn first_game(&self) -> u64 {
        self.archive.blocks()[self.number].first_game
    }

    /// The input that a game is part of.
    pub(crate) fn source_of_game(&self, game: GameNumber) -> &Source {
        self.archive.source_of_game(game)
    }

    fn covers(&self, record: usize) -> bool {
        match &self.scope {
            Scope::One(one) => *one == record,
            Scope::Some(records) => records.binary_search(&record).is_ok(),
            Scope::All => true,
        }
    }

    /// The end of the records of the scope.
    fn end(&self) -> usize {
        let last = match &self.scope {
            Scope::One(record) => Some(record),
            Scope::Some(records) => records.last(),
            Scope::All => return self.records.len(),
        };
        last.map_or(0, |last| last + 1)
    }

    /// The tags. Values that follow from the moves are not filled in.
    pub(crate) fn tags(&self) -> Result<&Table> {
        self.cell(&self.tags, |block| {
            block.table_of(&self.records, self.end(), |row| self.covers(row), |_| true)
        })
    }

    /// The tags that name the opening, those that follow from the first moves among them.
    pub(crate) fn openings(&self) -> Result<&Table> {
        self.cell(&self.openings, |block| {
            let mut table = block.table(&self.records, Some(&openings::TAGS))?;
            block.fill_openings(&self.records, &mut table, |row| self.covers(row))?;
            Ok(table)
        })
    }

    /// For each record why it is not, or only partly, understood.
    pub(crate) fn not_understood(&self) -> Result<&[Option<NotUnderstood>]> {
        let reasons = self.cell(&self.reasons, |block| block.not_understood(&self.records))?;
        Ok(reasons)
    }

    /// The value of the tag Variant of a record, without the other tags.
    pub(crate) fn variant(&self, record: usize) -> Result<Option<&[u8]>> {
        let table = self.cell(&self.variants, |block| {
            block.table(&self.records, Some(&["Variant"]))
        })?;
        let tag = table.tag(b"Variant");
        Ok(tag.and_then(|tag| table.value(tag, record)))
    }

    /// Where a record's game starts; `None` if the record has no moves to replay.
    pub(crate) fn start(&self, record: usize) -> Result<Option<&Start>> {
        let starts = self.starts()?;
        Ok(starts.of(record).filter(|_| starts.is_played(record)))
    }

    /// Where the games of all records start, those without moves among them.
    pub(crate) fn starts(&self) -> Result<&Starts> {
        self.cell(&self.starts, |block| block.starts(&self.records))
    }

    /// The moves of a record of the scope, if they are decoded already or should be decoded for all
    /// of it.
    pub(crate) fn shared_moves(&self, record: usize) -> Result<Option<&[Move]>> {
        if self.moves.get().is_none() && !self.decodes_all(0) {
            return Ok(None);
        }
        let moves = self.all_moves()?.of(record);
        Ok(Some(moves.unwrap_or_default()))
    }

    /// The moves of the records of the scope.
    pub(crate) fn all_moves(&self) -> Result<&MoveLists> {
        self.cell(&self.moves, |block| {
            block.move_lists(&self.records, |row| self.covers(row))
        })
    }

    /// The moves of all records of the block, if they are decoded already.
    pub(crate) fn known_moves(&self) -> Option<&MoveLists> {
        self.moves.get().filter(|_| self.scope == Scope::All)
    }

    /// The moves of one record.
    pub(crate) fn single_moves(&self, record: usize) -> Result<Vec<Move>> {
        self.with(|block| {
            let mut moves = Vec::new();
            block.walk_some(
                &self.records,
                |row| row == record,
                |mut game| {
                    game.moves
                        .play(game.start, |_, played| moves.push(played))?;
                    Ok(())
                },
            )?;
            Ok(moves)
        })
    }

    /// The text of a record of the scope, if it is decoded already or should be decoded for all of
    /// it.
    pub(crate) fn shared_text(&self, record: usize) -> Result<Option<&[u8]>> {
        if self.text.get().is_none() && !self.decodes_all(1) {
            return Ok(None);
        }
        Ok(self.text_of(self.all_text()?, record))
    }

    /// The text of a record in the texts of the scope.
    fn text_of<'t>(&self, all: &'t Text, record: usize) -> Option<&'t [u8]> {
        let place = match &self.scope {
            Scope::One(_) => Some(0),
            Scope::Some(records) => records.binary_search(&record).ok(),
            Scope::All => Some(record),
        };
        let range = all.ranges.get(place?)?;
        Some(&all.bytes[range.clone()])
    }

    /// The text of a record as [`Block::san_text_of_some`] writes it, if it may differ from its text.
    pub(crate) fn san_text(&self, record: usize) -> Result<Option<Cow<'_, [u8]>>> {
        let in_san = self.cell(&self.in_san, |block| block.in_san(&self.records))?;
        if in_san[record] {
            return Ok(None);
        }
        if self.san_text.get().is_none() && !self.decodes_all(2) {
            let text = self.with(|block| {
                block.san_text_of_some(&self.records, None, |row| row == record, |_| ())
            });
            return text.map(|text| Some(Cow::Owned(text)));
        }
        let all = self.cell(&self.san_text, |block| {
            Text::collect(|ended| {
                let moves = self.known_moves();
                block.san_text_of_some(&self.records, moves, |row| self.covers(row), ended)
            })
        })?;
        Ok(self.text_of(all, record).map(Cow::Borrowed))
    }

    /// The text of the records of the scope.
    fn all_text(&self) -> Result<&Text> {
        self.cell(&self.text, |block| {
            Text::collect(|ended| match self.scope {
                Scope::All => block.text_by_record(&self.records, self.known_moves(), ended),
                _ => block.text_of_some(&self.records, None, |row| self.covers(row), ended),
            })
        })
    }

    /// The text of one record.
    pub(crate) fn single_text(&self, record: usize) -> Result<Vec<u8>> {
        self.with(|block| {
            let mut text = Vec::new();
            block.render(&self.records, record + 1, |row| row == record, &mut text)?;
            Ok(text)
        })
    }

    /// Whether a request decodes a part for the whole scope.
    fn decodes_all(&self, part: usize) -> bool {
        !matches!(self.scope, Scope::One(_))
            && self.single[part].fetch_add(1, Ordering::Relaxed) >= MAX_SINGLE
    }

    /// Decodes the moves of the scope.
    pub(crate) fn decode_moves(&self) -> Result<()> {
        self.all_moves().map(drop)
    }

    /// Decodes a part of all games of the scope.
    pub(crate) fn decode(&self, part: GameData) -> Result<()> {
        match part {
            GameData::Tags => self.tags().map(drop),
            GameData::Moves => self.decode_moves(),
            GameData::Text => self.all_text().map(drop),
        }
    }

    /// The parts that are decoded of all games of the scope.
    #[cfg(test)]
    pub(crate) fn decoded(&self) -> Vec<GameData> {
        let mut parts = Vec::new();
        parts.extend(self.tags.get().map(|_| GameData::Tags));
        parts.extend(self.moves.get().map(|_| GameData::Moves));
        parts.extend(self.text.get().map(|_| GameData::Text));
        parts
    }

    /// Decodes the parts that are asked of most games. Their errors are left to whoever asks.
    pub(crate) fn decode_usual(&self) {
        let Some(asked) = &self.asked else {
            return;
        };
        for part in GameData::ALL {
            if asked.is_usual(part) {
                _ = self.decode(part);
            }
        }
    }

    /// The signatures of the block's games.
    pub(crate) fn signatures(&self) -> Result<&[Signature]> {
        let all = self.cell(&self.signatures, |block| block.signatures())?;
        Ok(all)
    }
}

/// A shared block.
pub(crate) type Shared = Arc<LoadedBlock>;
