//! Errors of encoding and decoding.

use std::fmt;

/// Why a game cannot be encoded, or an integer cannot be decoded, and at which ply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// The number of plies played before the error.
    pub ply: usize,
    /// The kind of error.
    pub reason: Reason,
}

/// The kinds of [`NotationError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The move is illegal in this position.
    IllegalMove,
    /// The game is over, by its position or by the number of plies given, but the integer has more
    /// digits.
    IntegerLeft,
    /// The game exceeds the maximum number of plies.
    DoesNotEnd,
    /// After the end move the integer has digits that are not a draw agreement.
    AfterEnd,
    /// The last position has no legal moves, so the game cannot end in the requested way.
    EndedByPosition,
    /// The last position has legal moves, so it does not end the game.
    NotEndedByPosition,
    /// The integer is negative.
    Negative,
}

impl NotationError {
    #[cfg(feature = "integers")]
    pub(crate) const fn new(ply: usize, reason: Reason) -> Self {
        NotationError { ply, reason }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.reason {
            Reason::IllegalMove => "the next move is illegal",
            Reason::IntegerLeft => "the game is over, but the integer has more digits",
            Reason::DoesNotEnd => "the game exceeds the maximum number of plies",
            Reason::AfterEnd => "the integer has more digits after the end of the game",
            Reason::EndedByPosition => "the position ends the game, so an end move is not possible",
            Reason::NotEndedByPosition => {
                "the position has legal moves, so it does not end the game"
            }
            Reason::Negative => "the integer is negative",
        };
        write!(f, "after ply {}: {why}", self.ply)
    }
}

impl std::error::Error for NotationError {}
