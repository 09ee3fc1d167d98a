//! Tables of byte shuffles, for both AVX2 and AVX-512.

use super::words::Planes;

/// By number of four bits: the number of bits set times `weight`. Repeated every sixteen bytes,
/// because byte shuffles work on each sixteen bytes separately.
const fn bits_of_four(weight: u8) -> [u8; 64] {
    let mut bits = [0; 64];
    let mut i = 0;
    while i < 64 {
        bits[i] = weight * (i as u8 & 15).count_ones() as u8;
        i += 1;
    }
    bits
}

/// [`bits_of_four`] by plane.
pub(super) static BITS_OF_FOUR: Planes<[u8; 64]> =
    [bits_of_four(1), bits_of_four(2), bits_of_four(4)];

/// A shuffle that copies the lowest byte of each word to all eight bytes.
pub(super) const LOWEST: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = i as u8 & 8;
        i += 1;
    }
    bytes
};
