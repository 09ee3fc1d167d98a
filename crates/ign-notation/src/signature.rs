//! Signatures of games: the destinations of six plies (document 002, see docs/sources.md).
//!
//! Signatures are index keys. They are not unique: short games share the key of missing plies.

/// The plies, counted from 1, whose destinations are the signature (spec §4.1.2). 20, 40 and 60 are
/// part A, 31, 51 and 71 part B.
pub const PLIES: [usize; LEVELS] = [20, 31, 40, 51, 60, 71];
/// The number of elements of a signature.
pub const LEVELS: usize = 6;
/// The first number of a Go point; chess squares are below it.
pub const POINTS: u16 = 64;

/// The destination of one of the six plies: a square from 0 (a1) to 63 (h8) or a point of a Go
/// board from 64 (`go::signature`); `None` if the game is shorter.
pub type Element = Option<u16>;
/// The destinations of the six plies, in the order of play. After the first `None` all are `None`.
pub type Signature = [Element; LEVELS];

/// The index in a signature of a ply, counted from 1; `None` if the ply is not part of it.
#[inline]
pub fn element_of_ply(ply: usize) -> Option<usize> {
    PLIES.iter().position(|&p| p == ply)
}
