//! Positions by the shortest game that reaches them.
//!
//! Document 001 names a position by a game: "run a Breadth-First search to find the shortest path
//! to that position and encode that instead". Here it is done, from both ends at once, and so that
//! the answer is exact: no shorter game exists, or a limit is named that ended the search.
//!
//! | module | says |
//! | --- | --- |
//! | [`packed`] | a position in 24 bytes, equal for what the laws call the same position |
//! | [`bound`] | how many moves are needed at least from one position to another |
//! | [`retro`] | moves taken back |
//! | [`search`] | the search |

pub mod bound;
pub mod packed;
pub mod retro;
pub mod search;

/// Half-moves in which, document 001 estimates, any position can be reached: 64·log20(13).
pub const ESTIMATED_MOST_PLIES: u32 = 55;
/// Half-moves of an average position's shortest game, by its estimate.
pub const ESTIMATED_MEAN_PLIES: u32 = 40;
/// Bits of the integer of the longest of these games, by its estimate: (m + 1)·log2(20).
pub const ESTIMATED_MOST_BITS: u32 = 243;
/// Bits of an average one.
pub const ESTIMATED_MEAN_BITS: u32 = 177;
