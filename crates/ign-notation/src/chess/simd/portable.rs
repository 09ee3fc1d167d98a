//! The operations without SIMD instructions.

use shakmaty::Bitboard;

use super::words::{Planes, Rays, Words};
use crate::chess::bits::{EVERY_BYTE, bits_by_byte, spread};

/// [`Words`] for any machine. Compilers that have vectors, such as those of WebAssembly, use them
/// here.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Words for Portable {
    type Rays = Rays;

    fn name(self) -> &'static str {
        "those of any processor"
    }

    #[inline(always)]
    fn rays(self, words: Rays) -> Rays {
        words
    }

    #[inline(always)]
    fn rotate(self, rays: Rays, by: &Rays) -> Rays {
        std::array::from_fn(|i| rays[i].rotate_left(by[i] as u32))
    }

    #[inline(always)]
    fn right(self, rays: Rays, by: u32) -> Rays {
        std::array::from_fn(|i| rays[i] >> (by & 63))
    }

    #[inline(always)]
    fn left(self, rays: Rays, by: u32) -> Rays {
        std::array::from_fn(|i| rays[i] << (by & 63))
    }

    #[inline(always)]
    fn and(self, one: Rays, other: Rays) -> Rays {
        std::array::from_fn(|i| one[i] & other[i])
    }

    #[inline(always)]
    fn or(self, one: Rays, other: Rays) -> Rays {
        std::array::from_fn(|i| one[i] | other[i])
    }

    #[inline(always)]
    fn xor(self, one: Rays, other: Rays) -> Rays {
        std::array::from_fn(|i| one[i] ^ other[i])
    }

    #[inline(always)]
    fn and_where_any(self, one: Rays, other: Rays) -> Rays {
        std::array::from_fn(|i| if other[i] == 0 { 0 } else { one[i] })
    }

    #[inline(always)]
    fn words(self, rays: Rays) -> Rays {
        rays
    }

    #[inline(always)]
    fn has_any(self, rays: Rays) -> bool {
        self.any(rays) != 0
    }

    #[inline(always)]
    fn by_rank(self, [ones, twos, fours]: Planes<Rays>) -> Rays {
        let bits = |word| bits_by_byte(Bitboard(word));
        std::array::from_fn(|i| bits(ones[i]) + 2 * bits(twos[i]) + 4 * bits(fours[i]))
    }

    #[inline(always)]
    fn of_rank(self, [ones, twos, fours]: Planes<Rays>, rank: u32) -> Rays {
        let bits = |word: u64| spread(word >> (8 * (rank & 7)) & 0xff);
        std::array::from_fn(|i| bits(ones[i]) + 2 * bits(twos[i]) + 4 * bits(fours[i]))
    }

    #[inline(always)]
    fn merged(self, rays: Rays) -> u64 {
        rays.into_iter().fold(0, u64::wrapping_add)
    }

    #[inline(always)]
    fn total(self, rays: Rays) -> u32 {
        let of_word = |word: u64| (word.wrapping_mul(EVERY_BYTE) >> 56) as u32;
        rays.into_iter().map(of_word).sum()
    }
}
