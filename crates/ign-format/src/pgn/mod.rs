//! PGN: text into records and back, byte for byte.
//!
//! A block's text is cut into *records*, so that each game is one. A record is
//! its tags followed by its movetext, and movetext is moves with *gaps* before,
//! between and after them: move numbers, comments, variations, the result, line
//! ends. Text that is none of this is a record with one gap and no move. So the
//! model never fails; what it cannot express stays text inside a gap.
//!
//! ```text
//! text ── records ──► tags ─────────────────────────────► table (columns)
//!                 └─► movetext ── wrap ── gaps, payloads ► layout, text streams
//!                                     └── moves ─────────► integers
//! ```
//!
//! What comments say is coded by [`comments`].
//!
//! [`movetext::Parser`] goes one way, [`render::Renderer`] the other;
//! [`layout::Layout`] and [`payloads::Payloads`] are what they exchange.

pub mod comments;
pub mod game_state;
pub mod gaps;
pub mod layout;
pub mod movetext;
pub mod number;
pub mod parts;
pub mod payloads;
pub mod records;
pub mod render;
pub mod start;
pub mod tokens;
pub mod variations;
pub mod wrap;
