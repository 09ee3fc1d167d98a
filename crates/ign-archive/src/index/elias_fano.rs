//! Elias–Fano coding of an ascending sequence of integers below a bound (spec §15.3).
//!
//! The lower bits of each value are stored as they are; the upper bits as a bit vector in which
//! value `i` sets bit `upper + i`. That takes about `2 + log2(bound / count)` bits a value. A
//! sequence of a few ten thousand values is searched by counting bits word by word, without an
//! additional index.

use ign_entropy::varint;
use ign_format::error::{Error, Result};

use super::packed::{self, Packed};

/// The number of lower bits that are stored as they are, for `count` values below `bound`.
fn lower_bits(count: u64, bound: u64) -> u32 {
    (bound / count.max(1)).checked_ilog2().unwrap_or(0)
}

/// Appends the values, which ascend and are below `bound`.
pub fn write(out: &mut Vec<u8>, values: &[u64], bound: u64) {
    let bits = lower_bits(values.len() as u64, bound);
    varint::write(out, values.len() as u64);
    packed::write(
        out,
        values.iter().map(|value| value & ((1 << bits) - 1)),
        bits,
    );
    let len = values.len() as u64 + (bound >> bits) + 1;
    let mut upper = vec![0u64; len.div_ceil(64) as usize];
    for (i, value) in (0..).zip(values) {
        let place = (value >> bits) + i;
        upper[(place / 64) as usize] |= 1 << (place % 64);
    }
    out.extend(upper.into_iter().flat_map(u64::to_le_bytes));
}

/// A sequence in memory.
#[derive(Debug)]
pub struct EliasFano<'a> {
    count: u64,
    bits: u32,
    lower: Packed<'a>,
    upper: &'a [u8],
}

impl<'a> EliasFano<'a> {
    /// Reads a sequence of values below `bound` from the front of `input`.
    ///
    /// # Errors
    /// Corrupt if the input is too short.
    pub fn read(input: &mut &'a [u8], bound: u64) -> Result<Self> {
        let cut_off = || Error::corrupt("a sequence of the index is cut off");
        let count = varint::read_at_most(input, u64::MAX >> 8, "the length of a sequence")?;
        if count / 8 > input.len() as u64 {
            return Err(cut_off());
        }
        let bits = lower_bits(count, bound);
        let lower = Packed::read(input, count, bits)?;
        let words = (count + (bound >> bits) + 1).div_ceil(64);
        let len = usize::try_from(words)
            .ok()
            .and_then(|words| words.checked_mul(8));
        let upper = len
            .and_then(|len| input.split_off(..len))
            .ok_or_else(cut_off)?;
        Ok(Self {
            count,
            bits,
            lower,
            upper,
        })
    }

    /// The values from `from` to below `to`.
    pub fn range(&self, from: u64, to: u64) -> impl Iterator<Item = u64> {
        // The values with the upper part `h` follow the `h`-th zero of the bit vector.
        let upper = from >> self.bits;
        let mut place = self.after_zero(upper);
        let mut rank = place.checked_sub(upper).unwrap_or(self.count);
        let mut upper = upper;
        std::iter::from_fn(move || {
            while rank < self.count {
                let byte = *self.upper.get((place / 8) as usize)?;
                let is_value = byte >> (place % 8) & 1 == 1;
                place += 1;
                if is_value {
                    let value = upper << self.bits | self.lower.get(rank);
                    rank += 1;
                    return Some(value);
                }
                upper += 1;
                if upper << self.bits >= to {
                    return None;
                }
            }
            None
        })
        .take_while(move |&value| value < to)
        .filter(move |&value| value >= from)
    }

    /// The place after the `number`-th zero of the bit vector, counted from 1; 0 for the zeroth.
    fn after_zero(&self, number: u64) -> u64 {
        if number == 0 {
            return 0;
        }
        let mut left = number;
        for (index, word) in (0..).zip(self.upper.chunks_exact(8)) {
            let word = u64::from_le_bytes(word.try_into().unwrap_or_default());
            let zeros = u64::from(word.count_zeros());
            if zeros < left {
                left -= zeros;
                continue;
            }
            let mut ones = !word;
            for _ in 1..left {
                ones &= ones - 1;
            }
            return 64 * index + u64::from(ones.trailing_zeros()) + 1;
        }
        8 * self.upper.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn three_values_have_the_bytes_of_the_specification() {
        let mut out = Vec::new();
        write(&mut out, &[1, 5, 13], 16);
        // Count 3; two lower bits each: 1, 1, 1; upper parts 0, 1, 3 at places 0, 2, 5.
        assert_eq!(out, [3, 0b01_01_01, 0b10_0101, 0, 0, 0, 0, 0, 0, 0]);
    }

    proptest! {
        #[test]
        fn ranges_equal_those_of_the_list(
            mut values in prop::collection::vec(0..5000u64, 0..300),
            (from, to) in (0..5000u64, 0..5000u64),
            spread in 0..20u32,
        ) {
            values.sort_unstable();
            values.iter_mut().for_each(|value| *value <<= spread);
            values.dedup();
            let (from, to, bound) = (from << spread, to << spread, 5000 << spread);
            let mut out = Vec::new();
            write(&mut out, &values, bound);
            out.push(9);
            let mut input = &out[..];
            let sequence = EliasFano::read(&mut input, bound).unwrap();
            prop_assert_eq!(input, [9]);
            let expected: Vec<u64> = values.iter().copied().filter(|v| (from..to).contains(v)).collect();
            prop_assert_eq!(sequence.range(from, to).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn any_bytes_are_a_sequence_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200), bound in 1..1u64 << 40) {
            if let Ok(sequence) = EliasFano::read(&mut &bytes[..], bound) {
                let values: Vec<u64> = sequence.range(bound / 3, bound).take(2000).collect();
                prop_assert!(values.iter().all(|value| (bound / 3..bound).contains(value)));
            }
        }
    }
}
