//! The notation of ratings and of rating changes (spec §4.3.4).

use crate::error::{Error, Result};

/// Flag: no change is written `+0` instead of `0` (spec §4.3.4).
pub const PLUS_ZERO: u8 = 1;

/// The largest rating, and the largest change either way (spec §4.3.4).
const MAX: i64 = 9999;
/// Number of digits of [`MAX`].
const MAX_DIGITS: usize = 4;

/// Parses a rating: an integer from 0 to 9999 without leading zeros.
pub fn parse_rating(value: &[u8]) -> Option<i64> {
    let plain = (1..=MAX_DIGITS).contains(&value.len()) && (value[0] != b'0' || value.len() == 1);
    plain.then(|| {
        value.iter().try_fold(0, |n, c| {
            c.is_ascii_digit().then(|| n * 10 + i64::from(c - b'0'))
        })
    })?
}

/// Parses a change: a sign and an integer from 1 to 9999, or the zero of these flags.
pub fn parse_change(value: &[u8], flags: u8) -> Option<i64> {
    let (&sign, digits) = value.split_first()?;
    match sign {
        b'0' if value.len() == 1 && flags & PLUS_ZERO == 0 => Some(0),
        b'+' => parse_rating(digits).filter(|&n| n != 0 || flags & PLUS_ZERO != 0),
        b'-' => parse_rating(digits).filter(|&n| n != 0).map(|n| -n),
        _ => None,
    }
}

/// A number in decimal, on the stack.
pub struct Digits {
    bytes: [u8; 1 + MAX_DIGITS],
    start: usize,
}

impl Digits {
    /// Formats a rating.
    ///
    /// # Errors
    /// Corrupt, if it is out of range.
    pub fn of_rating(rating: i64) -> Result<Self> {
        if !(0..=MAX).contains(&rating) {
            return Err(out_of_range());
        }
        Ok(Self::new(rating, false))
    }

    /// Formats a change in the notation of these flags.
    ///
    /// # Errors
    /// Corrupt, if it is out of range.
    pub fn of_change(change: i64, flags: u8) -> Result<Self> {
        if !(-MAX..=MAX).contains(&change) {
            return Err(out_of_range());
        }
        Ok(Self::new(change, change != 0 || flags & PLUS_ZERO != 0))
    }

    fn new(number: i64, sign: bool) -> Self {
        let mut bytes = [0; 1 + MAX_DIGITS];
        let mut start = bytes.len();
        let mut left = number.unsigned_abs();
        while left > 0 || start == bytes.len() {
            start -= 1;
            bytes[start] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        if sign {
            start -= 1;
            bytes[start] = if number < 0 { b'-' } else { b'+' };
        }
        Self { bytes, start }
    }

    /// The characters.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

fn out_of_range() -> Error {
    Error::corrupt("a rating is out of range")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_one_notation() {
        assert_eq!(parse_rating(b"0"), Some(0));
        for text in ["", "01", "12345", "-1", "1500?"] {
            assert_eq!(parse_rating(text.as_bytes()), None, "{text}");
        }
        assert_eq!(
            (parse_change(b"+0", 0), parse_change(b"+0", PLUS_ZERO)),
            (None, Some(0))
        );
        assert_eq!(
            (parse_change(b"0", 0), parse_change(b"0", PLUS_ZERO)),
            (Some(0), None)
        );
        assert_eq!(
            (
                parse_change(b"-0", 0),
                parse_change(b"5", 0),
                parse_change(b"+", 0)
            ),
            (None, None, None)
        );
        assert_eq!(
            (parse_change(b"-12", 0), parse_change(b"+9999", 0)),
            (Some(-12), Some(9999))
        );
    }

    #[test]
    fn numbers_round_trip() {
        for text in ["0", "7", "1500", "9999"] {
            let rating = parse_rating(text.as_bytes()).unwrap();
            let digits = Digits::of_rating(rating).unwrap();
            assert_eq!(digits.as_bytes(), text.as_bytes());
        }
        for (text, flags) in [("0", 0), ("+0", PLUS_ZERO), ("-9999", 0), ("+12", 0)] {
            let change = parse_change(text.as_bytes(), flags).unwrap();
            let digits = Digits::of_change(change, flags).unwrap();
            assert_eq!(digits.as_bytes(), text.as_bytes());
        }
    }

    #[test]
    fn rejects_numbers_out_of_range() {
        for number in [i64::MIN, i64::MAX, 10_000, -10_000] {
            assert!(Digits::of_rating(number).is_err());
            assert!(Digits::of_change(number, 0).is_err());
        }
        assert!(Digits::of_rating(-1).is_err());
    }
}
