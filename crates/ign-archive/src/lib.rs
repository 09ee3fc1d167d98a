//! Chess game collections in small, indexed, verifiable archives.

mod archive;
#[cfg(feature = "duplicates")]
pub mod duplicates;
mod find;
mod game;
mod games;
#[cfg(feature = "integers")]
pub mod integers;
mod list;
mod loaded;
mod moves;
mod movetext;
mod ordered;
mod pack;
mod progress;
mod source;
#[cfg(feature = "stats")]
pub mod stats;
mod threads;
mod unpack;
mod verify;
mod visit;

pub use ign_format::{
    self as format,
    block::{Coding, Kind as GameKind, encode::PartlyText, opening_prefix::OpeningPrefix},
    error::{Error, Kind as ErrorKind, Result},
};
pub use ign_notation::{Integer, signature::Signature};

pub use crate::{
    archive::Archive,
    find::{Draws, format_a, format_b, parse_opening, parse_signature},
    game::Game,
    games::{Games, Part},
    list::LIST_FIELDS,
    moves::{Moves, Positions},
    movetext::{AnnotatedMove, Eval, Line, Variation},
    pack::{Input, Packer, Summary},
    progress::Progress,
    source::ReadAt,
    visit::TextReader,
};
