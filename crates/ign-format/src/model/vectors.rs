//! What most of the time goes into: for any machine, for those with AVX2, for those with AVX-512.
//!
//! Whole numbers that cannot overflow: every way to work them out gives the same.

#[cfg(target_arch = "x86_64")]
use pulp::{
    cast, i8x32, i8x64, i16x16, i16x32, u8x32, u16x16, u16x32,
    x86::{V3, V4},
};

use super::{
    inputs::Pieces,
    lanes::Lanes,
    parameters::{Aligned, UNITS, WIDTH},
};
use ign_notation::chess::{
    bits,
    simd::{Portable, Words},
};

/// The weights of a row.
pub(super) type Row = Aligned<[i8; WIDTH]>;
/// The weights of an input.
pub(super) type Input = [i8; UNITS];
/// A byte for each square.
pub(super) type Bytes = Aligned<[u8; 64]>;

/// A kind of machine, and what scoring asks of it.
pub(super) trait Vectors: Words {
    /// Activations at hand.
    type Active;

    /// Takes activations to hand, each at most 128.
    fn load(self, active: &[u8; WIDTH]) -> Self::Active;

    /// The squares where these differ.
    fn differ(self, one: &Pieces, other: &Pieces) -> u64;

    /// Units without the weights of inputs that are gone, with those that have come.
    fn change<'p>(
        self,
        units: &[i16; UNITS],
        gone: &[u16],
        come: &[u16],
        weights: impl Fn(u16) -> &'p Input,
    ) -> [i16; UNITS];

    /// The product of activations and a sum of rows, one added after the other; sums beyond a
    /// byte are cut to what it holds.
    fn product<const ROWS: usize>(self, active: &Self::Active, rows: [&Row; ROWS]) -> i32;

    /// All bits set in the bytes of these squares, none in the others.
    fn spread(self, squares: u64) -> Bytes;

    /// The sum of lanes.
    fn sum<const PARTS: usize>(self, parts: [&Lanes; PARTS]) -> Lanes;
}

impl Vectors for Portable {
    type Active = [u8; WIDTH];

    fn load(self, active: &[u8; WIDTH]) -> Self::Active {
        *active
    }

    fn differ(self, one: &Pieces, other: &Pieces) -> u64 {
        let pairs = one.0.iter().zip(&other.0).enumerate();
        pairs.fold(0, |squares, (i, (one, other))| {
            squares | u64::from(one != other) << i
        })
    }

    fn change<'p>(
        self,
        units: &[i16; UNITS],
        gone: &[u16],
        come: &[u16],
        weights: impl Fn(u16) -> &'p Input,
    ) -> [i16; UNITS] {
        let mut units = *units;
        for &input in gone {
            for (unit, &weight) in units.iter_mut().zip(weights(input)) {
                *unit -= i16::from(weight);
            }
        }
        for &input in come {
            for (unit, &weight) in units.iter_mut().zip(weights(input)) {
                *unit += i16::from(weight);
            }
        }
        units
    }

    fn product<const ROWS: usize>(self, active: &Self::Active, rows: [&Row; ROWS]) -> i32 {
        let mut weights = rows[0].0;
        for row in &rows[1..] {
            for (sum, &weight) in weights.iter_mut().zip(&row.0) {
                *sum = sum.saturating_add(weight);
            }
        }
        let products = active.iter().zip(&weights);
        products
            .map(|(&active, &weight)| i32::from(active) * i32::from(weight))
            .sum()
    }

    fn spread(self, squares: u64) -> Bytes {
        let mut bytes = [0; 64];
        let ranks = squares.to_le_bytes();
        for (bytes, rank) in bytes.as_chunks_mut().0.iter_mut().zip(ranks) {
            *bytes = (bits::spread(u64::from(rank)) * 0xff).to_le_bytes();
        }
        Aligned(bytes)
    }

    fn sum<const PARTS: usize>(self, parts: [&Lanes; PARTS]) -> Lanes {
        let lane = |i: usize| {
            parts
                .iter()
                .fold(0u16, |sum, part| sum.wrapping_add(part.0[i]))
        };
        Lanes(std::array::from_fn(lane))
    }
}

#[cfg(target_arch = "x86_64")]
impl Vectors for V3 {
    type Active = Aligned<[i8x32; WIDTH / 32]>;

    #[inline(always)]
    fn load(self, active: &[u8; WIDTH]) -> Self::Active {
        Aligned(cast(*active))
    }

    #[inline(always)]
    fn differ(self, one: &Pieces, other: &Pieces) -> u64 {
        let mut squares = 0;
        let pairs = one
            .0
            .as_chunks::<32>()
            .0
            .iter()
            .zip(other.0.as_chunks::<32>().0);
        for (half, (one, other)) in pairs.enumerate() {
            let [a, b]: [u16x16; 2] = cast(*one);
            let [c, d]: [u16x16; 2] = cast(*other);
            let (low, high) = (self.cmp_eq_u16x16(a, c), self.cmp_eq_u16x16(b, d));
            // Packing takes quarters in turn.
            let same = self.avx2._mm256_packs_epi16(cast(low), cast(high));
            let same = self.avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(same);
            let same = self.avx2._mm256_movemask_epi8(same) as u32;
            squares |= u64::from(!same) << (32 * half);
        }
        squares
    }

    #[inline(always)]
    fn change<'p>(
        self,
        units: &[i16; UNITS],
        gone: &[u16],
        come: &[u16],
        weights: impl Fn(u16) -> &'p Input,
    ) -> [i16; UNITS] {
        // Half of the units at once stay in registers while the inputs go by.
        let mut units: [[i16x16; UNITS / 32]; 2] = cast(*units);
        for (half, units) in units.iter_mut().enumerate() {
            for &input in gone {
                let (weights, _) = weights(input).as_chunks::<{ UNITS / 2 }>();
                let (weights, _) = weights[half].as_chunks::<16>();
                for (unit, &weights) in units.iter_mut().zip(weights) {
                    let weights = self.convert_i8x16_to_i16x16(cast(weights));
                    *unit = self.wrapping_sub_i16x16(*unit, weights);
                }
            }
            for &input in come {
                let (weights, _) = weights(input).as_chunks::<{ UNITS / 2 }>();
                let (weights, _) = weights[half].as_chunks::<16>();
                for (unit, &weights) in units.iter_mut().zip(weights) {
                    let weights = self.convert_i8x16_to_i16x16(cast(weights));
                    *unit = self.wrapping_add_i16x16(*unit, weights);
                }
            }
        }
        cast(units)
    }

    #[inline(always)]
    fn product<const ROWS: usize>(self, active: &Self::Active, rows: [&Row; ROWS]) -> i32 {
        let ones = self.splat_i16x16(1);
        let mut sum = self.splat_i32x8(0);
        for (part, &active) in active.0.iter().enumerate() {
            let mut weights = cast(rows[0].0.as_chunks::<32>().0[part]);
            for row in &rows[1..] {
                let more = cast(row.0.as_chunks::<32>().0[part]);
                weights = self.avx2._mm256_adds_epi8(weights, more);
            }
            // Two products of at most 128 times a byte: 16 bits hold just that.
            let pairs = self.multiply_saturating_add_adjacent_i8x32(active, cast(weights));
            let fours = self.multiply_wrapping_add_adjacent_i16x16(pairs, ones);
            sum = self.wrapping_add_i32x8(sum, fours);
        }
        let lanes: [i32; 8] = cast(sum);
        lanes.iter().sum()
    }

    #[inline(always)]
    fn spread(self, squares: u64) -> Bytes {
        // Each byte gets the byte of its rank, and keeps the bit of its file.
        const RANKS: [[u8; 32]; 2] = {
            let mut ranks = [[0; 32]; 2];
            let mut square = 0;
            while square < 64 {
                ranks[square / 32][square % 32] = square as u8 / 8;
                square += 1;
            }
            ranks
        };
        let all: u8x32 = cast(self.splat_u64x4(squares));
        let files: u8x32 = cast(self.splat_u64x4(0x8040_2010_0804_0201));
        let mut halves = [files; 2];
        for (half, ranks) in halves.iter_mut().zip(RANKS) {
            let ranks = self.avx2._mm256_shuffle_epi8(cast(all), cast(ranks));
            let bits = self.and_u8x32(cast(ranks), files);
            *half = cast(self.cmp_eq_u8x32(bits, files));
        }
        Aligned(cast(halves))
    }

    #[inline(always)]
    fn sum<const PARTS: usize>(self, parts: [&Lanes; PARTS]) -> Lanes {
        let mut sum = cast(parts[0].0);
        for part in &parts[1..] {
            sum = self.wrapping_add_u16x16(sum, cast(part.0));
        }
        Lanes(cast(sum))
    }
}

#[cfg(target_arch = "x86_64")]
impl Vectors for V4 {
    type Active = Aligned<[i8x64; WIDTH / 64]>;

    #[inline(always)]
    fn load(self, active: &[u8; WIDTH]) -> Self::Active {
        Aligned(cast(*active))
    }

    #[inline(always)]
    fn differ(self, one: &Pieces, other: &Pieces) -> u64 {
        let [a, b]: [u16x32; 2] = cast(one.0);
        let [c, d]: [u16x32; 2] = cast(other.0);
        let differ = |one, other| {
            self.avx512bw
                ._mm512_cmpneq_epu16_mask(cast(one), cast(other))
        };
        u64::from(differ(a, c)) | u64::from(differ(b, d)) << 32
    }

    #[inline(always)]
    fn change<'p>(
        self,
        units: &[i16; UNITS],
        gone: &[u16],
        come: &[u16],
        weights: impl Fn(u16) -> &'p Input,
    ) -> [i16; UNITS] {
        let mut units: [i16x32; UNITS / 32] = cast(*units);
        for &input in gone {
            let weights = weights(input).as_chunks::<32>().0;
            for (unit, &weights) in units.iter_mut().zip(weights) {
                let weights = self.avx512bw._mm512_cvtepi8_epi16(cast(weights));
                *unit = cast(self.avx512bw._mm512_sub_epi16(cast(*unit), weights));
            }
        }
        for &input in come {
            let weights = weights(input).as_chunks::<32>().0;
            for (unit, &weights) in units.iter_mut().zip(weights) {
                let weights = self.avx512bw._mm512_cvtepi8_epi16(cast(weights));
                *unit = cast(self.avx512bw._mm512_add_epi16(cast(*unit), weights));
            }
        }
        cast(units)
    }

    #[inline(always)]
    fn product<const ROWS: usize>(self, active: &Self::Active, rows: [&Row; ROWS]) -> i32 {
        let ones = self.splat_i16x32(1);
        let mut sum = self.avx512f._mm512_setzero_si512();
        for (part, &active) in active.0.iter().enumerate() {
            let mut weights = cast(rows[0].0.as_chunks::<64>().0[part]);
            for row in &rows[1..] {
                let more = cast(row.0.as_chunks::<64>().0[part]);
                weights = self.avx512bw._mm512_adds_epi8(weights, more);
            }
            let pairs = self.multiply_saturating_add_adjacent_i8x64(active, cast(weights));
            let fours = self.multiply_wrapping_add_adjacent_i16x32(pairs, ones);
            sum = self.avx512f._mm512_add_epi32(sum, cast(fours));
        }
        self.avx512f._mm512_reduce_add_epi32(sum)
    }

    #[inline(always)]
    fn spread(self, squares: u64) -> Bytes {
        Aligned(cast(self.avx512bw._mm512_movm_epi8(squares)))
    }

    #[inline(always)]
    fn sum<const PARTS: usize>(self, parts: [&Lanes; PARTS]) -> Lanes {
        Vectors::sum(*self, parts)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// What the vectors of this machine give is what those of any give.
    fn agree<T: PartialEq + std::fmt::Debug>(
        any: &T,
        avx2: impl Fn(V3) -> T,
        avx512: impl Fn(V4) -> T,
    ) {
        V3::try_new().inspect(|&vectors| assert_eq!(&avx2(vectors), any));
        V4::try_new().inspect(|&vectors| assert_eq!(&avx512(vectors), any));
    }

    #[test]
    fn rows_add_up_to_what_a_byte_holds() {
        let row = |weight| Aligned([weight; WIDTH]);
        let product = |rows: [i8; 3], active: u8| {
            let [a, b, c] = rows.map(row);
            let rows = [&a, &b, &c];
            let active = [active; WIDTH];
            let any = Portable.product(&Portable.load(&active), rows);
            agree(
                &any,
                |vectors| vectors.product(&vectors.load(&active), rows),
                |vectors| vectors.product(&vectors.load(&active), rows),
            );
            any / WIDTH as i32
        };
        assert_eq!(product([1, 2, 3], 5), 30);
        assert_eq!(product([100, 27, 0], 128), 127 * 128);
        // What is beyond is lost before the next row is added.
        assert_eq!(product([100, 28, -1], 128), 126 * 128);
        assert_eq!(product([-100, -100, 1], 128), -127 * 128);
        assert_eq!(product([-100, -28, 0], 128), -128 * 128);
    }

    #[test]
    fn squares_are_spread_in_order() {
        let mut squares = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..100 {
            squares = squares.rotate_left(7).wrapping_mul(0xd6e8_feb8_6659_fd93);
            let any = Portable.spread(squares).0;
            for (square, byte) in any.into_iter().enumerate() {
                assert_eq!(byte, if squares >> square & 1 == 1 { 0xff } else { 0 });
            }
            agree(
                &any,
                |vectors| vectors.spread(squares).0,
                |vectors| vectors.spread(squares).0,
            );
        }
    }

    #[test]
    fn differences_and_changes_are_those_of_any_machine() {
        let mut seed = 5u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as u16
        };
        let one = Aligned(std::array::from_fn(|_| random()));
        for _ in 0..50 {
            let mut other = one;
            for _ in 0..random() % 20 {
                other.0[usize::from(random() % 64)] ^= 1 << (random() % 16);
            }
            let any = Portable.differ(&one, &other);
            for i in 0..64 {
                assert_eq!(any >> i & 1 == 1, one.0[i] != other.0[i]);
            }
            agree(
                &any,
                |vectors| vectors.differ(&one, &other),
                |vectors| vectors.differ(&one, &other),
            );
        }
        let weights: Vec<Input> = (0..8)
            .map(|_| std::array::from_fn(|_| random() as i8))
            .collect();
        let weights = |input: u16| &weights[usize::from(input)];
        let units = std::array::from_fn(|_| random() as i16 / 4);
        let (gone, come) = ([1, 5, 2], [0, 7]);
        let any = Portable.change(&units, &gone, &come, weights);
        agree(
            &any,
            |vectors| vectors.change(&units, &gone, &come, weights),
            |vectors| vectors.change(&units, &gone, &come, weights),
        );
    }
}
