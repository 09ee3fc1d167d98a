//! Which game a block holds (spec §3.1).

use crate::error::{self, Error, Remedy, Result};

/// The game of a block's records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// Chess, from PGN; also any text that is not SGF.
    #[default]
    Chess = 0,
    /// Go, from SGF.
    Go = 1,
}

impl Kind {
    /// All kinds.
    pub const ALL: &'static [Self] = &[Self::Chess, Self::Go];

    /// Fails with Unsupported for Go in a program that was built without the feature `go`.
    pub(crate) fn check_supported(self) -> Result<()> {
        if self == Self::Go && !cfg!(feature = "go") {
            return Err(Error::new(
                error::Kind::Unsupported,
                "a block holds games of Go, and this program was built without Go",
            )
            .with_remedy("build it with the feature go"));
        }
        Ok(())
    }

    /// The kind with this number in the block's head.
    ///
    /// # Errors
    /// Unsupported when the number is unknown.
    #[doc(hidden)]
    pub fn from_number(number: u8) -> Result<Self> {
        let found = Self::ALL.iter().copied().find(|&kind| kind as u8 == number);
        found.ok_or_else(|| {
            let what = format!("a block holds an unknown game, number {number}");
            Error::new(error::Kind::Unsupported, what).with_remedy(Remedy::OtherVersion)
        })
    }

    /// The name that users see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Go => "go",
        }
    }

    /// The file name extension of such games.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Chess => "pgn",
            Self::Go => "sgf",
        }
    }
}
