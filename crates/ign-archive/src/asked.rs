//! What a program asks of the games of an iteration.
//!
//! Games report each part when it is first asked of them. The threads that read blocks in advance
//! decode the parts that are asked of most games, so a program need not name them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A part of the games that threads decode in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GameData {
    /// The tags.
    Tags,
    /// The moves of the main line.
    Moves,
    /// The exact text, and with it comments, clocks, evaluations and variations.
    Text,
}

impl GameData {
    /// All parts, in the order of their numbers.
    pub(crate) const ALL: [Self; 3] = [Self::Tags, Self::Moves, Self::Text];
}

/// A part is never decoded in advance before it was asked of more than this number of games.
const MIN_GAMES: u64 = 3;

/// How many games were returned, and of how many of them each part was asked.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    games: AtomicU64,
    parts: [AtomicU64; GameData::ALL.len()],
}

impl Asked {
    /// Counts a game that the program gets.
    pub fn count_game(&self) {
        self.games.fetch_add(1, Relaxed);
    }

    /// Counts a game of which a part was asked. Call it once for each part of a game.
    pub fn count(&self, part: GameData) {
        self.parts[part as usize].fetch_add(1, Relaxed);
    }

    /// Whether a part was asked of at least half of the games.
    pub fn is_usual(&self, part: GameData) -> bool {
        let asked = self.parts[part as usize].load(Relaxed);
        asked > MIN_GAMES && 2 * asked >= self.games.load(Relaxed)
    }

    /// Whether any part that is not `named` is usual.
    pub fn exceeds(&self, named: &[GameData]) -> bool {
        let mut parts = GameData::ALL.into_iter();
        parts.any(|part| !named.contains(&part) && self.is_usual(part))
    }
}
