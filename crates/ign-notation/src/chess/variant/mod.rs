//! Variants of chess: other games with the same pieces, as Lichess and FICS play them.
//!
//! [`Variant`] names the rules, and knows the names that collections have for them; [`Board`]
//! is a position and plays moves; [`Legal`] lists the legal moves of one position in canonical
//! order, reads and writes them; [`Start`] is the position of a FEN. Moves are those of chess
//! ([`Move`](super::Move)), and drops.
//!
//! Where only the end of the game, the hand or the choice of moves is new (Crazyhouse, King of the
//! Hill, Three-check, Losers), the moves on the board are those of [`super::Legal`]. The rules of
//! the others are shakmaty's. Spec §8.1.1 says them all.
//!
//! Variants are a few games in a thousand, so here lists are made, sorted and searched.

mod board;
mod legal;
mod start;

use std::fmt;

pub use board::Board;
pub use legal::Legal;
pub use start::Start;

/// The rules of a game that is played with chess pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// Chess, Chess960 and other starts included.
    Chess,
    /// The own pieces come out of the centre of an explosion; who loses the king has lost.
    Atomic,
    /// Who can capture must; who has no move has won.
    Antichess,
    /// What is captured changes sides and may be put on the board.
    Crazyhouse,
    /// Pawns without a king against chess's set.
    Horde,
    /// A king in the centre has won.
    KingOfTheHill,
    /// Who can capture must; who has nothing but the king, or is mated, has won.
    Losers,
    /// No checks; the first king on the eighth rank has won.
    RacingKings,
    /// Who gives the third check has won.
    ThreeCheck,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Chess,
        Self::Atomic,
        Self::Antichess,
        Self::Crazyhouse,
        Self::Horde,
        Self::KingOfTheHill,
        Self::Losers,
        Self::RacingKings,
        Self::ThreeCheck,
    ];

    /// The word people use for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Atomic => "atomic",
            Self::Antichess => "antichess",
            Self::Crazyhouse => "crazyhouse",
            Self::Horde => "horde",
            Self::KingOfTheHill => "king-of-the-hill",
            Self::Losers => "losers",
            Self::RacingKings => "racing-kings",
            Self::ThreeCheck => "three-check",
        }
    }

    /// Its names in collections, as [`Variant::of_name`] compares them (spec §4.2.1).
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Chess => &[
                "",
                "standard",
                "chess",
                "normal",
                "regular",
                "chess960",
                "fischerandom",
                "fischerrandom",
                "frc",
                "wildfr",
                "fromposition",
                "wildcastle",
                "nocastle",
                "wild0",
                "wild1",
                "wild2",
                "wild3",
                "wild4",
                "wild5",
                "wild8",
                "wild8a",
            ],
            Self::Atomic => &["atomic"],
            Self::Antichess => &["antichess", "suicide", "giveaway"],
            Self::Crazyhouse => &["crazyhouse", "zh"],
            Self::Horde => &["horde"],
            Self::KingOfTheHill => &["kingofthehill", "koth"],
            Self::Losers => &["losers"],
            Self::RacingKings => &["racingkings"],
            Self::ThreeCheck => &["threecheck", "3check"],
        }
    }

    /// The rules that a name stands for, as it is found in a tag: `Three-check`, `wild/fr`. Letters
    /// count the same in upper and lower case; spaces, `-`, `_` and `/` do not count.
    pub fn of_name(name: &[u8]) -> Option<Self> {
        let counts = |c: &u8| !matches!(c, b' ' | b'-' | b'_' | b'/');
        let letters = || {
            let counted = name.iter().filter(|c| counts(c));
            counted.map(u8::to_ascii_lowercase)
        };
        let is_called = |variant: &Self| {
            let mut names = variant.names().iter();
            names.any(|known| known.bytes().eq(letters()))
        };
        Self::ALL.into_iter().find(is_called)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_as_collections_spell_them() {
        for (name, variant) in [
            ("Standard", Variant::Chess),
            ("From Position", Variant::Chess),
            ("Chess960", Variant::Chess),
            ("chess 960", Variant::Chess),
            ("chess-960", Variant::Chess),
            ("wild/fr", Variant::Chess),
            ("wild/8a", Variant::Chess),
            ("Three-check", Variant::ThreeCheck),
            ("3check", Variant::ThreeCheck),
            ("King of the Hill", Variant::KingOfTheHill),
            ("suicide", Variant::Antichess),
            ("Anti-chess", Variant::Antichess),
            ("crazyhouse", Variant::Crazyhouse),
            ("Racing Kings", Variant::RacingKings),
        ] {
            assert_eq!(Variant::of_name(name.as_bytes()), Some(variant), "{name}");
        }
        for name in ["Seirawan", "bughouse", "wild/9", "standard2", "é"] {
            assert_eq!(Variant::of_name(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn no_name_stands_for_two() {
        let mut names: Vec<&str> = Variant::ALL
            .iter()
            .flat_map(|v| v.names())
            .copied()
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        for variant in Variant::ALL {
            assert_eq!(Variant::of_name(variant.name().as_bytes()), Some(variant));
        }
    }
}
