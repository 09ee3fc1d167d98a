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
    pgn::{movetext::Movetext, render::Names, variations::choices},
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
    pub(super) moves: Vec<ProvenMove>,
    /// Where the moves of each game end in `moves`.
    pub(super) ends: Vec<usize>,
    /// The position after the moves of each game; `None` for variants.
    positions: Vec<Option<Position>>,
    /// The moves of the variations.
    pub lines: choices::KnownMoves,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ProvenMove {
    pub(super) ordinal: u16,
    pub(super) count: u16,
    name: San,
    played: Move,
}

impl ProvenMoves {
    /// Whether moves of this coding can be verified in this way.
    pub fn supports(coding: Coding) -> bool {
        matches!(coding, Coding::Ign | Coding::Weighted)
    }

    /// Adds the moves of a game.
    pub fn push(&mut self, game: &Movetext) {
        let moves = game.digits.iter().zip(&game.names).zip(&game.moves);
        self.moves.extend(
            moves.map(|((&(ordinal, count), &name), &played)| ProvenMove {
                ordinal: ordinal as u16,
                count: count as u16,
                name,
                played,
            }),
        );
        self.ends.push(self.moves.len());
        self.positions.push(game.end);
    }

    fn game(&self, game: usize) -> Result<&[ProvenMove]> {
        let end = *self
            .ends
            .get(game)
            .ok_or_else(|| Error::corrupt("a block has more games than its text"))?;
        let start = game.checked_sub(1).map_or(0, |before| self.ends[before]);
        check_plies(end - start, MAX_PLIES)?;
        Ok(&self.moves[start..end])
    }

    /// The moves of the game with this number.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn moves(&self, game: usize) -> Result<impl Iterator<Item = Move>> {
        Ok(self.game(game)?.iter().map(|proven| proven.played))
    }

    /// The SAN of the game with this number. If `integer` is given, each name is returned only
    /// after the integer has been found to hold its digit.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn names<'a>(
        &'a self,
        game: usize,
        integer: Option<&'a mut radix::Decoder>,
    ) -> Result<ProvenNames<'a>> {
        Ok(ProvenNames {
            integer,
            moves: self.game(game)?.iter(),
            end: self.positions[game].as_ref(),
        })
    }
}

/// The SAN of a proven game.
#[derive(Debug)]
pub struct ProvenNames<'a> {
    integer: Option<&'a mut radix::Decoder>,
    moves: std::slice::Iter<'a, ProvenMove>,
    end: Option<&'a Position>,
}

impl Names for ProvenNames<'_> {
    #[inline]
    fn next_name(&mut self) -> Result<Option<San>> {
        let proven = self.moves.next();
        if let Some(integer) = &mut self.integer {
            let agrees = match proven {
                None => integer.is_zero(),
                Some(proven) => {
                    integer.take_one_based(u32::from(proven.count)) == u32::from(proven.ordinal) + 1
                }
            };
            if !agrees {
                return Err(Error::corrupt(
                    "the integer of a game differs from its moves",
                ));
            }
        }
        Ok(proven.map(|proven| proven.name))
    }

    fn position(&self) -> Option<&Position> {
        self.end
    }
}
