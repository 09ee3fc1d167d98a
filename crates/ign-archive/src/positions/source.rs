//! A block that is read for its positions: which games have any, and what is known of these games.

use std::{ops::Range, sync::Arc};

use ign_format::{
    block::{Kind, starts::Starts},
    error::{Error, Result},
    pgn::start::Start,
};
use ign_notation::chess::variant::is_chess960;

use super::{
    NO_CLOCK,
    batch::result_code,
    column::PositionColumn,
    options::Selection,
    plan::{UNIT, UnitBlock},
    skipped::SkippedGames,
};
use crate::{
    archive::Archive,
    loaded::{LoadedBlock, Scope, Shared},
    movetext::Eval,
    scan::{Batch, ColumnData, ScanColumn, columns_of_loaded},
};

/// A block and its games with positions.
pub(super) struct Source {
    pub block: Shared,
    pub starts: Starts,
    /// The games, by record.
    pub games: Vec<GameFacts>,
    annotations: Vec<Annotation>,
    /// The wanted games of the block that have no positions.
    pub skipped: SkippedGames,
}

/// What the comments after a move state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Annotation {
    /// The time left to the player in milliseconds, or [`NO_CLOCK`].
    pub clock: u32,
    /// The evaluation of the position after the move.
    pub eval: Option<Eval>,
}

/// What is known of a game.
#[derive(Debug, Clone)]
pub(super) struct GameFacts {
    pub record: usize,
    /// Its number, from 1 over all archives.
    pub number: u64,
    /// Whether its Variant tag names Chess960.
    pub is_chess960: bool,
    /// White's and Black's; 0 if not known.
    pub ratings: [u16; 2],
    pub result: i8,
    /// Plies since the last capture or pawn move at the start.
    pub halfmoves: u16,
    /// Its annotations among those of the block.
    annotations: Range<usize>,
}

impl Source {
    /// Reads a block, with what the columns need.
    ///
    /// # Errors
    /// Io; corrupt.
    pub fn read(archive: &Archive, place: UnitBlock, selection: &Selection) -> Result<Self> {
        let block = LoadedBlock::read(archive, place.block, |_| Ok(Scope::All))?;
        let first = place.before + block.first_game();
        let (kind, starts) = block.with(|open| Ok((open.kind(), open.starts(&block.records)?)))?;
        let mut source = Self {
            block: Arc::new(block),
            starts,
            games: Vec::new(),
            annotations: Vec::new(),
            skipped: SkippedGames::default(),
        };
        for (game, record) in (first..).zip(source.block.records.games()) {
            if !selection.has_game(game) {
                continue;
            }
            let start = source
                .starts
                .of(record)
                .filter(|_| source.starts.is_played(record));
            match start {
                _ if kind != Kind::Chess => source.skipped.other += 1,
                None => source.skipped.without_moves += 1,
                Some(Start::Variant(_)) if !selection.variants => source.skipped.variants += 1,
                Some(_) => source.games.push(GameFacts {
                    record,
                    number: game + 1,
                    is_chess960: false,
                    ratings: [0; 2],
                    result: result_code(None),
                    halfmoves: 0,
                    annotations: 0..0,
                }),
            }
        }
        if !source.games.is_empty() {
            source.read_tags(place.before, selection)?;
            source.read_annotations(place.before, selection)?;
        }
        Ok(source)
    }

    /// The games of a unit of the block.
    pub fn unit(&self, part: usize) -> &[GameFacts] {
        let played = self.starts.played();
        let place = |number: usize| match played.get(number) {
            Some(&record) => {
                let before = |game: &GameFacts| game.record < record as usize;
                self.games.partition_point(before)
            }
            None => self.games.len(),
        };
        &self.games[place(part * UNIT)..place((part + 1) * UNIT)]
    }

    /// The annotations of the moves of a game.
    pub fn annotations(&self, game: &GameFacts) -> &[Annotation] {
        &self.annotations[game.annotations.clone()]
    }

    /// Reads ratings, results and the counters of FEN tags, as far as columns need them.
    fn read_tags(&mut self, before: u64, selection: &Selection) -> Result<()> {
        let has = |column| selection.columns.has(column);
        let counters = [PositionColumn::Halfmoves, PositionColumn::Fen];
        let wanted = [
            (has(PositionColumn::WhiteElo), ScanColumn::WhiteElo),
            (has(PositionColumn::BlackElo), ScanColumn::BlackElo),
            (has(PositionColumn::Result), ScanColumn::Result),
            (
                selection.columns.has_any(counters),
                ScanColumn::Tag("FEN".to_owned()),
            ),
            (
                has(PositionColumn::Move),
                ScanColumn::Tag("Variant".to_owned()),
            ),
        ]
        .into_iter()
        .filter(|&(is_wanted, _)| is_wanted);
        let columns: Vec<ScanColumn> = wanted.map(|(_, column)| column).collect();
        if columns.is_empty() {
            return Ok(());
        }
        let batch = self.columns(before, &columns)?;
        for (column, data) in columns.iter().zip(batch.columns()) {
            let games = self.games.iter_mut().enumerate();
            match (column, data) {
                (ScanColumn::WhiteElo, ColumnData::Rating(ratings)) => {
                    games.for_each(|(row, game)| game.ratings[0] = ratings.get(row).unwrap_or(0));
                }
                (ScanColumn::BlackElo, ColumnData::Rating(ratings)) => {
                    games.for_each(|(row, game)| game.ratings[1] = ratings.get(row).unwrap_or(0));
                }
                (ScanColumn::Result, ColumnData::Result(results)) => {
                    games.for_each(|(row, game)| game.result = result_code(results.get(row)));
                }
                (ScanColumn::Tag(name), ColumnData::Text(fens)) if name == "FEN" => {
                    games.for_each(|(row, game)| {
                        game.halfmoves = fens.get(row).and_then(halfmoves_of).unwrap_or(0);
                    });
                }
                (ScanColumn::Tag(_), ColumnData::Text(variants)) => {
                    games.for_each(|(row, game)| {
                        game.is_chess960 = variants.get(row).is_some_and(is_chess960);
                    });
                }
                _ => return Err(Error::internal("a column of positions has another type")),
            }
        }
        Ok(())
    }

    /// Reads the comments of the games, if a column needs them.
    fn read_annotations(&mut self, before: u64, selection: &Selection) -> Result<()> {
        if !selection.needs_comments() {
            return Ok(());
        }
        let columns = [ScanColumn::Clocks, ScanColumn::Evals, ScanColumn::Mates];
        let batch = self.columns(before, &columns)?;
        let [
            ColumnData::Decimals(clocks),
            ColumnData::Decimals(evals),
            ColumnData::Mates(mates),
        ] = batch.columns()
        else {
            return Err(Error::internal("a column of comments has another type"));
        };
        for (row, game) in self.games.iter_mut().enumerate() {
            let first = self.annotations.len();
            let [clocks_at, evals_at, mates_at] =
                [clocks.range(row), evals.range(row), mates.range(row)]
                    .map(Option::unwrap_or_default);
            // A list that is not null has an item for each move.
            for ply in 0..clocks_at.len().max(evals_at.len()) {
                let place = |at: &Range<usize>| Some(at.start + ply).filter(|it| at.contains(it));
                let clock = place(&clocks_at).and_then(|at| clocks.items().get(at));
                let pawns = place(&evals_at).and_then(|at| evals.items().get(at));
                let mate = place(&mates_at).and_then(|at| mates.items().get(at));
                self.annotations.push(Annotation {
                    clock: clock.map_or(NO_CLOCK, milliseconds),
                    eval: mate.map(Eval::Mate).or_else(|| pawns.map(centipawns)),
                });
            }
            game.annotations = first..self.annotations.len();
        }
        Ok(())
    }

    /// Columns of the games.
    fn columns(&self, before: u64, columns: &[ScanColumn]) -> Result<Batch> {
        let is_game = |game: u64| {
            let number = before + game + 1;
            let found = self
                .games
                .binary_search_by_key(&number, |facts| facts.number);
            found.is_ok()
        };
        columns_of_loaded(self.block.clone(), columns, &is_game)
    }
}

/// A clock in milliseconds. One of 49 days or more is not stated.
fn milliseconds(seconds: f32) -> u32 {
    let milliseconds = (1000.0 * f64::from(seconds)).round();
    if milliseconds < f64::from(NO_CLOCK) {
        milliseconds as u32
    } else {
        NO_CLOCK
    }
}

/// An evaluation in hundredths of a pawn.
fn centipawns(pawns: f32) -> Eval {
    Eval::Centipawns((100.0 * f64::from(pawns)).round() as i32)
}

/// The number of plies since the last capture or pawn move, the fifth field of a FEN.
fn halfmoves_of(fen: &[u8]) -> Option<u16> {
    let mut fields = fen
        .split(|c| matches!(c, b' ' | b'_'))
        .filter(|field| !field.is_empty());
    std::str::from_utf8(fields.nth(4)?).ok()?.parse().ok()
}
