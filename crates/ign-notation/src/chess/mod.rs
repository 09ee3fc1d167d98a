//! Chess: the rules of one game, and the order in which its legal moves are numbered.
//!
//! [`Position`] is the board and plays moves, [`Legal`] numbers the legal moves of one position
//! without ever listing them, [`san`] reads and writes the moves as people do. All three are
//! plain values that never allocate: a game is packed or unpacked by walking them once, move by
//! move, and that walk is what packing and unpacking spend most of their time on.
//!
//! [`variant`] holds other games with the same pieces; [`rules`] is what they and chess have in
//! common for those who read and write games.
//!
//! Invariant of the floor: whatever is said about legality, order or SAN agrees with shakmaty,
//! which supplies the tables of what lies between squares and, in the tests, the second opinion.
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

mod game;
pub mod interleaved;
pub mod legal;
pub mod lines;
mod moves;
pub mod pawns;
pub mod position;
pub mod rays;
pub mod reference;
pub mod repetition;
pub mod rules;
pub mod san;
mod start;
pub mod variant;
pub mod vectors;

pub use legal::{Legal, Numbering};
pub use moves::Move;
pub use position::Position;
pub use start::{FenError, Start};
