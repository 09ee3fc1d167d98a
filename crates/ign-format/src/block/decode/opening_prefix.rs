//! Games of a block that begin with given moves, found without decoding more than those moves.
//!
//! An integer encodes the moves as digits, the first move lowest (spec §8.2): digits are removed
//! until one differs, and most games differ in the first. Weighted games are coded in lockstep, so
//! their first moves are the first rounds of their groups; a group is abandoned once no game in it
//! can match.

use crate::{
    block::{
        Coding, Fixed, Kind,
        decode::{block::Block, records::Records},
        starts::is_standard,
    },
    error::Result,
};
use ign_notation::{
    Game as _, NotationError, Reason,
    chess::{Move, Position},
    radix::Decoder,
};

/// The first moves of games from the standard starting position.
#[derive(Debug, Clone)]
pub struct OpeningPrefix {
    moves: Vec<Move>,
    /// The ordinal of each move, from 0, and the number of legal moves.
    digits: Vec<(u32, u32)>,
}

impl OpeningPrefix {
    /// The prefix of these moves.
    ///
    /// # Errors
    /// When one of them is illegal.
    pub fn new(moves: Vec<Move>) -> std::result::Result<Self, NotationError> {
        let mut position = Position::default();
        let mut digits = Vec::with_capacity(moves.len());
        for (ply, &played) in moves.iter().enumerate() {
            let digit = position.ordinal(played).ok_or(NotationError {
                ply,
                reason: Reason::IllegalMove,
            })?;
            digits.push(digit);
            position.play(played);
        }
        Ok(Self { moves, digits })
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whether a game begins with the moves, by its integer without end moves.
    fn begins(&self, integer: &mut Decoder) -> bool {
        self.digits
            .iter()
            .all(|&(ordinal, count)| integer.take_one_based(count) == ordinal + 1)
    }

    /// Whether a game begins with the moves, by its integer with end moves.
    fn begins_with_ends(&self, integer: &mut Decoder) -> bool {
        self.digits
            .iter()
            .all(|&(ordinal, count)| integer.take(count + 1) == ordinal)
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
        let begins = match self.coding() {
            Coding::Weighted => return self.groups_with_prefix(records, prefix),
            Coding::Ign => OpeningPrefix::begins,
            Coding::IgnEnd => OpeningPrefix::begins_with_ends,
        };
        let mut found = Vec::new();
        let mut integer = Decoder::new();
        self.walk_games(records, |game| {
            // A game without moves has no integer and matches no prefix.
            let nulls = records.nulls().of(game.record);
            let has_null = nulls
                .first()
                .is_some_and(|&ply| (ply as usize) < prefix.moves.len());
            if let Some(limbs) = game.moves.stored()
                && is_standard(game.start)
                && !has_null
            {
                integer.load(limbs);
                if begins(prefix, &mut integer) {
                    found.push(game.record);
                }
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

#[cfg(test)]
mod tests {
    use super::*;
    use ign_notation::{Integer, residue::Residue};

    #[test]
    fn digits_match_the_integers_of_the_residue() {
        for line in [&[][..], &["e2e4"], &["h2h4", "g8h6"], &["f2f3", "e7e5"]] {
            let moves: Vec<Move> = line
                .iter()
                .map(|uci| Move::of_squares(uci.as_bytes()).unwrap())
                .collect();
            let prefix = OpeningPrefix::new(moves.clone()).unwrap();
            let plain = Residue::plain(Position::default(), &moves).unwrap();
            let with_ends = Residue::with_ends(Position::default(), &moves).unwrap();
            let mut decoder = Decoder::new();
            for value in 0..20_000_u64 {
                let (limbs, integer) = ([value], Integer::from(value));
                decoder.load(&limbs);
                let begins = prefix.begins(&mut decoder);
                assert_eq!(begins, plain.is_prefix_of(&integer), "{line:?} {value}");
                decoder.load(&limbs);
                let begins = prefix.begins_with_ends(&mut decoder);
                assert_eq!(begins, with_ends.is_prefix_of(&integer), "{line:?} {value}");
            }
        }
    }
}
