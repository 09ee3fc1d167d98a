//! Archives: blocks from text and back, the file they make, and its reader.
//!
//! A block is packed from a piece of text and unpacked to it, with nothing
//! from outside: [`encode`] and [`decode`]. The file around the blocks is
//! [`writer`]'s and [`reader`]'s. Threads are one floor up: here everything is
//! a function of its arguments, though a few games that are asked for may be
//! decoded by a thread beside.

mod ahead;
mod constraints;
pub mod decode;
mod directory;
pub mod encode;
mod framing;
#[cfg(feature = "go")]
pub mod go;
pub mod groups;
pub mod moves;
pub mod opening_prefix;
mod openings;
pub mod schemas;
pub mod signatures;
pub mod starts;

use crate::error::{Error, Result};

/// How moves are coded (spec §4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coding {
    /// Plain Integer Game Notation.
    #[default]
    Ign = 1,
    /// Integer Game Notation with end moves.
    IgnEnd = 2,
    /// Weighted Integer Game Notation: frequencies by the move model, games in groups.
    Weighted = 3,
}

impl Coding {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ign, Self::IgnEnd, Self::Weighted];

    /// The coding of this number.
    ///
    /// # Errors
    /// Unsupported when there is none.
    pub fn from_number(number: u8) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|&c| c as u8 == number)
            .ok_or_else(|| {
                Error::new(
                    crate::error::Kind::Unsupported,
                    format!("moves are coded in an unknown way, {number}"),
                )
                .with_remedy("use the version of ign that packed it")
            })
    }

    /// The word people use for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ign => "ign",
            Self::IgnEnd => "ign-end",
            Self::Weighted => "weighted",
        }
    }
}

/// Which game a block holds (spec §3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Chess, from PGN, and any text that is no SGF.
    #[default]
    Chess = 0,
    /// Go, from SGF.
    Go = 1,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Chess, Self::Go];

    /// Unsupported for games of Go in a program that was built without the feature `go`.
    pub(crate) fn check_supported(self) -> Result<()> {
        if self == Self::Go && !cfg!(feature = "go") {
            return Err(Error::new(
                crate::error::Kind::Unsupported,
                "a block holds games of Go, and this program was built without Go",
            )
            .with_remedy("build it with the feature go"));
        }
        Ok(())
    }

    /// The game of this number.
    ///
    /// # Errors
    /// Unsupported when there is none.
    pub fn from_number(number: u8) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|&kind| kind as u8 == number);
        found.ok_or_else(|| {
            Error::new(
                crate::error::Kind::Unsupported,
                format!("a block holds an unknown game, {number}"),
            )
            .with_remedy("use the version of ign that packed it")
        })
    }

    /// The word people use for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Go => "go",
        }
    }

    /// What the names of files of such games end in.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Chess => "pgn",
            Self::Go => "sgf",
        }
    }
}

/// The columns that are not tags, by their number in the directory (spec §4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixed {
    /// Which tags each record has.
    Schemas = 0,
    /// The games' moves.
    Moves = 1,
    /// Wrapping and gaps, and the templates.
    Layout = 2,
    /// Comments.
    Comments = 3,
    /// Variations.
    Variations = 4,
    /// Text that the model cannot express.
    Text = 5,
    /// The games' signatures.
    Signatures = 6,
}

impl Fixed {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Schemas,
        Self::Moves,
        Self::Layout,
        Self::Comments,
        Self::Variations,
        Self::Text,
        Self::Signatures,
    ];

    /// The word people read for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schemas => "schemas",
            Self::Moves => "moves",
            Self::Layout => "layout",
            Self::Comments => "comments",
            Self::Variations => "variations",
            Self::Text => "text",
            Self::Signatures => "signatures",
        }
    }
}
