//! Chess game collections in small, indexed, verifiable archives.
//!
//! An archive holds the games of PGN files (or of SGF files of Go) in about a quarter of the space
//! that `zstd -19` needs, returns every byte, and reads any game in milliseconds. This crate is the
//! library behind the command `ign`: everything that the command does, a program can do.
//!
//! # Reading
//!
//! [`Archive::open`] reads three short pieces of the file. Games are [numbered](GameNumber) from 1.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.ign");
//! # let text = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";
//! # let input = ign_archive::Input::reader("games.pgn", text.as_bytes());
//! # ign_archive::Packer::new().pack([input], std::fs::File::create(&path)?)?;
//! use ign_archive::Archive;
//!
//! let archive = Archive::open(path)?;
//! for game in archive.games() {
//!     let game = game?;
//!     if game.tag("White")?.as_deref() == Some("Ann") {
//!         println!("game {}: {} plies", game.number(), game.plies()?);
//!     }
//! }
//! let first = archive.game(1)?;
//! assert_eq!(first.moves()?.map(|m| m.to_string()).last().as_deref(), Some("Qd8-h4"));
//! assert_eq!(first.pgn()?, text.as_bytes());
//! # Ok(())
//! # }
//! ```
//!
//! | to get | call |
//! | --- | --- |
//! | one game | [`Archive::game`] |
//! | all games, or a range, in order | [`Archive::games`], [`Games::range`] |
//! | tags, moves, positions, comments, clocks, evaluations, variations | [`Game`] |
//! | moves in SAN, with comments and variations between them | [`Game::movetext`] |
//! | the text as it was packed | [`Archive::unpack`], [`Archive::reader`], [`Game::pgn`] |
//! | ratings, names, dates and other columns of many games | [`Archive::scan`] |
//! | positions as bitboards with moves, results and more, for training | [`Archive::positions`] |
//! | a [`pgn_reader::Visitor`] over all games | [`Archive::visit`] |
//! | games by players, ratings, dates, openings, positions, material and more | [`Archive::find`] with a [`Query`], [`Archive::find_first`] |
//! | the games found in the order of their ratings, dates and other properties | [`Sorter`] |
//! | how many games have each value of a property | [`CountBuilder`] |
//! | the moves played from a position, with their results | [`Archive::tree`] |
//! | the same in milliseconds | a search index beside the archive: [`IndexBuilder`](index::IndexBuilder) |
//! | that index for the games that have been appended | [`IndexBuilder::extend`](index::IndexBuilder::extend) |
//! | the same of several archives | [`Archives`] |
//! | what a search reads | [`Archive::explain`] |
//! | whether one game matches | [`Query::matches`] |
//! | a line per game; the lines of some games | [`Archive::list`], [`Archive::list_games`] |
//! | an archive of some games | [`Packer::pack_games`] |
//! | more games in an archive | [`Appender`] |
//! | one archive of several, several of one, without decoding | [`Merger`], [`Splitter`] |
//! | a file that appears whole or not at all | [`NewFile`] |
//! | certainty that nothing is damaged | [`Archive::verify`] |
//! | all damage of a file | [`Verifier`](check::Verifier) |
//! | the games of a damaged file that are whole | [`Archive::open_damaged`], [`Recoverer`] |
//! | protection of a file against damage | [`ParityBuilder`](parity::ParityBuilder) |
//!
//! Games are decoded part by part, on demand: tags without moves, moves without comments.
//! Several threads decode in advance what a program asks of most games ([`Games`]).
//! [`Archive::from_read_at`] reads from memory, or from anything that answers requests for byte
//! ranges ([`ReadAt`]).
//!
//! # Packing
//!
//! [`Packer`] packs files, standard input or any reader, plain or compressed, in bounded memory:
//!
//! ```
//! use ign_archive::{Input, Packer};
//!
//! let input = Input::reader("games.pgn", &b"1. e4 e5 *\n"[..]);
//! let (bytes, summary) = Packer::new().pack([input], Vec::new())?;
//! assert_eq!(summary.games, 1);
//! # Ok::<(), ign_archive::Error>(())
//! ```
//!
//! # Features
//!
//! None is on by default. A program that reads or packs archives of chess needs none of them.
//!
//! | feature | adds |
//! | --- | --- |
//! | `go` | archives of Go games, from SGF |
//! | `duplicates` | the module `duplicates`: games that were recorded twice (implies `go`) |
//! | `integers` | the module `integers`: movetext to integers and back, in every form of the notation; `Game::ign`; openings as integers (implies `go`; compiles GMP) |
//! | `remote` | archives, indexes and texts on HTTP servers, Amazon S3 and Google Cloud Storage, by their addresses |
//! | `stats` | the module `stats`: where the bytes of an archive go (implies `go`) |
//!
//! # Debug builds
//!
//! Cargo compiles dependencies of a debug build without optimization, and then archives are read
//! 30 to 50 times more slowly. Two lines in the `Cargo.toml` of the program optimize its
//! dependencies alone; the program itself is compiled, and debugged, as before:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 3
//! ```
//!
//! # Errors
//!
//! Every fallible function returns [`Result`]. An [`Error`] has a [kind](ErrorKind), a message, and
//! where known the file, the block and the byte. Damaged bytes are errors, never panics.
//!
//! # Threads, progress and cancelling
//!
//! Operations on archives use the [threads of the archive](Archive::with_threads). Builders that
//! take files or texts have a setter `threads`. Builders of long operations have `on_progress`,
//! whose callback can end the operation. Everything that reads an archive also ends when the
//! [flag of the archive](Archive::with_cancel) is set: searches, trees, games and scans have no
//! callback, and end by the flag alone.
//!
//! # Numbers of games
//!
//! One game is a [`GameNumber`], from 1. Ranges of games are ranges of `u64` with the same numbers,
//! as programs write them (`1..=100`), and columns of numbers are `u64` as tables store them.
//!
//! # Elsewhere
//!
//! The file format is the crate `ign-format`, which is not part of this interface; its
//! specification is `format-spec.md`. [`Archive::structure`] shows what the blocks hold. The
//! notation alone, for any game, is the crate `ign-notation`. The types of ign-notation, shakmaty and
//! pgn-reader in this interface are those of the re-exported [`ign_notation`], [`shakmaty`] and
//! [`pgn_reader`], and `Integer` is that of rug. A new major version of one of them is a new major
//! version of this crate.
//!
//! The root has what programs start from. What functions return is in the module of the function:
//! [`scan`], [`tree`], [`pack`], [`recover`], [`structure`] and others. Fields can be added to
//! [`Source`], [`BlockEntry`](structure::BlockEntry) and [`Meta`](structure::Meta): a program must
//! not construct them.

#![deny(missing_docs, missing_debug_implementations)]

mod archive;
mod archives;
mod asked;
mod byte_cache;
pub mod check;
mod count;
#[cfg(feature = "duplicates")]
pub mod duplicates;
mod file_lock;
mod file_names;
mod find;
mod game;
mod games;
mod growing;
pub mod index;
#[cfg(feature = "integers")]
pub mod integers;
mod keys;
mod list;
mod loaded;
pub mod location;
mod models;
mod moves;
pub mod movetext;
mod new_file;
mod offsets;
mod opened;
mod ordered;
pub mod pack;
pub mod parity;
mod plan;
pub mod positions;
mod progress;
pub mod query;
pub mod recover;
mod results;
pub mod scan;
mod sort;
mod source;
mod sources;
#[cfg(feature = "stats")]
pub mod stats;
pub mod structure;
mod superseded;
mod temp_file;
pub mod text;
mod threads;
pub mod tree;
mod uci;
mod unpack;
mod values;
mod visit;
mod wanted;

pub use ign_format::{
    block::{Coding, Kind as GameKind},
    container::{NotUnderstood, NotUnderstoodCounts, Sha256, index::Source},
    error::{Error, Kind as ErrorKind, Remedy, Result},
    game_number::GameNumber,
    models::ModelId,
};
pub use ign_notation;
#[cfg(feature = "integers")]
pub use ign_notation::Integer;
pub use ign_notation::{chess::position::Position, signature::Signature};
pub use pgn_reader;
pub use shakmaty;

pub use crate::{
    archive::Archive,
    archives::{Archives, GameRef, LackingTags},
    asked::GameData,
    count::{CountBuilder, CountRow, CountTable},
    file_names::SourceFile,
    find::Finder,
    game::Game,
    games::Games,
    keys::{GameKey, KeyValue},
    models::ModelFile,
    new_file::NewFile,
    pack::{Appender, Input, Merger, Packer, Splitter},
    positions::PositionScan,
    progress::Progress,
    query::Query,
    recover::Recoverer,
    scan::Scan,
    sort::{SortKey, Sorter},
    source::ReadAt,
    tree::{Tree, TreeBuilder},
    unpack::{GameSeparator, Unpacker},
    visit::TextReader,
};
