//! One square of many, every one as likely as the next.
//!
//! Picking happens a few times a ply, and going through the squares up to a random one would
//! surprise the processor every time; so the square is found by sums over bytes, without loops.

use shakmaty::{Bitboard, Square};

use super::random::Random;

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The high bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Where in a byte its set bit with a certain rank is.
static IN_BYTE: [[u8; 8]; 256] = in_byte();

const fn in_byte() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][rank] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// One of the squares, of which there must be some.
#[inline]
pub fn pick(squares: Bitboard, random: &mut Random) -> Square {
    let sums = sums(squares.0);
    let rank = random.below((sums >> 56) as u32);
    select(squares.0, sums, u64::from(rank))
}

/// In each byte, how many bits are set in it and the lower ones.
#[inline]
const fn sums(bits: u64) -> u64 {
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES)
}

/// The square of the set bit that has `rank` others below it.
#[inline]
fn select(bits: u64, sums: u64, rank: u64) -> Square {
    // A byte keeps its high bit when the sum up to it does not exceed the rank.
    let passed = ((((rank * ONES) | HIGH) - sums) & HIGH) >> 7;
    let shift = passed.wrapping_mul(ONES) >> 56 << 3 & 63;
    let before = sums << 8 >> shift & 255;
    let byte = bits >> shift & 255;
    let bit = IN_BYTE[byte as usize][(rank.wrapping_sub(before) & 7) as usize];
    Square::new(shift as u32 | u32::from(bit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_selects_its_square() {
        let mut random = Random::new(1, 1);
        let sets = (0..2000).map(|i| match i % 4 {
            0 => random.bits(),
            1 => random.bits() & random.bits() & random.bits(),
            2 => 1 << (random.bits() & 63),
            _ => u64::MAX << (random.bits() & 63),
        });
        for bits in sets.filter(|&bits| bits != 0) {
            for (rank, square) in Bitboard(bits).into_iter().enumerate() {
                assert_eq!(
                    select(bits, sums(bits), rank as u64),
                    square,
                    "{bits:x} {rank}"
                );
            }
        }
    }
}
