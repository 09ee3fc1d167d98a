//! Where pawns can still come to stand.

use ign_notation::chess::Position;
use shakmaty::{Bitboard, Color, Role};

/// Whether pawns of one side can come to stand on all of the wanted squares.
pub fn pawns_can_reach(position: &Position, color: Color, wanted: Bitboard) -> bool {
    let pawns = position.by_role(Role::Pawn) & position.by_color(color);
    wanted.is_empty() || can_advance(color, pawns, wanted, true)
}

/// Whether enough pawns are behind each rank, and one behind each of the wanted squares: on its
/// file, or where captures lead to it.
#[inline]
pub fn can_advance(color: Color, pawns: Bitboard, wanted: Bitboard, by_captures: bool) -> bool {
    let as_white = |squares: Bitboard| color.fold_wb(squares.0, squares.0.swap_bytes());
    let (pawns, wanted) = (as_white(pawns), as_white(wanted));
    wanted & !ahead_of(pawns, by_captures) == 0
        // No pawn is on the first or last rank.
        && (2..8).all(|rank| {
            let up_to = (1 << (8 * rank)) - 1;
            (wanted & up_to).count_ones() <= (pawns & up_to).count_ones()
        })
}

/// The squares of White's pawns and all squares to which they can move: on their files, or also by
/// captures.
#[inline]
fn ahead_of(pawns: u64, by_captures: bool) -> u64 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = FILE_A << 7;
    if !by_captures {
        let two_ranks = pawns | pawns << 8;
        let four_ranks = two_ranks | two_ranks << 16;
        return four_ranks | four_ranks << 32;
    }
    // Captures lead one file to a side for each rank.
    let widen = |squares: u64| squares | squares << 1 & !FILE_A | squares >> 1 & !FILE_H;
    let one = pawns | widen(pawns) << 8;
    let three = one | widen(widen(one)) << 16;
    let wide = widen(widen(three));
    three | widen(widen(wide)) << 32
}
