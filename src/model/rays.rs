//! Where sliders and knights reach, all of a kind at once, direction by direction.
//!
//! What stands in a direction is moved along it by one, two and four squares, so that three steps
//! fill a line ("Kogge–Stone"). The eight directions are eight words that are treated alike: no
//! piece is visited, and nothing is guessed.

use shakmaty::Bitboard;

use super::vectors::Vectors;
use crate::chess::pawns::{FILE_A, FILE_H};

/// A word for each direction: north, south, east, west, and the diagonals.
pub(super) type Rays = [u64; 8];

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
const LENGTHS: [Rays; 3] = {
    let mut lengths = [[0; 8]; 3];
    let mut i = 0;
    while i < 3 * 8 {
        lengths[i / 8][i % 8] = (STEPS[i % 8] << (i / 8)) % 64;
        i += 1;
    }
    lengths
};

/// Sliders by the directions that they move in: those that move along ranks and files, and those
/// along diagonals.
#[inline(always)]
pub(super) fn sliders<V: Vectors>(vectors: V, straight: Bitboard, diagonal: Bitboard) -> V::Rays {
    let (s, d) = (straight.0, diagonal.0);
    vectors.rays([s, s, s, s, d, d, d, d])
}

/// Where what stands on these squares reaches in each direction, up to the first occupied square.
#[inline(always)]
pub(super) fn slide<V: Vectors>(vectors: V, squares: V::Rays, occupied: u64) -> V::Rays {
    let entered = vectors.rays(ENTERED);
    let mut reached = squares;
    let mut free = vectors.and(entered, vectors.rays([!occupied; 8]));
    for length in &LENGTHS {
        let on = vectors.rotate(reached, length);
        reached = vectors.or(reached, vectors.and(free, on));
        free = vectors.and(free, vectors.rotate(free, length));
    }
    vectors.and(entered, vectors.rotate(reached, &LENGTHS[0]))
}

/// Where knights on these squares reach in each direction.
#[inline(always)]
pub(super) fn leap<V: Vectors>(vectors: V, squares: u64) -> V::Rays {
    let reached = vectors.rotate(vectors.rays([squares; 8]), &LEAPS);
    vectors.and(vectors.rays(LEAPT), reached)
}

/// Squares reached along ranks and files, and along diagonals.
#[inline(always)]
pub(super) fn lines<V: Vectors>(vectors: V, rays: V::Rays) -> [u64; 2] {
    let [a, b, c, d, e, f, g, h] = vectors.words(rays);
    [a | b | c | d, e | f | g | h]
}

/// Squares reached at all.
#[inline(always)]
pub(super) fn any<V: Vectors>(vectors: V, rays: V::Rays) -> u64 {
    let [straight, diagonal] = lines(vectors, rays);
    straight | diagonal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::lines::tests::noise, model::vectors::Portable};
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
            assert_eq!(any(Portable, leap(Portable, knights)), by_knights);
        }
        // A piece reaches each square in one direction only.
        let rays = slide(Portable, [1 << 27; 8], 1 << 29 | 1 << 54);
        assert_eq!(
            rays.map(u64::count_ones).iter().sum::<u32>(),
            any(Portable, rays).count_ones()
        );
        let leaps = leap(Portable, 1 << 27);
        assert_eq!(leaps.map(u64::count_ones), [1; 8]);
        assert_eq!(any(Portable, leaps).count_ones(), 8);
    }
}
