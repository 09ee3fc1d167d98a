//! Features of the choices of a position, as entries of the feature tables (spec §14.7.2).
//!
//! A choice is a legal stone or the pass. The [`Extractor`] gives each a row of [`TABLES`] entries,
//! whose parameters sum to its score. Features are relative to the player to move, and the same
//! for all eight symmetries of the board.

mod context;
mod corners;
mod extractor;
mod symmetry;
mod tables;

pub use extractor::Extractor;
pub use tables::{ENTRIES, SIZES, TABLES};
