//! Games as integers: the moves column of plain IGN and of IGN with end moves (spec §4.2.2).
//!
//! The column is one integer for each playable record, each after the Elias-gamma code of its
//! length. A game's digits are the ordinal and the number of the legal moves, ply by ply.
//!
//! | file | holds |
//! | --- | --- |
//! | [`digits`] | the digits of a game, taken from its integer |
//! | [`encoder`] | a game's integer from its digits, and its size |
//! | [`lookahead`] | plain games decoded in advance, two at a time |
//! | [`reader`] | the integers of a column, game by game |

pub mod digits;
mod encoder;
pub mod lookahead;
mod reader;

pub use encoder::{GameBits, write_game};
pub use reader::{Integers, NextGame};
