//! The operations with AVX-512: eight words in one register.

use pulp::{cast, u8x32, u8x64, u64x8, x86::V4};

use super::{
    tables::{BITS_OF_FOUR, LOWEST},
    words::{Planes, Rays, Words},
};
use crate::chess::bits::{FILES, LOWER};

impl Words for V4 {
    type Rays = u64x8;

    fn name(self) -> &'static str {
        "AVX-512"
    }

    #[inline(always)]
    fn rays(self, words: Rays) -> Self::Rays {
        cast(words)
    }

    #[inline(always)]
    fn rotate(self, rays: Self::Rays, by: &Rays) -> Self::Rays {
        cast(self.avx512f._mm512_rolv_epi64(cast(rays), cast(*by)))
    }

    #[inline(always)]
    fn right(self, rays: Self::Rays, by: u32) -> Self::Rays {
        let by = cast(self.splat_u64x8(u64::from(by)));
        cast(self.avx512f._mm512_srlv_epi64(cast(rays), by))
    }

    #[inline(always)]
    fn left(self, rays: Self::Rays, by: u32) -> Self::Rays {
        let by = cast(self.splat_u64x8(u64::from(by)));
        cast(self.avx512f._mm512_sllv_epi64(cast(rays), by))
    }

    #[inline(always)]
    fn and(self, one: Self::Rays, other: Self::Rays) -> Self::Rays {
        self.and_u64x8(one, other)
    }

    #[inline(always)]
    fn or(self, one: Self::Rays, other: Self::Rays) -> Self::Rays {
        self.or_u64x8(one, other)
    }

    #[inline(always)]
    fn xor(self, one: Self::Rays, other: Self::Rays) -> Self::Rays {
        self.xor_u64x8(one, other)
    }

    #[inline(always)]
    fn and_where_any(self, one: Self::Rays, other: Self::Rays) -> Self::Rays {
        let has = self
            .avx512f
            ._mm512_test_epi64_mask(cast(other), cast(other));
        cast(self.avx512f._mm512_maskz_mov_epi64(has, cast(one)))
    }

    #[inline(always)]
    fn words(self, rays: Self::Rays) -> Rays {
        cast(rays)
    }

    #[inline(always)]
    fn has_any(self, rays: Self::Rays) -> bool {
        self.avx512f._mm512_test_epi64_mask(cast(rays), cast(rays)) != 0
    }

    #[inline(always)]
    fn by_rank(self, planes: Planes<Self::Rays>) -> Self::Rays {
        let lower = self.splat_u64x8(LOWER);
        let mut sum = self.splat_u8x64(0);
        for (plane, bits) in planes.into_iter().zip(BITS_OF_FOUR) {
            let high = self.avx512f._mm512_srli_epi64::<4>(cast(plane));
            for four in [plane, cast(high)] {
                let four = self.and_u64x8(four, lower);
                let count = self.avx512bw._mm512_shuffle_epi8(cast(bits), cast(four));
                sum = self.wrapping_add_u8x64(sum, cast(count));
            }
        }
        cast(sum)
    }

    #[inline(always)]
    fn of_rank(self, planes: Planes<Self::Rays>, rank: u32) -> Self::Rays {
        let files: u8x64 = cast(self.splat_u64x8(FILES));
        let mut sum = self.splat_u8x64(0);
        for (number, plane) in planes.into_iter().enumerate() {
            let shifted = cast(self.right(plane, 8 * rank));
            let spread = self.avx512bw._mm512_shuffle_epi8(shifted, cast(LOWEST));
            let has = self.avx512bw._mm512_test_epi8_mask(spread, cast(files));
            let worth = self.splat_u8x64(1 << number);
            let more = self
                .avx512bw
                ._mm512_mask_add_epi8(cast(sum), has, cast(sum), cast(worth));
            sum = cast(more);
        }
        cast(sum)
    }

    #[inline(always)]
    fn any(self, rays: Self::Rays) -> u64 {
        self.avx512f._mm512_reduce_or_epi64(cast(rays)) as u64
    }

    #[inline(always)]
    fn merged(self, rays: Self::Rays) -> u64 {
        let [low, high]: [u8x32; 2] = cast(rays);
        let words: [u64; 4] = cast(self.wrapping_add_u8x32(low, high));
        words.into_iter().fold(0, u64::wrapping_add)
    }

    #[inline(always)]
    fn total(self, rays: Self::Rays) -> u32 {
        let zero = self.avx512f._mm512_setzero_si512();
        let of_words = self.avx512bw._mm512_sad_epu8(cast(rays), zero);
        self.avx512f._mm512_reduce_add_epi64(of_words) as u32
    }
}
