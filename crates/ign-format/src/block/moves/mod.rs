//! The moves column: the moves of a block's games, whatever their coding.
//!
//! | file | holds |
//! | --- | --- |
//! | [`game`] | the moves of one game, from its integer or from a list |
//! | [`proven`] | the moves as parsing has proven them, for verification |
//! | [`column`] | the games of the column, record by record |
//!
//! The codings themselves are in [`integers`](super::integers) and [`groups`](super::groups).

mod column;
mod game;
mod proven;
#[cfg(test)]
mod tests;

pub use super::integers::GameBits;
pub use column::MovesColumn;
pub use game::GameMoves;
pub use proven::{ProvenMoves, ProvenNames};
