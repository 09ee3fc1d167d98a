//! Integer Game Notation and archives of games.
pub mod archive;
pub mod bits;
pub mod chess;
pub mod cli;
pub mod columns;
pub mod error;
pub mod format;
pub mod notation;
pub mod pgn;
pub mod pipeline;
pub mod query;
pub mod stats;
