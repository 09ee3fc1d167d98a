//! The games that match a query, for operations that take a query.

use ign_format::error::Result;

use crate::{archive::Archive, find::game_set::GameSet, query::Query};

/// The games that an operation is about, by their numbers from 1.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// All games of the archive.
    All,
    /// These.
    Some(GameSet),
}

impl Wanted {
    /// The games that match a query.
    ///
    /// # Errors
    /// Those of [`Archive::find`].
    pub fn of(archive: &Archive, query: &Query) -> Result<Self> {
        match query.is_empty() {
            true => Ok(Self::All),
            false => {
                let found = archive.find(query)?.into_iter().map(|game| game - 1);
                Ok(Self::Some(GameSet::of(archive.len(), found)))
            }
        }
    }

    /// Whether a game is wanted.
    pub fn contains(&self, game: u64) -> bool {
        match self {
            Self::All => true,
            Self::Some(games) => games.contains(game.wrapping_sub(1)),
        }
    }

    /// The blocks with wanted games.
    pub fn blocks(&self, archive: &Archive) -> Vec<usize> {
        match self {
            Self::All => archive.blocks_of(&(0..archive.len())),
            Self::Some(games) => {
                let games: Vec<u64> = games.iter().map(|game| game + 1).collect();
                archive.blocks_with(&games)
            }
        }
    }
}
