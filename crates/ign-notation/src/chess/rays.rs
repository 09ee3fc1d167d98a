//! Where sliders and knights reach, all of a kind at once, direction by direction.
//!
//! What stands in a direction is moved along it by one, two and four squares, so that three steps
//! fill a line ("Kogge–Stone"). The eight directions are eight words that are treated alike: no
//! piece is visited, and nothing is guessed.

use shakmaty::{Bitboard, Square};

use super::{
    pawns::{FILE_A, FILE_H},
    vectors::{Planes, Rays, Words},
};

/// Rotations of the board that go one square on in each direction.
const STEPS: Rays = [8, 56, 1, 63, 9, 55, 7, 57];

const RANK_1: u64 = 0xff;
const RANK_8: u64 = RANK_1 << 56;
/// The squares that a step in each direction can lead to.
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

/// Rotations of a knight's leaps, and the squares that they can lead to.
const LEAPS: Rays = [17, 47, 15, 49, 10, 54, 6, 58];
const LEAPT: Rays = {
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

/// Rotations that go one, two and four squares on.
const LENGTHS: [Rays; 3] = [STEPS, times(STEPS, 2), times(STEPS, 4)];
/// Those that come back.
const BACK: [Rays; 3] = [times(STEPS, 63), times(STEPS, 62), times(STEPS, 60)];

const fn times(rotations: Rays, times: u64) -> Rays {
    let mut all = rotations;
    let mut i = 0;
    while i < 8 {
        all[i] = rotations[i] * times % 64;
        i += 1;
    }
    all
}

/// By square: the lines through it that each direction is on.
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

/// Sliders by the directions that they move in: those that move along ranks and files, and those
/// along diagonals.
#[inline(always)]
pub fn sliders<V: Words>(vectors: V, straight: Bitboard, diagonal: Bitboard) -> V::Rays {
    let (s, d) = (straight.0, diagonal.0);
    vectors.rays([s, s, s, s, d, d, d, d])
}

/// Where what stands on these squares reaches in each direction, up to the first occupied square.
#[inline(always)]
pub fn slide<V: Words>(vectors: V, squares: V::Rays, occupied: u64) -> V::Rays {
    let entered = vectors.rays(ENTERED);
    let mut reached = squares;
    let mut free = vectors.and(entered, vectors.all(!occupied));
    for length in &LENGTHS {
        let on = vectors.rotate(reached, length);
        reached = vectors.or(reached, vectors.and(free, on));
        free = vectors.and(free, vectors.rotate(free, length));
    }
    vectors.and(entered, vectors.rotate(reached, &LENGTHS[0]))
}

/// The own pieces seen along each line that a slider stands right behind.
#[inline(always)]
pub fn screens<V: Words>(
    vectors: V,
    seen: V::Rays,
    own: Bitboard,
    sliders: V::Rays,
    occupied: u64,
) -> V::Rays {
    let near = vectors.and(seen, vectors.all(own.0));
    let behind = slide(vectors, near, occupied);
    vectors.and_where_any(near, vectors.and(behind, sliders))
}

/// Where knights on these squares reach in each direction.
#[inline(always)]
pub fn leap<V: Words>(vectors: V, squares: u64) -> V::Rays {
    let reached = vectors.rotate(vectors.all(squares), &LEAPS);
    vectors.and(vectors.rays(LEAPT), reached)
}

/// Squares reached along ranks and files, and along diagonals.
#[inline(always)]
pub fn lines<V: Words>(vectors: V, rays: V::Rays) -> [u64; 2] {
    let [a, b, c, d, e, f, g, h] = vectors.words(rays);
    [a | b | c | d, e | f | g | h]
}

/// By direction: the lines through a square.
#[inline(always)]
pub(super) fn through(square: Square) -> &'static Rays {
    &LINES[square.to_usize()]
}

/// How many squares a slider goes in each direction, wherever it stands: over empty squares, and up
/// to the first of `stops`, which are those that are free or the enemy's. In check they are fewer,
/// no more than one of them on any way: then each way has that one or none.
///
/// Who goes three squares goes two, too: so the numbers are, bit by bit, the differences between
/// those who go so far.
#[inline(always)]
pub(super) fn ways<V: Words>(vectors: V, empty: u64, stops: u64, check: bool) -> Planes<V::Rays> {
    let (over1, to1) = (before(vectors, empty), before(vectors, stops));
    let (over2, to2) = (then(vectors, over1, over1, 0), then(vectors, over1, to1, 0));
    let over4 = then(vectors, over2, over2, 1);
    let (to3, to4) = (then(vectors, over2, to1, 1), then(vectors, over2, to2, 1));
    let (to5, to6) = (then(vectors, over4, to1, 2), then(vectors, over4, to2, 2));
    let to7 = then(vectors, over4, to3, 2);
    let even = vectors.xor(vectors.xor(to2, to4), to6);
    let odd = vectors.xor(vectors.xor(to1, to3), vectors.xor(to5, to7));
    let ones = vectors.xor(odd, even);
    if check {
        let none = vectors.all(0);
        return [ones, none, none];
    }
    [ones, even, to4]
}

/// The squares from which a step in each direction leads to one of these.
#[inline(always)]
fn before<V: Words>(vectors: V, squares: u64) -> V::Rays {
    let entered = vectors.and(vectors.all(squares), vectors.rays(ENTERED));
    vectors.rotate(entered, &BACK[0])
}

/// The squares from which the way is free, and leads to a goal behind it: one, two, or four squares
/// on.
#[inline(always)]
fn then<V: Words>(vectors: V, free: V::Rays, goals: V::Rays, length: usize) -> V::Rays {
    vectors.and(free, vectors.rotate(goals, &BACK[length]))
}

/// Where a knight could stand that goes in each direction to one of these squares.
#[inline(always)]
pub(super) fn leap_back<V: Words>(vectors: V, squares: u64) -> V::Rays {
    const BACK: Rays = times(LEAPS, 63);
    let squares = vectors.and(vectors.all(squares), vectors.rays(LEAPT));
    vectors.rotate(squares, &BACK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{lines::tests::noise, vectors::Portable};
    use shakmaty::attacks;

    #[test]
    fn rays_are_what_the_pieces_of_a_kind_attack() {
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
        // A piece reaches each square in one direction only.
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
    fn ways_are_as_long_as_what_a_piece_can_go_to() {
        let mut random = noise();
        for round in 0..3_000 {
            let occupied = random() & random();
            let ours = random() & occupied;
            // In check one square is left to go to.
            let check = round % 3 == 0;
            let stops = match check {
                true => (random() & random() & !ours) & random(),
                false => !ours,
            };
            let stops = if check {
                stops & stops.wrapping_neg()
            } else {
                stops
            };
            let [ones, twos, fours] = ways(Portable, !occupied, stops, check);
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
