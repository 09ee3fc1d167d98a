//! Attack maps of the move model. Pins are ignored; squares with pieces of the attacking side are
//! included, so that the map also shows which pieces are guarded.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use ign_notation::chess::{
    self, Position, pawns,
    rays::{leap, lines, slide, sliders},
    simd::Words,
};

/// The squares that one side attacks, by attacker.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attacks {
    pub pawns: u64,
    pub minors: u64,
    pub rooks: u64,
    pub queens: u64,
    pub king: u64,
    /// Attacked at least once.
    pub any: u64,
    /// Attacked at least twice.
    pub twice: u64,
}

impl Attacks {
    #[inline(always)]
    pub fn of(simd: impl Words, position: &Position, color: Color) -> Self {
        let side = position.by_color(color);
        let occupied = position.occupied().0;
        let of = |role| position.by_role(role) & side;
        let [Bitboard(right), Bitboard(left)] = pawns::attacked(color, of(Role::Pawn));
        let leaps = leap(simd, of(Role::Knight).0);
        let slides = slide(
            simd,
            sliders(simd, of(Role::Rook), of(Role::Bishop)),
            occupied,
        );
        let queens = slide(simd, simd.all(of(Role::Queen).0), occupied);
        let king = attacks::king_attacks(position.king(color)).0;
        let [by_rooks, by_bishops] = lines(simd, slides);

        let mut attacks = Self {
            pawns: left | right,
            minors: simd.any(leaps) | by_bishops,
            rooks: by_rooks,
            queens: simd.any(queens),
            king,
            any: left | right,
            twice: left & right,
        };
        attacks.add(king, 0);
        // A piece reaches a square in one direction only, so each ray set counts one attacker.
        let one = simd.or(leaps, slides);
        let two = simd.or(simd.and(leaps, slides), simd.and(one, queens));
        let ones = simd.words(simd.or(one, queens));
        for (one, two) in ones.into_iter().zip(simd.words(two)) {
            attacks.add(one, two);
        }
        attacks
    }

    #[inline(always)]
    fn add(&mut self, squares: u64, twice: u64) {
        self.twice |= self.any & squares | twice;
        self.any |= squares;
    }

    /// The squares attacked by a piece less valuable than this role. Minor pieces are of equal
    /// value.
    #[inline(always)]
    pub fn by_less_valuable(&self, role: Role) -> u64 {
        match role {
            Role::Pawn => 0,
            Role::Knight | Role::Bishop => self.pawns,
            Role::Rook => self.pawns | self.minors,
            Role::Queen => self.pawns | self.minors | self.rooks,
            Role::King => self.any,
        }
    }
}

/// By role: the squares from which a piece of the opponent of `color` attacks `target`. A piece of
/// `color` on `target` attacks the same squares.
#[inline(always)]
pub(super) fn attack_sources(target: Square, occupied: Bitboard, color: Color) -> [u64; 6] {
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
