//! Blocks of games of Go, packed from SGF (spec §14).
//!
//! A block says which game it holds. Head, directory, schemas and tag columns are those of any
//! block; layout, moves and the two streams of text are read as `sgf` has them:
//!
//! | column | holds |
//! | --- | --- |
//! | layout | templates of heads and gaps, by number; and the templates |
//! | moves | integers, or groups of games by the frequencies of the model: `moves` |
//! | comments | values of properties that are set aside |
//! | text | what the model cannot express |

mod decode;
mod encode;
mod moves;
mod signatures;

pub use decode::{Opening, Visitor, keeps_text, render, walk, walk_some};
pub use encode::encode;
pub use moves::GROUP;
pub(super) use signatures::played_signatures;
