//! The lengths of the groups of a column: their mean, a Rice parameter, and the difference of each
//! length from the mean.

use crate::{block::groups::header::malformed, error::Result};
use ign_entropy::{BitReader, BitWriter, rice, varint};

/// Appends the lengths of groups.
pub fn write(out: &mut Vec<u8>, lens: &[u64]) {
    let mean = lens.iter().sum::<u64>() / lens.len() as u64;
    let differences = lens.iter().map(|&len| zigzag(len as i64 - mean as i64));
    let bits = |&parameter: &u32| -> u64 {
        let bits = differences.clone().map(|d| rice::len(d, parameter));
        bits.fold(0, u64::saturating_add)
    };
    let parameter = (0..=32).min_by_key(bits).unwrap_or(0);
    varint::write(out, mean);
    out.push(parameter as u8);
    let mut writer = BitWriter::new(out);
    for difference in differences.clone() {
        rice::write(&mut writer, difference, parameter);
    }
    writer.finish();
}

/// Reads the lengths of `groups` groups from the front of `input`, which must then hold exactly the
/// groups. Returns where each group ends, from the start of the first.
///
/// # Errors
/// Corrupt when the lengths do not add up to the rest of the input.
pub fn read(input: &mut &[u8], groups: usize) -> Result<Vec<usize>> {
    let max = input.len() as u64;
    let mean = varint::read_limited(input, max, "the mean length of groups")? as i64;
    let (&parameter, rest) = input.split_first().ok_or_else(malformed)?;
    *input = rest;
    if u32::from(parameter) > rice::MAX_PARAMETER {
        return Err(malformed());
    }
    // A length takes at least one bit, which bounds their number.
    let mut reader = BitReader::new(input);
    let mut ends = Vec::with_capacity(groups.min(8 * input.len()));
    let mut end = 0;
    for _ in 0..groups {
        let difference =
            rice::read(&mut reader, parameter.into(), 2 * max).map_err(|_| malformed())?;
        let len = mean + unzigzag(difference);
        if len < 0 || len > max as i64 {
            return Err(malformed());
        }
        end += len as usize;
        ends.push(end);
    }
    let used = reader.position().div_ceil(8) as usize;
    let (lens, streams) = input.split_at(used);
    let padding = (8 * used) as u64 - reader.position();
    let padding_is_zero = lens
        .last()
        .is_none_or(|&byte| u64::from(byte.trailing_zeros()) >= padding);
    if !padding_is_zero || streams.len() != end {
        return Err(malformed());
    }
    *input = streams;
    Ok(ends)
}

/// Maps 0, −1, 1, −2, … to 0, 1, 2, 3, …
fn zigzag(difference: i64) -> u64 {
    (difference << 1 ^ difference >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn round_trips_lengths(lens in prop::collection::vec(0..3000u64, 1..200), one in 0..1u64 << 20) {
            let lens = [&lens[..], &[one]].concat();
            let mut out = Vec::new();
            write(&mut out, &lens);
            let streams = lens.iter().sum::<u64>() as usize;
            out.resize(out.len() + streams, 0xab);
            let mut input = &out[..];
            let ends = read(&mut input, lens.len()).unwrap();
            prop_assert_eq!(input.len(), streams);
            let starts = std::iter::once(0).chain(ends.iter().copied());
            prop_assert!(starts.zip(&ends).map(|(start, end)| (end - start) as u64).eq(lens));
        }

        #[test]
        fn zigzag_interleaves_negative_and_positive_numbers(difference in -1i64 << 40..1 << 40) {
            prop_assert_eq!(unzigzag(zigzag(difference)), difference);
            let expected = if difference < 0 { -2 * difference - 1 } else { 2 * difference };
            prop_assert_eq!(zigzag(difference), expected as u64);
        }
    }
}
