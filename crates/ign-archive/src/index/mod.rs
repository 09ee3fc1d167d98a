//! The search index: a file beside an archive that answers queries without reading most of it.
//!
//! | file | holds |
//! | --- | --- |
//! | `file` | an open index: the segments that belong to its archives |
//! | `source` | its bytes, and the sections in memory |
//! | `segment` | what an index has of consecutive games |
//! | `directory` | the blocks that a segment covers, and the places of its sections |
//! | `sections` | what an index has |
//! | `columns` | ratings, dates, results and other numbers of fixed width |
//! | `players`, `materials` | names and material, and their games |
//! | `gaps` | lists and sequences of ascending numbers |
//! | `openings` | the opening tree |
//! | `facts` | ratings, dates, results and speeds in the order of the opening tree |
//! | `statistics` | the games of the most common positions, counted |
//! | `keys`, `positions` | positions and their games |
//! | `slots` | the numbering of games by groups of 16 |
//! | `spill`, `spool` | sorting, and columns, with temporary files |
//! | `build` | an index from archives, or a segment of one |
//! | `extend` | an index with a segment for the games that it lacks |
//! | `verify` | verification of an index file |
//! | `exercise` | reads of every kind, for tests |
//! | `in_use` | an index that is used until it turns out to be damaged |
//!
//! An index is a sequence of segments, each for consecutive blocks. It is tied to its archives by
//! the places and checksums of these blocks, so it stays valid for the first games of an archive
//! that has grown. Every section has a checksum. An index that is damaged or belongs to another
//! archive is not used.

mod build;
pub(crate) mod columns;
mod directory;
mod exercise;
mod extend;
mod facts;
mod file;
mod gaps;
mod in_use;
mod keys;
mod materials;
mod openings;
mod players;
mod positions;
mod sections;
mod segment;
mod slots;
mod source;
mod spill;
mod spool;
mod statistics;
mod verify;

pub use build::{IndexBuilder, IndexEstimate, IndexSummary};
pub(crate) use columns::IndexColumn;
pub use extend::Extended;
pub(crate) use facts::Facts;
pub use file::Index;
pub(crate) use in_use::IndexInUse;
pub(crate) use keys::{GAME_OVER, Keys, LARGE_ORDINAL, OF_VARIANT};
pub(crate) use materials::{Counts, MAX_PIECES};
pub(crate) use openings::MAX_PLY;
pub(crate) use positions::Found;
pub use sections::IndexSections;
pub use segment::Segment;
pub use statistics::RATING_GROUPS;
pub(crate) use statistics::{Counted, LISTED, ListedGame};
pub use verify::{VerifiedIndex, verify};

pub use crate::location::path_of;
