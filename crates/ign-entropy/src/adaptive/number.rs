//! Models of integers built from adaptive bits (spec §9.2).

use super::{Bit, Coder};

/// Bit-tree model of a symbol of `BITS` bits: codes the bits from the highest
/// down, each with an adaptive bit chosen by the bits above it.
#[derive(Debug, Clone)]
pub struct BitTree<const BITS: u32> {
    /// Nodes in heap order from 1; node 0 is not used.
    nodes: Vec<Bit>,
}

impl<const BITS: u32> Default for BitTree<BITS> {
    fn default() -> Self {
        Self {
            nodes: vec![Bit::new(); 1 << BITS],
        }
    }
}

impl<const BITS: u32> BitTree<BITS> {
    /// Codes a symbol below 2^`BITS`.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, symbol: u32) -> u32 {
        let mut node = 1usize;
        for i in (0..BITS).rev() {
            let bit = coder.bit(&mut self.nodes[node], symbol >> i & 1 == 1);
            node = node << 1 | usize::from(bit);
        }
        node as u32 - (1 << BITS)
    }
}

/// Model of an unsigned integer: its bit length by a [`BitTree`] (by two if it
/// is long), the `MODELLED` bits below the leading one by adaptive bits, and the
/// rest with equal probabilities.
///
/// With few modelled bits it adapts to the distribution of magnitudes, with many
/// to single values, for example dictionary indexes.
#[derive(Debug, Clone, Default)]
pub struct Number<const MODELLED: u32 = 3> {
    /// Bit lengths below [`LONG`], or [`LONG`] as an escape.
    length: BitTree<4>,
    /// Bit lengths from [`LONG`] on.
    long_length: BitTree<6>,
    /// See [`Number::leading_bits`].
    leading: Vec<Bit>,
}

/// The escape symbol of a number's first tree: the second tree codes the length.
const LONG: u32 = 15;

impl<const MODELLED: u32> Number<MODELLED> {
    /// Codes a number of at most 2^63 - 1.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, value: u64) -> u64 {
        let bit_length = u64::BITS - value.leading_zeros();
        let mut length = self.length.code(coder, bit_length.min(LONG));
        if length == LONG {
            length = self.long_length.code(coder, bit_length);
        }
        if length < 2 {
            return u64::from(length);
        }
        let below = length - 1;
        let modelled = below.min(MODELLED);
        let models = self.leading_bits(below, modelled);
        let mut node = 1usize;
        for i in 0..modelled {
            let bit = coder.bit(&mut models[node], value >> (below - 1 - i) & 1 == 1);
            node = node << 1 | usize::from(bit);
        }
        let rest = below - modelled;
        (node as u64) << rest | coder.uniform(value & ((1 << rest) - 1), rest)
    }

    /// The 2^`modelled` tree nodes for numbers with `below` bits below the
    /// leading one. Trees of shorter lengths come first in `leading`, which
    /// grows on demand.
    #[inline]
    fn leading_bits(&mut self, below: u32, modelled: u32) -> &mut [Bit] {
        let start = if below <= MODELLED {
            1 << below
        } else {
            ((below - MODELLED + 1) as usize) << MODELLED
        };
        let end = start + (1 << modelled);
        if self.leading.len() < end {
            self.leading.resize(end, Bit::new());
        }
        &mut self.leading[start..end]
    }
}

/// Model of a signed integer: its magnitude as a [`Number`], then its sign.
#[derive(Debug, Clone, Default)]
pub struct Signed {
    magnitude: Number<3>,
    negative: Bit,
}

impl Signed {
    /// Codes an integer of magnitude below 2^63.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, value: i64) -> i64 {
        let magnitude = self.magnitude.code(coder, value.unsigned_abs()) as i64;
        if magnitude != 0 && coder.bit(&mut self.negative, value < 0) {
            -magnitude
        } else {
            magnitude
        }
    }
}
