//! Material: which pieces each side has.

use std::{fmt, str::FromStr};

use ign_format::error::{Error, Result};
use ign_notation::chess::Position;
use shakmaty::{Bitboard, Color, Rank, Role};

/// The roles in the order in which material is written.
const ROLES: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// The number of pieces of each of [`ROLES`] that one side has.
type Side = [u8; ROLES.len()];

/// All pieces of both sides, wherever they are.
///
/// | text | means |
/// | --- | --- |
/// | `KRPKR`, `KRPvKR` | king, rook and pawn against king and rook, whichever side has the pawn |
/// | `KRP-KR` | the same, and White has the pawn |
///
/// The letters are those of SAN, in either case, each side begins with its king, and the order of
/// the other pieces does not matter.
///
/// ```
/// use ign_archive::query::{Material, parse_board};
///
/// let lucena = parse_board("1K1k4/1P6/8/8/8/8/r7/2R5 w")?;
/// assert!("KRPKR".parse::<Material>()?.matches(&lucena));
/// assert!("KRKRP".parse::<Material>()?.matches(&lucena));
/// assert!("KRP-KR".parse::<Material>()?.matches(&lucena));
/// assert!(!"KR-KRP".parse::<Material>()?.matches(&lucena));
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    sides: [Side; 2],
    /// Whether the first side is White; otherwise it may be either.
    fixed: bool,
}

impl Material {
    /// Whether a position has this material.
    pub fn matches(&self, position: &Position) -> bool {
        let pieces: u32 = self.sides.iter().flatten().map(|&n| u32::from(n)).sum();
        if position.occupied().count() != pieces as usize {
            return false;
        }
        let has = |color, side: &Side| {
            let squares = position.by_color(color);
            let mut counts = ROLES.iter().zip(side);
            counts.all(|(&role, &n)| (position.by_role(role) & squares).count() == usize::from(n))
        };
        self.assigned(has)
    }

    /// Whether a game of chess in this position can still reach the material: pieces only
    /// disappear, and new ones come from pawns.
    pub(crate) fn is_reachable(&self, position: &Position) -> bool {
        let reaches = |color, side: &Side| {
            let squares = position.by_color(color);
            let [_, officers @ .., pawns] = ROLES.map(|role| {
                let count = (position.by_role(role) & squares).count();
                i64::try_from(count).unwrap_or(i64::MAX)
            });
            let [_, wanted @ .., wanted_pawns] = side.map(i64::from);
            let pairs = wanted.iter().zip(officers);
            let promoted: i64 = pairs.map(|(wanted, has)| (wanted - has).max(0)).sum();
            promoted <= pawns - wanted_pawns
        };
        self.assigned(reaches)
    }

    /// Whether a game of chess in which these pawns, on the second ranks of their sides, never move
    /// can have the material.
    pub(super) fn allows_unmoved(&self, pawns: Bitboard) -> bool {
        self.assigned(|color, side| {
            let [.., has] = side;
            let rank = color.fold_wb(Rank::Second, Rank::Seventh);
            (pawns & Bitboard::from_rank(rank)).count() <= usize::from(*has)
        })
    }

    /// Whether a property holds for the sides, assigned to the colors in a way that is allowed.
    fn assigned(&self, holds: impl Fn(Color, &Side) -> bool) -> bool {
        let [one, other] = &self.sides;
        holds(Color::White, one) && holds(Color::Black, other)
            || !self.fixed && holds(Color::White, other) && holds(Color::Black, one)
    }
}

impl FromStr for Material {
    type Err = Error;

    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if the text has another form.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = |why: &str| {
            Error::usage(format!("'{text}' is not a material signature: {why}")).with_remedy(
                "write the pieces of one side and of the other, kings first: KRPKR; \
                 with a hyphen the first is White: KRP-KR",
            )
        };
        let mut sides: Vec<Side> = Vec::new();
        let mut separator = None;
        for letter in text.trim().chars() {
            if matches!(letter, '-' | 'v' | 'V') {
                if separator.replace(letter).is_some() || sides.len() != 1 {
                    return Err(wrong("the separator is between the two sides"));
                }
                continue;
            }
            let letter_of = |role: &Role| role.upper_char() == letter.to_ascii_uppercase();
            let place = ROLES
                .iter()
                .position(letter_of)
                .ok_or_else(|| wrong("the pieces are K, Q, R, B, N and P"))?;
            if ROLES[place] == Role::King {
                sides.push(Side::default());
            }
            let side = sides.last_mut().filter(|_| separator.is_none());
            let side = match side {
                Some(side) => side,
                None => sides
                    .get_mut(1)
                    .ok_or_else(|| wrong("each side begins with its king"))?,
            };
            side[place] += 1;
            if side.iter().map(|&n| u32::from(n)).sum::<u32>() > 16 {
                return Err(wrong("a side has at most 16 pieces"));
            }
        }
        let sides = <[Side; 2]>::try_from(sides).map_err(|_| wrong("it must have two kings"))?;
        Ok(Self {
            sides,
            fixed: separator == Some('-'),
        })
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = |side: &Side| -> String {
            let pieces = ROLES.iter().zip(side);
            pieces
                .flat_map(|(role, &n)| std::iter::repeat_n(role.upper_char(), n.into()))
                .collect()
        };
        let [one, other] = self.sides.each_ref().map(side);
        let separator = if self.fixed { "-" } else { "" };
        write!(f, "{one}{separator}{other}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::parse_board;

    fn material(text: &str) -> Material {
        text.parse().unwrap()
    }

    #[test]
    fn reads_both_forms_in_either_case() {
        for (text, written) in [
            ("KRPKR", "KRPKR"),
            ("kprkr", "KRPKR"),
            ("KRPvKR", "KRPKR"),
            ("KRP-KR", "KRP-KR"),
            ("KK", "KK"),
            ("kbn-k", "KBN-K"),
        ] {
            assert_eq!(material(text).to_string(), written, "{text}");
        }
        for wrong in [
            "",
            "K",
            "KRP",
            "KKK",
            "RKK",
            "K-K-K",
            "-KK",
            "KK-",
            "KRxKR",
            "KR-RK",
            "KRP-",
            "KR--K",
            "KQQQQQQQQQQQQQQQQK",
        ] {
            let error = wrong.parse::<Material>().unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{wrong}");
        }
    }

    #[test]
    fn colors_are_fixed_by_a_hyphen_only() {
        let position = parse_board("4k3/8/8/8/8/8/3R4/4K3 w").unwrap();
        for (text, expected) in [
            ("KRK", true),
            ("KKR", true),
            ("KR-K", true),
            ("K-KR", false),
            ("KRvK", true),
            ("KQK", false),
            ("KRRK", false),
            ("KK", false),
        ] {
            assert_eq!(material(text).matches(&position), expected, "{text}");
        }
    }

    #[test]
    fn pieces_only_disappear_and_pawns_may_promote() {
        let reaches =
            |text: &str, fen: &str| material(text).is_reachable(&parse_board(fen).unwrap());
        let rook_and_pawn = "4k3/8/8/8/8/8/P2R4/4K3 w";
        assert!(reaches("KRPK", rook_and_pawn));
        assert!(reaches("KQK", rook_and_pawn));
        assert!(reaches("KRQK", rook_and_pawn));
        assert!(!reaches("KQPK", rook_and_pawn));
        assert!(!reaches("KQQK", rook_and_pawn));
        assert!(!reaches("KQKQ", rook_and_pawn));
        assert!(reaches("KKQ", rook_and_pawn));
        assert!(!reaches("K-KQ", rook_and_pawn));
        assert!(material("KRPKR").is_reachable(&Position::default()));
    }
}
