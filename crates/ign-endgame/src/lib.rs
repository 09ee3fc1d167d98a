//! Endgames of three and four men: solved, numbered well, and so made small.
//!
//! After C. A. Marris, Compressing a Chess-Endgame Database (document 004): positions that are
//! neighbours in number should be as many moves from mate, so that a table is a few intervals.
//!
//! | module | says |
//! | --- | --- |
//! | [`material`] | which men: `KQK` |
//! | [`rules`] | how they move, forwards and backwards |
//! | [`fold`] | which positions are the same by symmetry |
//! | [`value`] | what a position is worth |
//! | [`solve`] | what every position is worth, by retrograde analysis |
//! | [`tables`] | an endgame with all it may turn into; positions of chess looked up |
//! | [`numbering`] | indexing functions |
//! | [`intervals`] | stretches of numbers with one value |
//! | [`search`] | the indexing function with the fewest |
//! | [`mod@file`] | these intervals as a file |
//! | [`summary`] | what it all comes to |
//!
//! Invariant: a table is exact. It says of every legal position how many half-moves the quickest
//! forced mate takes, or that there is none; the rule of fifty moves is left out of account, as
//! the document leaves it.

pub mod file;
pub mod fold;
pub mod intervals;
pub mod material;
pub mod numbering;
pub mod proof;
pub mod rules;
pub mod search;
pub mod solve;
pub mod summary;
pub mod tables;
pub mod value;
