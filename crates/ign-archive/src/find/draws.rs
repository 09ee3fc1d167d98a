//! Games in which a draw could be claimed.

use ign_notation::chess::repetition::Claimable;

use crate::query::Query;

/// The rules by which a player may claim a draw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Draws {
    /// A position occurred three times.
    pub repetition: bool,
    /// Fifty moves of each side without a pawn move or a capture.
    pub fifty_moves: bool,
}

impl Draws {
    /// The rules that a query asks for.
    pub(super) fn wanted_by(query: &Query) -> Self {
        Self {
            repetition: query.repetition,
            fifty_moves: query.fifty_moves,
        }
    }

    /// Whether a draw could be claimed by each of these rules in a game.
    pub(super) fn are_in(self, game: Claimable) -> bool {
        (game.repetition || !self.repetition) && (game.fifty_moves || !self.fifty_moves)
    }
}
