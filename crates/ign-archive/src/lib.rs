//! Chess game collections in small, indexed, verifiable archives, and every byte back.
//!
//! Each game's moves become one whole number, written in Integer Game Notation: in every position
//! the legal moves are listed in a fixed order, and the number holds, as digits of changing base,
//! which of them was played. Tags, comments and the layout of the text go into columns of their
//! own. What the model cannot express is kept as text, so that anything comes back to the byte.
//!
//! The `ign` command does all of this for files; see the README. As a library:
//!
//! * a piece of text becomes a block, and a block the text again: [`archive::encode`],
//!   [`archive::decode`];
//! * files of any size go through threads in bounded memory: [`pipeline::pack::pack`],
//!   [`pipeline::unpack::unpack`];
//! * an archive is opened in a few reads, and asked: [`archive::reader::Archive`], [`query`];
//! * the notation alone, for any game that lists its moves: [`notation`]; of a score sheet:
//!   [`mod@prompt`].
//!
//! ```
//! use ign_format::block::{decode::Block, encode::{Options, encode}};
//!
//! let text = b"[Event \"One\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"Two\"]\n\n1. e4 *\n\n".to_vec();
//! let packed = encode(text.clone(), &Options::default())?;
//!
//! // All of it comes back to the byte.
//! let block = Block::open(&packed.bytes)?;
//! assert_eq!(block.text()?, text);
//!
//! // The second game alone, and the number that the moves of the first one make.
//! let records = block.records()?;
//! let second = records.of_game(1).expect("two games");
//! let mut game = Vec::new();
//! block.render(&records, records.len(), |record| record == second, &mut game)?;
//! assert_eq!(game, b"[Event \"Two\"]\n\n1. e4 *\n\n");
//! let mut numbers = Vec::new();
//! block.walk_games(&records, |mut game| {
//!     numbers.push(game.ign()?);
//!     Ok(())
//! })?;
//! assert_eq!(numbers[0], [143_395]);
//! # Ok::<(), ign_format::error::Error>(())
//! ```
//!
//! The modules are floors, and imports point down only: `docs/architecture.md` shows them.
//! `format-spec.md` says what each byte of an archive means.

#[cfg(feature = "integers")]
pub mod integers;
pub mod pipeline;
pub mod query;
pub mod reader;
mod signatures;
#[cfg(feature = "stats")]
pub mod stats;
pub mod writer;
