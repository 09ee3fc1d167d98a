//! Legal pawn moves, all pawns at a time.
//!
//! Each direction (one square, two squares, a capture to either side) is the set of the pawns that
//! may move there, so counting moves is counting bits. White and Black differ by a rotation of the
//! board.
//!
//! Invariant: the four sets hold exactly the legal moves; pins, checks and en passant are taken
//! into account. [`Legal`](super::Legal) adds the other pieces.

use shakmaty::{Bitboard, Rank, Role, Square};

use crate::chess::{
    bits::{FILE_A, FILE_H},
    pawns::{back, step},
    position::Position,
    rays,
    simd::Rays,
};

/// The number of pieces that a pawn may promote to.
pub(super) const PROMOTIONS: u32 = 4;

/// The origins of the legal pawn moves, by direction.
#[derive(Clone, Copy, Debug)]
pub(in crate::chess) struct PawnMoves {
    /// Pawns that may advance one square.
    single: Bitboard,
    /// Pawns that may advance two squares.
    double: Bitboard,
    /// Pawns that may capture towards the h-file, en passant included.
    east: Bitboard,
    /// Pawns that may capture towards the a-file, en passant included.
    west: Bitboard,
    /// Pawns whose moves are promotions.
    pub(in crate::chess) promoting: Bitboard,
    /// The rotation of the board that moves squares one rank forward: 8 for White, 56 (−8) for
    /// Black.
    forward: u32,
}

impl PawnMoves {
    /// The pawn moves of a position. `ends_check` holds the destinations that end every check.
    #[inline]
    pub(super) fn new(
        position: &Position,
        king: Square,
        pinned: Bitboard,
        ends_check: Bitboard,
    ) -> PawnMoves {
        let us = position.turn();
        let pawns = position.by_role(Role::Pawn) & position.us();
        let empty = !position.occupied();
        let victims = position.them() & ends_check;
        let forward = us.fold_wb(8, 56);

        // A pinned pawn stays on the line through its king: the file or one diagonal.
        let [file, .., rising, _, falling, _] = *rays::through(king);
        let (east_line, west_line) = us.fold_wb((rising, falling), (falling, rising));
        let pushing = pawns & (!pinned | Bitboard(file));
        let free_single = step(pushing, forward) & empty;
        let third = Bitboard::from_rank(us.fold_wb(Rank::Third, Rank::Sixth));
        let double = step(free_single & third, forward) & empty & ends_check;
        let east = step(pawns & (!pinned | Bitboard(east_line)), forward + 1);
        let west = step(pawns & (!pinned | Bitboard(west_line)), forward - 1);

        let mut east = back(east & victims & !Bitboard(FILE_A), forward + 1);
        let mut west = back(west & victims & !Bitboard(FILE_H), forward - 1);
        if position.en_passant().any() {
            let [from_west, from_east] = en_passant(position, king, forward);
            east |= from_west;
            west |= from_east;
        }
        PawnMoves {
            single: back(free_single & ends_check, forward),
            double: back(double, 2 * forward),
            east,
            west,
            promoting: pawns & Bitboard::from_rank(us.fold_wb(Rank::Seventh, Rank::Second)),
            forward,
        }
    }

    /// The origins by direction; the last four words are 0.
    #[inline(always)]
    pub(super) fn by_direction(&self) -> Rays {
        let (single, double) = (self.single.0, self.double.0);
        let (east, west) = (self.east.0, self.west.0);
        [single, double, east, west, 0, 0, 0, 0]
    }

    /// The destinations of the pawn on `origin`.
    #[inline]
    pub(super) fn destinations(&self, origin: Square) -> Bitboard {
        let origin = Bitboard::from_square(origin);
        step(self.single & origin, self.forward)
            | step(self.double & origin, 2 * self.forward)
            | step(self.east & origin, self.forward + 1)
            | step(self.west & origin, self.forward - 1)
    }

    /// The origins of the pawns that may advance to `to`.
    #[inline]
    pub(in crate::chess) fn pushers(&self, to: Square) -> Bitboard {
        let to = Bitboard::from_square(to);
        (self.single & back(to, self.forward)) | (self.double & back(to, 2 * self.forward))
    }

    /// The origins of the pawns that may capture on `to`.
    #[inline]
    pub(in crate::chess) fn capturers(&self, to: Square) -> Bitboard {
        let to = Bitboard::from_square(to);
        (self.east & back(to, self.forward + 1)) | (self.west & back(to, self.forward - 1))
    }
}

/// The pawns that may capture en passant: to the west and to the east of the captured pawn.
///
/// En passant is the only move that clears two squares, so legality is tested on the board after
/// the capture.
#[cold]
fn en_passant(position: &Position, king: Square, forward: u32) -> [Bitboard; 2] {
    let target = position.en_passant();
    let victim = back(target, forward);
    let pawns = position.by_role(Role::Pawn) & position.us();
    let from_west = back(target & !Bitboard(FILE_A), forward + 1) & pawns;
    let from_east = back(target & !Bitboard(FILE_H), forward - 1) & pawns;
    [from_west, from_east].map(|capturer| {
        let after = position.occupied() ^ capturer ^ victim ^ target;
        let attackers = position.attackers(king, after) & position.them() & !victim;
        if attackers.is_empty() {
            capturer
        } else {
            Bitboard::EMPTY
        }
    })
}
