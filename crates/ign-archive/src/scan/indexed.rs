//! Columns that an index has, and that a block has only in the moves: the numbers of plies, and ECO
//! codes, which blocks leave out where they follow from the first moves.

use std::{ops::Range, sync::Arc};

use ign_format::error::Error;

use super::column::Column;
use crate::{
    archive::Archive,
    index::{Index, IndexColumn, IndexInUse},
};

/// The index that all archives share, and the number of their games before this archive; `None` for the
/// index beside the archive.
pub(super) type SharedIndex = Option<(Arc<IndexInUse>, u64)>;

/// A value for each game of a block; `None` for a missing one.
type Numbers = Vec<Option<u32>>;

/// What an index has of the games of a block. A column that is not needed, or that no index has, is
/// `None`.
#[derive(Default)]
pub(super) struct Indexed {
    /// The numbers of plies. A game without moves has none.
    pub plies: Option<Numbers>,
    /// The numbers of the ECO codes.
    pub eco: Option<Numbers>,
}

impl Indexed {
    /// What the index of an archive has of the games of a block, as far as the columns need it. A
    /// damaged index is rejected.
    pub fn of_block(
        archive: &Archive,
        shared: &SharedIndex,
        block: usize,
        columns: &[Column],
    ) -> Self {
        let entry = &archive.blocks()[block];
        let games = entry.first_game..entry.first_game + entry.games;
        // Where the moves are decoded anyway, the index is not read.
        if columns.contains(&Column::Moves) {
            return Self::default();
        }
        let read = |column: Column, number: IndexColumn| {
            let is_needed = columns.contains(&column);
            is_needed.then(|| values(archive, shared, number, games.clone()))?
        };
        Self {
            plies: read(Column::Plies, IndexColumn::Plies),
            eco: read(Column::Eco, IndexColumn::Eco),
        }
    }
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
