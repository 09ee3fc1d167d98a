//! Chess: positions, legal moves, their canonical order and SAN.
//!
//! | item | content |
//! | --- | --- |
//! | [`Position`] | the board; plays moves; FEN; standard chess and Chess960 |
//! | [`Legal`] | the legal moves of a position: counts and numbers them without listing them |
//! | [`Move`] | a move in 16 bits; its order is the canonical order |
//! | [`san`] | reads and writes Standard Algebraic Notation |
//! | [`Start`] | a starting position and its move number, from a FEN |
//! | [`variant`] | Crazyhouse, Atomic, Antichess and others |
//! | [`mod@reference`] | a slow implementation of the notation with all its options, on shakmaty's board |
//! | [`repetition`] | claimable draws |
//! | [`interleaved`] | decodes two games at once on one thread |
//! | [`rules`] | the interface that chess and its variants share |
//!
//! [`Position`], [`Legal`] and [`Move`] are plain values that do not allocate. Positions and moves
//! convert to and from shakmaty ([`Position::to_shakmaty`], [`Move::to_shakmaty`]) without move
//! generation.
//!
//! Invariant: legality, order and SAN agree with shakmaty, which supplies the tables of squares
//! between squares and, in the tests, the expected results.
//!
//! ```
//! use ign_notation::chess::{Legal, Position, san};
//!
//! let mut position = Position::default();
//! let legal = Legal::new(&position);
//! let e4 = san::resolve(&legal, b"e4").unwrap();
//! assert_eq!(legal.ordinal_and_count(e4), (13, 20));
//! assert_eq!(legal.nth(13), e4);
//! position.play(e4);
//! ```

#[doc(hidden)]
pub mod bits;
mod fen;
mod game;
pub mod interleaved;
mod interop;
pub mod legal;
mod moves;
#[doc(hidden)]
pub mod pawns;
pub mod position;
#[doc(hidden)]
pub mod rays;
pub mod reference;
pub mod repetition;
pub mod rules;
pub mod san;
#[doc(hidden)]
pub mod simd;
#[doc(hidden)]
pub mod sliding;
pub mod variant;
mod zobrist;

pub use fen::{FenError, Start};
pub use legal::{Legal, Numbering};
pub use moves::Move;
pub use position::Position;
