//! The operations with AVX2: eight words in two registers.

use pulp::{cast, u8x32, u64x4, x86::V3};

use super::{
    tables::{BITS_OF_FOUR, LOWEST},
    words::{Planes, Rays, Words},
};
use crate::chess::bits::{FILES, LOWER};

/// Both halves. `array::from_fn` may remain a call, which is compiled without AVX2.
#[inline(always)]
fn both<T>(half: impl Fn(usize) -> T) -> [T; 2] {
    [half(0), half(1)]
}

impl Words for V3 {
    type Rays = [u64x4; 2];

    fn name(self) -> &'static str {
        "AVX2"
    }

    #[inline(always)]
    fn rays(self, words: Rays) -> Self::Rays {
        cast(words)
    }

    #[inline(always)]
    fn rotate(self, rays: Self::Rays, by: &Rays) -> Self::Rays {
        let by: [u64x4; 2] = cast(*by);
        both(|i| {
            let back = self.wrapping_sub_u64x4(self.splat_u64x4(64), by[i]);
            let high = self.shl_dyn_u64x4(rays[i], by[i]);
            self.or_u64x4(high, self.shr_dyn_u64x4(rays[i], back))
        })
    }

    #[inline(always)]
    fn right(self, rays: Self::Rays, by: u32) -> Self::Rays {
        let by = self.splat_u64x4(u64::from(by));
        both(|i| self.shr_dyn_u64x4(rays[i], by))
    }

    #[inline(always)]
    fn left(self, rays: Self::Rays, by: u32) -> Self::Rays {
        let by = self.splat_u64x4(u64::from(by));
        both(|i| self.shl_dyn_u64x4(rays[i], by))
    }

    #[inline(always)]
    fn and(self, one: Self::Rays, other: Self::Rays) -> Self::Rays {
        both(|i| self.and_u64x4(one[i], other[i]))
    }

    #[inline(always)]
    fn or(self, one: Self::Rays, other: Self::Rays) -> Self::Rays {
        both(|i| self.or_u64x4(one[i], other[i]))
    }

    #[inline(always)]
    fn xor(self, one: Self::Rays, other: Self::Rays) -> Self::Rays {
        both(|i| self.xor_u64x4(one[i], other[i]))
    }

    #[inline(always)]
    fn and_where_any(self, one: Self::Rays, other: Self::Rays) -> Self::Rays {
        both(|i| {
            let none = self.cmp_eq_u64x4(other[i], self.splat_u64x4(0));
            cast(self.avx2._mm256_andnot_si256(cast(none), cast(one[i])))
        })
    }

    #[inline(always)]
    fn words(self, rays: Self::Rays) -> Rays {
        cast(rays)
    }

    #[inline(always)]
    fn has_any(self, rays: Self::Rays) -> bool {
        let all = cast(self.or_u64x4(rays[0], rays[1]));
        self.avx._mm256_testz_si256(all, all) == 0
    }

    #[inline(always)]
    fn by_rank(self, planes: Planes<Self::Rays>) -> Self::Rays {
        let lower = self.splat_u64x4(LOWER);
        both(|i| {
            let mut sum = self.splat_u8x32(0);
            for (plane, bits) in planes.iter().zip(&BITS_OF_FOUR) {
                let bits: [u8x32; 2] = cast(*bits);
                let high = self.avx2._mm256_srli_epi64::<4>(cast(plane[i]));
                for four in [plane[i], cast(high)] {
                    let four = cast(self.and_u64x4(four, lower));
                    let count = self.avx2._mm256_shuffle_epi8(cast(bits[0]), four);
                    sum = self.wrapping_add_u8x32(sum, cast(count));
                }
            }
            cast(sum)
        })
    }

    #[inline(always)]
    fn of_rank(self, planes: Planes<Self::Rays>, rank: u32) -> Self::Rays {
        let files: u8x32 = cast(self.splat_u64x4(FILES));
        let lowest: [u8x32; 2] = cast(LOWEST);
        both(|i| {
            let mut sum = self.splat_u8x32(0);
            for (number, plane) in planes.iter().enumerate() {
                let shifted = self.shr_dyn_u64x4(plane[i], self.splat_u64x4(u64::from(8 * rank)));
                let spread = self
                    .avx2
                    ._mm256_shuffle_epi8(cast(shifted), cast(lowest[0]));
                let has = self.cmp_eq_u8x32(self.and_u8x32(cast(spread), files), files);
                let worth = self.splat_u8x32(1 << number);
                sum = self.wrapping_add_u8x32(sum, self.and_u8x32(cast(has), worth));
            }
            cast(sum)
        })
    }

    #[inline(always)]
    fn merged(self, rays: Self::Rays) -> u64 {
        let [one, other]: [u8x32; 2] = cast(rays);
        let words: [u64; 4] = cast(self.wrapping_add_u8x32(one, other));
        words.into_iter().fold(0, u64::wrapping_add)
    }

    #[inline(always)]
    fn total(self, rays: Self::Rays) -> u32 {
        let zero = self.avx._mm256_setzero_si256();
        let of_words = |rays| self.avx2._mm256_sad_epu8(cast(rays), zero);
        let words: [u64; 4] =
            cast(self.wrapping_add_u64x4(cast(of_words(rays[0])), cast(of_words(rays[1]))));
        words.iter().sum::<u64>() as u32
    }
}
