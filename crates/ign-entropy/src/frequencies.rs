//! Range coder for symbols with given frequencies (spec §9.3).
//!
//! A model outside this module gives each symbol a frequency and the cumulative frequency of the
//! symbols before it. The coder divides its interval into `total` equal parts and keeps the parts
//! of the symbol.
//!
//! The interval has 64 bits, unlike the 32 of [`adaptive`](super::adaptive), so that the total can
//! be as high as [`MAX_TOTAL`]. The interval is at least 2^32 times the total, so the rounding of
//! the division costs less than 2^-31 bits per symbol. A carry is propagated into the bytes already
//! written; it goes past the last one in one of 256 cases.
//!
//! A stream ends with the number of the interval that has the most trailing zero bytes, without
//! these: a [`Decoder`] reads zeros past the end. No shorter stream decodes to the same symbols.
//!
//! Decoding never fails and never panics, whatever the bytes: any bytes decode to some symbols.
//!
//! ```
//! use ign_entropy::frequencies::{Decoder, Encoder};
//!
//! // The symbols a, b, c with the frequencies 5, 2 and 1; the message "ba".
//! let mut bytes = Vec::new();
//! let mut encoder = Encoder::new(&mut bytes);
//! encoder.encode(5, 2, 8);
//! encoder.encode(0, 5, 8);
//! encoder.finish();
//!
//! let mut decoder = Decoder::new(&bytes);
//! assert!((5..7).contains(&decoder.target(8)));
//! decoder.take(5, 2);
//! assert!((0..5).contains(&decoder.target(8)));
//! ```

/// Totals are less than this (spec §9.3).
pub const MAX_TOTAL: u32 = 1 << 24;

/// The interval is renormalised by a byte when its width is less than this.
const MIN_RANGE: u64 = 1 << 56;

/// A geometric sequence of frequencies: `highest` times the powers of `factor`, rounded down, at
/// least 1.
///
/// `factor` is in units of 2^-64. Its powers come from repeated multiplication with 64 fractional
/// bits, rounded down, so that they are the same on every machine.
pub const fn falling<const N: usize>(highest: u32, factor: u64) -> [u32; N] {
    let mut frequencies = [1; N];
    let mut power: u128 = 1 << 64;
    let mut i = 0;
    while i < N {
        let frequency = ((power * highest as u128) >> 64) as u32;
        frequencies[i] = if frequency > 1 { frequency } else { 1 };
        power = (power * factor as u128) >> 64;
        i += 1;
    }
    frequencies
}

/// The part of the interval that belongs to a symbol.
#[derive(Debug, Clone, Copy)]
pub struct Interval {
    /// Cumulative frequency: the sum of the frequencies of the symbols before it.
    pub before: u32,
    /// The frequency of the symbol.
    pub frequency: u32,
    /// The sum of all frequencies.
    pub total: u32,
}

/// The intervals of all symbols of several streams, kept to verify these streams without running
/// the model again. If a stream decodes to these intervals, then it decodes to the same symbols for
/// every reader with the same model.
#[derive(Debug, Clone, Default)]
pub struct IntervalLog {
    intervals: Vec<Interval>,
    /// For each stream, the index after its last interval.
    ends: Vec<usize>,
}

impl IntervalLog {
    /// Adds a symbol to the current stream.
    pub fn push(&mut self, interval: Interval) {
        self.intervals.push(interval);
    }

    /// Ends the current stream and starts the next one.
    pub fn end_stream(&mut self) {
        self.ends.push(self.intervals.len());
    }

    /// The number of streams that have ended.
    pub fn streams(&self) -> usize {
        self.ends.len()
    }

    /// Whether the bytes `stream` decode to the intervals of stream `number` (zero-based).
    pub fn matches(&self, number: usize, stream: &[u8]) -> bool {
        let start = number.checked_sub(1).map_or(Some(&0), |n| self.ends.get(n));
        let ends = start.zip(self.ends.get(number));
        let mut stream = Decoder::new(stream);
        let mut matches = |interval: &Interval| {
            let target = stream.target(interval.total);
            let matches = (interval.before..interval.before + interval.frequency).contains(&target);
            if matches {
                stream.take(interval.before, interval.frequency);
            }
            matches
        };
        ends.is_some_and(|(&start, &end)| self.intervals[start..end].iter().all(&mut matches))
    }
}

/// Range encoder: appends a stream to a byte vector.
#[derive(Debug)]
pub struct Encoder<'a> {
    out: &'a mut Vec<u8>,
    /// Offset of the stream in `out`.
    start: usize,
    /// Lower end of the interval, without the bytes already written.
    low: u64,
    /// Width of the interval.
    range: u64,
}

impl<'a> Encoder<'a> {
    /// An encoder of a stream that is appended to `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        Self {
            start: out.len(),
            out,
            low: 0,
            range: u64::MAX,
        }
    }

    /// Encodes a symbol with this cumulative frequency, frequency and total.
    #[inline]
    pub fn encode(&mut self, before: u32, frequency: u32, total: u32) {
        debug_assert!(
            frequency > 0
                && total < MAX_TOTAL
                && u64::from(before) + u64::from(frequency) <= u64::from(total)
        );
        let part = self.range / u64::from(total);
        self.add(part * u64::from(before));
        self.range = part * u64::from(frequency);
        while self.range < MIN_RANGE {
            self.out.push((self.low >> 56) as u8);
            self.low <<= 8;
            self.range <<= 8;
        }
    }

    /// Raises the lower end and propagates a carry.
    #[inline]
    fn add(&mut self, by: u64) {
        let (low, carry) = self.low.overflowing_add(by);
        self.low = low;
        if carry {
            // The interval is below 1, so some byte is not 0xff and absorbs the carry.
            for byte in self.out[self.start..].iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    /// Ends the stream.
    pub fn finish(mut self) {
        // Rounds the lower end up to a multiple of the largest power of 256 for which it stays
        // inside the interval. Rounding up can carry.
        for zeros in (0..=8u32).rev() {
            let mask = u64::MAX.checked_shr(64 - 8 * zeros).unwrap_or(0);
            let up = self.low.wrapping_neg() & mask;
            if up < self.range {
                self.add(up);
                break;
            }
        }
        self.out.extend_from_slice(&self.low.to_be_bytes());
        while self.out.len() > self.start && self.out.last() == Some(&0) {
            self.out.pop();
        }
    }
}

/// Range decoder over a byte slice. It must see the same frequencies in the same order as the
/// encoder: for each symbol a call of [`target`](Decoder::target), then one of
/// [`take`](Decoder::take).
#[derive(Debug)]
pub struct Decoder<'a> {
    input: &'a [u8],
    position: usize,
    /// Distance of the coded number from the lower end of the interval.
    code: u64,
    /// Width of the interval.
    range: u64,
    /// Width of one of the `total` parts, for the last total.
    part: u64,
}

impl<'a> Decoder<'a> {
    /// A decoder at the start of `input`.
    pub fn new(input: &'a [u8]) -> Self {
        let mut decoder = Self {
            input,
            position: 0,
            code: 0,
            range: u64::MAX,
            part: 0,
        };
        for _ in 0..8 {
            decoder.code = decoder.code << 8 | decoder.next_byte();
        }
        decoder
    }

    #[inline]
    fn next_byte(&mut self) -> u64 {
        let byte = self.input.get(self.position).copied().unwrap_or(0);
        self.position += 1;
        u64::from(byte)
    }

    /// A cumulative frequency that identifies the next symbol: it is in the symbol's interval,
    /// `before <= target < before + frequency`. [`take`](Decoder::take) must follow.
    #[inline]
    pub fn target(&mut self, total: u32) -> u32 {
        debug_assert!(total > 0 && total < MAX_TOTAL);
        self.part = self.range / u64::from(total);
        // A corrupt stream can point past the last part, into the remainder of the division.
        (self.code / self.part).min(u64::from(total) - 1) as u32
    }

    /// Narrows the interval to the symbol that the target identified.
    #[inline]
    pub fn take(&mut self, before: u32, frequency: u32) {
        self.code -= self.part * u64::from(before);
        self.range = self.part * u64::from(frequency);
        while self.range < MIN_RANGE {
            self.range <<= 8;
            self.code = self.code << 8 | self.next_byte();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(symbols: &[(u32, u32, u32)]) -> Vec<u8> {
        let mut out = b"before".to_vec();
        let mut encoder = Encoder::new(&mut out);
        for &(before, frequency, total) in symbols {
            encoder.encode(before, frequency, total);
        }
        encoder.finish();
        out.split_off(6)
    }

    fn assert_decodes(bytes: &[u8], symbols: &[(u32, u32, u32)]) {
        let mut decoder = Decoder::new(bytes);
        for &(before, frequency, total) in symbols {
            let target = decoder.target(total);
            assert!((before..before + frequency).contains(&target));
            decoder.take(before, frequency);
        }
    }

    /// The information content of the symbols in bits.
    fn information(symbols: &[(u32, u32, u32)]) -> f64 {
        let bits = |&(_, frequency, total): &(u32, u32, u32)| {
            (f64::from(total) / f64::from(frequency)).log2()
        };
        symbols.iter().map(bits).sum()
    }

    #[test]
    fn encodes_short_streams_to_fixed_bytes() {
        // Other bytes here are a change of the format.
        assert!(encode(&[]).is_empty());
        assert!(encode(&[(0, 1, 1)]).is_empty());
        assert!(encode(&[(0, 1, 5), (0, 3, 7)]).is_empty());
        // The upper half begins at 0x80, the fourth quarter at 0xc0.
        assert_eq!(encode(&[(1, 1, 2)]), [0x80]);
        assert_eq!(encode(&[(3, 1, 4)]), [0xc0]);
        let bytes = encode(&[
            (13, 1, 20),
            (11, 1, 20),
            (200, 1, 1000),
            (77, 3, MAX_TOTAL - 1),
        ]);
        assert_eq!(bytes, GOLDEN, "{bytes:02x?}");
    }
    const GOLDEN: &[u8] = &[0xad, 0x91, 0x68, 0x72, 0xbd];

    #[test]
    fn carries_propagate_into_earlier_bytes() {
        // Always the last part: the lower end approaches 1.
        for total in [2, 3, 1000, MAX_TOTAL - 1] {
            for count in 0..40 {
                let mut symbols = vec![(total - 1, 1, total); count];
                symbols.push((0, 1, total));
                symbols.push((total - 1, 1, total));
                assert_decodes(&encode(&symbols), &symbols);
            }
        }
    }

    #[test]
    fn long_streams_take_no_more_than_their_information() {
        let mut seed = 1u32;
        let symbols: Vec<_> = (0..100_000)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let total = MAX_TOTAL - 1 - (seed >> 12);
                let before = (seed >> 8) % (total / 2);
                (before, total / 2, total)
            })
            .collect();
        let bytes = encode(&symbols);
        assert_decodes(&bytes, &symbols);
        assert!((bytes.len() as f64) < information(&symbols) / 8.0 + 1.01);
    }

    proptest! {
        #[test]
        fn round_trips_symbols_in_their_information_content(
            symbols in prop::collection::vec((any::<u32>(), any::<u32>(), 1..MAX_TOTAL), 0..200)
        ) {
            let symbol = |(before, frequency, total): (u32, u32, u32)| {
                let before = before % total;
                (before, frequency % (total - before) + 1, total)
            };
            let symbols: Vec<_> = symbols.into_iter().map(symbol).collect();
            let bytes = encode(&symbols);
            assert_decodes(&bytes, &symbols);
            // The interval contains a number of that many bits, rounded up to whole bytes.
            prop_assert!(bytes.len() as f64 <= ((information(&symbols) + 1.0) / 8.0).ceil() + 1e-6);
        }

        #[test]
        fn any_bytes_decode_to_some_symbols(
            bytes in prop::collection::vec(any::<u8>(), 0..20),
            totals in prop::collection::vec((1..MAX_TOTAL, any::<u32>()), 0..100)
        ) {
            let mut decoder = Decoder::new(&bytes);
            for (total, frequency) in totals {
                let target = decoder.target(total);
                prop_assert!(target < total);
                decoder.take(target, frequency % (total - target) + 1);
            }
        }
    }
}
