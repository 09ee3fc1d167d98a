//! Legal pawn moves, all pawns at a time.
//!
//! Pawns are half the board and each has few moves, so they are not visited one by one: each
//! direction (one ahead, two ahead, a capture to either side) is a set of the pawns that may go
//! there, and counting is popcounts. White and Black differ by a rotation of the board.
//!
//! Invariant: the four sets hold exactly the legal moves, pins, checks and en passant seen to.
//! [`Legal`](super::Legal) adds the other pieces.

use shakmaty::{Bitboard, Color, Rank, Role, Square};

use super::{position::Position, rays, vectors::Rays};

/// The squares of the a-file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The squares of the h-file.
pub const FILE_H: u64 = FILE_A << 7;

/// Promotions a pawn chooses from when it reaches the last rank.
pub(super) const PROMOTIONS: u32 = 4;

/// Legal pawn moves by direction: a set of origins for each, so that counting is popcounts.
#[derive(Clone, Copy, Debug)]
pub(super) struct PawnMoves {
    /// Pawns that may advance one.
    single: Bitboard,
    /// Pawns that may advance two.
    double: Bitboard,
    /// Pawns that may capture towards the h-file, en passant included.
    east: Bitboard,
    /// Pawns that may capture towards the a-file, en passant included.
    west: Bitboard,
    /// Pawns whose every move promotes.
    pub(super) promoting: Bitboard,
    /// The rotation that moves squares one rank forward: 8 for White, 56 (that is -8) for Black.
    forward: u32,
}

impl PawnMoves {
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

        // A pinned pawn keeps to the line it shares with its king: the file, or one diagonal.
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

    /// The origins of the moves by direction.
    #[inline(always)]
    pub(super) fn by_direction(&self) -> Rays {
        let (single, double) = (self.single.0, self.double.0);
        let (east, west) = (self.east.0, self.west.0);
        [single, double, east, west, 0, 0, 0, 0]
    }

    /// The destinations from one square.
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
    pub(super) fn pushers(&self, to: Square) -> Bitboard {
        let to = Bitboard::from_square(to);
        (self.single & back(to, self.forward)) | (self.double & back(to, 2 * self.forward))
    }

    /// The origins of the pawns that may capture on `to`.
    #[inline]
    pub(super) fn capturers(&self, to: Square) -> Bitboard {
        let to = Bitboard::from_square(to);
        (self.east & back(to, self.forward + 1)) | (self.west & back(to, self.forward - 1))
    }
}

/// The pawns that may capture en passant, those to the west and those to the east of the
/// captured pawn. It is the one move that clears two squares, so pins and check evasion are not
/// as for other moves: we look at the board afterwards.
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

/// Where pawns of a side on these squares attack: towards the h-file, and towards the a-file.
#[inline(always)]
pub fn attacked(color: Color, Bitboard(pawns): Bitboard) -> [Bitboard; 2] {
    let ahead = color.fold_wb(pawns << 8, pawns >> 8);
    [
        Bitboard(ahead << 1 & !FILE_A),
        Bitboard(ahead >> 1 & !FILE_H),
    ]
}

/// Moves squares by a rotation. No pawn stands on a last rank, so none comes round.
#[inline]
pub(super) fn step(squares: Bitboard, rotation: u32) -> Bitboard {
    Bitboard(squares.0.rotate_left(rotation))
}

/// Undoes [`step`].
#[inline]
pub(super) fn back(squares: Bitboard, rotation: u32) -> Bitboard {
    Bitboard(squares.0.rotate_right(rotation))
}

/// The lower half of each byte.
pub(super) const LOWER: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// How many bits are set in each half of a byte.
#[inline]
fn bits_by_nibble(Bitboard(word): Bitboard) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333)
}

/// How many bits are set in each byte.
#[inline]
pub(super) fn bits_by_byte(set: Bitboard) -> u64 {
    let fours = bits_by_nibble(set);
    (fours + (fours >> 4)) & LOWER
}

/// A bit for each file, each in a byte of its own.
pub(super) const FILES: u64 = 0x8040_2010_0804_0201;

/// The eight bits of a byte as bytes of 0 or 1, the lowest bit first.
#[inline]
pub fn spread(byte: u64) -> u64 {
    // Each byte keeps a bit of its own; adding 127 carries it to the top wherever it is.
    let bits = byte.wrapping_mul(FILE_A) & FILES;
    (bits + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & FILE_A
}
