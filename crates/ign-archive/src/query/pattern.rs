//! Boards with wildcards.

use std::str::FromStr;

use ign_format::error::{Error, Result};
use ign_notation::chess::Position;

/// A board on which a square may hold one of several pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPattern(String);

impl BoardPattern {
    /// Whether a position matches.
    pub fn matches(&self, _position: &Position) -> bool {
        false
    }
}

impl FromStr for BoardPattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self(text.to_owned()))
    }
}
