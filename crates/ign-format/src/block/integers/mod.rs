//! Games as integers: the moves column of plain IGN and of IGN with end moves (spec §4.2.2).
//!
//! The column is one integer for each playable record, each after the Elias-gamma code of its
//! length. A game's digits are the ordinal and the number of the legal moves, ply by ply.
//!
//! | file | holds |
//! | --- | --- |
//! | [`digits`] | the digits of a game, taken from its integer |
//! | `encoder` | a game's integer from its digits, and its size |
//! | `follow` | games followed until enough is known of them |
//! | [`lookahead`] | plain games decoded in advance, two at a time |
//! | `prefixes` | the first moves that games share |
//! | `reader` | the integers of a column, game by game |

pub mod digits;
mod encoder;
mod follow;
pub mod lookahead;
mod prefixes;
mod reader;

pub use encoder::{GameBits, write_game};
pub use follow::{Follower, follow};
pub use prefixes::Prefixes;
pub use reader::{Integers, NextGame};
