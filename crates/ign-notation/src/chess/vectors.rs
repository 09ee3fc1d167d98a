//! Eight words at once, one for each direction that pieces move in: for any machine, for those
//! with AVX2, for those with AVX-512.
//!
//! Whole numbers that cannot overflow: every way to work them out gives the same.

use pulp::cast;
#[cfg(target_arch = "x86_64")]
use pulp::{
    NullaryFnOnce, u8x32, u8x64, u64x4, u64x8,
    x86::{V3, V4},
};

use shakmaty::Bitboard;

use super::pawns::{self, FILES, LOWER};

/// A word for each direction: north, south, east, west, and the diagonals.
pub type Rays = [u64; 8];

/// Counts by direction and square, as planes of bits that count 1, 2 and 4.
pub(super) type Planes<R> = [R; 3];

/// A kind of machine.
pub trait Words: Copy {
    /// Words of each direction.
    type Rays: Copy;

    /// Takes words to hand.
    fn rays(self, words: Rays) -> Self::Rays;

    /// The same word in every direction.
    #[inline(always)]
    fn all(self, word: u64) -> Self::Rays {
        self.rays([word; 8])
    }

    /// Rotates each word to the left by so many bits, at most 63.
    fn rotate(self, rays: Self::Rays, by: &Rays) -> Self::Rays;

    /// Moves the bits of each word to the right by so many, at most 63.
    fn right(self, rays: Self::Rays, by: u32) -> Self::Rays;

    /// Moves the bits of each word to the left by so many, at most 63.
    fn left(self, rays: Self::Rays, by: u32) -> Self::Rays;

    /// The bits in both.
    fn and(self, one: Self::Rays, other: Self::Rays) -> Self::Rays;

    /// The bits in one or in both.
    fn or(self, one: Self::Rays, other: Self::Rays) -> Self::Rays;

    /// The bits in one alone.
    fn xor(self, one: Self::Rays, other: Self::Rays) -> Self::Rays;

    /// The words of one where the other has a bit.
    fn and_where_any(self, one: Self::Rays, other: Self::Rays) -> Self::Rays;

    /// The words at hand.
    fn words(self, rays: Self::Rays) -> Rays;

    /// The counts of all squares of each rank, a byte each, by direction.
    fn by_rank(self, planes: Planes<Self::Rays>) -> Self::Rays;

    /// The counts of each square of one rank, a byte each, by direction.
    fn of_rank(self, planes: Planes<Self::Rays>, rank: u32) -> Self::Rays;

    /// Whether any word has a bit.
    fn has_any(self, rays: Self::Rays) -> bool;

    /// The bits in any word.
    #[inline(always)]
    fn any(self, rays: Self::Rays) -> u64 {
        self.words(rays).iter().fold(0, |all, word| all | word)
    }

    /// The sum of the words, byte by byte. No byte may overflow.
    fn merged(self, rays: Self::Rays) -> u64;

    /// The sum of all bytes. Those of a word must add up to no more than 255.
    fn total(self, rays: Self::Rays) -> u32;
}

/// Work that is compiled for every kind of machine.
pub(super) trait Work {
    /// What comes of it.
    type Output;

    /// Does it.
    fn on(self, vectors: impl Words) -> Self::Output;
}

/// Does work in the way of this machine.
#[inline(always)]
pub(super) fn here<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(vectors) = V4::try_new() {
            return vectors.vectorize(Compiled { work, vectors });
        }
        if let Some(vectors) = V3::try_new() {
            return vectors.vectorize(Compiled { work, vectors });
        }
    }
    work.on(Portable)
}

#[cfg(target_arch = "x86_64")]
struct Compiled<W, V> {
    work: W,
    vectors: V,
}

#[cfg(target_arch = "x86_64")]
impl<W: Work, V: Words> NullaryFnOnce for Compiled<W, V> {
    type Output = W::Output;

    #[inline(always)]
    fn call(self) -> W::Output {
        self.work.on(self.vectors)
    }
}

/// One in each byte.
pub(super) const EVERY_BYTE: u64 = 0x0101_0101_0101_0101;

/// For any machine.
#[derive(Clone, Copy)]
pub struct Portable;

impl Words for Portable {
    type Rays = Rays;

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
        let bits = |word| pawns::bits_by_byte(Bitboard(word));
        std::array::from_fn(|i| bits(ones[i]) + 2 * bits(twos[i]) + 4 * bits(fours[i]))
    }

    fn of_rank(self, [ones, twos, fours]: Planes<Rays>, rank: u32) -> Rays {
        let bits = |word: u64| pawns::spread(word >> (8 * (rank & 7)) & 0xff);
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

/// What the bits of each number of four bits are worth together, over again for every sixteen bytes:
/// these are looked up apart.
const fn bits_of_four(worth: u8) -> [u8; 64] {
    let mut bits = [0; 64];
    let mut i = 0;
    while i < 64 {
        bits[i] = worth * (i as u8 & 15).count_ones() as u8;
        i += 1;
    }
    bits
}
/// The same by plane.
static BITS_OF_FOUR: Planes<[u8; 64]> = [bits_of_four(1), bits_of_four(2), bits_of_four(4)];

/// Picks, for each byte of a word, the lowest.
const LOWEST: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 0;
    while i < 64 {
        bytes[i] = i as u8 & 8;
        i += 1;
    }
    bytes
};

/// Both halves. `array::from_fn` may stay a call, and then knows nothing of the machine's vectors.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn both<T>(half: impl Fn(usize) -> T) -> [T; 2] {
    [half(0), half(1)]
}

#[cfg(target_arch = "x86_64")]
impl Words for V3 {
    type Rays = [u64x4; 2];

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
                let rank = self.shr_dyn_u64x4(plane[i], self.splat_u64x4(u64::from(8 * rank)));
                let rank = self.avx2._mm256_shuffle_epi8(cast(rank), cast(lowest[0]));
                let has = self.cmp_eq_u8x32(self.and_u8x32(cast(rank), files), files);
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

#[cfg(target_arch = "x86_64")]
impl Words for V4 {
    type Rays = u64x8;

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
            let rank = cast(self.right(plane, 8 * rank));
            let rank = self.avx512bw._mm512_shuffle_epi8(rank, cast(LOWEST));
            let has = self.avx512bw._mm512_test_epi8_mask(rank, cast(files));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::lines::tests::noise;

    /// All that words are asked.
    #[derive(Clone, Copy)]
    struct All {
        planes: Planes<Rays>,
        by: u32,
    }

    impl Work for All {
        type Output = (Vec<Rays>, Vec<u64>);

        #[inline(always)]
        fn on(self, vectors: impl Words) -> Self::Output {
            let [a, b, c] = self.planes;
            let (one, other, third) = (vectors.rays(a), vectors.rays(b), vectors.rays(c));
            let planes = [one, other, third];
            let few = vectors.and(one, vectors.and(other, third));
            let rays = [
                vectors.rotate(one, &[1, 63, 8, 56, 7, 57, 9, 0]),
                vectors.right(one, self.by),
                vectors.left(one, self.by),
                few,
                vectors.or(one, other),
                vectors.xor(one, other),
                vectors.and_where_any(one, few),
                vectors.by_rank(planes),
                vectors.of_rank(planes, self.by / 8),
            ];
            let words = [
                u64::from(vectors.has_any(few)),
                vectors.any(few),
                vectors.merged(vectors.of_rank(planes, self.by / 8)),
                vectors.total(vectors.of_rank(planes, self.by / 8)).into(),
            ];
            (rays.map(|rays| vectors.words(rays)).into(), words.into())
        }
    }

    #[test]
    fn every_machine_gives_the_same() {
        let mut random = noise();
        for round in 0..2_000 {
            let mut word = || random() & random() & if round % 4 == 0 { random() & 7 } else { !0 };
            let planes = [[0; 8]; 3].map(|rays: Rays| rays.map(|_| word()));
            let work = All {
                planes,
                by: round % 64,
            };
            let any = work.on(Portable);
            #[cfg(target_arch = "x86_64")]
            {
                let avx2 = V3::try_new();
                avx2.inspect(|&v| assert_eq!(v.vectorize(Compiled { work, vectors: v }), any));
                let avx512 = V4::try_new();
                avx512.inspect(|&v| assert_eq!(v.vectorize(Compiled { work, vectors: v }), any));
            }
            assert_eq!(here(work), any);
            let (rays, words) = any;
            let [by_rank, of_rank] = [rays[7], rays[8]];
            let count = |ray: usize, squares: u64| {
                let bits = |plane: usize| (planes[plane][ray] & squares).count_ones();
                bits(0) + 2 * bits(1) + 4 * bits(2)
            };
            for ray in 0..8 {
                for i in 0..8 {
                    let on_rank = count(ray, 0xff << (8 * i));
                    assert_eq!(u32::from(by_rank[ray].to_le_bytes()[i]), on_rank);
                    let on_square = count(ray, 1 << (round % 64 / 8 * 8 + i as u32));
                    assert_eq!(u32::from(of_rank[ray].to_le_bytes()[i]), on_square);
                }
            }
            let of_rank = (0..8).map(|ray| count(ray, 0xff << (round % 64 / 8 * 8)));
            assert_eq!(words[3], u64::from(of_rank.sum::<u32>()));
        }
    }
}
