//! Shortest proof games: the shortest game from the standard starting position to a position.
//!
//! Document 001 (see docs/sources.md) encodes a position as a game: "run a Breadth-First search to
//! find the shortest path to that position and encode that instead". This module searches from both
//! ends. The answer is exact: either no shorter game exists, or the result names the limit that
//! ended the search.
//!
//! | module | content |
//! | --- | --- |
//! | [`packed`] | a position in 24 bytes, equal for equal positions |
//! | [`bound`] | a lower bound of the moves from one position to another |
//! | [`retro`] | the positions from which one move leads to a position |
//! | [`search`] | bidirectional breadth-first search |

pub mod bound;
pub mod packed;
pub mod retro;
pub mod search;

/// Document 001's estimate of the plies of the longest shortest game: 64·log20(13).
pub const ESTIMATED_MAX_PLIES: u32 = 55;
/// Its estimate of the plies of an average position's shortest game.
pub const ESTIMATED_MEAN_PLIES: u32 = 40;
/// Its estimate of the bits of the longest game's integer: (plies + 1)·log2(20).
pub const ESTIMATED_MAX_BITS: u32 = 243;
/// Its estimate of the bits of an average game's integer.
pub const ESTIMATED_MEAN_BITS: u32 = 177;
