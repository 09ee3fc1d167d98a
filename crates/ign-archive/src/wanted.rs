//! The games that match a query, for operations that take a query.

use std::ops::Range;

use ign_format::{error::Result, game_number::GameNumber};

use crate::{archives::Archives, plan::GameSet, progress::OnProgress, query::Query};

/// The games that an operation is about, counted from 0.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// All games of the collection.
    All,
    /// These.
    Some(GameSet),
}

impl Wanted {
    /// The games that match a query.
    ///
    /// # Errors
    /// Those of [`Archive::find`](crate::Archive::find).
    pub fn of(archives: &Archives, query: &Query, on_progress: &mut OnProgress) -> Result<Self> {
        if query.is_empty() {
            return Ok(Self::All);
        }
        let all = 0..archives.len();
        let found = archives.search(query, all, usize::MAX, on_progress)?.found;
        Ok(Self::of_numbers(Some(&found), archives.len()))
    }

    /// The games in `numbers`, of an archive with `games` games, or all games if `None`.
    pub fn of_numbers(numbers: Option<&[GameNumber]>, games: u64) -> Self {
        numbers.map_or(Self::All, |numbers| {
            let indexes = numbers.iter().map(|number| number.index());
            Self::Some(GameSet::of(games, indexes))
        })
    }

    /// The games that are in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, wanted) | (wanted, Self::All) => wanted,
            (Self::Some(mut games), Self::Some(others)) => {
                games.intersect(&others);
                Self::Some(games)
            }
        }
    }

    /// Whether a game, counted from 0, is wanted.
    pub fn contains(&self, game: u64) -> bool {
        match self {
            Self::All => true,
            Self::Some(games) => games.contains(game),
        }
    }

    /// Whether a game of a range, counted from 0, is wanted.
    pub fn has_any(&self, range: Range<u64>) -> bool {
        match self {
            Self::All => !range.is_empty(),
            Self::Some(games) => games.within(range).next().is_some(),
        }
    }
}
