//! From a block to its records, games and text.
//!
//! [`Block`] knows its head and its columns; everything else is built on top of it, in files that
//! each extend `Block` and are listed in the order in which they depend on each other:
//!
//! | file | holds |
//! | --- | --- |
//! | `block` | [`Block`]: head and columns |
//! | `records` | [`Records`]: the schemas of all records |
//! | `table` | tags |
//! | [`signatures`] | the signature column |
//! | `pawns` | the column of unmoved pawns |
//! | `moves` | starts, the moves column, `walk_games` |
//! | `played`, [`opening_prefix`], `openings` | what the moves show, opening search and opening tags from the moves |
//! | `layouts`, `selection`, `comments`, `payloads`, `tags` | what rendering needs of the other columns |
//! | `lines` | the moves of variations |
//! | `unreadable` | what can be read without damaged columns |
//! | `render`, `text_source`, `texts` | the text of records |
//! | `check`, `verify`, `keeps_text` | verification; which records keep text |
//! | `results` | what movetext states as the result |
//! | `salvage` | games of blocks with damaged columns |

mod block;
mod check;
mod comments;
mod keeps_text;
mod layouts;
mod lines;
mod moves;
pub mod opening_prefix;
mod openings;
mod pawns;
mod payloads;
pub(in crate::block) mod played;
mod records;
mod render;
mod results;
mod salvage;
mod selection;
pub mod signatures;
mod table;
mod tags;
mod text_source;
mod texts;
mod unreadable;
mod verify;

pub use block::{Block, Columns};
pub(super) use layouts::Layouts;
pub use moves::Game;
pub use records::Records;
pub(in crate::block) use render::Pass;
pub use results::StatedResult;
pub use salvage::RecordTexts;
#[cfg(feature = "go")]
pub(in crate::block) use selection::Selection;
#[cfg(feature = "go")]
pub(in crate::block) use text_source::{TextSource, append_selected};
