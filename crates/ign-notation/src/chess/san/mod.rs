//! Standard Algebraic Notation (spec §10).
//!
//! [`resolve`] is lenient and [`write()`] is exact: `write` returns the standard form, with the
//! least disambiguation that the legal moves require and without `+` or `#`, which depend on the
//! position after the move. `resolve` is the inverse of `write` for every legal move.
//!
//! [`read_plain`] is a fast path that reads a move and checks its form at once. It covers moves in
//! standard form without disambiguation, which are nearly all. [`read_loose`] reads other forms
//! that people and older programs use, also with the letters of other languages.
//!
//! None of these lists moves: they compute which pieces can reach the destination.

mod chars;
mod figurines;
mod language;
mod loose;
mod naming;
mod plain;
mod read;
mod text;
mod write;

pub(super) use chars::{role, square};
pub use figurines::{Letters, starts_with_figurine};
pub use language::Language;
pub use loose::{Loose, dash_len, read_loose, resembles_castling, starts_with_castling};
pub use naming::Naming;
pub use plain::{Plain, belongs, read_plain};
pub(super) use read::{move_of_squares, squares, without_signs};
pub use read::{null_len, resolve};
pub use text::{MAX_LEN, San};
pub use write::{write, write_with};
