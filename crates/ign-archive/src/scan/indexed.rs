//! Columns that an index has. Numbers of plies and ECO codes are in a block only in the moves;
//! blocks leave out the codes where they follow from the first moves. A batch of no other columns
//! than those of the index is made without its block.

use std::{ops::Range, sync::Arc};

use ign_format::{error::Error, game_number::GameNumber};

use super::{batch::Batch, column::ScanColumn, data::ColumnData, values::Values};
use crate::{
    archive::Archive,
    index::{
        Index, IndexColumn, IndexInUse,
        columns::{date_of, eco_of, result_of},
    },
    values::{Date, Eco, GameResult},
};

/// The index that all archives share, and the number of their games before this archive; `None` for
/// the index beside the archive.
pub(super) type SharedIndex = Option<(Arc<IndexInUse>, u64)>;

/// A value for each game of a block; `None` for a missing one.
type Numbers = Vec<Option<u32>>;

/// What an index has of the games of a block.
#[derive(Default)]
pub(super) struct Indexed(Vec<(ScanColumn, Numbers)>);

/// The column of an index that has the values of a column.
fn index_column(column: &ScanColumn) -> Option<IndexColumn> {
    Some(match column {
        ScanColumn::WhiteElo => IndexColumn::WhiteElo,
        ScanColumn::BlackElo => IndexColumn::BlackElo,
        ScanColumn::Date => IndexColumn::Date,
        ScanColumn::Result => IndexColumn::Result,
        ScanColumn::Eco => IndexColumn::Eco,
        ScanColumn::Plies => IndexColumn::Plies,
        _ => return None,
    })
}

impl Indexed {
    /// Whether an index may have all these columns.
    pub fn may_suffice(columns: &[ScanColumn]) -> bool {
        columns.iter().all(|column| index_column(column).is_some())
    }

    /// What the index of an archive has of the games of a block, as far as the columns need it. A
    /// damaged index is rejected.
    pub fn of_block(
        archive: &Archive,
        shared: &SharedIndex,
        block: usize,
        columns: &[ScanColumn],
    ) -> Self {
        let entry = &archive.blocks()[block];
        let games = entry.first_game..entry.first_game + entry.games;
        // Where the moves are decoded anyway, the index is not read.
        if columns.contains(&ScanColumn::Moves) {
            return Self::default();
        }
        let is_whole = Self::may_suffice(columns);
        let is_read = |column: &&ScanColumn| {
            // The tags of a block are read together.
            is_whole || matches!(column, ScanColumn::Plies | ScanColumn::Eco)
        };
        let read = |column: &ScanColumn| {
            let numbers = values(archive, shared, index_column(column)?, games.clone())?;
            Some((column.clone(), numbers))
        };
        Self(columns.iter().filter(is_read).filter_map(read).collect())
    }

    /// The numbers of a column. A game without moves has no number of plies.
    pub fn numbers(&self, column: &ScanColumn) -> Option<&[Option<u32>]> {
        let found = self.0.iter().find(|(known, _)| known == column);
        found.map(|(_, numbers)| &numbers[..])
    }

    /// The batch of a block, whose first game is counted from 0, if the columns are those of the
    /// index and it has all values.
    pub fn batch(
        &self,
        columns: &[ScanColumn],
        first_game: u64,
        wanted: &dyn Fn(u64) -> bool,
    ) -> Option<Batch> {
        let (_, any) = self.0.first()?;
        let rows = (0..any.len()).filter(|&row| wanted(first_game + row as u64));
        let rows: Vec<usize> = rows.collect();
        let data = columns.iter().map(|column| {
            let numbers = self.numbers(column)?;
            let numbers = rows.iter().map(|&row| numbers[row]);
            // A missing number of plies may be 0.
            if *column == ScanColumn::Plies && numbers.clone().any(|number| number.is_none()) {
                return None;
            }
            data_of(column, numbers)
        });
        let columns = data.collect::<Option<Vec<_>>>()?;
        let number = |&row: &usize| GameNumber::from_index(first_game + row as u64).get();
        Some(Batch::new(rows.iter().map(number).collect(), columns))
    }
}

/// The values of a column from the numbers of an index.
pub(super) fn data_of(
    column: &ScanColumn,
    numbers: impl Iterator<Item = Option<u32>>,
) -> Option<ColumnData> {
    let rating = |number| u16::try_from(number).ok();
    Some(match column {
        ScanColumn::WhiteElo | ScanColumn::BlackElo => {
            ColumnData::Rating(read_as(numbers, 0, rating))
        }
        ScanColumn::Date => ColumnData::Date(read_as(numbers, Date::NONE, |n| Some(date_of(n)))),
        ScanColumn::Result => ColumnData::Result(read_as(numbers, GameResult::Unknown, result_of)),
        ScanColumn::Eco => ColumnData::Eco(read_as(numbers, Eco::A00, eco_of)),
        ScanColumn::Plies => ColumnData::Plies(read_as(numbers, 0, Some)),
        _ => return None,
    })
}

/// Values from numbers; `null` takes the place of those that are missing.
fn read_as<T: Copy>(
    numbers: impl Iterator<Item = Option<u32>>,
    null: T,
    read: impl Fn(u32) -> Option<T>,
) -> Values<T> {
    let mut values = Values::default();
    for number in numbers {
        values.push(number.and_then(&read), null);
    }
    values
}

/// The values of some games of an archive, counted from 0, if an index has all of them.
fn values(
    archive: &Archive,
    shared: &SharedIndex,
    column: IndexColumn,
    games: Range<u64>,
) -> Option<Numbers> {
    let shared = shared
        .as_ref()
        .filter(|(index, _)| index.rejected().is_none());
    let (index, before) = match shared {
        Some((index, before)) => (index.get(|| Ok(None))?, *before),
        None => (archive.search_index()?, 0),
    };
    let reject = |error| match shared {
        Some((index, _)) => index.reject(error),
        None => archive.reject_index(error),
    };
    read(
        index,
        column,
        before + games.start..before + games.end,
        reject,
    )
}

/// The values of some games of an index, if one of its segments has all of them: a segment covers
/// whole blocks.
fn read(
    index: &Index,
    column: IndexColumn,
    games: Range<u64>,
    reject: impl FnOnce(Error),
) -> Option<Numbers> {
    let mut first = 0;
    for segment in index.segments() {
        let end = first + segment.games();
        if games.start >= end {
            first = end;
            continue;
        }
        if games.end > end || !segment.has_column(column) {
            return None;
        }
        let len = (games.end - games.start) as usize;
        let mut values = Vec::with_capacity(len);
        let range = games.start - first..games.end - first;
        return match segment.column_range(column, range, |value| values.push(value)) {
            Ok(()) => (values.len() == len).then_some(values),
            Err(error) => {
                reject(error);
                None
            }
        };
    }
    None
}
