//! Openings as residues: the integers of all games with the same first moves.
//!
//! The integer of a game is the integer of its first moves plus `N` times the integer of the rest,
//! where `N` is the product of the bases of these moves. So all games with the same opening have
//! the same residue modulo `N`: 1.f3 e5 is 195 modulo 400. A collection is searched for an opening
//! with one division a game.
//!
//! In plain IGN the residue alone is not sufficient. Digits are 1 to `n`, so the integer `P` of the
//! opening may be `N` or more, and a smaller integer with the same residue is then a shorter game:
//! 1.h4 Nh6 (both the last of 20 moves) is 420, which is 20 modulo 400, and 20 is 1.h4. The games
//! with the opening are exactly the integers `P, P + N, P + 2N, …`, which
//! [`is_prefix_of`](Residue::is_prefix_of) tests.

use rug::Integer;

use super::{digits::Digits, radix::Encoder};
use crate::{Game, NotationError};

/// The integers of all games that begin with certain moves.
///
/// ```
/// use ign_notation::{Integer, chess::reference::ReferenceChess, residue::Residue};
///
/// let start = ReferenceChess::default();
/// let opening = start.parse_movetext("1. f3 e5")?;
/// let residue = Residue::plain(start, &opening)?;
/// assert_eq!((residue.residue(), residue.modulus()), (Integer::from(195), &Integer::from(400)));
/// assert!(residue.is_prefix_of(&Integer::from(143_395)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Residue {
    /// The integer of the opening itself, the least of these.
    least: Integer,
    /// The difference of consecutive integers.
    modulus: Integer,
}

impl Residue {
    /// The residue of `moves`, from the position `game`, for integers of [`plain`](super::plain).
    ///
    /// # Errors
    /// [`Reason::IllegalMove`](super::Reason::IllegalMove).
    pub fn plain<G: Game>(game: G, moves: &[G::Move]) -> Result<Self, NotationError> {
        Residue::of(game, moves, Digits::PLAIN)
    }

    /// The residue of `moves`, from the position `game`, for integers of [`ends`](super::ends).
    ///
    /// # Errors
    /// [`Reason::IllegalMove`](super::Reason::IllegalMove).
    pub fn with_ends<G: Game>(game: G, moves: &[G::Move]) -> Result<Self, NotationError> {
        Residue::of(game, moves, Digits::ENDS)
    }

    /// The residue of `moves`, from the position `game`, for integers of
    /// [`counted`](super::counted).
    ///
    /// # Errors
    /// [`Reason::IllegalMove`](super::Reason::IllegalMove).
    pub fn counted<G: Game>(game: G, moves: &[G::Move]) -> Result<Self, NotationError> {
        Residue::of(game, moves, Digits::COUNTED)
    }

    fn of<G: Game>(mut game: G, moves: &[G::Move], digits: Digits) -> Result<Self, NotationError> {
        let mut encoder = Encoder::new();
        let mut modulus = Integer::from(1);
        digits.play(&mut game, moves, |digit, base| {
            encoder.push(digit, base);
            modulus *= base;
        })?;
        Ok(Residue {
            least: encoder.to_integer(),
            modulus,
        })
    }

    /// The least integer of a game that begins with the moves.
    pub fn least(&self) -> &Integer {
        &self.least
    }

    /// The residue of the integers modulo [`modulus`](Residue::modulus).
    pub fn residue(&self) -> Integer {
        Integer::from(&self.least % &self.modulus)
    }

    /// The product of the bases of the moves.
    pub fn modulus(&self) -> &Integer {
        &self.modulus
    }

    /// Whether the game of `integer` begins with the moves.
    pub fn is_prefix_of(&self, integer: &Integer) -> bool {
        *integer >= self.least && integer.is_congruent(&self.least, &self.modulus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{corridor::Corridor, ends, plain};

    #[test]
    fn finds_exactly_the_games_with_the_prefix() {
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
    fn finds_prefixes_of_games_with_end_moves() {
        let game = || Corridor::new(&[2, 1, 3, 2]);
        let residue = Residue::with_ends(game(), &[1, 0]).unwrap();
        assert_eq!(
            (residue.residue(), residue.modulus()),
            (Integer::from(1), &Integer::from(6))
        );
        let ending = ends::EndMoves::Stopped;
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
    fn the_empty_prefix_matches_every_game() {
        let residue = Residue::plain(Corridor::new(&[2]), &[]).unwrap();
        assert_eq!(
            (residue.residue(), residue.modulus()),
            (Integer::new(), &Integer::from(1))
        );
        assert!(residue.is_prefix_of(&Integer::new()) && residue.is_prefix_of(&Integer::from(7)));
    }
}
