//! What all games share that begin with the same moves: a residue.
//!
//! After the digits of a prefix comes, times the product `N` of their bases,
//! the integer of the rest. So all integers of games that begin with the
//! prefix leave the same residue modulo `N`: 1.f3 e5 is 195 modulo 400. A
//! collection is searched for an opening with one division a game.
//!
//! In plain IGN the residue alone does not quite suffice. Its digits run from
//! 1 to `n`, so the integer `P` of the prefix itself may be `N` or more, and
//! then a smaller integer of the same residue is a shorter game, not a longer
//! one: 1.h4 Nh6 (both the last of 20 moves) is 420, which is 20 modulo 400,
//! and 20 is 1.h4. The games that begin with the prefix are exactly the
//! integers `P, P + N, P + 2N, …`, and this is what
//! [`is_prefix_of`](Residue::is_prefix_of) asks.

use rug::Integer;

use super::radix::Encoder;
use super::{Game, NotationError};

/// The integers of all games that begin with certain moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residue {
    /// Least integer of such a game: that of the prefix's own digits.
    least: Integer,
    /// Distance from one such integer to the next.
    modulus: Integer,
}

impl Residue {
    /// The residue of `moves` from `game` among integers of [`plain`](super::plain).
    ///
    /// # Errors
    /// [`Reason::IllegalMove`](super::Reason::IllegalMove).
    pub fn plain<G: Game>(game: G, moves: &[G::Move]) -> Result<Self, NotationError> {
        Residue::of(game, moves, 1, 0)
    }

    /// The residue of `moves` from `game` among integers of [`ends`](super::ends).
    ///
    /// # Errors
    /// [`Reason::IllegalMove`](super::Reason::IllegalMove).
    pub fn with_ends<G: Game>(game: G, moves: &[G::Move]) -> Result<Self, NotationError> {
        Residue::of(game, moves, 0, 1)
    }

    /// The residue of `moves` from `game` among integers of [`counted`](super::counted).
    ///
    /// # Errors
    /// [`Reason::IllegalMove`](super::Reason::IllegalMove).
    pub fn counted<G: Game>(game: G, moves: &[G::Move]) -> Result<Self, NotationError> {
        Residue::of(game, moves, 0, 0)
    }

    /// `first` is the digit of the first move, `more` what the base has above
    /// the number of moves.
    fn of<G: Game>(
        mut game: G,
        moves: &[G::Move],
        first: u32,
        more: u32,
    ) -> Result<Self, NotationError> {
        let mut encoder = Encoder::new();
        let mut modulus = Integer::from(1);
        for (ply, &played) in moves.iter().enumerate() {
            let (ordinal, count) = super::take_ordinal(&mut game, played, ply)?;
            encoder.push(ordinal + first, count + more);
            modulus *= count + more;
        }
        Ok(Residue {
            least: encoder.to_integer(),
            modulus,
        })
    }

    /// The least integer of a game that begins with the prefix.
    pub fn least(&self) -> &Integer {
        &self.least
    }

    /// What the integers leave modulo [`modulus`](Residue::modulus): 0 to one
    /// less than it.
    pub fn residue(&self) -> Integer {
        Integer::from(&self.least % &self.modulus)
    }

    /// The product of the bases of the prefix.
    pub fn modulus(&self) -> &Integer {
        &self.modulus
    }

    /// Whether the game of `integer` begins with the prefix, or is it.
    pub fn is_prefix_of(&self, integer: &Integer) -> bool {
        *integer >= self.least && integer.is_congruent(&self.least, &self.modulus)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_support::Corridor;
    use super::super::{ends, plain};
    use super::*;

    #[test]
    fn a_prefix_is_found_exactly() {
        let widths = [2, 1, 3, 2];
        let game = || Corridor::new(&widths);
        let all: Vec<(u32, Vec<u32>)> = (0..)
            .map_while(|v| Some((v, plain::decode(game(), &Integer::from(v), 9).ok()?)))
            .collect();
        assert_eq!(all.len(), 1 + 2 + 2 + 6 + 12);
        for (_, prefix) in &all {
            let residue = Residue::plain(game(), prefix).unwrap();
            for (value, moves) in &all {
                let found = residue.is_prefix_of(&Integer::from(*value));
                assert_eq!(found, moves.starts_with(prefix), "{prefix:?} {moves:?}");
            }
        }
    }

    #[test]
    fn with_ends_too() {
        let game = || Corridor::new(&[2, 1, 3, 2]);
        let residue = Residue::with_ends(game(), &[1, 0]).unwrap();
        assert_eq!(
            (residue.residue(), residue.modulus()),
            (Integer::from(1), &Integer::from(6))
        );
        let ending = ends::Ending::Stopped;
        for (moves, found) in [
            (&[][..], false),
            (&[1], false),
            (&[1, 0], true),
            (&[0, 0], false),
            (&[1, 0, 2], true),
        ] {
            let integer = ends::encode(game(), moves, ending).unwrap();
            assert_eq!(residue.is_prefix_of(&integer), found);
        }
    }

    #[test]
    fn the_empty_prefix_begins_every_game() {
        let residue = Residue::plain(Corridor::new(&[2]), &[]).unwrap();
        assert_eq!(
            (residue.residue(), residue.modulus()),
            (Integer::new(), &Integer::from(1))
        );
        assert!(residue.is_prefix_of(&Integer::new()) && residue.is_prefix_of(&Integer::from(7)));
    }
}
