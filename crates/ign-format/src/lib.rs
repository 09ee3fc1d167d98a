//! The file format of ign archives.

pub mod block;
pub mod columns;
pub mod container;
pub mod error;
#[cfg(feature = "go")]
pub mod go_model;
pub mod model;
pub mod pgn;
#[cfg(feature = "go")]
pub mod sgf;
