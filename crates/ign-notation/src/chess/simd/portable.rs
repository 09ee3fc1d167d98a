//! The operations without SIMD instructions.

use shakmaty::Bitboard;

use super::words::{Planes, Rays, Words};
use crate::chess::bits::{EVERY_BYTE, bits_by_byte, spread};

/// [`Words`] for any machine.
#[derive(Debug, Clone, Copy)]
pub struct Portable;

impl Words for Portable {
    type Rays = Rays;

    fn name(self) -> &'static str {
        "those of any processor"
    }

    fn rays(self, words: Rays) -> Rays {
        words
    }

    fn rotate(self, rays: Rays, by: &Rays) -> Rays {
        std::array::from_fn(|i| rays[i].rotate_left(by[i] as u32))
    }

    fn right(self, rays: Rays, by: u32) -> Rays {
        std::array::from_fn(|i| rays[i] >> (by & 63))
    }

    fn left(self, rays: Rays, by: u32) -> Rays {
        std::array::from_fn(|i| rays[i] << (by & 63))
    }

    fn and(self, one: Rays, other: Rays) -> Rays {
        std::array::from_fn(|i| one[i] & other[i])
    }

    fn or(self, one: Rays, other: Rays) -> Rays {
        std::array::from_fn(|i| one[i] | other[i])
    }

    fn xor(self, one: Rays, other: Rays) -> Rays {
        std::array::from_fn(|i| one[i] ^ other[i])
    }

    fn and_where_any(self, one: Rays, other: Rays) -> Rays {
        std::array::from_fn(|i| if other[i] == 0 { 0 } else { one[i] })
    }

    fn words(self, rays: Rays) -> Rays {
        rays
    }

    fn has_any(self, rays: Rays) -> bool {
        self.any(rays) != 0
    }

    fn by_rank(self, [ones, twos, fours]: Planes<Rays>) -> Rays {
        let bits = |word| bits_by_byte(Bitboard(word));
        std::array::from_fn(|i| bits(ones[i]) + 2 * bits(twos[i]) + 4 * bits(fours[i]))
    }

    fn of_rank(self, [ones, twos, fours]: Planes<Rays>, rank: u32) -> Rays {
        let bits = |word: u64| spread(word >> (8 * (rank & 7)) & 0xff);
        std::array::from_fn(|i| bits(ones[i]) + 2 * bits(twos[i]) + 4 * bits(fours[i]))
    }

    fn merged(self, rays: Rays) -> u64 {
        rays.into_iter().fold(0, u64::wrapping_add)
    }

    fn total(self, rays: Rays) -> u32 {
        let of_word = |word: u64| (word.wrapping_mul(EVERY_BYTE) >> 56) as u32;
        rays.into_iter().map(of_word).sum()
    }
}
