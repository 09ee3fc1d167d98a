//! The moves column of weighted IGN: groups of games coded in lockstep (spec §4.2.3).
//!
//! The move model gives the frequency of each choice, and a range coder encodes the choice by its
//! frequencies. The games of a block are coded in groups of [`GROUP`], round
//! by round: one choice in each game, in order, then another round, without the games that are
//! over. A choice is a legal move or the end of the game; where no move is legal there is no
//! choice. Games of variants are coded in the same groups as games of chess. What the signature
//! column already determines is not coded again (`constraints.rs`). A game that repeats the one
//! before it is not coded again either: the group marks it as a copy. Therefore
//!
//! - a game needs no length prefix, and the cost of ending a stream is shared by a group;
//! - the first moves of all games are at the front of each group: an opening search decodes no more
//!   than these;
//! - reading one game costs decoding its group.
//!
//! ```text
//! style | lengths of the groups | group | group | …
//! ```
//!
//! In the order of their imports:
//!
//! | file | holds |
//! | --- | --- |
//! | `copies` | which games of a group repeat the game before them |
//! | `lockstep` | plays a group round by round and gives the frequencies of each choice |
//! | `header`, `lengths` | what precedes the groups in the column |
//! | `encoder` | [`Played`]: the column from the moves of games |
//! | `decoder` | the moves of one group from its stream |
//! | `prefetch` | groups decoded by background threads |
//! | `column` | [`Groups`]: the groups of a column, decoded on demand |
//!
//! The size of the column depends on the model alone. The head of the block names the model that
//! coded it.

mod column;
mod copies;
mod decoder;
mod encoder;
mod header;
mod lengths;
mod lockstep;
mod prefetch;
#[cfg(test)]
mod tests;

pub use column::Groups;
pub use encoder::Played;
pub use header::read_style;
pub use lockstep::{GROUP, Lockstep};
