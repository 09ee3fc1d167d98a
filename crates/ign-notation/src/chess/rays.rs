//! Setwise attacks: the attacks of all sliders or knights at once, direction by direction.
//!
//! A Kogge–Stone fill shifts a set along each direction by one, two and four squares, so three
//! steps cover a line. The eight directions are the eight words of [`simd`](super::simd). There is
//! no loop over pieces and no branch.
//!
//! Low-level: used by move generation and by the move model of crate `ign-format`.

use shakmaty::{Bitboard, Square};

use super::{
    bits::{FILE_A, FILE_H},
    simd::{Planes, Rays, Words},
};

/// The rotation of the board that moves one square in each direction.
const STEPS: Rays = [8, 56, 1, 63, 9, 55, 7, 57];

const RANK_1: u64 = 0xff;
const RANK_8: u64 = RANK_1 << 56;
/// The squares that a step in each direction can enter: a step never wraps around the board.
const ENTERED: Rays = [
    !RANK_1,
    !RANK_8,
    !FILE_A,
    !FILE_H,
    !(RANK_1 | FILE_A),
    !(RANK_8 | FILE_H),
    !(RANK_1 | FILE_H),
    !(RANK_8 | FILE_A),
];

/// The rotations of the board for the eight knight moves.
const LEAPS: Rays = [17, 47, 15, 49, 10, 54, 6, 58];
/// The squares that each knight move can enter.
const LEAP_TARGETS: Rays = {
    const RANKS_12: u64 = RANK_1 | RANK_1 << 8;
    const RANKS_78: u64 = RANK_8 | RANK_8 >> 8;
    const FILES_AB: u64 = FILE_A | FILE_A << 1;
    const FILES_GH: u64 = FILE_H | FILE_H >> 1;
    [
        !(RANKS_12 | FILE_A),
        !(RANKS_78 | FILE_H),
        !(RANKS_12 | FILE_H),
        !(RANKS_78 | FILE_A),
        !(RANK_1 | FILES_AB),
        !(RANK_8 | FILES_GH),
        !(RANK_1 | FILES_GH),
        !(RANK_8 | FILES_AB),
    ]
};

/// Rotations by one, two and four squares.
const LENGTHS: [Rays; 3] = [STEPS, times(STEPS, 2), times(STEPS, 4)];
/// The inverse rotations.
const BACK: [Rays; 3] = [times(STEPS, 63), times(STEPS, 62), times(STEPS, 60)];

/// Each rotation repeated `times` times.
const fn times(rotations: Rays, times: u64) -> Rays {
    let mut all = rotations;
    let mut i = 0;
    while i < 8 {
        all[i] = rotations[i] * times % 64;
        i += 1;
    }
    all
}

/// By square and direction: the whole line through the square, the square included.
static LINES: [Rays; 64] = {
    let mut lines = [[0; 8]; 64];
    let mut i = 0;
    while i < 64 * 64 {
        let (a, b) = (i / 64, i % 64);
        let (files, ranks) = (b as i32 % 8 - a as i32 % 8, b as i32 / 8 - a as i32 / 8);
        let on = [files == 0, ranks == 0, files == ranks, files == -ranks];
        let mut ray = 0;
        while ray < 8 {
            lines[a][ray] |= (on[ray / 2] as u64) << b;
            ray += 1;
        }
        i += 1;
    }
    lines
};

/// Sliders by direction: `straight` moves along ranks and files, `diagonal` along diagonals.
#[inline(always)]
pub fn sliders<V: Words>(simd: V, straight: Bitboard, diagonal: Bitboard) -> V::Rays {
    let (s, d) = (straight.0, diagonal.0);
    simd.rays([s, s, s, s, d, d, d, d])
}

/// The squares attacked in each direction from `squares`, up to and including the first occupied
/// one.
#[inline(always)]
pub fn slide<V: Words>(simd: V, squares: V::Rays, occupied: u64) -> V::Rays {
    let entered = simd.rays(ENTERED);
    let mut reached = squares;
    let mut free = simd.and(entered, simd.all(!occupied));
    for length in &LENGTHS {
        let on = simd.rotate(reached, length);
        reached = simd.or(reached, simd.and(free, on));
        free = simd.and(free, simd.rotate(free, length));
    }
    simd.and(entered, simd.rotate(reached, &LENGTHS[0]))
}

/// The pieces of `own` among those `seen` in each direction that have one of `sliders` as the next
/// piece after them: pinned pieces, if `seen` starts at a king.
#[inline(always)]
pub fn screens<V: Words>(
    simd: V,
    seen: V::Rays,
    own: Bitboard,
    sliders: V::Rays,
    occupied: u64,
) -> V::Rays {
    let near = simd.and(seen, simd.all(own.0));
    let next = slide(simd, near, occupied);
    simd.and_where_any(near, simd.and(next, sliders))
}

/// The squares attacked by knights on `squares`, by direction of the knight move.
#[inline(always)]
pub fn leap<V: Words>(simd: V, squares: u64) -> V::Rays {
    let reached = simd.rotate(simd.all(squares), &LEAPS);
    simd.and(simd.rays(LEAP_TARGETS), reached)
}

/// The union of the straight directions, and that of the diagonal ones.
#[inline(always)]
pub fn lines<V: Words>(simd: V, rays: V::Rays) -> [u64; 2] {
    let [a, b, c, d, e, f, g, h] = simd.words(rays);
    [a | b | c | d, e | f | g | h]
}

/// By direction: the line through a square.
#[inline(always)]
pub(super) fn through(square: Square) -> &'static Rays {
    &LINES[square.to_usize()]
}

/// For every square and direction: how many moves a slider there has, as bit planes. A slider
/// crosses `empty` squares and may stop on `stops`: the empty and enemy squares, or, in check, the
/// squares that end it. In check each direction has at most one such square.
///
/// `to1` … `to7` are the squares from which a slider can move by 1 … 7 squares. Outside check they
/// are nested, and in check they are disjoint, so the bits of the count are exclusive ors of them.
#[inline(always)]
pub(super) fn counts<V: Words>(simd: V, empty: u64, stops: u64, check: bool) -> Planes<V::Rays> {
    let (over1, to1) = (before(simd, empty), before(simd, stops));
    let (over2, to2) = (then(simd, over1, over1, 0), then(simd, over1, to1, 0));
    let over4 = then(simd, over2, over2, 1);
    let (to3, to4) = (then(simd, over2, to1, 1), then(simd, over2, to2, 1));
    let (to5, to6) = (then(simd, over4, to1, 2), then(simd, over4, to2, 2));
    let to7 = then(simd, over4, to3, 2);
    let even = simd.xor(simd.xor(to2, to4), to6);
    let odd = simd.xor(simd.xor(to1, to3), simd.xor(to5, to7));
    let ones = simd.xor(odd, even);
    if check {
        let none = simd.all(0);
        return [ones, none, none];
    }
    [ones, even, to4]
}

/// The squares from which one step in each direction enters one of `squares`.
#[inline(always)]
fn before<V: Words>(simd: V, squares: u64) -> V::Rays {
    let entered = simd.and(simd.all(squares), simd.rays(ENTERED));
    simd.rotate(entered, &BACK[0])
}

/// The squares of `free` that have one of `goals` 1, 2 or 4 squares ahead (`length` 0, 1 or 2).
#[inline(always)]
fn then<V: Words>(simd: V, free: V::Rays, goals: V::Rays, length: usize) -> V::Rays {
    simd.and(free, simd.rotate(goals, &BACK[length]))
}

/// The squares from which each knight move enters one of `squares`.
#[inline(always)]
pub(super) fn leap_back<V: Words>(simd: V, squares: u64) -> V::Rays {
    const BACK: Rays = times(LEAPS, 63);
    let squares = simd.and(simd.all(squares), simd.rays(LEAP_TARGETS));
    simd.rotate(squares, &BACK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{simd::Portable, sliding::tests::noise};
    use shakmaty::attacks;

    #[test]
    fn setwise_attacks_are_the_union_of_the_attacks_of_each_piece() {
        let mut random = noise();
        for _ in 0..5_000 {
            let occupied = random() & random();
            let [rooks, bishops] = [0; 2].map(|_: u64| random() & random() & occupied);
            let pieces = sliders(Portable, Bitboard(rooks), Bitboard(bishops));
            let rays = slide(Portable, pieces, occupied);
            let reach = |squares, attacks: &dyn Fn(_) -> Bitboard| {
                let all = Bitboard(squares).into_iter().map(attacks);
                all.fold(0, |all, reached| all | reached.0)
            };
            let by_rooks = reach(rooks, &|s| attacks::rook_attacks(s, Bitboard(occupied)));
            let by_bishops = reach(bishops, &|s| attacks::bishop_attacks(s, Bitboard(occupied)));
            assert_eq!(lines(Portable, rays), [by_rooks, by_bishops]);
            let knights = random() & random();
            let by_knights = reach(knights, &attacks::knight_attacks);
            assert_eq!(Portable.any(leap(Portable, knights)), by_knights);
        }
        // Each attacked square is attacked in exactly one direction.
        let rays = slide(Portable, [1 << 27; 8], 1 << 29 | 1 << 54);
        assert_eq!(
            rays.map(u64::count_ones).iter().sum::<u32>(),
            Portable.any(rays).count_ones()
        );
        let leaps = leap(Portable, 1 << 27);
        assert_eq!(leaps.map(u64::count_ones), [1; 8]);
        assert_eq!(Portable.any(leaps).count_ones(), 8);
    }

    #[test]
    fn counts_are_the_numbers_of_destinations() {
        let mut random = noise();
        for round in 0..3_000 {
            let occupied = random() & random();
            let ours = random() & occupied;
            // In check there is at most one destination.
            let check = round % 3 == 0;
            let stops = if check {
                let squares = (random() & random() & !ours) & random();
                squares & squares.wrapping_neg()
            } else {
                !ours
            };
            let [ones, twos, fours] = counts(Portable, !occupied, stops, check);
            let leaps = leap_back(Portable, stops);
            for square in Square::ALL {
                let on = |word: u64| word >> square.to_u32() & 1;
                let count = |rays: std::ops::Range<usize>| -> u64 {
                    let way = |i: usize| on(ones[i]) + 2 * on(twos[i]) + 4 * on(fours[i]);
                    rays.map(way).sum()
                };
                let goes = |reach: Bitboard| u64::from((reach.0 & stops).count_ones());
                let occupied = Bitboard(occupied);
                assert_eq!(count(0..4), goes(attacks::rook_attacks(square, occupied)));
                assert_eq!(count(4..8), goes(attacks::bishop_attacks(square, occupied)));
                let by_knight: u64 = leaps.into_iter().map(on).sum();
                assert_eq!(by_knight, goes(attacks::knight_attacks(square)));
            }
            let king = Square::new(round % 64);
            let [straight, diagonal] = lines(Portable, *through(king));
            let empty = Bitboard::EMPTY;
            let itself = Bitboard::from_square(king);
            let by_rook = attacks::rook_attacks(king, empty) | itself;
            let by_bishop = attacks::bishop_attacks(king, empty) | itself;
            assert_eq!([straight, diagonal], [by_rook.0, by_bishop.0]);
        }
    }
}
