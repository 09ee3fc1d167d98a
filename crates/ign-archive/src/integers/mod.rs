//! Games as integers and back, in every form of the notation.
//!
//! [`encode()`] takes movetext, PGN or SGF, [`decode()`] an integer. Both can list the digits of
//! the integer with their bases ([`Step`]). [`residue()`] gives what the integers of all games with
//! the same first moves have in common. [`Options`] choose the form ([`Notation`]), the rules and
//! the starting position.
//!
//! Archives store the integers of [`Notation::Plain`] and [`Notation::Ends`]. Spec §8.
//!
//! ```
//! use ign_archive::integers::{Options, decode, encode};
//!
//! let mut integers = Vec::new();
//! encode(b"1. f3 e5 2. g4 Qh4#", &Options::default(), false, |game| {
//!     integers.push(game.integer);
//!     Ok(())
//! })?;
//! assert_eq!(integers[0], 143_395);
//! let game = decode(&integers[0], None, &Options::default())?;
//! assert_eq!(game.pgn, "1. f3 e5 2. g4 Qh4# 0-1");
//! # Ok::<(), ign_archive::Error>(())
//! ```
//!
//! Movetext is not read by pgn-reader here: it skips what it does not know, and a user who types
//! moves needs the first wrong word and its place.

mod decode;
mod encode;
mod go;
mod player;
mod steps;

pub use decode::{Decoded, decode};
pub use encode::{Encoded, PrefixResidue, encode, residue};
pub use ign_notation::{
    chess::{
        reference::{Numbering, Rules},
        variant::Variant,
    },
    ends::EndMoves,
};
use player::Player;
pub use steps::{Running, Step};

use ign_format::{
    error::{Error, Result},
    pgn::{
        game_state::GameState,
        start::{self, Start},
    },
};
use ign_notation::{NotationError, chess::reference::ReferenceChess};

/// The forms of the notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Notation {
    /// Integer Game Notation as published: one-based ordinals ([`plain`](ign_notation::plain)).
    #[default]
    Plain,
    /// With end moves ([`ends`](ign_notation::ends)).
    Ends,
    /// Zero-based ordinals, with the number of plies given separately
    /// ([`counted`](ign_notation::counted)).
    Counted,
    /// Frequencies of the move model instead of equal ones ([`weighted`](ign_notation::weighted)).
    Weighted,
}

impl Notation {
    /// All forms.
    pub const ALL: &'static [Self] = &[Self::Plain, Self::Ends, Self::Counted, Self::Weighted];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "ign",
            Self::Ends => "ign-end",
            Self::Counted => "counted",
            Self::Weighted => "weighted",
        }
    }

    /// Whether the integer holds how the game ended.
    pub const fn has_ending(self) -> bool {
        matches!(self, Self::Ends | Self::Weighted)
    }
}

/// Options of the conversion.
///
/// ```
/// use ign_archive::integers::{Notation, Options};
///
/// let options = Options::new().notation(Notation::Ends);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Options {
    notation: Notation,
    numbering: Numbering,
    rules: Rules,
    style: u8,
    variant: Option<Variant>,
    fen: Option<String>,
    go: Option<String>,
}

impl Options {
    /// Integer Game Notation as published, of chess by the tags of the game.
    pub fn new() -> Self {
        Self::default()
    }

    /// The form of the notation.
    pub fn notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    /// The numbering of squares for Black.
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.numbering = numbering;
        self
    }

    /// The rule set: legal or pseudo-legal moves.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// The playing style that the move model assumes.
    pub fn style(mut self, style: u8) -> Self {
        self.style = style;
        self
    }

    /// The variant; it overrides the tags.
    pub fn variant(mut self, variant: impl Into<Option<Variant>>) -> Self {
        self.variant = variant.into();
        self
    }

    /// The starting position; it overrides the tags.
    pub fn fen(mut self, fen: impl Into<Option<String>>) -> Self {
        self.fen = fen.into();
        self
    }

    /// For decoding a game of Go: the root node of an SGF record with the starting position.
    pub fn go(mut self, root: impl Into<Option<String>>) -> Self {
        self.go = root.into();
        self
    }
}

/// The starting position of a game, with an implementation of its rules.
enum Opening {
    /// Chess or a variant, as in archives.
    GameState(Box<GameState>),
    /// Chess with options that archives do not have.
    Reference(Box<ReferenceChess>),
}

/// The tags that determine the starting position.
#[derive(Debug, Clone, Copy, Default)]
struct StartTags<'t> {
    fen: Option<&'t [u8]>,
    variant: Option<&'t [u8]>,
}

impl Options {
    /// An error if an option applies to chess only.
    fn check_go(&self) -> Result<()> {
        let of_chess = [
            (self.variant.is_some(), "a variant"),
            (self.fen.is_some(), "a FEN"),
            (self.numbering != Numbering::Plain, "rotated numbering"),
            (self.rules != Rules::Legal, "the pseudo-legal rule set"),
            (self.notation == Notation::Weighted, "the move model"),
        ];
        match of_chess.iter().find(|(asked, _)| *asked) {
            None => Ok(()),
            Some((_, what)) => Err(Error::usage(format!("{what} applies to chess, not to Go"))),
        }
    }

    /// The starting position of a game with these tags.
    fn opening(&self, tags: StartTags) -> Result<(Start, Opening)> {
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let fen = self.fen.as_deref().map(str::as_bytes).or(tags.fen);
        let variant = self
            .variant
            .map(|variant| variant.name().as_bytes())
            .or(tags.variant);
        let known = variant.map_or(Some(Variant::Chess), Variant::of_name);
        let Some(rules) = known else {
            let names = Variant::ALL
                .iter()
                .map(|one| one.name())
                .collect::<Vec<_>>()
                .join(", ");
            return Err(Error::usage(format!(
                "unknown variant '{}'",
                text(variant.unwrap_or_default())
            ))
            .with_remedy(format!("the variant is one of {names}")));
        };
        let start = start::of_tags(fen, variant).ok_or_else(|| {
            Error::usage(format!(
                "no game of {rules} starts at '{}'",
                text(fen.unwrap_or_default())
            ))
        })?;
        let as_archives_do = self.numbering == Numbering::Plain && self.rules == Rules::Legal;
        if as_archives_do {
            let state = Box::new(GameState::new(&start));
            return Ok((start, Opening::GameState(state)));
        }
        if self.notation == Notation::Weighted {
            return Err(Error::usage(
                "the move model needs legal moves in the standard numbering",
            ));
        }
        let theirs = start
            .as_chess()
            .and_then(|start| start.position.to_shakmaty())
            .ok_or_else(|| {
                let what = match rules {
                    Variant::Chess => "kings that its laws do not allow",
                    rules => rules.name(),
                };
                Error::usage(format!(
                    "rotated numbering and the pseudo-legal rule set apply to chess, not to {what}"
                ))
            })?;
        let game = ReferenceChess::new(theirs)
            .numbering(self.numbering)
            .rules(self.rules);
        Ok((start, Opening::Reference(Box::new(game))))
    }
}

/// The error of the notation as an error of this crate.
fn fault(error: NotationError) -> Error {
    Error::usage(error.to_string())
}

/// The name of an ending.
pub const fn ending_name(ending: EndMoves) -> &'static str {
    match ending {
        EndMoves::Position => "position",
        EndMoves::Stopped => "stopped",
        EndMoves::DrawAgreed => "draw agreed",
    }
}
