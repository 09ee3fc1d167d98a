//! What can be wrong with a game or an integer, and at which ply.

use std::fmt;

/// Why moves have no integer, or an integer no moves, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// Number of plies played before the fault, from 0.
    pub ply: usize,
    /// The fault.
    pub reason: Reason,
}

/// The faults of [`NotationError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The move may not be played in this position.
    IllegalMove,
    /// The position has no moves, but the integer is not used up.
    IntegerLeft,
    /// The game is not over after as many plies as the caller allows.
    DoesNotEnd,
    /// After the end of the game something follows that is not a draw
    /// agreement.
    AfterEnd,
    /// The position ends the game by itself, but another ending is asked for.
    EndedByPosition,
    /// The game is said to be ended by its last position, which has moves.
    NotEndedByPosition,
    /// The integer is below 0.
    Negative,
}

impl NotationError {
    pub(super) const fn new(ply: usize, reason: Reason) -> Self {
        NotationError { ply, reason }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.reason {
            Reason::IllegalMove => "the next move may not be played",
            Reason::IntegerLeft => "the position has no moves, but the integer goes on",
            Reason::DoesNotEnd => "the game goes on past the greatest length allowed",
            Reason::AfterEnd => "the integer goes on after the end of the game",
            Reason::EndedByPosition => "the position ends the game, it needs no end move",
            Reason::NotEndedByPosition => "the game is not over in this position",
            Reason::Negative => "the integer is negative",
        };
        write!(f, "after ply {}: {why}", self.ply)
    }
}

impl std::error::Error for NotationError {}
