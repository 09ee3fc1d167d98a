//! How a block codes the moves of its games (spec §4.2).

use crate::error::{Error, Kind, Remedy, Result};

/// A coding of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Coding {
    /// Plain Integer Game Notation.
    #[default]
    Ign = 1,
    /// Integer Game Notation with end moves.
    IgnEnd = 2,
    /// Weighted Integer Game Notation: frequencies from the move model, games in groups.
    Weighted = 3,
}

impl Coding {
    /// All codings.
    pub const ALL: &'static [Self] = &[Self::Ign, Self::IgnEnd, Self::Weighted];

    /// The coding with this number in the block's head.
    ///
    /// # Errors
    /// Unsupported when the number is unknown.
    #[doc(hidden)]
    pub fn from_number(number: u8) -> Result<Self> {
        let found = Self::ALL.iter().copied().find(|&c| c as u8 == number);
        found.ok_or_else(|| {
            let what = format!("unknown coding of moves, number {number}");
            Error::new(Kind::Unsupported, what).with_remedy(Remedy::OtherVersion)
        })
    }

    /// Whether blocks of chess have the column of unmoved pawns (spec §4.1.3). Weighted games are
    /// decoded in groups; hardly ever are all games of a group excluded.
    #[doc(hidden)]
    pub const fn stores_unmoved_pawns(self) -> bool {
        !matches!(self, Self::Weighted)
    }

    /// The coding with this [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|coding| coding.name() == name)
    }

    /// The name that users see, as in `--coding weighted`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ign => "ign",
            Self::IgnEnd => "ign-end",
            Self::Weighted => "weighted",
        }
    }
}
