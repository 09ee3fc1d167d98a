//! Go: rules, canonical order of the moves, and signatures (spec §14.1).
//!
//! A move is a point of the board or a pass. The canonical order of the legal moves is: rows from
//! the top, within a row columns from the left, the pass last. Boards have 1 to 52 rows and
//! columns, as in SGF.
//!
//! **Rules.** A move captures the enemy chains that it leaves without liberties. Its own chain must
//! then have a liberty, unless the rules allow suicide. A stone that has captured a single stone,
//! and is alone with a single liberty, may not be recaptured at once (simple ko). A pass is always
//! legal, so the position never ends a game: records continue after two passes, and scoring is not
//! a move.
//!
//! Players alternate. If a record has two moves of one color in a row, an implicit pass is between
//! them.
//!
//! [`Position`] is a [`Game`](crate::Game):
//!
//! ```
//! use ign_notation::go::{Move, Point, Position, Rules, Size};
//! use ign_notation::plain;
//!
//! let start = Position::new(Size::STANDARD, Rules::default());
//! let moves = [b"pd", b"dp"].map(|letters| Move::Stone(Point::from_letters(letters).unwrap()));
//! let integer = plain::encode(start.clone(), &moves)?;
//! assert_eq!(integer, 73 + 362 * 288);
//! assert_eq!(plain::decode(start, &integer, 1_000)?, moves);
//! # Ok::<(), ign_notation::NotationError>(())
//! ```

mod game;
mod liberties;
mod point;
pub mod position;
pub mod signature;

pub use point::{Color, MAX_LINES, Move, Point, Size};
pub use position::{Position, Rules, SetupError};
