//! Material: which pieces each side has.

use std::str::FromStr;

use ign_format::error::{Error, Result};
use ign_notation::chess::Position;

/// The pieces of both sides, wherever they are: `KRPKR` is king, rook and pawn against king and rook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material(String);

impl Material {
    /// Whether a position has this material.
    pub fn matches(&self, _position: &Position) -> bool {
        false
    }

    /// Whether a game in this position can still reach the material.
    pub fn is_reachable(&self, _position: &Position) -> bool {
        true
    }
}

impl FromStr for Material {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(text.to_owned()))
    }
}
