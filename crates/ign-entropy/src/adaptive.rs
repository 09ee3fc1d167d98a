//! An adaptive binary range coder: the entropy coder of every column that is
//! not plain text (spec §9).
//!
//! Each yes-or-no decision has a [`Bit`]: an estimate of how likely "no" is,
//! kept as the mean of a quick and a slow learner. The coder narrows a 32-bit
//! interval by that share, after G. N. N. Martin's range encoding and with the
//! carry handling of Igor Pavlov's LZMA. Arithmetic is in whole numbers, so
//! the bytes are the same on every machine.
//!
//! Numbers are built from decisions: [`Tree`] for small alphabets, [`Number`]
//! for magnitudes without bound, [`Signed`] for steps. They, and every column
//! above them, are written once for both directions: [`Coder::bit`] takes the
//! answer to be coded and returns the answer that stands in the stream. An
//! [`Encoder`] writes what it is given; a [`Decoder`] pays no heed to it.
//!
//! A decoder given foreign bytes never fails and never panics: past the end it
//! reads zeros and tells so through [`Decoder::overrun`]. Columns are
//! checksummed, so that is a last fence.

/// Renormalise when the interval falls below this.
const TOP: u32 = 1 << 24;
/// Bits of precision of a probability.
const PROBABILITY_BITS: u32 = 16;
/// How fast the quick and the slow learner move: a step of 2^-n of the way.
const QUICK: u32 = 4;
const SLOW: u32 = 7;
/// After so many answers a learner has its rate; answer n moves it by 2^-(bits of n) before.
const SETTLED: u16 = (1 << (SLOW - 1)) - 1;
/// The most bits of a [`Coder::uniform`] value that go in one step.
const UNIFORM_STEP: u32 = 16;

/// The estimate behind one yes-or-no decision.
#[derive(Debug, Clone, Copy)]
pub struct Bit {
    quick: u16,
    slow: u16,
    /// How many answers it has seen, up to [`SETTLED`]: the first ones move it far.
    seen: u16,
}

impl Default for Bit {
    fn default() -> Self {
        Self::new()
    }
}

impl Bit {
    /// Undecided: both answers equally likely.
    pub const fn new() -> Self {
        Self {
            quick: 1 << 15,
            slow: 1 << 15,
            seen: 0,
        }
    }

    /// The share of "no", of 2^16; between 71 and 65,465, hence never empty.
    #[inline]
    fn share(self) -> u32 {
        (u32::from(self.quick) + u32::from(self.slow)) >> 1
    }

    /// Moves towards the answer. Answers worth coding cannot be predicted, by
    /// the processor neither, so there is no branch here.
    #[inline]
    fn learn(&mut self, yes: bool) {
        let mask = u16::from(yes).wrapping_neg();
        let rate = (u16::BITS - (self.seen + 1).leading_zeros()).min(SLOW);
        self.seen += u16::from(self.seen < SETTLED);
        for (learner, rate) in [(&mut self.quick, rate.min(QUICK)), (&mut self.slow, rate)] {
            // The way to zero, or to the top, and a part of it.
            let way = (*learner ^ !mask) >> rate;
            *learner = learner.wrapping_add((way ^ mask).wrapping_sub(mask));
        }
    }
}

/// One direction of coding.
pub trait Coder {
    /// Codes one decision; `no` is the share of "no", of 2^16, neither none nor all.
    fn decide(&mut self, no: u32, yes: bool) -> bool;

    /// Codes one decision and lets its estimate learn.
    #[inline]
    fn bit(&mut self, estimate: &mut Bit, yes: bool) -> bool {
        let yes = self.decide(estimate.share(), yes);
        estimate.learn(yes);
        yes
    }

    /// Codes `count` bits, all values equally likely.
    fn uniform(&mut self, value: u64, count: u32) -> u64;

    /// Codes one of `count` numbers from zero, 2^16 at most, all equally likely.
    fn one_of(&mut self, value: u32, count: u32) -> u32;
}

/// Writes decisions into bytes.
#[derive(Debug)]
pub struct Encoder {
    /// Lower end of the interval; bit 32 is a carry not yet passed on.
    low: u64,
    range: u32,
    /// The last byte that a carry may still reach, and how many 0xff follow it.
    held: Option<u8>,
    held_ff: u64,
    out: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// An encoder with nothing written.
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

    /// Moves the top byte of `low` out, unless a carry may still change it.
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

    /// Ends the stream and gives its bytes: of the numbers in the interval the one with most zeros
    /// at its end, without these, since a decoder reads zeros there.
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
    fn decide(&mut self, no: u32, yes: bool) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * no;
        if yes {
            self.low += u64::from(bound);
            self.range -= bound;
        } else {
            self.range = bound;
        }
        self.normalise();
        yes
    }

    #[inline]
    fn uniform(&mut self, value: u64, count: u32) -> u64 {
        debug_assert!(count <= 64 && (count == 64 || value >> count == 0));
        let mut left = count;
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

/// Reads decisions back, given the same estimates in the same order.
#[derive(Debug, Clone)]
pub struct Decoder<'a> {
    input: &'a [u8],
    position: usize,
    code: u32,
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

    /// How many bytes past the end have been read. Sound streams stay under
    /// a handful; a stream of foreign bytes grows without bound.
    pub fn overrun(&self) -> usize {
        self.position.saturating_sub(self.input.len())
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn decide(&mut self, no: u32, _: bool) -> bool {
        let bound = (self.range >> PROBABILITY_BITS) * no;
        let yes = self.code >= bound;
        let mask = u32::from(yes).wrapping_neg();
        self.code -= bound & mask;
        self.range = bound ^ ((bound ^ (self.range - bound)) & mask);
        self.normalise();
        yes
    }

    #[inline]
    fn uniform(&mut self, _: u64, count: u32) -> u64 {
        let mut value = 0;
        let mut left = count;
        while left > 0 {
            let step = left.min(UNIFORM_STEP);
            left -= step;
            self.range >>= step;
            // Foreign bytes may point past the interval; stay inside it.
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

/// A symbol of `BITS` bits, decided from its highest bit down.
#[derive(Debug, Clone)]
pub struct Tree<const BITS: u32> {
    nodes: Vec<Bit>,
}

impl<const BITS: u32> Default for Tree<BITS> {
    fn default() -> Self {
        Self {
            nodes: vec![Bit::new(); 1 << BITS],
        }
    }
}

impl<const BITS: u32> Tree<BITS> {
    /// Codes a symbol below 2^BITS.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, symbol: u32) -> u32 {
        let mut node = 1usize;
        for i in (0..BITS).rev() {
            let yes = coder.bit(&mut self.nodes[node], symbol >> i & 1 == 1);
            node = node << 1 | usize::from(yes);
        }
        node as u32 - (1 << BITS)
    }
}

/// A whole number without bound: its bit length by one [`Tree`], or two where
/// it is long, its next `MODELLED` bits by estimates of their own, the rest as
/// they are.
///
/// With few modelled bits it learns a spread of magnitudes; with many it
/// learns single values, as of the numbers in a dictionary.
#[derive(Debug, Clone, Default)]
pub struct Number<const MODELLED: u32 = 3> {
    length: Tree<4>,
    /// For the lengths from [`LONG`] on.
    long_length: Tree<6>,
    leading: Vec<Bit>,
}

/// The last symbol of a number's first tree: the length is told by the second.
const LONG: u32 = 15;

impl<const MODELLED: u32> Number<MODELLED> {
    /// Codes a number of at most 2^63 - 1.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, value: u64) -> u64 {
        let given = u64::BITS - value.leading_zeros();
        let mut length = self.length.code(coder, given.min(LONG));
        if length == LONG {
            length = self.long_length.code(coder, given);
        }
        if length < 2 {
            return u64::from(length);
        }
        let below = length - 1;
        let modelled = below.min(MODELLED);
        let row = self.row(below, modelled);
        let mut node = 1usize;
        for i in 0..modelled {
            let yes = coder.bit(&mut row[node], value >> (below - 1 - i) & 1 == 1);
            node = node << 1 | usize::from(yes);
        }
        let rest = below - modelled;
        (node as u64) << rest | coder.uniform(value & ((1 << rest) - 1), rest)
    }

    /// The estimates of the bits below the leading one: 2^`modelled` of them
    /// for each bit length, rows of the shorter lengths first.
    #[inline]
    fn row(&mut self, below: u32, modelled: u32) -> &mut [Bit] {
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

/// A step up or down: its size as a [`Number`], then its direction.
#[derive(Debug, Clone, Default)]
pub struct Signed {
    size: Number<3>,
    down: Bit,
}

impl Signed {
    /// Codes a step whose size is below 2^63.
    #[inline]
    pub fn code(&mut self, coder: &mut impl Coder, step: i64) -> i64 {
        let size = self.size.code(coder, step.unsigned_abs()) as i64;
        if size != 0 && coder.bit(&mut self.down, step < 0) {
            -size
        } else {
            size
        }
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
    fn the_bytes_of_a_short_stream_are_fixed() {
        // A change here is a change of the format.
        let mut coder = Encoder::new();
        let mut estimate = Bit::new();
        for yes in [true, true, false, true] {
            coder.bit(&mut estimate, yes);
        }
        coder.uniform(0xbeef, 16);
        let mut number = Number::<3>::default();
        for value in [0, 1, 2, 300, 1 << 40] {
            number.code(&mut coder, value);
        }
        let bytes = coder.finish();
        assert_eq!(bytes, GOLDEN, "{bytes:02x?}");
    }
    const GOLDEN: &[u8] = &[0xaf, 0x35, 0xbb, 0xc9, 0xf3, 0x45, 0xd4, 0xd4, 0xdc, 0xc9];

    #[test]
    fn a_likely_answer_costs_next_to_nothing() {
        let mut coder = Encoder::new();
        let mut estimate = Bit::new();
        for _ in 0..100_000 {
            coder.bit(&mut estimate, false);
        }
        assert!(coder.finish().len() < 40);
    }

    #[test]
    fn foreign_bytes_never_panic_and_show_as_overrun() {
        let mut decoder = Decoder::new(&[0xff; 3]);
        let mut number = Number::<3>::default();
        for _ in 0..1000 {
            number.code(&mut decoder, 0);
            decoder.uniform(0, 64);
        }
        assert!(decoder.overrun() > 1000);
    }

    proptest! {
        #[test]
        fn a_stream_is_as_short_as_what_it_tells(digits in prop::collection::vec((any::<u64>(), 0u32..=64), 0..9)) {
            let mut coder = Encoder::new();
            let mut bits = 0;
            for (value, count) in digits {
                coder.uniform(value & u64::MAX.checked_shr(64 - count).unwrap_or(0), count);
                bits += count as usize;
            }
            // What the coder's own rounding costs is far less than a bit.
            prop_assert!(coder.finish().len() <= (bits + 1).div_ceil(8));
        }

        #[test]
        fn decisions_and_numbers_come_back(
            steps in prop::collection::vec((any::<bool>(), any::<i32>(), 0u32..64, any::<u64>()), 0..400)
        ) {
            let (mut estimate, mut signed, mut tree) = (Bit::new(), Signed::default(), Tree::<5>::default());
            let mut number = Number::<3>::default();
            let mut coder = Encoder::new();
            for &(yes, step, count, value) in &steps {
                coder.bit(&mut estimate, yes);
                signed.code(&mut coder, i64::from(step));
                tree.code(&mut coder, count & 31);
                coder.uniform(value & ((1 << count) - 1), count);
                coder.one_of(value as u32 % (1 + 977 * count), 1 + 977 * count);
                number.code(&mut coder, value >> 1 >> count);
            }
            let bytes = coder.finish();
            let (mut estimate, mut signed, mut tree) = (Bit::new(), Signed::default(), Tree::<5>::default());
            let mut number = Number::<3>::default();
            let mut decoder = Decoder::new(&bytes);
            for &(yes, step, count, value) in &steps {
                prop_assert_eq!(decoder.bit(&mut estimate, false), yes);
                prop_assert_eq!(signed.code(&mut decoder, 0), i64::from(step));
                prop_assert_eq!(tree.code(&mut decoder, 0), count & 31);
                prop_assert_eq!(decoder.uniform(0, count), value & ((1 << count) - 1));
                prop_assert_eq!(decoder.one_of(0, 1 + 977 * count), value as u32 % (1 + 977 * count));
                prop_assert_eq!(number.code(&mut decoder, 0), value >> 1 >> count);
            }
        }
    }
}
