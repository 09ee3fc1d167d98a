//! Blocks of Go games, encoded from SGF (spec §14).
//!
//! Header, directory, schemas and tag columns are the same as in blocks of chess games. Four
//! columns have contents of their own, built from the records that `sgf` parses:
//!
//! | column | content |
//! | --- | --- |
//! | layout | the template numbers of heads and gaps; the templates |
//! | moves | integers, or groups of games coded with the model's frequencies: `moves` |
//! | comments | extracted property values |
//! | text | text that does not parse as properties and moves |

mod decode;
mod encode;
mod moves;

pub(super) use decode::render;
pub use decode::{Opening, Visitor, keeps_text, walk, walk_some};
pub use encode::{encode, encode_games};
pub use moves::GROUP;
pub(super) use moves::Interval;
