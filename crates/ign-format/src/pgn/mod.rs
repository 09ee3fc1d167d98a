//! PGN: from the text of a block to the parts of its records, and back, byte for byte.
//!
//! ```text
//!  text ── records ─┬─► tags ──────────────────────► tag columns
//!                   └─► movetext ── wrap ─┬─► moves ─────────► integers
//!                                         ├─► gaps ──────────► layout
//!                                         └─► payloads ─┬────► comments
//!                                                       ├────► variations
//!                                                       └────► literal text
//! ```
//!
//! Packing a block passes its text through these stages:
//!
//! 1. [`records`] splits the text into *records*. A record is the tags and the movetext of one
//!    game. [`tags`] reads the tags, which go into a table that is coded outside of this module;
//!    how they are written is the standard form or a template of [`section`].
//! 2. [`movetext`] parses the movetext of a record. It first detects the rule by which lines are
//!    [wrapped](wrap), so that the line ends need not be stored.
//! 3. It splits the rest into *moves* and *gaps*. Moves are resolved on a board from the record's
//!    [`start`] and written again in the detected notation; only moves that are written differently
//!    are stored as text. Gaps are the bytes between moves (move numbers, glyphs, results, white
//!    space), kept as numbered [templates](gaps).
//! 4. Comments, variations and text in gaps become [`payloads`]. [`comments`] and [`variations`]
//!    have columns of their own; variations are parsed like games.
//! 5. [`layout`] codes the wrapping rule, the notation and the gap templates of each record as
//!    exceptions from what the records before predict.
//!
//! [`render`] is the inverse: it replays the moves and writes them between the expanded gaps. Text
//! that is not PGN is a record with one gap and no move, whose payload is the whole text. So every
//! input can be packed; what the model cannot express is stored as text.
//!
//! PGN is parsed by hand here because every byte must be restored. The crate `pgn-reader` serves
//! programs that read PGN for its games, and discards white space, line ends and move numbers.
//! Where this project reads PGN for its games only, it uses `pgn-reader`, or [`tokens`] for single
//! movetexts. [`game_state`] is the state of a game while its moves are replayed by any column.

pub mod comments;
pub mod game_state;
mod gap_parser;
pub mod gaps;
pub mod layout;
pub mod line_end;
mod marks;
pub mod movetext;
mod notation;
pub mod number;
pub mod parts;
pub mod payloads;
pub mod records;
pub mod render;
pub mod section;
pub mod start;
pub mod tags;
pub mod tokens;
pub mod variations;
pub mod words;
pub mod wrap;
