//! A chess move in one word.
//!
//! Invariant: the numeric order of [`Move`] is the canonical order of moves, the order in which
//! [`Legal`](super::Legal) numbers them; so moves sort as they are numbered, and the rule for
//! castling, which decides what number it gets, is part of the type.

use std::fmt;

use shakmaty::{Role, Square};

/// A move: origin, canonical destination and promotion, in one word.
///
/// The word holds origin, destination and promotion from the high bits down, so that comparing
/// moves compares them in the canonical order: origin (a1, b1, … h8), destination, then
/// promotion to bishop, knight, queen, rook.
///
/// # Castling
///
/// Castling is a move of the king. Its canonical destination is
/// - the square two files from the king when the king stands on the e-file and the rook on the
///   a- or h-file (which is every castling of standard chess): e1g1, e1c1, e8g8, e8c8;
/// - the castling rook's own square otherwise (Chess960).
///
/// No other move of that king shares the destination: a king steps one square, so never two
/// files, and never onto a piece of its own; and the two castlings lie on opposite sides of it.
/// [`Position::landing`](super::Position::landing) tells where the king really ends up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// Promotion pieces in canonical order; their index plus one is the promotion field of a
/// [`Move`], zero being none.
const PROMOTIONS: [Role; 4] = [Role::Bishop, Role::Knight, Role::Queen, Role::Rook];

impl Move {
    /// The move from `from` to the canonical destination `to`.
    ///
    /// # Panics
    /// When `promotion` is a pawn or a king.
    #[inline]
    pub const fn new(from: Square, to: Square, promotion: Option<Role>) -> Move {
        let rank = match promotion {
            None => return Move::promoting(from, to, 0),
            Some(Role::Bishop) => 1,
            Some(Role::Knight) => 2,
            Some(Role::Queen) => 3,
            Some(Role::Rook) => 4,
            Some(Role::Pawn | Role::King) => panic!("no such promotion"),
        };
        Move::promoting(from, to, rank)
    }

    /// The move with its promotion field already numbered, 0 for none and 1 to 4 for B, N, Q, R.
    #[inline]
    pub(super) const fn promoting(from: Square, to: Square, promotion: u32) -> Move {
        Move((from.to_u32() << 9 | to.to_u32() << 3 | promotion) as u16)
    }

    /// The square the piece leaves.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 >> 9) as u32 & 63)
    }

    /// The canonical destination: see [castling](Move#castling) for where that is not the
    /// square the piece lands on.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 3) as u32 & 63)
    }

    /// The piece a pawn becomes.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.promotion_field() {
            1..=4 => Some(PROMOTIONS[self.promotion_field() as usize - 1]),
            _ => None,
        }
    }

    /// The promotion's place in canonical order: 0 for none, 1 to 4 for B, N, Q, R.
    #[inline]
    pub(super) const fn promotion_field(self) -> u32 {
        (self.0 & 7) as u32
    }
}

/// Origin and canonical destination, as in `e2e4` or `b7a8=Q`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion()
            .map_or(Ok(()), |role| write!(f, "={}", role.upper_char()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}
