//! The variants and their names in collections.

use std::fmt;

/// The rules of chess or of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Variant {
    /// Chess, including Chess960 and other starting positions, also without kings.
    Chess,
    /// A capture removes the pieces around it; a side without its king has lost.
    Atomic,
    /// Captures are compulsory; a side without moves has won.
    Antichess,
    /// A captured piece changes sides and may be dropped.
    Crazyhouse,
    /// White has pawns and no king.
    Horde,
    /// A king in the centre wins.
    KingOfTheHill,
    /// Captures are compulsory; a side with only its king, or that is checkmated, has won.
    Losers,
    /// Checks are illegal; the first king on the eighth rank wins.
    RacingKings,
    /// The third check wins.
    ThreeCheck,
}

impl Variant {
    /// All variants.
    pub const ALL: &'static [Self] = &[
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

    /// The name, as command lines take it: `king-of-the-hill`.
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

    /// The names in collections, in the form that [`Variant::of_name`] compares (spec §4.2.1).
    /// Those of Chess960 are [`CHESS960`].
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Chess => &[
                "",
                "?",
                "standard",
                "chess",
                "normal",
                "regular",
                "odds",
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
                "noking",
                "whitekingonly",
                "blackkingonly",
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

    /// The variant of a name in a tag, such as `Three-check` or `wild/fr`. Case, spaces, `-`, `_`
    /// and `/` are ignored.
    pub fn of_name(name: &[u8]) -> Option<Self> {
        if is_chess960(name) {
            Some(Self::Chess)
        } else {
            Self::ALL
                .iter()
                .copied()
                .find(|variant| is_one_of(name, variant.names()))
        }
    }
}

/// The names of Chess960 in collections, in the form that [`Variant::of_name`] compares (spec
/// §4.2.1).
const CHESS960: &[&str] = &[
    "chess960",
    "fischerandom",
    "fischerrandom",
    "freestyle",
    "freestylechess",
    "frc",
    "wildfr",
];

/// Whether a name in a tag is that of Chess960, compared as [`Variant::of_name`] does.
pub fn is_chess960(name: &[u8]) -> bool {
    is_one_of(name, CHESS960)
}

/// Whether a name is one of these, apart from case, spaces, `-`, `_` and `/`.
fn is_one_of(name: &[u8], known: &[&str]) -> bool {
    let counts = |c: &&u8| !matches!(c, b' ' | b'-' | b'_' | b'/');
    let letters = || name.iter().filter(counts).map(u8::to_ascii_lowercase);
    known.iter().any(|known| known.bytes().eq(letters()))
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
    fn accepts_the_names_that_collections_use() {
        for (name, variant) in [
            ("Standard", Variant::Chess),
            ("From Position", Variant::Chess),
            ("Chess960", Variant::Chess),
            ("chess 960", Variant::Chess),
            ("chess-960", Variant::Chess),
            ("wild/fr", Variant::Chess),
            ("wild/8a", Variant::Chess),
            ("White king only", Variant::Chess),
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
    fn names_are_unambiguous() {
        let mut names: Vec<&str> = Variant::ALL
            .iter()
            .flat_map(|v| v.names())
            .copied()
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        for &variant in Variant::ALL {
            assert_eq!(Variant::of_name(variant.name().as_bytes()), Some(variant));
        }
    }
}
