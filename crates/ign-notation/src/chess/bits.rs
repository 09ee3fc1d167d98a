//! Bit and byte operations on bitboards: eight ranks as the eight bytes of a word.

use shakmaty::Bitboard;

/// The squares of the a-file.
pub const FILE_A: u64 = 0x0101_0101_0101_0101;
/// The squares of the h-file.
pub const FILE_H: u64 = FILE_A << 7;

/// The byte 1 in every byte: multiplying by it gives prefix sums of bytes.
pub(super) const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;

/// The lower half of each byte.
pub(super) const LOWER: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// Byte `i` has bit `i` set: a different file in each byte.
pub(super) const FILES: u64 = 0x8040_2010_0804_0201;

/// The number of bits set in each half of a byte.
#[inline]
fn bits_by_nibble(Bitboard(word): Bitboard) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333)
}

/// The number of bits set in each byte.
#[inline]
pub(super) fn bits_by_byte(set: Bitboard) -> u64 {
    let fours = bits_by_nibble(set);
    (fours + (fours >> 4)) & LOWER
}

/// The eight bits of a byte as bytes of 0 or 1, the lowest bit first.
#[inline]
pub fn spread(byte: u64) -> u64 {
    // Each byte keeps a different bit; adding 127 carries it to the top of the byte.
    let bits = byte.wrapping_mul(FILE_A) & FILES;
    (bits + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & FILE_A
}
