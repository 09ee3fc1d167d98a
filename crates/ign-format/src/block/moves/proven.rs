//! What parsing has proven about the moves of a block, so that verification need not play them
//! again.
//!
//! While the text was parsed, the parser computed the ordinal of every move among the legal moves
//! and compared its SAN with the one that the position requires. So the integers of a block in
//! plain digits ([`Coding::Ign`]) are verified by decoding them with the same numbers of legal
//! moves: if the ordinals are the same, a reader that counts the same moves writes the same SAN.
//! The streams of weighted games are verified by the intervals of cumulative frequencies that the
//! encoder used ([`IntervalLog`]): the range decoder follows them without the model. As a sample,
//! one game in eight (weighted: one group in eight) is decoded as a reader would. Integers with end
//! moves are not covered; they are all decoded. `decode/check.rs` drives this; `ign verify` does
//! not use it and decodes everything.

use crate::{
    block::{Coding, integers::digits::check_plies},
    container::MAX_PLIES,
    error::{Error, Result},
    pgn::{movetext::Movetext, render::KnownNames, variations::choices},
};
use ign_entropy::frequencies::IntervalLog;
use ign_notation::{
    chess::{Move, Position, san::San},
    radix,
};

/// The moves of the records that have a start, in order.
#[derive(Debug, Clone, Default)]
pub struct ProvenMoves {
    /// The intervals of all choices of weighted games.
    pub intervals: IntervalLog,
    moves: Vec<Move>,
    /// For each move its ordinal and the number of legal moves; zeros for null moves.
    pub(super) digits: Vec<(u16, u16)>,
    /// The SAN of each move.
    names: Vec<San>,
    /// Where the moves of each game end.
    pub(super) ends: Vec<usize>,
    /// The position after the moves of each game; `None` for variants.
    positions: Vec<Option<Position>>,
    /// The moves of the variations.
    pub lines: choices::KnownMoves,
}

impl ProvenMoves {
    /// Whether moves of this coding can be verified in this way.
    pub fn supports(coding: Coding) -> bool {
        matches!(coding, Coding::Ign | Coding::Weighted)
    }

    /// Adds the moves of a game.
    pub fn push(&mut self, game: &Movetext) {
        let digits = game.digits.iter();
        self.digits
            .extend(digits.map(|&(ordinal, count)| (ordinal as u16, count as u16)));
        self.moves.extend_from_slice(&game.moves);
        self.names.extend_from_slice(&game.names);
        self.ends.push(self.moves.len());
        self.positions.push(game.end);
    }

    /// The game with this number.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn game(&self, game: usize) -> Result<ProvenGame<'_>> {
        let end = *self
            .ends
            .get(game)
            .ok_or_else(|| Error::corrupt("a block has more games than its text"))?;
        let start = game.checked_sub(1).map_or(0, |before| self.ends[before]);
        check_plies(end - start, MAX_PLIES)?;
        Ok(ProvenGame {
            moves: &self.moves[start..end],
            digits: &self.digits[start..end],
            names: &self.names[start..end],
            end: self.positions[game].as_ref(),
        })
    }
}

/// A proven game.
#[derive(Debug, Clone, Copy)]
pub struct ProvenGame<'a> {
    /// Its moves.
    pub moves: &'a [Move],
    digits: &'a [(u16, u16)],
    names: &'a [San],
    end: Option<&'a Position>,
}

impl<'a> ProvenGame<'a> {
    /// The SAN of its moves.
    pub fn names(self) -> KnownNames<'a> {
        KnownNames::new(self.names, self.end)
    }

    /// Verifies that its null moves are at these plies.
    ///
    /// # Errors
    /// Corrupt when they are not.
    pub fn check_nulls(self, nulls: &[u32]) -> Result<()> {
        let is_null = |&(_, &(_, count)): &(u32, &(u16, u16))| count == 0;
        let expected = (0..).zip(self.digits).filter(is_null);
        if expected.map(|(ply, _)| ply).eq(nulls.iter().copied()) {
            Ok(())
        } else {
            Err(Error::corrupt("the null moves of a game differ"))
        }
    }

    /// Verifies that an integer encodes its moves.
    ///
    /// # Errors
    /// Corrupt when it does not.
    pub fn check(self, integer: &mut radix::Decoder) -> Result<()> {
        let mut digits = self.digits.iter().filter(|&&digit| digit != (0, 0));
        let agree = digits.all(|&(ordinal, count)| {
            integer.take_one_based(u32::from(count)) == u32::from(ordinal) + 1
        });
        if agree && integer.is_zero() {
            Ok(())
        } else {
            Err(Error::corrupt(
                "the integer of a game differs from its moves",
            ))
        }
    }
}
