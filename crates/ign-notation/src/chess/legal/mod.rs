//! The legal moves of a position: how many there are, the ordinal of each, the move of an ordinal.
//!
//! The canonical order is: origin square (a1, b1, … h8), destination square, promotion to bishop,
//! knight, queen, rook. A move's ordinal is therefore the number of moves from lower squares plus
//! the number of lower destinations of its own piece. Both are counts over bitboards; no list is
//! built or sorted.
//!
//! | module | content |
//! | --- | --- |
//! | `moves` | [`Legal`]: checks, pins, king steps, castlings, pawn moves; destinations, origins |
//! | `pawns` | legal pawn moves by direction |
//! | `castling` | legal castlings |
//! | `ordinal` | [`Legal::ordinal_and_count`], [`Legal::numbering`], [`Numbering::nth`] |
//! | `select` | the byte or bit that holds the n-th of several counted things |
//! | `list` | visiting and listing moves in canonical order |
//!
//! Counting has no loop over pieces: the counts of all squares and directions are bit planes
//! ([`rays`](super::rays)), computed at once.
//!
//! Invariant: the moves are exactly the legal ones, `nth` and `ordinal_and_count` are inverse to
//! each other, and `nth` ascends in the order of [`Move`](super::Move).

mod castling;
mod list;
mod moves;
mod ordinal;
mod pawns;
mod select;

pub use moves::Legal;
pub use ordinal::Numbering;
