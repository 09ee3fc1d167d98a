//! A range coder by given frequencies: choices whose likelihoods a model has already told (spec §9.3).
//!
//! A choice has a frequency of a total: the interval is cut into `total` equal parts, and the choice
//! narrows it to its own, those from `before` on, `frequency` of them. As [`range`](super::range) it
//! keeps the lower end and the width of the interval, but in 64 bits, so that a total may come
//! close to [`MAX_TOTAL`]: at least 2^32 times that is left to be cut, and what the cut leaves
//! over costs less than 2^-31 bit a choice. A carry goes back into the bytes already written,
//! which takes a step more in one of 256 cases.
//!
//! Ending a stream takes as few bytes as any number in the interval has before its zeros, since
//! a [`Decoder`] reads zeros behind the end: the stream is the shortest that gives these choices.
//!
//! A decoder given foreign bytes never fails and never panics: it gives some choice or other.

/// A total must be less than this (spec §9.3).
pub const MAX_TOTAL: u32 = 1 << 24;

/// A byte goes out when the width falls below this.
const NARROW: u64 = 1 << 56;

/// Frequencies that fall from `highest`, each by the same factor, which is in 2^-64, rounded down and at
/// least 1. The powers of the factor are made by repeated multiplication with 64 bits after the
/// point, rounded down.
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

/// What a choice has of the frequencies.
#[derive(Debug, Clone, Copy)]
pub struct Interval {
    /// The sum of the frequencies before it.
    pub before: u32,
    /// Its own.
    pub frequency: u32,
    /// The sum of all.
    pub total: u32,
}

/// What all choices of some streams had, kept for checking these: a stream in which each portion is
/// found again holds these choices for every reader whose model says the same.
#[derive(Debug, Clone, Default)]
pub struct IntervalLog {
    portions: Vec<Interval>,
    /// Where those of each stream end.
    ends: Vec<usize>,
}

impl IntervalLog {
    /// Adds a choice to the stream under way.
    pub fn push(&mut self, portion: Interval) {
        self.portions.push(portion);
    }

    /// Ends a stream.
    pub fn end_stream(&mut self) {
        self.ends.push(self.portions.len());
    }

    /// How many streams have ended.
    pub fn streams(&self) -> usize {
        self.ends.len()
    }

    /// Whether these bytes hold the choices of the stream of this number.
    pub fn are_in(&self, number: usize, stream: &[u8]) -> bool {
        let start = number.checked_sub(1).map_or(Some(&0), |n| self.ends.get(n));
        let ends = start.zip(self.ends.get(number));
        let mut stream = Decoder::new(stream);
        let mut holds = |portion: &Interval| {
            let target = stream.target(portion.total);
            let holds = (portion.before..portion.before + portion.frequency).contains(&target);
            if holds {
                stream.take(portion.before, portion.frequency);
            }
            holds
        };
        ends.is_some_and(|(&start, &end)| self.portions[start..end].iter().all(&mut holds))
    }
}

/// Writes choices into bytes.
#[derive(Debug)]
pub struct Encoder<'a> {
    out: &'a mut Vec<u8>,
    /// Where the stream begins in `out`.
    start: usize,
    /// Lower end of the interval, without the bytes that are out.
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

    /// Codes a choice that has `frequency` of `total` parts, behind `before` of them.
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
        while self.range < NARROW {
            self.out.push((self.low >> 56) as u8);
            self.low <<= 8;
            self.range <<= 8;
        }
    }

    /// Raises the lower end.
    #[inline]
    fn add(&mut self, by: u64) {
        let (low, carry) = self.low.overflowing_add(by);
        self.low = low;
        if carry {
            // The interval lies below 1, so there is a byte that can take the carry.
            for byte in self.out[self.start..].iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
    }

    /// Ends the stream: the number in the interval that has most zeros at its end, without them.
    pub fn finish(mut self) {
        // The number is the lower end rounded up to a multiple of the largest power of two for
        // which it stays inside. Rounding up may carry.
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

/// Reads choices back, given the same frequencies in the same order.
#[derive(Debug)]
pub struct Decoder<'a> {
    input: &'a [u8],
    position: usize,
    /// How far into the interval the number lies.
    code: u64,
    range: u64,
    /// A part of the interval, of the total asked for last.
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

    /// The part, of `total`, that the next choice's frequency holds. [`take`](Decoder::take) must
    /// follow.
    #[inline]
    pub fn target(&mut self, total: u32) -> u32 {
        debug_assert!(total > 0 && total < MAX_TOTAL);
        self.part = self.range / u64::from(total);
        // Foreign bytes, and what the cut leaves over, may lie behind the last part.
        (self.code / self.part).min(u64::from(total) - 1) as u32
    }

    /// Takes the choice whose frequency of the total holds the target.
    #[inline]
    pub fn take(&mut self, before: u32, frequency: u32) {
        self.code -= self.part * u64::from(before);
        self.range = self.part * u64::from(frequency);
        while self.range < NARROW {
            self.range <<= 8;
            self.code = self.code << 8 | self.next_byte();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(choices: &[(u32, u32, u32)]) -> Vec<u8> {
        let mut out = b"before".to_vec();
        let mut encoder = Encoder::new(&mut out);
        for &(before, frequency, total) in choices {
            encoder.encode(before, frequency, total);
        }
        encoder.finish();
        out.split_off(6)
    }

    fn assert_decodes(bytes: &[u8], choices: &[(u32, u32, u32)]) {
        let mut decoder = Decoder::new(bytes);
        for &(before, frequency, total) in choices {
            let target = decoder.target(total);
            assert!((before..before + frequency).contains(&target));
            decoder.take(before, frequency);
        }
    }

    /// The bits that the frequencies are worth.
    fn ideal(choices: &[(u32, u32, u32)]) -> f64 {
        let bits = |&(_, frequency, total): &(u32, u32, u32)| {
            (f64::from(total) / f64::from(frequency)).log2()
        };
        choices.iter().map(bits).sum()
    }

    #[test]
    fn the_bytes_of_short_streams_are_fixed() {
        // A change here is a change of the format.
        assert!(encoded(&[]).is_empty());
        assert!(encoded(&[(0, 1, 1)]).is_empty());
        assert!(encoded(&[(0, 1, 5), (0, 3, 7)]).is_empty());
        // The upper half begins at 0x80, the fourth quarter at 0xc0.
        assert_eq!(encoded(&[(1, 1, 2)]), [0x80]);
        assert_eq!(encoded(&[(3, 1, 4)]), [0xc0]);
        let bytes = encoded(&[
            (13, 1, 20),
            (11, 1, 20),
            (200, 1, 1000),
            (77, 3, MAX_TOTAL - 1),
        ]);
        assert_eq!(bytes, GOLDEN, "{bytes:02x?}");
    }
    const GOLDEN: &[u8] = &[0xad, 0x91, 0x68, 0x72, 0xbd];

    #[test]
    fn a_carry_goes_back_as_far_as_it_must() {
        // Always the last part: the lower end creeps up to 1.
        for total in [2, 3, 1000, MAX_TOTAL - 1] {
            for turn in 0..40 {
                let mut choices = vec![(total - 1, 1, total); turn];
                choices.push((0, 1, total));
                choices.push((total - 1, 1, total));
                assert_decodes(&encoded(&choices), &choices);
            }
        }
    }

    #[test]
    fn nothing_is_wasted_over_many_choices() {
        let mut seed = 1u32;
        let choices: Vec<_> = (0..100_000)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let total = MAX_TOTAL - 1 - (seed >> 12);
                let before = (seed >> 8) % (total / 2);
                (before, total / 2, total)
            })
            .collect();
        let bytes = encoded(&choices);
        assert_decodes(&bytes, &choices);
        assert!((bytes.len() as f64) < ideal(&choices) / 8.0 + 1.01);
    }

    proptest! {
        #[test]
        fn choices_come_back_and_take_what_they_are_worth(
            choices in prop::collection::vec((any::<u32>(), any::<u32>(), 1..MAX_TOTAL), 0..200)
        ) {
            let choice = |(before, frequency, total): (u32, u32, u32)| {
                let before = before % total;
                (before, frequency % (total - before) + 1, total)
            };
            let choices: Vec<_> = choices.into_iter().map(choice).collect();
            let bytes = encoded(&choices);
            assert_decodes(&bytes, &choices);
            // Some number of so many bits lies in the interval, and bits fill bytes.
            prop_assert!(bytes.len() as f64 <= ((ideal(&choices) + 1.0) / 8.0).ceil() + 1e-6);
        }

        #[test]
        fn foreign_bytes_give_some_choice(
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
