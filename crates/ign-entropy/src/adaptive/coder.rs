//! Binary range coder with a 32-bit interval (spec §9.1), after G. N. N.
//! Martin's range encoding, with the carry propagation of Igor Pavlov's LZMA.
//!
//! Invariant: between operations the width of the interval is at least
//! [`TOP`]; the arithmetic is integral, so that all machines write the same bytes.

use super::Bit;

/// The interval is renormalised when its width is less than this.
const TOP: u32 = 1 << 24;
/// Bits of precision of a probability.
const PROBABILITY_BITS: u32 = 16;
/// The most bits of a [`Coder::uniform`] value that are coded at once.
const UNIFORM_STEP: u32 = 16;

/// One direction of coding: [`Encoder`] or [`Decoder`].
///
/// Every method takes the value to encode, which a decoder ignores, and returns
/// the value in the stream.
pub trait Coder {
    /// Codes a bit; `p0` is the probability of a 0 in 2^-16, from 1 to 65,535.
    fn bit_with_probability(&mut self, p0: u32, bit: bool) -> bool;

    /// Codes a bit with the probability of `model`, then adapts `model` to it.
    #[inline]
    fn bit(&mut self, model: &mut Bit, bit: bool) -> bool {
        let bit = self.bit_with_probability(model.probability(), bit);
        model.adapt(bit);
        bit
    }

    /// Codes an integer of `width` bits (0 to 64), all values equally likely.
    fn uniform(&mut self, value: u64, width: u32) -> u64;

    /// Codes an integer below `count` (1 to 2^16), all values equally likely.
    fn one_of(&mut self, value: u32, count: u32) -> u32;
}

/// Range encoder: appends to a buffer of its own.
#[derive(Debug)]
pub struct Encoder {
    /// Lower end of the interval; bit 32 is a carry that is not propagated yet.
    low: u64,
    /// Width of the interval.
    range: u32,
    /// The last byte that a carry can still change.
    held: Option<u8>,
    /// Number of 0xff bytes after `held`; a carry turns them into zeros.
    held_ff: u64,
    out: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// An encoder of an empty stream.
    pub fn new() -> Self {
        Self {
            low: 0,
            range: u32::MAX,
            held: None,
            held_ff: 0,
            out: Vec::new(),
        }
    }

    #[inline]
    fn normalise(&mut self) {
        while self.range < TOP {
            self.range <<= 8;
            self.shift();
        }
    }

    /// Moves the top byte of `low` to the output, or holds it while a carry can
    /// still change it.
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        let byte = (self.low >> 24) as u8;
        if carry == 1 || byte != 0xff {
            if let Some(held) = self.held {
                self.out.push(held.wrapping_add(carry));
            }
            for _ in 0..self.held_ff {
                self.out.push(0xffu8.wrapping_add(carry));
            }
            self.held_ff = 0;
            self.held = Some(byte);
        } else {
            self.held_ff += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// Ends the stream and returns its bytes.
    ///
    /// The stream ends with the number of the interval that has the most
    /// trailing zero bytes. These are dropped, since a decoder reads zeros past
    /// the end.
    pub fn finish(mut self) -> Vec<u8> {
        for zeros in (0..=4).rev() {
            let up = self.low.wrapping_neg() & ((1 << (8 * zeros)) - 1);
            if up < u64::from(self.range) {
                self.low += up;
                break;
            }
        }
        for _ in 0..5 {
            self.shift();
        }
        while self.out.last() == Some(&0) {
            self.out.pop();
        }
        self.out
    }
}

impl Coder for Encoder {
    #[inline]
    fn bit_with_probability(&mut self, p0: u32, bit: bool) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * p0;
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        self.normalise();
        bit
    }

    #[inline]
    fn uniform(&mut self, value: u64, width: u32) -> u64 {
        debug_assert!(width <= 64 && (width == 64 || value >> width == 0));
        let mut left = width;
        while left > 0 {
            let step = left.min(UNIFORM_STEP);
            left -= step;
            self.range >>= step;
            let digit = (value >> left) as u32 & ((1 << step) - 1);
            self.low += u64::from(digit) * u64::from(self.range);
            self.normalise();
        }
        value
    }

    #[inline]
    fn one_of(&mut self, value: u32, count: u32) -> u32 {
        debug_assert!(value < count && count <= 1 << UNIFORM_STEP);
        self.range /= count;
        self.low += u64::from(value) * u64::from(self.range);
        self.normalise();
        value
    }
}

/// Range decoder over a byte slice. It must see the same models in the same
/// order as the encoder.
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    input: &'a [u8],
    /// Bytes read, including the zeros past the end of `input`.
    position: usize,
    /// Distance of the coded number from the lower end of the interval.
    code: u32,
    /// Width of the interval.
    range: u32,
}

impl<'a> Decoder<'a> {
    /// A decoder at the start of `input`.
    pub fn new(input: &'a [u8]) -> Self {
        let mut decoder = Self {
            input,
            position: 0,
            code: 0,
            range: u32::MAX,
        };
        for _ in 0..4 {
            decoder.code = decoder.code << 8 | decoder.next_byte();
        }
        decoder
    }

    #[inline]
    fn next_byte(&mut self) -> u32 {
        let byte = self.input.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        u32::from(byte)
    }

    #[inline]
    fn normalise(&mut self) {
        while self.range < TOP {
            self.range <<= 8;
            self.code = self.code << 8 | self.next_byte();
        }
    }

    /// The number of bytes read past the end of the input. It is small for a
    /// valid stream whose values are all read, and grows without bound when a
    /// corrupt count makes the caller read on.
    pub fn overrun(&self) -> usize {
        self.position.saturating_sub(self.input.len())
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn bit_with_probability(&mut self, p0: u32, _: bool) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * p0;
        let bit = self.code >= bound;
        let mask = u32::from(bit).wrapping_neg();
        self.code -= bound & mask;
        self.range = bound ^ ((bound ^ (self.range - bound)) & mask);
        self.normalise();
        bit
    }

    #[inline]
    fn uniform(&mut self, _: u64, width: u32) -> u64 {
        let mut value = 0;
        let mut left = width;
        while left > 0 {
            let step = left.min(UNIFORM_STEP);
            left -= step;
            self.range >>= step;
            // In a corrupt stream `code` can be past the last digit.
            let digit = (self.code / self.range).min((1 << step) - 1);
            self.code -= digit * self.range;
            value = value << step | u64::from(digit);
            self.normalise();
        }
        value
    }

    #[inline]
    fn one_of(&mut self, _: u32, count: u32) -> u32 {
        self.range /= count;
        let value = (self.code / self.range).min(count - 1);
        self.code -= value * self.range;
        self.normalise();
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_empty_stream_has_no_bytes() {
        assert!(Encoder::new().finish().is_empty());
    }

    #[test]
    fn a_likely_bit_takes_almost_no_space() {
        let mut coder = Encoder::new();
        let mut model = Bit::new();
        for _ in 0..100_000 {
            coder.bit(&mut model, false);
        }
        assert!(coder.finish().len() < 40);
    }

    proptest! {
        #[test]
        fn uniform_values_take_no_more_than_their_bits(digits in prop::collection::vec((any::<u64>(), 0u32..=64), 0..9)) {
            let mut coder = Encoder::new();
            let mut bits = 0;
            for (value, width) in digits {
                coder.uniform(value & u64::MAX.checked_shr(64 - width).unwrap_or(0), width);
                bits += width as usize;
            }
            // The rounding of the coder costs far less than a bit.
            prop_assert!(coder.finish().len() <= (bits + 1).div_ceil(8));
        }
    }
}
