//! Which games of a block begin with given moves, found without decoding more of them than that.
//!
//! In integers it is one division a game: all games that begin with the moves leave the same
//! residue (spec §8.2). Weighted games are played side by side, so their first moves are the
//! first rounds of their groups; a group is left as soon as none of its games can be one of them.

use crate::block::{
    Coding, Fixed, Kind,
    decode::{Block, Records},
    groups::Groups,
};
use crate::{error::Result, pgn::start::Start};
use ign_notation::{
    NotationError,
    chess::{Move, Position},
    radix,
    residue::Residue,
};

/// Moves that games may begin with, from the usual start.
#[derive(Debug, Clone)]
pub struct OpeningPrefix {
    moves: Vec<Move>,
    plain: Residue,
    with_ends: Residue,
}

impl OpeningPrefix {
    /// That of these moves, played from the usual start.
    ///
    /// # Errors
    /// When one of them is not legal.
    pub fn new(moves: Vec<Move>) -> std::result::Result<Self, NotationError> {
        let start = Position::default();
        Ok(Self {
            plain: Residue::plain(start, &moves)?,
            with_ends: Residue::with_ends(start, &moves)?,
            moves,
        })
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// Whether a game is one of chess and starts at the usual position.
pub(super) fn is_usual(start: &Start) -> bool {
    let start = start.as_chess();
    start.is_some_and(|start| start.position == Position::default())
}

impl Block<'_> {
    /// The records whose games start at the usual position and begin with these moves, in order.
    ///
    /// # Errors
    /// Corrupt; unsupported when the moves were coded by another move model.
    pub fn games_with_prefix(&self, records: &Records, with: &OpeningPrefix) -> Result<Vec<usize>> {
        if self.kind() != Kind::Chess {
            return Ok(Vec::new());
        }
        let residue = match self.coding() {
            Coding::Weighted => return self.groups_with_prefix(records, with),
            Coding::Ign => &with.plain,
            Coding::IgnEnd => &with.with_ends,
        };
        let mut found = Vec::new();
        self.walk_games(records, |game| {
            // A game without moves has none, and begins with no move.
            let integer = game.moves.stored().map(radix::to_integer);
            if is_usual(game.start) && integer.is_some_and(|integer| residue.is_prefix_of(&integer))
            {
                found.push(game.record);
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn groups_with_prefix(&self, records: &Records, with: &OpeningPrefix) -> Result<Vec<usize>> {
        let starts = self.starts(records)?;
        let [column] = self.fixed(Fixed::Moves)?;
        let mut groups = Groups::new(
            &column,
            &starts,
            self.known_signatures(records, &starts)?,
            self.head().plies,
        )?;
        let mut found = Vec::new();
        for group in 0..groups.len() {
            groups.with_prefix(group, &with.moves, &mut found)?;
        }
        Ok(found)
    }
}
