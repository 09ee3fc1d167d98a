//! LEB128: integers in groups of seven bits, the lowest group first.
//!
//! Headers and indexes use it. The top bit of a byte says that another group
//! follows. Readers accept only the shortest form, so that a value has exactly
//! one encoding and equal structures have equal bytes.
//!
//! ```
//! use ign_entropy::varint;
//!
//! let mut bytes = Vec::new();
//! varint::write(&mut bytes, 300);
//! assert_eq!(bytes, [0xac, 0x02]);
//! assert_eq!(varint::read(&mut &bytes[..]), Ok(300));
//! ```

use std::{error::Error, fmt};

/// The largest encoding of a 64-bit value, in bytes.
pub const MAX_LEN: usize = 10;

/// Why an integer cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VarintError {
    /// The input ends inside the integer.
    Truncated,
    /// The integer has more than 64 bits.
    TooLong,
    /// A shorter encoding of the same value exists.
    NotShortest,
    /// The value is above the limit of its field.
    OverLimit {
        /// The field, as a noun phrase for messages.
        what: &'static str,
        /// The value read.
        value: u64,
        /// The largest valid value.
        limit: u64,
    },
}

impl fmt::Display for VarintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("a number is cut off"),
            Self::TooLong => f.write_str("a number exceeds 64 bits"),
            Self::NotShortest => f.write_str("a number is not in its shortest form"),
            Self::OverLimit { what, value, limit } => {
                write!(f, "{what} is {value}, over the limit of {limit}")
            }
        }
    }
}

impl Error for VarintError {}

/// Appends `value`.
pub fn write(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads one value and advances `input` past it.
///
/// # Errors
/// [`VarintError::Truncated`], [`VarintError::TooLong`] or
/// [`VarintError::NotShortest`]; `input` is then unchanged.
pub fn read(input: &mut &[u8]) -> Result<u64, VarintError> {
    let mut value = 0u64;
    for (i, &byte) in input.iter().take(MAX_LEN).enumerate() {
        let group = u64::from(byte & 0x7f);
        let shifted = group << (7 * i);
        if shifted >> (7 * i) != group {
            return Err(VarintError::TooLong);
        }
        value |= shifted;
        if byte < 0x80 {
            if byte == 0 && i > 0 {
                return Err(VarintError::NotShortest);
            }
            *input = &input[i + 1..];
            return Ok(value);
        }
    }
    Err(VarintError::Truncated)
}

/// Reads one value of the field `what` and checks it against a limit of the
/// format.
///
/// # Errors
/// Those of [`read`], and [`VarintError::OverLimit`] if the value is above
/// `limit`.
pub fn read_at_most(input: &mut &[u8], limit: u64, what: &'static str) -> Result<u64, VarintError> {
    match read(input)? {
        value if value > limit => Err(VarintError::OverLimit { what, value, limit }),
        value => Ok(value),
    }
}

/// As [`read_at_most`], for a length or a number of items in memory.
///
/// # Errors
/// Those of [`read_at_most`], and [`VarintError::OverLimit`] if a `usize`
/// cannot hold the value.
pub fn read_limited(
    input: &mut &[u8],
    limit: u64,
    what: &'static str,
) -> Result<usize, VarintError> {
    let value = read_at_most(input, limit.min(usize::MAX as u64), what)?;
    Ok(value as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_the_extremes_to_fixed_bytes() {
        for (value, bytes) in [
            (0u64, &[0x00u8][..]),
            (127, &[0x7f]),
            (128, &[0x80, 0x01]),
            (
                u64::MAX,
                &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
            ),
        ] {
            let mut out = Vec::new();
            write(&mut out, value);
            assert_eq!(out, bytes);
            let mut input = &out[..];
            assert_eq!(read(&mut input).unwrap(), value);
            assert!(input.is_empty());
        }
    }

    #[test]
    fn rejects_malformed_integers() {
        let error = |bytes: &[u8]| read(&mut &bytes[..]).unwrap_err();
        assert_eq!(error(&[]), VarintError::Truncated);
        assert_eq!(error(&[0x80]), VarintError::Truncated);
        assert_eq!(error(&[0x80, 0x00]), VarintError::NotShortest);
        assert_eq!(error(&[0xff; 10]), VarintError::TooLong);
        assert_eq!(
            error(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02]),
            VarintError::TooLong
        );
    }

    #[test]
    fn rejects_values_over_the_limit() {
        assert_eq!(read_limited(&mut &[7][..], 7, "a count"), Ok(7));
        let error = read_limited(&mut &[8][..], 7, "a count").unwrap_err();
        assert_eq!(error.to_string(), "a count is 8, over the limit of 7");
    }

    #[test]
    fn no_value_is_truncated_to_the_width_of_a_size() {
        let mut bytes = Vec::new();
        write(&mut bytes, 1 << 32);
        let read = read_at_most(&mut &bytes[..], u64::MAX, "a place");
        assert_eq!(read, Ok(1 << 32));
        let size = read_limited(&mut &bytes[..], u64::MAX, "a length");
        assert_eq!(size.is_ok(), usize::BITS > 32);
        // The limit of a machine with 32 bits.
        let of_32_bits = u64::from(u32::MAX);
        let mut largest = Vec::new();
        write(&mut largest, of_32_bits);
        let read = |bytes: &[u8]| read_at_most(&mut &bytes[..], of_32_bits, "a length");
        assert_eq!(read(&largest), Ok(of_32_bits));
        let error = read(&bytes).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a length is 4294967296, over the limit of 4294967295"
        );
    }
}
