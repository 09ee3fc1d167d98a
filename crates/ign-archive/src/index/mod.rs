//! The search index: a file beside an archive that answers queries without reading most of it.
//!
//! | file | holds |
//! | --- | --- |
//! | `directory` | the archives that an index belongs to, and the places of its sections |
//! | `columns` | ratings, dates, results and other numbers of fixed width |
//! | `players` | names and their games |
//! | `openings` | the opening tree |
//! | `keys`, `positions` | positions and their games |
//! | `slots` | the numbering of games by groups of 16 |
//! | `packed`, `elias_fano` | arrays and ascending sequences of integers |
//! | `spill` | sorting with temporary files |
//! | `build` | an index from archives |
//! | `verify` | verification of an index file |
//! | `in_use` | an index that is used until it turns out to be damaged |
//!
//! An index is tied to its archives by their lengths and checksums. Every section has a checksum. An
//! index that is damaged or belongs to another archive is not used.

mod build;
pub(crate) mod columns;
mod directory;
mod elias_fano;
mod file;
mod in_use;
mod keys;
mod openings;
mod packed;
mod players;
mod positions;
mod slots;
mod spill;
mod verify;

pub use build::{IndexSummary, Sections, build};
pub use columns::IndexColumn;
pub use file::{Index, path_of};
pub(crate) use in_use::IndexInUse;
pub use keys::Keys;
pub(crate) use keys::{GAME_OVER, LARGE_ORDINAL};
pub use openings::{Child, Node};
pub use players::PlayerGame;
pub use positions::{Found, Occurrences};
pub use verify::{VerifiedIndex, verify};
