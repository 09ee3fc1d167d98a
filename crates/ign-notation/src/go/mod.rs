//! Go: rules, canonical order of moves, and the game as the notation sees it (spec §14.1).
//!
//! A move is a point of the board or a pass. The legal moves are listed by row from the top, in a
//! row by column from the left, the pass last: the order of SGF's letters, the second before the
//! first. Boards have 1 to 52 rows and columns, as many as SGF has letters.
//!
//! **Rules.** A stone takes the chains of the other colour that it leaves without liberties; then
//! its own chain must have one, unless the rules allow suicide. A stone that has just taken a
//! single stone, and stands alone with a single liberty, may not be taken back at once (the simple
//! ko rule). A pass is always legal, so the position itself never ends a game: records go on
//! behind two passes, and counting is no move.
//!
//! Players take turns. Where a record has two moves of one colour in a row, the other has passed
//! in between, without the record saying so.
//!
//! Place: floor 2, beside `chess`. [`Position`] is a [`Game`](crate::Game). What SGF
//! makes of all this is a floor up, in `sgf`.

mod game;
mod point;
pub mod position;
pub mod signature;

pub use point::{Color, MAX_LINES, Move, Point, Size};
pub use position::{Position, Rules, SetupError};
