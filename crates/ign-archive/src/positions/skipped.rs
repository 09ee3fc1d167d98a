//! The games that have no positions.

/// Games of a scan that have no positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SkippedGames {
    /// Games without a legal move, and games that are kept as text.
    pub without_moves: u64,
    /// Games of variants of chess.
    pub variants: u64,
    /// Games of Go.
    pub other: u64,
}

impl SkippedGames {
    /// The number of these games.
    pub fn total(&self) -> u64 {
        self.without_moves + self.variants + self.other
    }

    pub(super) fn add(&mut self, other: Self) {
        self.without_moves += other.without_moves;
        self.variants += other.variants;
        self.other += other.other;
    }
}
