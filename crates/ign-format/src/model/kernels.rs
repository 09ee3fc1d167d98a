//! SIMD kernels for the hot loops of scoring, in three versions: portable, AVX2 and AVX-512.
//!
//! All are integer arithmetic that cannot overflow, so the versions give identical results.

#[cfg(target_arch = "x86_64")]
use pulp::{
    cast, i8x32, i8x64, i16x16, i16x32, u8x32, u16x16, u16x32,
    x86::{V3, V4},
};

use super::{
    aligned::Aligned,
    index_lanes::Lanes,
    shape::{ACTIVATIONS, HIDDEN_UNITS},
};
use ign_notation::chess::{
    bits,
    simd::{Portable, Words},
};

/// A row of the output table.
pub(super) type OutputRow = Aligned<[i8; ACTIVATIONS]>;
/// The weights of an input in the hidden units.
pub(super) type Embedding = [i8; HIDDEN_UNITS];
/// A byte for each square.
pub(super) type Bytes = Aligned<[u8; 64]>;
/// The input of the piece on each square.
pub(super) type PieceInputs = Aligned<[u16; 64]>;

/// The kernels of one instruction set.
pub(super) trait Kernels: Words {
    /// Activations in registers.
    type Activations;

    /// Loads activations, each at most 128.
    fn load(self, activations: &[u8; ACTIVATIONS]) -> Self::Activations;

    /// The squares whose inputs differ.
    fn differences(self, one: &PieceInputs, other: &PieceInputs) -> u64;

    /// Hidden units after the embeddings of some inputs are subtracted and of others added.
    fn update<'p>(
        self,
        units: &[i16; HIDDEN_UNITS],
        removed: &[u16],
        added: &[u16],
        embedding: impl Fn(u16) -> &'p Embedding,
    ) -> [i16; HIDDEN_UNITS];

    /// The dot product of the activations and the sum of some rows. The rows are added in order,
    /// with saturation to 8 bits after each.
    fn dot<const N: usize>(self, activations: &Self::Activations, rows: [&OutputRow; N]) -> i32;

    /// A mask of bytes: 0xff for these squares, 0 for the others.
    fn spread(self, squares: u64) -> Bytes;

    /// The sum of terms in each lane, modulo 2^16.
    fn add_lanes<const PARTS: usize>(self, parts: [&Lanes; PARTS]) -> Lanes;
}

impl Kernels for Portable {
    type Activations = [u8; ACTIVATIONS];

    #[inline(always)]
    fn load(self, activations: &[u8; ACTIVATIONS]) -> Self::Activations {
        *activations
    }

    #[inline(always)]
    fn differences(self, one: &PieceInputs, other: &PieceInputs) -> u64 {
        let pairs = one.0.iter().zip(&other.0).enumerate();
        pairs.fold(0, |squares, (i, (one, other))| {
            squares | u64::from(one != other) << i
        })
    }

    #[inline(always)]
    fn update<'p>(
        self,
        units: &[i16; HIDDEN_UNITS],
        removed: &[u16],
        added: &[u16],
        embedding: impl Fn(u16) -> &'p Embedding,
    ) -> [i16; HIDDEN_UNITS] {
        let mut units = *units;
        for &input in removed {
            for (unit, &weight) in units.iter_mut().zip(embedding(input)) {
                *unit -= i16::from(weight);
            }
        }
        for &input in added {
            for (unit, &weight) in units.iter_mut().zip(embedding(input)) {
                *unit += i16::from(weight);
            }
        }
        units
    }

    #[inline(always)]
    fn dot<const N: usize>(self, activations: &Self::Activations, rows: [&OutputRow; N]) -> i32 {
        let mut weights = rows[0].0;
        for row in &rows[1..] {
            for (sum, &weight) in weights.iter_mut().zip(&row.0) {
                *sum = sum.saturating_add(weight);
            }
        }
        // A product, at most 128 · 127 or 128 · −128 in magnitude, fits in 16 bits.
        let products = activations.iter().zip(&weights);
        products
            .map(|(&activation, &weight)| i32::from(i16::from(activation) * i16::from(weight)))
            .sum()
    }

    #[inline(always)]
    fn spread(self, squares: u64) -> Bytes {
        let mut bytes = [0; 64];
        let ranks = squares.to_le_bytes();
        for (bytes, rank) in bytes.as_chunks_mut().0.iter_mut().zip(ranks) {
            *bytes = (bits::spread(u64::from(rank)) * 0xff).to_le_bytes();
        }
        Aligned(bytes)
    }

    #[inline(always)]
    fn add_lanes<const PARTS: usize>(self, parts: [&Lanes; PARTS]) -> Lanes {
        let lane = |i: usize| {
            parts
                .iter()
                .fold(0u16, |sum, part| sum.wrapping_add(part.0[i]))
        };
        Lanes(std::array::from_fn(lane))
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernels for V3 {
    type Activations = Aligned<[i8x32; ACTIVATIONS / 32]>;

    #[inline(always)]
    fn load(self, activations: &[u8; ACTIVATIONS]) -> Self::Activations {
        Aligned(cast(*activations))
    }

    #[inline(always)]
    fn differences(self, one: &PieceInputs, other: &PieceInputs) -> u64 {
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
            // Packing interleaves the quarters of its operands; restore their order.
            let packed = self.avx2._mm256_packs_epi16(cast(low), cast(high));
            let ordered = self.avx2._mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
            let same = self.avx2._mm256_movemask_epi8(ordered) as u32;
            squares |= u64::from(!same) << (32 * half);
        }
        squares
    }

    #[inline(always)]
    fn update<'p>(
        self,
        units: &[i16; HIDDEN_UNITS],
        removed: &[u16],
        added: &[u16],
        embedding: impl Fn(u16) -> &'p Embedding,
    ) -> [i16; HIDDEN_UNITS] {
        // Half of the units fit in the registers, so there are two passes over the inputs.
        let mut units: [[i16x16; HIDDEN_UNITS / 32]; 2] = cast(*units);
        for (half, units) in units.iter_mut().enumerate() {
            for &input in removed {
                let (weights, _) = embedding(input).as_chunks::<{ HIDDEN_UNITS / 2 }>();
                let (weights, _) = weights[half].as_chunks::<16>();
                for (unit, &weights) in units.iter_mut().zip(weights) {
                    let weights = self.convert_i8x16_to_i16x16(cast(weights));
                    *unit = self.wrapping_sub_i16x16(*unit, weights);
                }
            }
            for &input in added {
                let (weights, _) = embedding(input).as_chunks::<{ HIDDEN_UNITS / 2 }>();
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
    fn dot<const N: usize>(self, activations: &Self::Activations, rows: [&OutputRow; N]) -> i32 {
        let ones = self.splat_i16x16(1);
        let mut sum = self.splat_i32x8(0);
        for (part, &activations) in activations.0.iter().enumerate() {
            let mut weights = cast(rows[0].0.as_chunks::<32>().0[part]);
            for row in &rows[1..] {
                let more = cast(row.0.as_chunks::<32>().0[part]);
                weights = self.avx2._mm256_adds_epi8(weights, more);
            }
            // The sum of two products, each at most 128 · 127 in magnitude or 128 · −128, fits in
            // 16 bits without saturation.
            let pairs = self.multiply_saturating_add_adjacent_i8x32(activations, cast(weights));
            let fours = self.multiply_wrapping_add_adjacent_i16x16(pairs, ones);
            sum = self.wrapping_add_i32x8(sum, fours);
        }
        let lanes: [i32; 8] = cast(sum);
        lanes.iter().sum()
    }

    #[inline(always)]
    fn spread(self, squares: u64) -> Bytes {
        // Each byte receives the byte of its rank and is tested for the bit of its file.
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
    fn add_lanes<const PARTS: usize>(self, parts: [&Lanes; PARTS]) -> Lanes {
        let mut sum = cast(parts[0].0);
        for part in &parts[1..] {
            sum = self.wrapping_add_u16x16(sum, cast(part.0));
        }
        Lanes(cast(sum))
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernels for V4 {
    type Activations = Aligned<[i8x64; ACTIVATIONS / 64]>;

    #[inline(always)]
    fn load(self, activations: &[u8; ACTIVATIONS]) -> Self::Activations {
        Aligned(cast(*activations))
    }

    #[inline(always)]
    fn differences(self, one: &PieceInputs, other: &PieceInputs) -> u64 {
        let [a, b]: [u16x32; 2] = cast(one.0);
        let [c, d]: [u16x32; 2] = cast(other.0);
        let differ = |one, other| {
            self.avx512bw
                ._mm512_cmpneq_epu16_mask(cast(one), cast(other))
        };
        u64::from(differ(a, c)) | u64::from(differ(b, d)) << 32
    }

    #[inline(always)]
    fn update<'p>(
        self,
        units: &[i16; HIDDEN_UNITS],
        removed: &[u16],
        added: &[u16],
        embedding: impl Fn(u16) -> &'p Embedding,
    ) -> [i16; HIDDEN_UNITS] {
        let mut units: [i16x32; HIDDEN_UNITS / 32] = cast(*units);
        for &input in removed {
            let weights = embedding(input).as_chunks::<32>().0;
            for (unit, &weights) in units.iter_mut().zip(weights) {
                let weights = self.avx512bw._mm512_cvtepi8_epi16(cast(weights));
                *unit = cast(self.avx512bw._mm512_sub_epi16(cast(*unit), weights));
            }
        }
        for &input in added {
            let weights = embedding(input).as_chunks::<32>().0;
            for (unit, &weights) in units.iter_mut().zip(weights) {
                let weights = self.avx512bw._mm512_cvtepi8_epi16(cast(weights));
                *unit = cast(self.avx512bw._mm512_add_epi16(cast(*unit), weights));
            }
        }
        cast(units)
    }

    #[inline(always)]
    fn dot<const N: usize>(self, activations: &Self::Activations, rows: [&OutputRow; N]) -> i32 {
        let ones = self.splat_i16x32(1);
        let mut sum = self.avx512f._mm512_setzero_si512();
        for (part, &activations) in activations.0.iter().enumerate() {
            let mut weights = cast(rows[0].0.as_chunks::<64>().0[part]);
            for row in &rows[1..] {
                let more = cast(row.0.as_chunks::<64>().0[part]);
                weights = self.avx512bw._mm512_adds_epi8(weights, more);
            }
            let pairs = self.multiply_saturating_add_adjacent_i8x64(activations, cast(weights));
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
    fn add_lanes<const PARTS: usize>(self, parts: [&Lanes; PARTS]) -> Lanes {
        Kernels::add_lanes(*self, parts)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// Asserts that the kernels that this machine supports give the portable result.
    fn assert_agree<T: PartialEq + std::fmt::Debug>(
        portable: &T,
        avx2: impl Fn(V3) -> T,
        avx512: impl Fn(V4) -> T,
    ) {
        V3::try_new().inspect(|&simd| assert_eq!(&avx2(simd), portable));
        V4::try_new().inspect(|&simd| assert_eq!(&avx512(simd), portable));
    }

    #[test]
    fn dot_saturates_sums_of_rows_to_a_byte() {
        let row = |weight| Aligned([weight; ACTIVATIONS]);
        let product = |rows: [i8; 3], activations: u8| {
            let [a, b, c] = rows.map(row);
            let rows = [&a, &b, &c];
            let activations = [activations; ACTIVATIONS];
            let portable = Portable.dot(&Portable.load(&activations), rows);
            assert_agree(
                &portable,
                |simd| simd.dot(&simd.load(&activations), rows),
                |simd| simd.dot(&simd.load(&activations), rows),
            );
            portable / ACTIVATIONS as i32
        };
        assert_eq!(product([1, 2, 3], 5), 30);
        assert_eq!(product([100, 27, 0], 128), 127 * 128);
        // Saturation happens before the next row is added.
        assert_eq!(product([100, 28, -1], 128), 126 * 128);
        assert_eq!(product([-100, -100, 1], 128), -127 * 128);
        assert_eq!(product([-100, -28, 0], 128), -128 * 128);
    }

    #[test]
    fn spread_keeps_the_order_of_squares() {
        let mut squares = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..100 {
            squares = squares.rotate_left(7).wrapping_mul(0xd6e8_feb8_6659_fd93);
            let portable = Portable.spread(squares).0;
            for (square, byte) in portable.into_iter().enumerate() {
                assert_eq!(byte, if squares >> square & 1 == 1 { 0xff } else { 0 });
            }
            assert_agree(
                &portable,
                |simd| simd.spread(squares).0,
                |simd| simd.spread(squares).0,
            );
        }
    }

    #[test]
    fn differences_and_updates_match_the_portable_kernels() {
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
            let portable = Portable.differences(&one, &other);
            for i in 0..64 {
                assert_eq!(portable >> i & 1 == 1, one.0[i] != other.0[i]);
            }
            assert_agree(
                &portable,
                |simd| simd.differences(&one, &other),
                |simd| simd.differences(&one, &other),
            );
        }
        let embeddings: Vec<Embedding> = (0..8)
            .map(|_| std::array::from_fn(|_| random() as i8))
            .collect();
        let weights = |input: u16| &embeddings[usize::from(input)];
        let units = std::array::from_fn(|_| random() as i16 / 4);
        let (removed, added) = ([1, 5, 2], [0, 7]);
        let portable = Portable.update(&units, &removed, &added, weights);
        assert_agree(
            &portable,
            |simd| simd.update(&units, &removed, &added, weights),
            |simd| simd.update(&units, &removed, &added, weights),
        );
    }
}
