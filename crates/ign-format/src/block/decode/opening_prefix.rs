//! Games of a block that begin with given moves, found without decoding more than those moves.
//!
//! With integers the search is one division a game: all games that begin with the same moves have
//! the same residue (spec §8.2). Weighted games are coded in lockstep, so their first moves are the
//! first rounds of their groups; a group is abandoned once no game in it can match.

use crate::{
    block::{
        Coding, Fixed, Kind,
        decode::{block::Block, records::Records},
        starts::is_standard,
    },
    error::Result,
};
use ign_notation::{
    NotationError,
    chess::{Move, Position},
    radix,
    residue::Residue,
};

/// The first moves of games from the standard starting position.
#[derive(Debug, Clone)]
pub struct OpeningPrefix {
    moves: Vec<Move>,
    plain: Residue,
    with_ends: Residue,
}

impl OpeningPrefix {
    /// The prefix of these moves.
    ///
    /// # Errors
    /// When one of them is illegal.
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

impl Block<'_> {
    /// The records whose games start from the standard position and begin with these moves,
    /// ascending.
    ///
    /// # Errors
    /// Corrupt; unsupported when another move model coded the moves.
    pub fn games_with_prefix(
        &self,
        records: &Records,
        prefix: &OpeningPrefix,
    ) -> Result<Vec<usize>> {
        if self.kind() != Kind::Chess {
            return Ok(Vec::new());
        }
        let residue = match self.coding() {
            Coding::Weighted => return self.groups_with_prefix(records, prefix),
            Coding::Ign => &prefix.plain,
            Coding::IgnEnd => &prefix.with_ends,
        };
        let mut found = Vec::new();
        self.walk_games(records, |game| {
            // A game without moves has no integer and matches no prefix.
            let integer = game.moves.stored().map(radix::to_integer);
            if is_standard(game.start)
                && integer.is_some_and(|integer| residue.is_prefix_of(&integer))
            {
                found.push(game.record);
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn groups_with_prefix(&self, records: &Records, prefix: &OpeningPrefix) -> Result<Vec<usize>> {
        let starts = self.starts(records)?;
        let [column] = self.fixed(Fixed::Moves)?;
        let mut groups = self.groups(&column, records, &starts)?;
        let mut found = Vec::new();
        for group in 0..groups.len() {
            groups.with_prefix(group, &prefix.moves, &mut found)?;
        }
        Ok(found)
    }
}
