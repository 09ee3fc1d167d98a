//! How a game ended, by its last position and its tags Result and Termination.

use std::str::FromStr;

use ign_format::error::{Error, Result};
use ign_notation::chess::Position;
use shakmaty::{Bitboard, Role};

use super::GameResult;
use crate::text::tag_text;

/// How a game ended.
///
/// The first of these that applies:
///
/// 1. The last position is checkmate or stalemate.
/// 2. The Termination tag states that a player lost on time, resigned, or that a draw was agreed,
///    as on Lichess (`Time forfeit`) or Chess.com (`Ann won by resignation`).
/// 3. The result is a draw, and in the last position there is too little material to mate, or it
///    occurred for the third time, or fifty moves of each side had no pawn move and no capture.
/// 4. The Termination tag is `Normal`: a game with a winner was resigned, and a draw was agreed.
///
/// The ending of other games is not known. Of games of variants and of games without moves only the
/// second applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Ending {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// A draw, because neither side has the pieces to mate.
    Insufficient,
    /// A draw by threefold repetition.
    Repetition,
    /// A draw by the fifty-move rule.
    FiftyMoves,
    /// A player resigned.
    Resignation,
    /// A player had no time left.
    Time,
    /// The players agreed to a draw.
    Agreed,
}

impl Ending {
    /// All endings.
    pub const ALL: &'static [Self] = &[
        Self::Checkmate,
        Self::Stalemate,
        Self::Insufficient,
        Self::Repetition,
        Self::FiftyMoves,
        Self::Resignation,
        Self::Time,
        Self::Agreed,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Insufficient => "insufficient",
            Self::Repetition => "repetition",
            Self::FiftyMoves => "fifty",
            Self::Resignation => "resignation",
            Self::Time => "time",
            Self::Agreed => "agreed",
        }
    }
}

impl FromStr for Ending {
    type Err = Error;

    /// Reads a [name](Self::name), in any case.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage).
    fn from_str(text: &str) -> Result<Self> {
        let mut all = Self::ALL.iter().copied();
        let named = all.find(|ending| ending.name().eq_ignore_ascii_case(text));
        named.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|ending| ending.name()).collect();
            Error::usage(format!("'{text}' is not an ending"))
                .with_remedy(format!("write one of {}", names.join(", ")))
        })
    }
}

/// What the last position of a game of chess says about its end.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LastPosition {
    pub checkmate: bool,
    pub stalemate: bool,
    /// Neither side has the pieces to mate.
    pub insufficient: bool,
    /// It occurred for the third time.
    pub repetition: bool,
    /// The last fifty moves of each side had no pawn move and no capture.
    pub fifty_moves: bool,
}

/// What a Termination tag says about the end of a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Termination {
    /// It names the ending.
    Named(Ending),
    /// The game ended by its rules, or by a decision of the players.
    Normal,
    /// Nothing.
    #[default]
    Other,
}

impl Termination {
    /// The ends of values that name an ending, in lower case. Chess.com has the name of a player
    /// before them.
    const NAMED: [(&'static str, Ending); 9] = [
        ("time forfeit", Ending::Time),
        ("on time", Ending::Time),
        ("timeout", Ending::Time),
        ("timeout vs insufficient material", Ending::Time),
        ("resignation", Ending::Resignation),
        ("resigned", Ending::Resignation),
        ("resigns", Ending::Resignation),
        ("agreement", Ending::Agreed),
        ("agreed", Ending::Agreed),
    ];

    /// Reads a value as it is written.
    pub fn read(value: &[u8]) -> Self {
        let text = tag_text(value).trim().to_ascii_lowercase();
        if text == "normal" {
            return Self::Normal;
        }
        let mut named = Self::NAMED.iter();
        let named = named.find(|(end, _)| text.ends_with(end));
        named.map_or(Self::Other, |&(_, ending)| Self::Named(ending))
    }

    /// The ending of a game with this tag, this result and this last position, which games of
    /// variants and without moves do not have; `None` if it is not known.
    pub fn ending(self, result: Option<GameResult>, last: Option<LastPosition>) -> Option<Ending> {
        let Some(last) = last else {
            return self.named();
        };
        let is_draw = result == Some(GameResult::Draw);
        let has_winner = matches!(result, Some(GameResult::WhiteWins | GameResult::BlackWins));
        match self {
            _ if last.checkmate => Some(Ending::Checkmate),
            _ if last.stalemate => Some(Ending::Stalemate),
            Self::Named(ending) => Some(ending),
            _ if is_draw && last.insufficient => Some(Ending::Insufficient),
            _ if is_draw && last.repetition => Some(Ending::Repetition),
            _ if is_draw && last.fifty_moves => Some(Ending::FiftyMoves),
            Self::Normal if has_winner => Some(Ending::Resignation),
            Self::Normal if is_draw => Some(Ending::Agreed),
            _ => None,
        }
    }

    /// The ending that the tag names.
    fn named(self) -> Option<Ending> {
        match self {
            Self::Named(ending) => Some(ending),
            Self::Normal | Self::Other => None,
        }
    }

    /// Whether a game with this tag can have an ending, whatever its result and its moves.
    pub fn allows(self, ending: Ending) -> bool {
        match ending {
            Ending::Checkmate | Ending::Stalemate => true,
            Ending::Time => self == Self::Named(ending),
            Ending::Resignation | Ending::Agreed => {
                matches!(self, Self::Normal) || self == Self::Named(ending)
            }
            _ => !matches!(self, Self::Named(_)),
        }
    }
}

/// Whether neither side has the pieces to mate: kings and at most one knight, or bishops on squares
/// of one colour.
pub fn has_insufficient_material(position: &Position) -> bool {
    let of = |role| position.by_role(role);
    let heavy = of(Role::Pawn) | of(Role::Rook) | of(Role::Queen);
    let (knights, bishops) = (of(Role::Knight), of(Role::Bishop));
    let have_one_colour = (bishops & Bitboard::DARK_SQUARES).is_empty()
        || (bishops & Bitboard::LIGHT_SQUARES).is_empty();
    heavy.is_empty()
        && (knights.is_empty() && have_one_colour || bishops.is_empty() && knights.count() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminations_name_endings_as_servers_write_them() {
        use Ending::*;
        for (text, termination) in [
            ("Time forfeit", Termination::Named(Time)),
            ("time forfeit ", Termination::Named(Time)),
            ("Ann won on time", Termination::Named(Time)),
            (
                "Game drawn by timeout vs insufficient material",
                Termination::Named(Time),
            ),
            (
                "timelord won by resignation",
                Termination::Named(Resignation),
            ),
            ("Game drawn by agreement", Termination::Named(Agreed)),
            ("Normal", Termination::Normal),
            ("NORMAL", Termination::Normal),
            ("Abandoned", Termination::Other),
            ("Rules infraction", Termination::Other),
            ("adjudication", Termination::Other),
            ("Unterminated", Termination::Other),
            ("Ann won by checkmate", Termination::Other),
            ("", Termination::Other),
        ] {
            assert_eq!(Termination::read(text.as_bytes()), termination, "{text}");
        }
    }

    #[test]
    fn every_ending_that_is_found_is_allowed() {
        let results = [
            None,
            Some(GameResult::WhiteWins),
            Some(GameResult::BlackWins),
            Some(GameResult::Draw),
            Some(GameResult::Unknown),
        ];
        let named = Ending::ALL.iter().copied().map(Termination::Named);
        let mut found = std::collections::BTreeSet::new();
        for termination in named.chain([Termination::Normal, Termination::Other]) {
            for result in results {
                for bits in 0..32 {
                    let has = |bit: u32| bits >> bit & 1 == 1;
                    let last = LastPosition {
                        checkmate: has(0),
                        stalemate: has(1),
                        insufficient: has(2),
                        repetition: has(3),
                        fifty_moves: has(4),
                    };
                    let ending = termination.ending(result, Some(last));
                    let is_read = matches!(
                        termination,
                        Termination::Named(Ending::Time | Ending::Resignation | Ending::Agreed)
                            | Termination::Normal
                            | Termination::Other
                    );
                    if is_read && let Some(ending) = ending {
                        assert!(termination.allows(ending), "{termination:?} {ending:?}");
                        found.insert(ending);
                    }
                }
            }
        }
        assert_eq!(found.len(), Ending::ALL.len());
    }

    #[test]
    fn insufficient_material_is_what_the_rules_of_servers_have() {
        for (fen, is) in [
            ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/4KN2/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3NKN2/8/8 w - - 0 1", false),
            ("8/8/4kn2/8/8/4KN2/8/8 w - - 0 1", false),
            ("8/8/4kb2/8/8/4K1B1/8/8 w - - 0 1", true),
            ("8/8/4kb2/8/8/4KB2/8/8 w - - 0 1", false),
            ("8/6b1/4k3/8/8/4KB2/8/2B5 w - - 0 1", false),
            ("8/8/4k3/8/3B4/4K3/8/2B5 w - - 0 1", true),
            ("8/8/4k3/8/8/4KP2/8/8 w - - 0 1", false),
        ] {
            let position = Position::from_fen(fen.as_bytes()).unwrap();
            assert_eq!(has_insufficient_material(&position), is, "{fen}");
        }
    }
}
