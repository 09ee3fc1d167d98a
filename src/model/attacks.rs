//! What each side attacks, as the move model regards it: pins left out, squares with pieces of
//! one's own included.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::chess::{
    Position, lines,
    pawns::{FILE_A, FILE_H},
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
    pub fn of(position: &Position, color: Color) -> Self {
        let side = position.by_color(color);
        let occupied = position.occupied();
        let of = |role| position.by_role(role) & side;
        let ahead = of(Role::Pawn).0.rotate_left(color.fold_wb(8, 56));
        let left = ahead >> 1 & !FILE_H;
        let right = ahead << 1 & !FILE_A;
        let mut attacks = Self {
            pawns: left | right,
            any: left | right,
            twice: left & right,
            ..Self::default()
        };
        for square in of(Role::Knight) {
            let reach = attacks::knight_attacks(square).0;
            attacks.minors |= reach;
            attacks.add(reach);
        }
        for square in of(Role::Bishop) {
            let reach = lines::bishop(square, occupied).0;
            attacks.minors |= reach;
            attacks.add(reach);
        }
        for square in of(Role::Rook) {
            let reach = lines::rook(square, occupied).0;
            attacks.rooks |= reach;
            attacks.add(reach);
        }
        for square in of(Role::Queen) {
            let reach = (lines::bishop(square, occupied) | lines::rook(square, occupied)).0;
            attacks.queens |= reach;
            attacks.add(reach);
        }
        attacks.king = attacks::king_attacks(position.king(color)).0;
        attacks.add(attacks.king);
        attacks
    }

    #[inline(always)]
    fn add(&mut self, squares: u64) {
        self.twice |= self.any & squares;
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
    let bishop = lines::bishop(target, occupied).0;
    let rook = lines::rook(target, occupied).0;
    [
        attacks::pawn_attacks(color, target).0,
        attacks::knight_attacks(target).0,
        bishop,
        rook,
        bishop | rook,
        attacks::king_attacks(target).0,
    ]
}
