//! Chess endgame tables of three and four pieces, and shortest games to a position.
//!
//! # Endgame tables
//!
//! A table stores the distance to mate of every position of an endgame. After C. A. Marris,
//! *Compressing a Chess-Endgame Database* (document 004, see docs/sources.md), positions are
//! numbered so that neighbours have the same distance: then the table is a list of few intervals.
//!
//! | module | content |
//! | --- | --- |
//! | [`material`] | the pieces of an endgame: `KQK` |
//! | [`rules`] | their moves, forwards and backwards |
//! | [`fold`] | reduction by the symmetries of the board |
//! | [`value`] | distance to mate in a byte |
//! | [`table`] | the values of all positions of an endgame |
//! | [`solve`] | retrograde analysis, which computes them |
//! | [`tables`] | an endgame with the endgames that captures and promotions lead to |
//! | [`placement`] | conversion between chess positions and the squares of a table |
//! | [`numbering`] | indexing functions |
//! | [`intervals`] | runs of indices with one value |
//! | [`search`] | search for the indexing function with the fewest intervals |
//! | [`mod@file`] | a file of intervals, and lookup in it |
//! | [`summary`] | statistics of an endgame |
//!
//! Invariant: tables are exact. They give the number of plies of the quickest forced mate for
//! every legal position, or a draw. As in the document the fifty-move rule does not apply.
//!
//! # Proof games
//!
//! [`proof`] finds a shortest game from the standard starting position to a given position
//! (document 001).
//!
//! # Threads
//!
//! Parallel parts run on the current rayon thread pool. Results do not depend on its size.
//!
//! # Example
//!
//! ```
//! use ign_endgame::{material::Material, tables::Tables, value::Value};
//! use ign_notation::chess::Position;
//!
//! let material = Material::parse("KQK")?;
//! let tables = Tables::solve(&material, &|_, _| {})?;
//! let position = Position::from_fen(b"k7/8/1K6/8/8/8/8/6Q1 w - -").unwrap();
//! assert_eq!(tables.value(&position)?, Value::Win(1));
//! # Ok::<(), ign_endgame::Error>(())
//! ```

mod error;
pub mod file;
pub mod fold;
pub mod intervals;
pub mod material;
pub mod numbering;
pub mod placement;
pub mod proof;
pub mod rules;
mod seal;
pub mod search;
pub mod solve;
pub mod summary;
pub mod table;
pub mod tables;
pub mod value;

pub use error::{Error, ErrorKind, Result};
