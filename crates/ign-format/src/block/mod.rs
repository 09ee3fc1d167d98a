//! Blocks: a piece of text packed into columns, and unpacked from them.
//!
//! A block holds the records of a few megabytes of text and depends on nothing outside it (spec §3,
//! §4). Everything here is a function of its arguments and needs no threads of the caller's, though
//! decoding some records may use threads of its own in the background.
//!
//! # Packing
//!
//! [`encode`](mod@encode) passes each record through the stages and frames the columns:
//!
//! ```text
//! text ── encode/records.rs ──► tags and movetext of a record
//!      ── encode/tags.rs, schemas.rs ──► rows of the tag table, schemas column
//!      ── pgn/movetext.rs ──► moves, layout, comments, variations, other text
//!      ── encode/moves.rs ──► moves column: integers/ or groups/
//!      ── encode/layout.rs ──► layout column
//!      ── encode/payloads.rs ──► comments and variations columns
//!      ── encode/derived.rs ──► which tag values follow from the moves
//!      ── encode/columns.rs ──► the columns that are not tags
//!      ── encode/framing.rs ──► tag columns, frames, head: the block
//!      ── decode/check.rs ──► verified against the text
//! ```
//!
//! # Reading
//!
//! [`decode::Block`] mirrors it:
//!
//! ```text
//! block ── directory.rs, decode/block.rs ──► head and columns
//!       ── decode/records.rs ──► schemas of the records
//!       ── decode/table.rs ──► tags
//!       ── decode/moves.rs, moves/ ──► starts and moves: integers/ or groups/
//!       ── decode/layouts.rs ──► layouts
//!       ── decode/payloads.rs, decode/comments.rs ──► comments, variations, other text
//!       ── decode/openings.rs, decode/tags.rs ──► tag values that follow from the moves
//!       ── decode/render.rs ──► text
//! ```
//!
//! Signatures, opening search and lists of tags stop halfway: they read only the columns they need.
//! [`transcode()`] makes a block in another coding of moves without its text.
//!
//! # Files
//!
//! In the order of their imports: [`Coding`], [`Kind`], [`Fixed`] and `options` have no
//! dependencies here; `directory`, [`schemas`], [`starts`], `constraints` and
//! [`known_signatures`] follow; then [`groups`] and `integers`, [`moves`] over both, and
//! [`decode`]. The encoder uses the decoder to verify, never the other way round. `go` is the same
//! for games of Go.

mod coding;
mod constraints;
pub mod decode;
mod directory;
pub mod encode;
mod fixed;
#[cfg(feature = "go")]
pub mod go;
pub mod groups;
pub mod integers;
mod kind;
pub mod known_signatures;
mod model;
pub mod moves;
pub mod nulls;
mod options;
pub mod schemas;
pub mod starts;
mod transcode;
mod understanding;

pub use coding::Coding;
pub use decode::{opening_prefix, signatures};
pub use directory::{codes_moves, is_model, uses_name_model};
pub use fixed::Fixed;
pub use kind::Kind;
pub use model::{encode_model, encode_model_of};
pub use options::{Encoded, MovesSample, Options};
pub use transcode::transcode;
