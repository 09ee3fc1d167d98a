//! Which squares a side attacks, roughly how often, and with what.
//!
//! The cheapest picture of a board on which one can tell a free piece from a guarded one. It is
//! drawn once a ply, for the side that has just moved; the side to move makes do with the
//! picture drawn of it a ply ago.

use shakmaty::{Bitboard, Color, Role, attacks};

use crate::chess::Position;

/// The squares one side attacks, its own pieces' squares included.
#[derive(Debug, Clone, Copy, Default)]
pub struct Attacks {
    /// By pawns.
    pub pawns: Bitboard,
    /// By knights and bishops.
    pub minors: Bitboard,
    /// By rooks.
    pub rooks: Bitboard,
    /// By anything.
    pub all: Bitboard,
    /// By more than one piece.
    pub twice: Bitboard,
}

impl Attacks {
    /// What `color` attacks.
    #[inline]
    pub fn of(position: &Position, color: Color) -> Attacks {
        let us = position.by_color(color);
        let occupied = position.occupied();
        let mut picture = Attacks::default();

        let pawns = (position.by_role(Role::Pawn) & us).0;
        let ahead = match color {
            Color::White => pawns << 8,
            Color::Black => pawns >> 8,
        };
        let (left, right) = (
            ahead << 1 & !Bitboard::from_file(shakmaty::File::A).0,
            ahead >> 1 & !Bitboard::from_file(shakmaty::File::H).0,
        );
        picture.pawns = Bitboard(left | right);
        picture.all = picture.pawns;
        picture.twice = Bitboard(left & right);

        for square in position.by_role(Role::Knight) & us {
            let reach = attacks::knight_attacks(square);
            picture.minors |= reach;
            picture.count(reach);
        }
        for square in position.by_role(Role::Bishop) & us {
            let reach = attacks::bishop_attacks(square, occupied);
            picture.minors |= reach;
            picture.count(reach);
        }
        for square in position.by_role(Role::Rook) & us {
            let reach = attacks::rook_attacks(square, occupied);
            picture.rooks |= reach;
            picture.count(reach);
        }
        for square in position.by_role(Role::Queen) & us {
            picture.count(attacks::queen_attacks(square, occupied));
        }
        picture.count(attacks::king_attacks(position.king(color)));
        picture
    }

    #[inline]
    fn count(&mut self, reach: Bitboard) {
        self.twice |= self.all & reach;
        self.all |= reach;
    }

    /// Where one of the other side's pieces would be lost to this side, `guarded` being the
    /// squares on which it would be taken back.
    #[inline]
    pub fn deadly(&self, role: Role, guarded: Bitboard) -> Bitboard {
        let cheaper = match role {
            Role::Pawn | Role::King => Bitboard::EMPTY,
            Role::Knight | Role::Bishop => self.pawns,
            Role::Rook => self.pawns | self.minors,
            Role::Queen => self.pawns | self.minors | self.rooks,
        };
        cheaper | (self.all & !guarded)
    }
}
