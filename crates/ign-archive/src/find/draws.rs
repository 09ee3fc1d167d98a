//! Games in which a draw could be claimed.

use ign_notation::chess::repetition::Claimable;

use crate::query::Query;

/// The rules by which a player may claim a draw, and whether one could be claimed by each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Draws {
    /// Whether a position occurred three times.
    pub repetition: Option<bool>,
    /// Whether fifty moves of each side were made without a pawn move or a capture.
    pub fifty_moves: Option<bool>,
}

impl Draws {
    /// The rules that a query asks for.
    pub(super) fn wanted_by(query: &Query) -> Self {
        Self {
            repetition: query.repetition,
            fifty_moves: query.fifty_moves,
        }
    }

    /// Whether a game is as these rules ask.
    pub(super) fn are_in(self, game: Claimable) -> bool {
        self.repetition.is_none_or(|is| is == game.repetition)
            && self.fifty_moves.is_none_or(|is| is == game.fifty_moves)
    }
}
