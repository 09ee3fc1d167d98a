//! Integer Game Notation: the moves of any finite game as one integer.
//!
//! In every position the moves that may be played stand in a canonical order;
//! a game is a list of choices, each an ordinal among so many; and a list of
//! choices is an integer in a mixed radix, the first move its lowest digit.
//! Moves, integers and positions determine one another: an integer decodes to
//! one game at most, and that game encodes to it again.
//!
//! | module | integer |
//! | --- | --- |
//! | [`plain`] | one-based ordinals, stops at 0; the notation as published |
//! | [`ends`] | zero-based, with "the game ends here" as a last choice everywhere |
//! | [`counted`] | zero-based, the number of plies kept beside it |
//! | [`weighted`] | with end moves, likely choices cheaper than others |
//! | [`residue`] | what all games share that begin with the same moves |
//! | [`radix`] | the arithmetic under all of them |
//!
//! Place: floor 1. It knows no game: a game tells it its moves through
//! [`Game`]. Chess is on floor 2.
//!
//! # A game of your own
//!
//! 1. A type for a position, cheap to clone. What has been played is not kept, only what the
//!    rules still ask for.
//! 2. A type for a move, complete in its position: `Copy` and `Eq`.
//! 3. [`Game::legal_moves`], always in the same order: the order is part of the notation, so write
//!    it down. It lists nothing where the position itself ends the game.
//! 4. [`Game::play`].
//!
//! `examples/connect_four.rs` does so in fifty lines, with all there is to ask of the integers. The
//! provided methods list the moves each time; a game whose moves can be counted without listing
//! them overrides them, as chess does ([`Position`](crate::chess::Position)).
//!
//! Nim with one heap: take one, two or three; who cannot take has lost. Two
//! methods are enough:
//!
//! ```
//! use ign_notation::{Game, ends, ends::Ending, plain};
//!
//! #[derive(Clone)]
//! struct Nim { heap: u32 }
//!
//! impl Game for Nim {
//!     type Move = u32; // how many are taken
//!
//!     fn legal_moves(&self, moves: &mut Vec<u32>) {
//!         moves.clear();
//!         moves.extend(1..=self.heap.min(3)); // nothing left: no moves, the end
//!     }
//!
//!     fn play(&mut self, taken: u32) {
//!         self.heap -= taken;
//!     }
//! }
//!
//! let start = Nim { heap: 7 };
//! // Choices 3 of 3, 3 of 3, 1 of 1: 3 + 3·(3 + 3·1) = 21.
//! let integer = plain::encode(start.clone(), &[3, 3, 1])?;
//! assert_eq!(integer, 21);
//! assert_eq!(plain::decode(start.clone(), &integer, 100)?, [3, 3, 1]);
//!
//! // The player resigns instead of taking the last one: with end moves the
//! // choices are 2 of 0..=3, 2 of 0..=3, and the end, 1 of 0..=1.
//! let integer = ends::encode(start.clone(), &[3, 3], Ending::Stopped)?;
//! assert_eq!(integer, 2 + 4 * (2 + 4));
//! assert_eq!(ends::decode(start, &integer, 100)?, (vec![3, 3], Ending::Stopped));
//! # Ok::<(), crate::NotationError>(())
//! ```

pub mod chess;
pub mod counted;
pub mod ends;
mod error;
#[cfg(feature = "go")]
pub mod go;
pub mod plain;
pub mod radix;
pub mod residue;
pub mod signature;
pub mod weighted;

pub use error::{NotationError, Reason};
pub use rug::Integer;

/// A finite game of perfect information, at some position of it.
///
/// The contract: [`legal_moves`](Game::legal_moves) depends on nothing but the
/// moves played from the start, gives each move once, and always in the same
/// order. The order is part of the notation: another order is another integer.
/// The provided methods derive from it; a game that can answer them without
/// listing its moves overrides them, with the same answers.
pub trait Game {
    /// A move, complete in the position where it is legal.
    type Move: Copy + Eq;

    /// Replaces the content of `moves` by the moves that may be played here,
    /// in canonical order. None: the position itself ends the game.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move that [`legal_moves`](Game::legal_moves) lists. For any
    /// other the position afterwards is undefined (but safe), and it may panic.
    fn play(&mut self, played: Self::Move);

    /// How many moves may be played here. At most `u32::MAX - 1`.
    fn count(&self) -> u32 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len() as u32
    }

    /// The place of `wanted` in canonical order, from 0, and the number of
    /// moves; `None` if it may not be played here.
    fn ordinal(&self, wanted: Self::Move) -> Option<(u32, u32)> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let ordinal = moves.iter().position(|&legal| legal == wanted)?;
        Some((ordinal as u32, moves.len() as u32))
    }

    /// The move whose ordinal, from 0, is `ordinal`.
    fn nth(&self, ordinal: u32) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.get(ordinal as usize).copied()
    }
}

/// The ordinal of `played` and the number of moves; plays it. `ply` is for the
/// error.
fn take_ordinal<G: Game>(
    game: &mut G,
    played: G::Move,
    ply: usize,
) -> Result<(u32, u32), NotationError> {
    let found = game
        .ordinal(played)
        .ok_or(NotationError::new(ply, Reason::IllegalMove))?;
    game.play(played);
    Ok(found)
}

/// Plays the move numbered `ordinal`, below the number of moves, and adds it
/// to `moves`.
fn play_nth<G: Game>(game: &mut G, ordinal: u32, moves: &mut Vec<G::Move>) {
    let played = game
        .nth(ordinal)
        .expect("an ordinal below the count of moves");
    game.play(played);
    moves.push(played);
}

/// A game simple enough to count by hand, for the tests of this floor.
#[cfg(test)]
mod tests_support {
    use super::Game;

    /// As many moves at each ply as its list says, numbered from 0; over where
    /// the list is.
    #[derive(Clone)]
    pub struct Corridor<'a> {
        widths: &'a [u32],
    }

    impl<'a> Corridor<'a> {
        pub fn new(widths: &'a [u32]) -> Self {
            Corridor { widths }
        }

        /// How many plies it goes on.
        pub fn left(&self) -> usize {
            self.widths.len()
        }
    }

    impl Game for Corridor<'_> {
        type Move = u32;

        fn legal_moves(&self, moves: &mut Vec<u32>) {
            moves.clear();
            moves.extend(0..self.widths.first().copied().unwrap_or(0));
        }

        fn play(&mut self, _: u32) {
            self.widths = &self.widths[1..];
        }
    }
}
