//! Pawn steps and attacks of whole sets of squares.
//!
//! Low-level: used by move generation and by the move model of crate `ign-format`.

use shakmaty::{Bitboard, Color};

use super::bits::{FILE_A, FILE_H};

/// The squares attacked by pawns of `color` on these squares: towards the h-file, and towards the
/// a-file.
#[inline(always)]
pub fn attacked(color: Color, Bitboard(pawns): Bitboard) -> [Bitboard; 2] {
    let ahead = color.fold_wb(pawns << 8, pawns >> 8);
    [
        Bitboard(ahead << 1 & !FILE_A),
        Bitboard(ahead >> 1 & !FILE_H),
    ]
}

/// Rotates the board left. No pawn is on a last rank, so no pawn wraps around.
#[inline]
pub(super) fn step(squares: Bitboard, rotation: u32) -> Bitboard {
    Bitboard(squares.0.rotate_left(rotation))
}

/// The inverse of [`step`].
#[inline]
pub(super) fn back(squares: Bitboard, rotation: u32) -> Bitboard {
    Bitboard(squares.0.rotate_right(rotation))
}

/// The squares one step ahead of `squares` in the direction of `color`.
#[inline]
pub(super) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    step(squares, color.fold_wb(8, 56))
}
