//! The games of which one is kept.

use ign_format::game_number::GameNumber;

/// A game of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Its number in the collection.
    pub game: GameNumber,
    /// Its number of plies.
    pub plies: usize,
}

/// Games with equal moves, or inside the longest of them. The one to keep comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group(pub(crate) Vec<Member>);

impl Group {
    /// All games.
    pub fn members(&self) -> &[Member] {
        &self.0
    }

    /// The copies: all games but the first.
    pub fn copies(&self) -> &[Member] {
        self.0.get(1..).unwrap_or_default()
    }
}
