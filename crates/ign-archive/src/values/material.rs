//! Material: which pieces each side has.

use std::{fmt, str::FromStr};

use ign_format::error::{Error, Result};
use ign_notation::chess::Position;
use shakmaty::{Bitboard, ByColor, Color, Piece, Rank, Role};

use super::Bounds;
use crate::index::Counts;

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

/// Something that has pieces.
pub(crate) trait Pieces {
    /// The number of the pieces of one kind and side.
    fn number(&self, role: Role, color: Color) -> usize;
}

impl Pieces for Position {
    fn number(&self, role: Role, color: Color) -> usize {
        (self.by_role(role) & self.by_color(color)).count()
    }
}

/// Which pieces both sides have, wherever they are: all of them, or the numbers of some.
///
/// | text | means |
/// | --- | --- |
/// | `KRPKR`, `KRPvKR` | king, rook and pawn against king and rook, whichever side has the pawn |
/// | `KRP-KR` | the same, and White has the pawn |
/// | `Q=0,r=..2` | White has no queen, and Black at most two rooks; other pieces may be there |
/// | `Qq=0,NB=2..` | no side has a queen, and White has two or more knights and bishops together |
///
/// Where all pieces are written, the letters are those of SAN, in either case, each side begins
/// with its king, and the order of the other pieces does not matter. Where pieces are counted, the
/// letters are those of a FEN: White's are upper case. The pieces of all letters before `=` are
/// counted together, and the number is a value or a range as [`Bounds`] are.
///
/// ```
/// use ign_archive::query::{Material, parse_board};
///
/// let lucena = parse_board("1K1k4/1P6/8/8/8/8/r7/2R5 w")?;
/// assert!("KRPKR".parse::<Material>()?.matches(&lucena));
/// assert!("KRKRP".parse::<Material>()?.matches(&lucena));
/// assert!("KRP-KR".parse::<Material>()?.matches(&lucena));
/// assert!(!"KR-KRP".parse::<Material>()?.matches(&lucena));
/// assert!("Qq=0,R=1..,Pp=1".parse::<Material>()?.matches(&lucena));
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material(Wanted);

/// What a position must have.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Wanted {
    All(Sides),
    Counts(Vec<Count>),
}

impl Material {
    /// Whether a position has this material.
    pub fn matches(&self, position: &Position) -> bool {
        match &self.0 {
            Wanted::All(sides) if position.occupied().count() != sides.len() => false,
            _ => self.matches_pieces(position),
        }
    }

    /// Whether these pieces are the material.
    pub(crate) fn matches_pieces(&self, pieces: &impl Pieces) -> bool {
        match &self.0 {
            Wanted::All(sides) => sides.matches(pieces),
            Wanted::Counts(counts) => counts.iter().all(|count| count.matches(pieces)),
        }
    }

    /// The greatest number of pieces and pawns that the material allows, without kings; `None` if
    /// there is none, or if kings are counted.
    pub(crate) fn max_pieces(&self) -> Option<usize> {
        match &self.0 {
            Wanted::All(sides) => Some(sides.len() - 2),
            Wanted::Counts(counts) => {
                let counts_kings =
                    |color| counts.iter().any(|count| count.counts(Role::King, color));
                if Color::ALL.into_iter().any(counts_kings) {
                    return None;
                }
                let kinds = || {
                    let roles = ROLES[1..].iter();
                    roles.flat_map(|&role| Color::ALL.map(|color| (role, color)))
                };
                let limits = |(role, color)| {
                    let counting = counts.iter().filter(move |count| count.counts(role, color));
                    counting.filter_map(|count| count.bounds.max.map(u64::from))
                };
                // Each kind is at most as many as any count with it allows, and all together are at
                // most as many as all counts allow.
                let of_kinds =
                    kinds().try_fold(0, |sum: u64, kind| Some(sum + limits(kind).min()?))?;
                let of_counts = counts
                    .iter()
                    .filter_map(|count| count.bounds.max.map(u64::from))
                    .sum();
                Some(of_kinds.min(of_counts) as usize)
            }
        }
    }

    /// All numbers of pieces that are the material, if it states all pieces.
    pub(crate) fn all_counts(&self) -> Option<Vec<Counts>> {
        let Wanted::All(sides) = &self.0 else {
            return None;
        };
        let mut all = vec![Counts::of_pieces(sides)];
        if !sides.fixed {
            let [one, other] = sides.sides;
            all.push(Counts::of_pieces(&Sides {
                sides: [other, one],
                fixed: true,
            }));
        }
        all.dedup();
        Some(all)
    }

    /// Whether a game of chess in this position can still reach the material: pieces only
    /// disappear, and new ones come from pawns.
    pub(crate) fn is_reachable(&self, position: &Position) -> bool {
        match &self.0 {
            Wanted::All(sides) => sides.is_reachable(position),
            Wanted::Counts(counts) => counts.iter().all(|count| count.is_reachable(position)),
        }
    }

    /// Whether a game of chess in which these pawns, on the second ranks of their sides, never move
    /// can have the material.
    pub(super) fn allows_unmoved(&self, pawns: Bitboard) -> bool {
        match &self.0 {
            Wanted::All(sides) => sides.allows_unmoved(pawns),
            Wanted::Counts(counts) => counts.iter().all(|count| count.allows_unmoved(pawns)),
        }
    }

    /// The material with colors exchanged.
    pub(super) fn flip(&self) -> Self {
        Self(match &self.0 {
            Wanted::All(Sides {
                sides: [one, other],
                fixed: true,
            }) => Wanted::All(Sides {
                sides: [*other, *one],
                fixed: true,
            }),
            Wanted::All(sides) => Wanted::All(sides.clone()),
            Wanted::Counts(counts) => {
                let flip = |count: &Count| Count {
                    counted: ByColor {
                        white: count.counted.black,
                        black: count.counted.white,
                    },
                    ..*count
                };
                Wanted::Counts(counts.iter().map(flip).collect())
            }
        })
    }

    /// Whether unmoved pawns may exclude games, other than those with a single pawn.
    pub(super) fn limits_pawns(&self) -> bool {
        match &self.0 {
            Wanted::All(_) => true,
            Wanted::Counts(counts) => counts.iter().any(Count::limits_pawns),
        }
    }
}

/// The number of some pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Count {
    /// By color, for each of [`ROLES`] whether it is counted.
    counted: ByColor<[bool; ROLES.len()]>,
    bounds: Bounds<u32>,
}

impl Count {
    /// The roles of a side that are counted.
    fn roles(&self, color: Color) -> impl Iterator<Item = Role> {
        let roles = ROLES.into_iter().zip(*self.counted.get(color));
        roles
            .filter(|&(_, is_counted)| is_counted)
            .map(|(role, _)| role)
    }

    fn counts(&self, role: Role, color: Color) -> bool {
        self.roles(color).any(|other| other == role)
    }

    fn number(&self, pieces: &impl Pieces, color: Color) -> usize {
        self.roles(color)
            .map(|role| pieces.number(role, color))
            .sum()
    }

    fn matches(&self, pieces: &impl Pieces) -> bool {
        let number: usize = Color::ALL
            .map(|color| self.number(pieces, color))
            .iter()
            .sum();
        self.bounds.contains(&(number as u32))
    }

    /// Pieces may always become fewer; they become more by promotions.
    fn is_reachable(&self, position: &Position) -> bool {
        let most = Color::ALL.map(|color| {
            let pawns = position.by_role(Role::Pawn) & position.by_color(color);
            let counts_pawns = self.counts(Role::Pawn, color);
            let promotes = self
                .roles(color)
                .any(|role| !matches!(role, Role::King | Role::Pawn));
            let promotions = if promotes && !counts_pawns {
                pawns.count()
            } else {
                0
            };
            self.number(position, color) + promotions
        });
        self.bounds
            .min
            .is_none_or(|min| most.iter().sum::<usize>() >= min as usize)
    }

    fn allows_unmoved(&self, pawns: Bitboard) -> bool {
        let unmoved = Color::ALL.map(|color| {
            let rank = Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh));
            if self.counts(Role::Pawn, color) {
                (pawns & rank).count()
            } else {
                0
            }
        });
        self.bounds
            .max
            .is_none_or(|max| unmoved.iter().sum::<usize>() <= max as usize)
    }

    /// Whether a number of unmoved pawns is too great.
    fn limits_pawns(&self) -> bool {
        let counts_pawns = |color| self.counts(Role::Pawn, color);
        self.bounds.max.is_some() && Color::ALL.into_iter().any(counts_pawns)
    }
}

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (letters, number) = text
            .split_once('=')
            .ok_or_else(|| format!("'{text}' has no '='"))?;
        let mut counted = ByColor::new_with(|_| [false; ROLES.len()]);
        for letter in letters.trim().chars() {
            let piece =
                Piece::from_char(letter).ok_or_else(|| format!("'{letter}' is not a piece"))?;
            for (role, is_counted) in ROLES.iter().zip(counted.get_mut(piece.color)) {
                *is_counted |= *role == piece.role;
            }
        }
        if letters.trim().is_empty() {
            return Err(format!("'{text}' names no piece"));
        }
        let bounds = number.parse();
        Ok(Self {
            counted,
            bounds: bounds.map_err(|error: Error| error.message().to_owned())?,
        })
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for color in Color::ALL {
            for role in self.roles(color) {
                write!(f, "{}", role.of(color).char())?;
            }
        }
        match (self.bounds.min, self.bounds.max) {
            (Some(min), Some(max)) if min == max => write!(f, "={min}"),
            (min, max) => {
                let end = |end: Option<u32>| end.map_or(String::new(), |end| end.to_string());
                write!(f, "={}..{}", end(min), end(max))
            }
        }
    }
}

/// All pieces of both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sides {
    sides: [Side; 2],
    /// Whether the first side is White; otherwise it may be either.
    fixed: bool,
}

impl Pieces for Sides {
    fn number(&self, role: Role, color: Color) -> usize {
        let [white, black] = &self.sides;
        let mut side = ROLES.iter().zip(color.fold_wb(white, black));
        side.find(|(other, _)| **other == role)
            .map_or(0, |(_, &n)| n.into())
    }
}

impl Sides {
    /// The number of all pieces.
    fn len(&self) -> usize {
        self.sides.iter().flatten().map(|&n| usize::from(n)).sum()
    }

    fn matches(&self, pieces: &impl Pieces) -> bool {
        self.assigned(|color, side| {
            let mut counts = ROLES.iter().zip(side);
            counts.all(|(&role, &n)| pieces.number(role, color) == usize::from(n))
        })
    }

    fn is_reachable(&self, position: &Position) -> bool {
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

    fn allows_unmoved(&self, pawns: Bitboard) -> bool {
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
                 with a hyphen the first is White: KRP-KR; or the numbers of some pieces: Q=0,r=..2",
            )
        };
        if text.contains('=') {
            let counts = text.split(',').map(|count| count.trim().parse());
            let counts: std::result::Result<_, String> = counts.collect();
            return Ok(Self(Wanted::Counts(counts.map_err(|why| wrong(&why))?)));
        }
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
        Ok(Self(Wanted::All(Sides {
            sides,
            fixed: separator == Some('-'),
        })))
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            Wanted::All(sides) => sides.fmt(f),
            Wanted::Counts(counts) => {
                let counts: Vec<String> = counts.iter().map(Count::to_string).collect();
                f.write_str(&counts.join(","))
            }
        }
    }
}

impl fmt::Display for Sides {
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
            ("Q=0, r=..2", "Q=0,r=..2"),
            ("bN=1..3,qQ=0..0,p=2..", "Nb=1..3,Qq=0,p=2.."),
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
            "Q=",
            "=2",
            "Q=0,",
            "Q=0,KRK",
            "X=1",
            "Q=x",
            "Q=-1",
            "Q=3..2",
            "Q=..",
            "Q==1",
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
            ("R=1", true),
            ("R=2..", false),
            ("r=1", false),
            ("Rr=1,Qq=0,K=1,k=1", true),
            ("QR=1..2", true),
            ("R=1,q=1", false),
            ("KRk=3", true),
            ("P=..8", true),
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
        assert!(reaches("R=2", rook_and_pawn));
        assert!(!reaches("R=3..", rook_and_pawn));
        assert!(reaches("R=0", rook_and_pawn));
        assert!(!reaches("RP=3..", rook_and_pawn));
        assert!(!reaches("P=2..", rook_and_pawn));
        assert!(reaches("QRBN=2..", rook_and_pawn));
        assert!(!reaches("r=1", rook_and_pawn));
        assert!(material("KRPKR").is_reachable(&Position::default()));
    }
}
