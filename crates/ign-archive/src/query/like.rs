//! A score that may have mistakes.

use ign_format::error::Result;

/// The moves of a score, as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    moves: Vec<String>,
}

impl Score {
    /// Reads the first game of a PGN text.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if it has no moves.
    pub fn read(_pgn: &[u8]) -> Result<Self> {
        Ok(Self { moves: Vec::new() })
    }
}
