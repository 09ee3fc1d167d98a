//! LEB128: whole numbers in groups of seven bits, the lowest group first.
//!
//! Used by headers and indexes. The shortest form is the only one accepted, so
//! that a value has one spelling and equal structures are equal bytes.

use std::{error::Error, fmt};

/// Why a number cannot be read: the text of its [`Display`](fmt::Display).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VarintError(String);

impl fmt::Display for VarintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for VarintError {}

type Result<T> = std::result::Result<T, VarintError>;

/// The most bytes a 64-bit value takes.
pub const MAX_LEN: usize = 10;

/// Appends `value`.
pub fn write(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes one value off the front of `input`.
///
/// # Errors
/// Corrupt when the input ends inside the value, when it exceeds 64 bits, or
/// when a shorter spelling exists.
pub fn read(input: &mut &[u8]) -> Result<u64> {
    let mut value = 0u64;
    for (i, &byte) in input.iter().take(MAX_LEN).enumerate() {
        let group = u64::from(byte & 0x7f);
        let shifted = group << (7 * i);
        if shifted >> (7 * i) != group {
            return Err(malformed("a number exceeds 64 bits"));
        }
        value |= shifted;
        if byte < 0x80 {
            if byte == 0 && i > 0 {
                return Err(malformed("a number is not in its shortest form"));
            }
            *input = &input[i + 1..];
            return Ok(value);
        }
    }
    Err(malformed("a number is cut off"))
}

/// Takes one value and checks it against a limit of the format.
///
/// # Errors
/// As [`read`]; corrupt, naming `what`, when the value exceeds `limit`.
pub fn read_limited(input: &mut &[u8], limit: u64, what: &str) -> Result<usize> {
    let value = read(input)?;
    if value > limit {
        return Err(malformed(format!(
            "{what} is {value}, over the limit of {limit}"
        )));
    }
    Ok(value as usize)
}

fn malformed(message: impl Into<String>) -> VarintError {
    VarintError(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extremes_have_their_known_bytes() {
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
    fn bad_spellings_are_refused() {
        assert!(read(&mut &[][..]).is_err());
        assert!(read(&mut &[0x80][..]).is_err());
        assert!(read(&mut &[0x80, 0x00][..]).is_err());
        assert!(read(&mut &[0xff; 10][..]).is_err());
        assert!(
            read(&mut &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02][..]).is_err()
        );
    }
}
