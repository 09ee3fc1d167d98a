//! A chess move in 16 bits.
//!
//! Invariant: the numeric order of [`Move`] is the canonical order, in which
//! [`Legal`](super::Legal) numbers the moves. The destination that orders castling is therefore
//! part of the type.

use std::fmt;

use shakmaty::{File, Role, Square};

/// A move: origin, canonical destination and promotion in 16 bits.
///
/// Origin, destination and promotion are stored from the high bits down, so comparison is the
/// canonical order: origin (a1, b1, … h8), destination, then promotion to bishop, knight, queen,
/// rook; in Antichess to king last.
///
/// # Drops
///
/// A Crazyhouse drop ([`Move::drop`]) has no origin. Drops are ordered after all moves on the
/// board: by piece (bishop, knight, pawn, queen, rook), then by square.
///
/// # The null move
///
/// [`Move::NULL`] passes: the other side is to move. It is never legal, so it has no ordinal, but a
/// game may contain it ([`LegalMoves::may_pass`](super::rules::LegalMoves::may_pass)).
///
/// # Castling
///
/// Castling is a king move. Its canonical destination is
/// - the square two files from the king if the king is on the e-file and the rook on the a- or
///   h-file, as in standard chess: e1g1, e1c1, e8g8, e8c8;
/// - the square of the castling rook otherwise (Chess960).
///
/// No other move of the king has this destination: a king moves neither two files nor onto an own
/// piece, and the two castlings are on opposite sides.
/// [`Position::landing`](super::Position::landing) is the square on which the king ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// Promotion pieces in canonical order. The promotion field of a [`Move`] is the index plus one, or
/// 0 for no promotion. Kings occur in Antichess only.
const PROMOTIONS: [Role; 5] = [
    Role::Bishop,
    Role::Knight,
    Role::Queen,
    Role::Rook,
    Role::King,
];

/// Drop pieces in canonical order. The index is stored in the bits of the origin.
pub(super) const DROPS: [Role; 5] = [
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
    Role::Queen,
    Role::Rook,
];

/// The flag of a drop, above the bits of the origin.
const DROP: u16 = 1 << 15;

impl Move {
    /// The [null move](Move#the-null-move).
    pub const NULL: Move = Move(0);

    /// Whether this is the null move.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.0 == Move::NULL.0
    }

    /// Parses two different squares in ASCII, such as `e2e4`; `None` for any other text.
    pub fn of_squares(text: &[u8]) -> Option<Move> {
        let index = |letter: u8, first: u8| letter.checked_sub(first).filter(|&n| n < 8);
        let square = |file, rank| {
            let (file, rank) = (index(file, b'a')?, index(rank, b'1')?);
            Some(Square::new(u32::from(8 * rank + file)))
        };
        let &[file, rank, to_file, to_rank] = text else {
            return None;
        };
        let (from, to) = (square(file, rank)?, square(to_file, to_rank)?);
        (from != to).then(|| Move::new(from, to, None))
    }

    /// The move from `from` to the canonical destination `to`.
    ///
    /// # Panics
    /// If `promotion` is a pawn.
    #[inline]
    pub const fn new(from: Square, to: Square, promotion: Option<Role>) -> Move {
        let rank = match promotion {
            None => return Move::promoting(from, to, 0),
            Some(Role::Bishop) => 1,
            Some(Role::Knight) => 2,
            Some(Role::Queen) => 3,
            Some(Role::Rook) => 4,
            Some(Role::King) => 5,
            Some(Role::Pawn) => panic!("promotion to a pawn"),
        };
        Move::promoting(from, to, rank)
    }

    /// The drop of a piece on an empty square.
    ///
    /// # Panics
    /// If the piece is a king.
    pub const fn drop(role: Role, to: Square) -> Move {
        let number = match role {
            Role::Bishop => 0,
            Role::Knight => 1,
            Role::Pawn => 2,
            Role::Queen => 3,
            Role::Rook => 4,
            Role::King => panic!("drop of a king"),
        };
        Move(DROP | number << 9 | (to.to_u32() << 3) as u16)
    }

    /// The dropped piece, if the move is a drop.
    #[inline]
    pub const fn dropped(self) -> Option<Role> {
        if self.0 & DROP == 0 {
            return None;
        }
        Some(DROPS[(self.0 >> 9 & 7) as usize % DROPS.len()])
    }

    /// The move with this promotion field: 0 for none, 1 to 4 for B, N, Q, R.
    #[inline]
    pub(super) const fn promoting(from: Square, to: Square, promotion: u32) -> Move {
        Move((from.to_u32() << 9 | to.to_u32() << 3 | promotion) as u16)
    }

    /// The 16 bits. Different moves have different numbers.
    #[inline]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The origin. For a drop it is unspecified; for the null move it is a1.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0 >> 9) as u32 & 63)
    }

    /// The canonical destination. For [castling](Move#castling) it may differ from the square on
    /// which the king ends. For the null move it is a1.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0 >> 3) as u32 & 63)
    }

    /// The move in UCI notation: `e2e4`, `e1g1`, `b7a8q`, `N@f3`; `0000` for the null move.
    /// Castling goes to the [canonical destination](Move#castling): in Chess960, to the square of
    /// the rook.
    pub fn uci(self) -> String {
        if self.is_null() {
            return "0000".to_owned();
        }
        if self.dropped().is_some() {
            return self.to_string();
        }
        let mut text = format!("{}{}", self.from(), self.to());
        text.extend(self.promotion().map(Role::char));
        text
    }

    /// The promotion piece.
    #[inline]
    pub const fn promotion(self) -> Option<Role> {
        match self.promotion_field() {
            1..=5 => Some(PROMOTIONS[self.promotion_field() as usize - 1]),
            _ => None,
        }
    }

    /// The promotion as a number in canonical order: 0 for none, 1 to 5 for B, N, Q, R, K.
    #[inline]
    pub const fn promotion_field(self) -> u32 {
        (self.0 & 7) as u32
    }
}

/// The canonical destination of castling. King and rook must be on the same rank.
pub(super) fn castling_destination(king: Square, rook: Square) -> Square {
    let file = match (king.file(), rook.file()) {
        (File::E, File::H) => File::G,
        (File::E, File::A) => File::C,
        (_, file) => file,
    };
    Square::from_coords(file, king.rank())
}

/// Origin and canonical destination, such as `e2e4` or `b7a8=Q`; drops such as `N@f3`; `--` for the
/// null move.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() {
            return f.write_str("--");
        }
        if let Some(role) = self.dropped() {
            return write!(f, "{}@{}", role.upper_char(), self.to());
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_and_king_promotions_are_ordered_last() {
        let in_order = [
            Move::new(Square::A1, Square::B3, None),
            Move::new(Square::H7, Square::H8, Some(Role::Bishop)),
            Move::new(Square::H7, Square::H8, Some(Role::Rook)),
            Move::new(Square::H7, Square::H8, Some(Role::King)),
            Move::new(Square::H8, Square::H7, None),
            Move::drop(Role::Bishop, Square::A1),
            Move::drop(Role::Bishop, Square::H8),
            Move::drop(Role::Knight, Square::A1),
            Move::drop(Role::Pawn, Square::A2),
            Move::drop(Role::Queen, Square::A1),
            Move::drop(Role::Rook, Square::A1),
        ];
        assert!(in_order.is_sorted());
        assert_eq!(in_order[3].promotion(), Some(Role::King));
        assert_eq!(in_order[8].to_string(), "P@a2");
        assert_eq!(in_order[8].uci(), "P@a2");
        assert_eq!(in_order[2].uci(), "h7h8r");
        let dropped = in_order.map(Move::dropped);
        assert!(dropped[..5].iter().all(Option::is_none));
        assert_eq!(dropped[9], Some(Role::Queen));
        assert_eq!(in_order[6].to(), Square::H8);
    }

    #[test]
    fn the_null_move_differs_from_every_other_move() {
        assert!(Move::NULL.is_null());
        assert_eq!(
            (Move::NULL.uci(), Move::NULL.to_string()),
            ("0000".into(), "--".into())
        );
        assert_eq!((Move::NULL.dropped(), Move::NULL.promotion()), (None, None));
        assert!(!Move::new(Square::A1, Square::B1, None).is_null());
    }

    #[test]
    fn parses_two_squares_and_nothing_else() {
        let played = Move::new(Square::E2, Square::E4, None);
        assert_eq!(
            Move::of_squares(played.to_string().as_bytes()),
            Some(played)
        );
        for text in [
            "", "e2", "e2e", "e2e4q", "i2e4", "e0e4", "e2e9", "E2E4", "N@f3", "a1a1",
        ] {
            assert_eq!(Move::of_squares(text.as_bytes()), None, "{text}");
        }
    }
}
