//! The file format of ign archives: a block of chess or Go games from text, and the text back.
//!
//! Most programs want the crate `ign-archive` instead. It reads and writes files, answers queries,
//! and uses threads. This crate works on buffers: every function here depends on its arguments
//! only, apart from caches for each thread. `format-spec.md` in the repository specifies every byte
//! and is enough to write a reader in another language; constants and modules cite its sections.
//!
//! `ign-archive` re-exports some types of this crate. What they have for the other crates alone is
//! hidden from the documentation.
//!
//! # Blocks
//!
//! A *block* is the unit of an archive. It encodes a piece of text, requires nothing outside
//! itself, and decodes to the exact bytes.
//!
//! ```
//! use ign_format::block::{decode::Block, encode::{Options, encode}};
//!
//! let text = b"[White \"Ann\"]\n[Black \"Bob\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n".to_vec();
//! let encoded = encode(text.clone(), &Options::default())?;
//! assert_eq!((encoded.games, encoded.plies), (1, 4));
//!
//! let block = Block::open(&encoded.bytes)?;
//! assert_eq!(block.text()?, text);
//! # Ok::<(), ign_format::error::Error>(())
//! ```
//!
//! Encoding parses the text into *records*, each a game with its tags and movetext. Moves become
//! integers, tags become columns, and whatever the model of a game cannot express stays text.
//!
//! # Modules
//!
//! Each module uses only those below it, and [`error`].
//!
//! * [`block`]: encodes and decodes a block, as a whole or a few games of it.
//! * [`pgn`] and `sgf`: records as text: parsing, layout, comments, variations, rendering.
//! * [`columns`]: codecs of tag columns, and the storage of streams.
//! * [`models`]: models as values, with identities that blocks name.
//! * [`model`] and `go_model`: the move models, which give each legal move its frequency.
//! * [`known_answers`]: what models and coders must compute on every machine.
//! * [`container`]: frames, heads of blocks, index, and the limits of the format.
//!
//! Games of Go (`sgf`, `go_model`) require the feature `go`.

#![deny(missing_docs)]

pub mod block;
pub mod columns;
pub mod container;
pub mod error;
pub mod game_number;
#[cfg(feature = "go")]
pub mod go_model;
pub mod known_answers;
pub mod model;
pub mod models;
pub mod pgn;
#[cfg(feature = "go")]
pub mod sgf;
