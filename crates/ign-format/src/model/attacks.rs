//! What each side attacks, as the move model regards it: pins left out, squares with pieces of
//! one's own included.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use ign_notation::chess::{
    self, Position, pawns,
    rays::{leap, lines, slide, sliders},
    simd::Words,
};

/// Squares one side attacks.
#[derive(Clone, Copy, Default)]
pub(super) struct Attacks {
    pub pawns: u64,
    pub minors: u64,
    pub rooks: u64,
    pub queens: u64,
    pub king: u64,
    /// At all, and more than once.
    pub any: u64,
    pub twice: u64,
}

impl Attacks {
    #[inline(always)]
    pub fn of(vectors: impl Words, position: &Position, color: Color) -> Self {
        let side = position.by_color(color);
        let occupied = position.occupied().0;
        let of = |role| position.by_role(role) & side;
        let [Bitboard(right), Bitboard(left)] = pawns::attacked(color, of(Role::Pawn));
        let leaps = leap(vectors, of(Role::Knight).0);
        let slides = slide(
            vectors,
            sliders(vectors, of(Role::Rook), of(Role::Bishop)),
            occupied,
        );
        let queens = slide(vectors, vectors.all(of(Role::Queen).0), occupied);
        let king = attacks::king_attacks(position.king(color)).0;
        let [by_rooks, by_bishops] = lines(vectors, slides);

        let mut attacks = Self {
            pawns: left | right,
            minors: vectors.any(leaps) | by_bishops,
            rooks: by_rooks,
            queens: vectors.any(queens),
            king,
            any: left | right,
            twice: left & right,
        };
        attacks.add(king, 0);
        // No piece reaches a square in two directions.
        let one = vectors.or(leaps, slides);
        let two = vectors.or(vectors.and(leaps, slides), vectors.and(one, queens));
        let ones = vectors.words(vectors.or(one, queens));
        for (one, two) in ones.into_iter().zip(vectors.words(two)) {
            attacks.add(one, two);
        }
        attacks
    }

    #[inline(always)]
    fn add(&mut self, squares: u64, twice: u64) {
        self.twice |= self.any & squares | twice;
        self.any |= squares;
    }

    /// Squares that something cheaper than this role attacks; minor pieces count the same.
    #[inline(always)]
    pub fn by_cheaper(&self, role: Role) -> u64 {
        match role {
            Role::Pawn => 0,
            Role::Knight | Role::Bishop => self.pawns,
            Role::Rook => self.pawns | self.minors,
            Role::Queen => self.pawns | self.minors | self.rooks,
            Role::King => self.any,
        }
    }
}

/// By role: from which squares a piece of the side that is not `color` attacks `target`. But for
/// pawns, a piece of `color` standing there attacks the same squares.
#[inline(always)]
pub(super) fn towards(target: Square, occupied: Bitboard, color: Color) -> [u64; 6] {
    let bishop = chess::sliding::bishop(target, occupied).0;
    let rook = chess::sliding::rook(target, occupied).0;
    [
        attacks::pawn_attacks(color, target).0,
        attacks::knight_attacks(target).0,
        bishop,
        rook,
        bishop | rook,
        attacks::king_attacks(target).0,
    ]
}
