//! The moves column: the moves of a block's games, whatever their coding.
//!
//! | file | holds |
//! | --- | --- |
//! | `game` | the moves of one game, from its integer or from a list |
//! | `lists` | the moves of many games, decoded already |
//! | `proven` | the moves as parsing has proven them, for verification |
//! | `column` | the games of the column, record by record |
//!
//! The codings themselves are in `integers` and [`groups`](super::groups).

mod column;
mod game;
mod lists;
mod proven;
#[cfg(test)]
mod tests;

pub use super::integers::GameBits;
pub use column::MovesColumn;
pub use game::GameMoves;
pub use lists::MoveLists;
pub use proven::ProvenMoves;
