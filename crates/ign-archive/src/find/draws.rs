//! Games in which a draw could be claimed.

/// The rules by which a player may claim a draw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Draws {
    /// A position occurred three times.
    pub repetition: bool,
    /// Fifty moves of each side without a pawn move or a capture.
    pub fifty_moves: bool,
}
