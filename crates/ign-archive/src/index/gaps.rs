//! Ascending numbers as Rice-coded gaps: lists, and sequences in which ranges are found (spec
//! §15.3).

use ign_entropy::{BitReader, BitWriter, rice, varint};
use ign_format::error::{Error, Result};

/// The greatest Rice parameter that is written.
const MAX_PARAMETER: u64 = 40;

/// The Rice parameter for `count` numbers below `bound`.
fn parameter(count: u64, bound: u64) -> u32 {
    let mean = bound / count.max(1);
    mean.checked_ilog2().unwrap_or(0).min(MAX_PARAMETER as u32)
}

/// The gaps of ascending numbers, that of the first one from `start`.
fn code(numbers: &[u64], start: u64, parameter: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = BitWriter::new(&mut bytes);
    let mut last = start;
    for &number in numbers {
        rice::write(&mut writer, number - last, parameter);
        last = number;
    }
    writer.finish();
    bytes
}

/// Reads `count` numbers from their gaps.
fn decode(
    bytes: &[u8],
    start: u64,
    count: u64,
    parameter: u32,
    bound: u64,
) -> impl Iterator<Item = Result<u64>> {
    let mut reader = BitReader::new(bytes);
    let mut last = start;
    (0..count).map(move |_| {
        let max = bound.saturating_sub(1).saturating_sub(last);
        let gap = rice::read(&mut reader, parameter, max);
        last += gap.map_err(|_| Error::corrupt("a list of numbers of the index is malformed"))?;
        Ok(last)
    })
}

/// The bytes of ascending numbers below `bound`.
pub fn write(numbers: &[u64], bound: u64) -> Vec<u8> {
    code(numbers, 0, parameter(numbers.len() as u64, bound))
}

/// Reads `count` numbers below `bound`.
///
/// # Errors
/// Each of them may be corrupt.
pub fn read(bytes: &[u8], count: u64, bound: u64) -> impl Iterator<Item = Result<u64>> {
    decode(bytes, 0, count, parameter(count, bound), bound)
}

/// Numbers of a block of a sequence.
const BLOCK: usize = 1024;

/// Appends an ascending sequence of numbers below `bound` (spec §15.3), in blocks that are read by
/// themselves.
pub fn write_sequence(out: &mut Vec<u8>, numbers: &[u64], bound: u64) {
    let count = numbers.len() as u64;
    let parameter = parameter(count, bound);
    varint::write(out, count);
    let (mut blocks, mut first) = (Vec::new(), 0);
    for block in numbers.chunks(BLOCK) {
        let bytes = code(block, block[0], parameter);
        varint::write(out, block[0] - first);
        varint::write(out, bytes.len() as u64);
        blocks.extend_from_slice(&bytes);
        first = block[0];
    }
    out.extend_from_slice(&blocks);
}

/// An ascending sequence.
#[derive(Debug)]
pub struct Sequence<'b> {
    bound: u64,
    parameter: u32,
    /// The first number of each block, how many it has, and its bytes.
    blocks: Vec<(u64, u64, &'b [u8])>,
}

impl<'b> Sequence<'b> {
    /// Reads a sequence of numbers below `bound` from the front of `input`.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read(input: &mut &'b [u8], bound: u64) -> Result<Self> {
        let count = varint::read_at_most(input, bound, "the length of a sequence")?;
        let (mut blocks, mut first) = (Vec::new(), 0);
        for start in (0..count).step_by(BLOCK) {
            first += varint::read_at_most(
                input,
                bound.saturating_sub(first + 1),
                "a number of a sequence",
            )?;
            let len = varint::read_limited(input, input.len() as u64, "a block of a sequence")?;
            blocks.push((first, (count - start).min(BLOCK as u64), len));
        }
        let blocks = blocks.into_iter().map(|(first, count, len)| {
            let bytes = input.split_off(..len).ok_or_else(cut_off)?;
            Ok((first, count, bytes))
        });
        Ok(Self {
            bound,
            parameter: parameter(count, bound),
            blocks: blocks.collect::<Result<_>>()?,
        })
    }

    /// The numbers from `from` to below `to`.
    ///
    /// # Errors
    /// Corrupt.
    pub fn range(&self, from: u64, to: u64) -> Result<Vec<u64>> {
        let first = self.blocks.partition_point(|&(first, ..)| first < from);
        let mut found = Vec::new();
        for &(first, count, bytes) in &self.blocks[first.saturating_sub(1)..] {
            if first >= to {
                break;
            }
            for number in decode(bytes, first, count, self.parameter, self.bound) {
                match number? {
                    number if number >= to => break,
                    number if number >= from => found.push(number),
                    _ => {}
                }
            }
        }
        Ok(found)
    }
}

fn cut_off() -> Error {
    Error::corrupt("a list of numbers of the index is cut off")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn three_numbers_have_the_bytes_of_the_specification() {
        let mut out = Vec::new();
        write_sequence(&mut out, &[1, 5, 13], 16);
        // Count 3, the first number, one byte; with parameter 2 the gaps 0, 4 and 8: 100, 0100,
        // 00100.
        assert_eq!(out, [3, 1, 2, 0b1000_1000, 0b0100_0000]);
    }

    proptest! {
        #[test]
        fn ranges_equal_those_of_the_list(
            mut numbers in prop::collection::vec(0..5000u64, 0..3000),
            (from, to) in (0..5000u64, 0..5000u64),
            spread in 0..20u32,
        ) {
            numbers.sort_unstable();
            numbers.iter_mut().for_each(|number| *number <<= spread);
            numbers.dedup();
            let (from, to, bound) = (from << spread, to << spread, 5000 << spread);
            let mut out = Vec::new();
            write_sequence(&mut out, &numbers, bound);
            out.push(9);
            let mut input = &out[..];
            let sequence = Sequence::read(&mut input, bound).unwrap();
            prop_assert_eq!(input, [9]);
            let expected: Vec<u64> = numbers.iter().copied().filter(|n| (from..to).contains(n)).collect();
            prop_assert_eq!(sequence.range(from, to).unwrap(), expected);
            let list = write(&numbers, bound);
            let back: Result<Vec<u64>> = read(&list, numbers.len() as u64, bound).collect();
            prop_assert_eq!(back.unwrap(), numbers);
        }

        #[test]
        fn any_bytes_are_a_sequence_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200), bound in 1..1u64 << 40) {
            if let Ok(sequence) = Sequence::read(&mut &bytes[..], bound) {
                let numbers = sequence.range(bound / 3, bound).unwrap_or_default();
                prop_assert!(numbers.iter().all(|number| (bound / 3..bound).contains(number)));
            }
        }
    }
}
