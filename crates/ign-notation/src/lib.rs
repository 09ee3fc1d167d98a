//! Integer Game Notation (IGN): the moves of a game as one integer.
//!
//! In every position of a game of perfect information, the legal moves are listed in a fixed order,
//! the *canonical order*. A move is then a number, its ordinal among the legal moves, and a game is
//! a number in a mixed radix: the first move is the lowest digit, and the number of legal moves is
//! its base. The integer and the starting position determine the game, and the other way round.
//! Fool's mate is 143395, 18 bits.
//!
//! The crate contains the notation for any game ([`Game`]), and the rules of [`chess`] (with
//! Chess960 and variants) and [`go`].
//!
//! # Chess
//!
//! ```
//! use ign_notation::chess::{Legal, Position, san};
//! use ign_notation::plain;
//!
//! // Moves from SAN.
//! let mut position = Position::default();
//! let mut moves = Vec::new();
//! for word in ["f3", "e5", "g4", "Qh4#"] {
//!     let played = san::resolve(&Legal::new(&position), word.as_bytes()).expect("a legal move");
//!     position.play(played);
//!     moves.push(played);
//! }
//!
//! // Moves to an integer and back.
//! let integer = plain::encode(Position::default(), &moves)?;
//! assert_eq!(integer, 143_395);
//! assert_eq!(plain::decode(Position::default(), &integer, 1_000)?, moves);
//! # Ok::<(), ign_notation::NotationError>(())
//! ```
//!
//! [`chess::Move`] converts to and from shakmaty's moves without move generation.
//!
//! # A game of your own
//!
//! Implement [`Game`] for a cheaply cloned position: a `Move` that is `Copy` and `Eq`,
//! [`legal_moves`](Game::legal_moves), which lists no moves where the position ends the game, and
//! [`play`](Game::play). Document the order of the moves: it is part of the notation. Everything
//! else follows. Nim with one heap, where a player takes one, two or three:
//!
//! ```
//! use ign_notation::{Game, ends, ends::EndMoves, plain};
//!
//! #[derive(Clone)]
//! struct Nim { heap: u32 }
//!
//! impl Game for Nim {
//!     type Move = u32; // the number taken
//!
//!     fn legal_moves(&self, moves: &mut Vec<u32>) {
//!         moves.clear();
//!         moves.extend(1..=self.heap.min(3)); // an empty heap ends the game
//!     }
//!
//!     fn play(&mut self, taken: u32) {
//!         self.heap -= taken;
//!     }
//! }
//!
//! let start = Nim { heap: 7 };
//! // The third of 3 moves, the third of 3, the only one: 3 + 3·(3 + 3·1) = 21.
//! let integer = plain::encode(start.clone(), &[3, 3, 1])?;
//! assert_eq!(integer, 21);
//! assert_eq!(plain::decode(start.clone(), &integer, 100)?, [3, 3, 1]);
//!
//! // A player resigns after two moves. With end moves the digits are 2 of 0..=3, 2 of 0..=3,
//! // and the end, 1 of 0..=1.
//! let integer = ends::encode(start.clone(), &[3, 3], EndMoves::Stopped)?;
//! assert_eq!(integer, 2 + 4 * (2 + 4));
//! assert_eq!(ends::decode(start, &integer, 100)?, (vec![3, 3], EndMoves::Stopped));
//! # Ok::<(), ign_notation::NotationError>(())
//! ```
//!
//! `examples/connect_four.rs` is a larger one. Games that can count and number their moves without
//! listing them override the other methods of [`Game`], as [`chess::Position`] does.
//!
//! # Forms
//!
//! | module | the integer | encodes how the game ended |
//! | --- | --- | --- |
//! | [`plain`] | one-based digits; ends where it is 0; the notation as published | no |
//! | [`ends`] | zero-based digits with an end move in every position | yes |
//! | [`counted`] | zero-based digits; the number of plies is stored separately | no |
//! | [`weighted`] | as [`ends`], with frequencies: likely moves take fewer bits | yes |
//! | [`residue`] | what the integers of all games with the same opening have in common | |
//!
//! [`radix`] is the arithmetic of the first three on 64-bit limbs, without allocation for each game
//! and without rug; [`signature`] is the index key of a game.
//!
//! # Errors
//!
//! Encoding fails at an illegal move, decoding at an integer that is not a game. A
//! [`NotationError`] has the ply and the [`Reason`]. Decoding takes a maximum number of plies,
//! because a small integer can be a very long game. No integer makes decoding panic or run without
//! bound.
//!
//! # Features
//!
//! None is on by default.
//!
//! | feature | adds |
//! | --- | --- |
//! | `go` | the rules of Go, the canonical order of its moves and its signatures |
//! | `integers` | the forms of the notation: the modules of the table above, and [`Integer`] |
//!
//! # Dependencies
//!
//! With the feature `integers`, integers are those of the crate rug, which builds GMP from source
//! and needs gcc, make and m4. shakmaty is GPL-3.0-or-later, and so is this crate.
#![cfg_attr(
    not(feature = "go"),
    doc = "\n\n[`go`]: https://docs.rs/ign-notation/latest/ign_notation/go/"
)]
#![cfg_attr(
    not(feature = "integers"),
    doc = "

[`plain`]: https://docs.rs/ign-notation/latest/ign_notation/plain/
[`ends`]: https://docs.rs/ign-notation/latest/ign_notation/ends/
[`counted`]: https://docs.rs/ign-notation/latest/ign_notation/counted/
[`weighted`]: https://docs.rs/ign-notation/latest/ign_notation/weighted/
[`residue`]: https://docs.rs/ign-notation/latest/ign_notation/residue/
[`Integer`]: https://docs.rs/ign-notation/latest/ign_notation/struct.Integer.html"
)]
#![deny(missing_docs)]

pub mod chess;
#[cfg(all(test, feature = "integers"))]
mod corridor;
#[cfg(feature = "integers")]
pub mod counted;
#[cfg(feature = "integers")]
pub mod digits;
#[cfg(feature = "integers")]
pub mod ends;
mod error;
mod game;
#[cfg(feature = "go")]
pub mod go;
#[cfg(feature = "integers")]
pub mod plain;
pub mod radix;
#[cfg(feature = "integers")]
pub mod residue;
pub mod signature;
#[cfg(feature = "integers")]
pub mod weighted;

pub use error::{NotationError, Reason};
pub use game::Game;
#[cfg(feature = "integers")]
pub use rug::Integer;
