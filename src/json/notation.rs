//! Integers of games, and shortest games to positions.

use serde::Serialize;

/// A game as an integer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Encoded {
    /// The integer, in the requested base.
    pub integer: String,
    /// Its significant bits.
    pub bits: u64,
    /// Plies of the game.
    pub plies: u64,
    /// How the game ended, for the coding `ign-end`; null if this is not recorded.
    pub ending: Option<&'static str>,
    /// The signature of the game.
    pub signature: Signature,
    /// The moves with their digits; null without `--verbose`.
    pub moves: Option<Vec<Digit>>,
}

/// A signature.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Signature {
    /// The destination squares of plies 20, 40 and 60.
    pub a: String,
    /// The destination squares of plies 31, 51 and 71.
    pub b: String,
}

/// A move with its digit.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Digit {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    /// The move number, `12.` or `12...`.
    pub number: String,
    /// The digit; of weighted notation, the cumulative frequency below the move.
    pub digit: u64,
    /// The base of the digit; of weighted notation, the total of the frequencies.
    pub base: u64,
    /// The integer of the digits so far; of weighted notation, of those that follow.
    pub value: String,
    /// The frequency of the move; null in other notations than the weighted one.
    pub frequency: Option<u64>,
}

/// What the integers of all games with an opening have in common.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Residue {
    /// The residue.
    pub residue: String,
    /// The modulus.
    pub modulus: String,
    /// The least integer of such a game.
    pub least: String,
    /// Plies of the opening.
    pub plies: u64,
}

/// The game of an integer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decoded {
    /// The game as PGN; null with `--go`.
    pub pgn: Option<String>,
    /// The game as SGF; null without `--go`.
    pub sgf: Option<String>,
    /// Plies of the game.
    pub plies: u64,
    /// How the game ended, for the coding `ign-end`; null if this is not recorded.
    pub ending: Option<&'static str>,
    /// The moves with their digits; null without `--verbose`.
    pub moves: Option<Vec<Digit>>,
}

/// The shortest game to a position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Proof {
    /// Whether there is a game, none, none within `--plies`, or whether this is not known.
    pub result: Outcome,
    /// The game as movetext; null if none was found.
    pub movetext: Option<String>,
    /// Plies of the game; null if none was found.
    pub plies: Option<u64>,
    /// The integer of the game; null if none was found.
    pub integer: Option<String>,
    /// Its significant bits; null if none was found.
    pub bits: Option<u64>,
    /// The least number of plies of a game that was not found; null if there is none, or if one
    /// was found.
    pub at_least: Option<u64>,
    /// Positions that were searched.
    pub positions: u64,
}

/// What a search for a game found.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Found,
    Never,
    #[serde(rename = "none within")]
    NoneWithin,
    Undecided,
}
