//! The notation at the prompt: games as integers and back, with every choice the notation leaves.
//!
//! [`encode()`] takes movetext, PGN or SGF, [`decode()`] an integer; both tell, step by step, which
//! choices among how many make the integer ([`Step`]). [`residue()`] is what all games frequency that
//! begin with a line. Which integer is meant is said by [`Options`]: the kind of notation
//! ([`Notation`]), the rules and the start.
//!
//! Archives hold the integers of [`Notation::Plain`] and [`Notation::Ends`]; the others are the
//! documents' and ours. Spec §8.

mod decode;
mod encode;
mod go;
mod player;
mod steps;

pub use decode::{Decoded, decode};
pub use encode::{Encoded, Line, encode, residue};
pub use player::Player;
pub use steps::{Running, Step};

use ign_format::{
    error::{Error, Result},
    pgn::{
        game_state::GameState,
        start::{self, Start},
    },
};
use ign_notation::{
    NotationError,
    chess::{
        reference::{Numbering, ReferenceChess, Rules},
        variant::Variant,
    },
    ends::Ending,
};

/// Which integer a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Notation {
    /// Integer Game Notation as published: ordinals from 1 ([`plain`](ign_notation::plain)).
    #[default]
    Plain,
    /// With end moves ([`ends`](ign_notation::ends)).
    Ends,
    /// Ordinals from 0, the number of half-moves beside it ([`counted`](ign_notation::counted)).
    Counted,
    /// By the frequencies of the move model ([`weighted`](ign_notation::weighted)).
    Weighted,
}

impl Notation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Ends, Self::Counted, Self::Weighted];

    /// The word people use for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "ign",
            Self::Ends => "ign-end",
            Self::Counted => "counted",
            Self::Weighted => "weighted",
        }
    }

    /// Whether it tells why a game ended.
    pub const fn tells_ending(self) -> bool {
        matches!(self, Self::Ends | Self::Weighted)
    }
}

/// Which integer is meant.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The kind of notation.
    pub notation: Notation,
    /// From which end Black's squares are numbered.
    pub numbering: Numbering,
    /// Which moves are listed.
    pub rules: Rules,
    /// The style of play that the move model takes the game for.
    pub style: u8,
    /// The variant, whatever the tags say.
    pub variant: Option<Variant>,
    /// The start, whatever the tags say.
    pub fen: Option<String>,
    /// For decoding a game of Go: the head of an SGF record, which says where it starts.
    pub go: Option<String>,
}

/// A game at its start, in the hands of who can answer for its rules.
enum Opening {
    /// The rules as they are, of chess or a variant.
    GameState(Box<GameState>),
    /// Chess with options of the notation that archives do not have.
    Reference(Box<ReferenceChess>),
}

/// The tags of a game that say where it starts.
#[derive(Debug, Clone, Copy, Default)]
struct StartTags<'t> {
    fen: Option<&'t [u8]>,
    variant: Option<&'t [u8]>,
}

impl Options {
    /// Fails where they ask for what only chess has.
    fn check_go(&self) -> Result<()> {
        let of_chess = [
            (self.variant.is_some(), "variants are those"),
            (self.fen.is_some(), "a FEN is that"),
            (
                self.numbering != Numbering::Plain,
                "rotated numbering is that",
            ),
            (self.rules != Rules::Legal, "pseudo-legal moves are those"),
            (self.notation == Notation::Weighted, "the move model is one"),
        ];
        match of_chess.iter().find(|(asked, _)| *asked) {
            None => Ok(()),
            Some((_, what)) => Err(Error::usage(format!("{what} of chess, not of Go"))),
        }
    }

    /// Where a game with these tags starts, and by whom it is played.
    fn opening(&self, tags: StartTags) -> Result<(Start, Opening)> {
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let fen = self.fen.as_deref().map(str::as_bytes).or(tags.fen);
        let variant = self.variant.map(|variant| variant.name().as_bytes());
        let variant = variant.or(tags.variant);
        let known = variant.map_or(Some(Variant::Chess), Variant::of_name);
        let Some(rules) = known else {
            let names = Variant::ALL.map(Variant::name).join(", ");
            return Err(Error::usage(format!(
                "the variant '{}' is not known",
                text(variant.unwrap_or_default())
            ))
            .with_remedy(format!("--variant names its rules: {names}")));
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
                "the move model lists legal moves, in the one order",
            ));
        }
        let theirs = start
            .as_chess()
            .and_then(|start| start.position.to_shakmaty());
        let theirs = theirs.ok_or_else(|| {
            Error::usage(format!(
                "rotated numbering and pseudo-legal rules are for chess, not for {rules}"
            ))
        })?;
        let game = ReferenceChess::new(theirs)
            .numbering(self.numbering)
            .rules(self.rules);
        Ok((start, Opening::Reference(Box::new(game))))
    }
}

/// The fault of an integer or of moves, in words.
fn fault(error: NotationError) -> Error {
    Error::usage(error.to_string())
}

/// How a game ended, in a word.
pub const fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Position => "position",
        Ending::Stopped => "stopped",
        Ending::DrawAgreed => "draw agreed",
    }
}
