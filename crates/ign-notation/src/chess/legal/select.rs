//! Selection without loops: which byte or bit holds the `k`-th of several counted things.
//!
//! How far to search is unpredictable, so a loop would be mispredicted.

use shakmaty::{Bitboard, Square};

use crate::chess::bits::{EVERY_BYTE, bits_by_byte};

/// The maximum sum of the counts that [`find`] takes.
pub(super) const MAX: u32 = 127;

/// Of eight counts, a byte each: which byte (0 is the lowest) holds thing `k`, counted from 0, and
/// its number within that byte. The sum of the counts must be above `k` and at most [`MAX`].
#[inline]
pub(super) fn find(counts: u64, k: u32) -> (u32, u32) {
    const HIGH: u64 = EVERY_BYTE << 7;
    // The bytes of `sums` are prefix sums. With bit 7 set, the bytes that are above `k` keep it
    // after `k + 1` is subtracted.
    let sums = counts.wrapping_mul(EVERY_BYTE);
    let more = ((sums | HIGH) - u64::from(k + 1) * EVERY_BYTE) & HIGH;
    let bit = more.trailing_zeros() & 56;
    let before = (sums << 8 >> bit) & 0xff;
    (bit / 8, k - before as u32)
}

/// By byte: the positions of its set bits, four bits each, the lowest first.
static POSITIONS: [u32; 256] = {
    let mut positions = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                positions[byte] |= bit << (4 * count);
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    positions
};

/// The `k`-th square of a set, counted from 0; the set must have more than `k`.
#[inline]
pub(super) fn nth_square(set: Bitboard, k: u32) -> Square {
    let (rank, k) = find(bits_by_byte(set), k);
    let files = POSITIONS[(set.0 >> (8 * rank) & 0xff) as usize];
    Square::new((8 * rank + (files >> (4 * k) & 7)) & 63)
}
