//! Ranges of values: `2200..2500`, both included, `2200..`, `..2500`, or one value.

use std::{
    fmt,
    ops::{RangeFrom, RangeInclusive, RangeToInclusive},
    str::FromStr,
};

use ign_format::error::{Error, Result};

/// A range of values with both ends included; an end that is missing does not limit.
///
/// ```
/// use ign_archive::query::Bounds;
///
/// let ratings: Bounds<u16> = "2200..2500".parse()?;
/// assert!(ratings.contains(&2200) && ratings.contains(&2500) && !ratings.contains(&2501));
/// assert_eq!(ratings, (2200..=2500).into());
/// assert!("2500..2200".parse::<Bounds<u16>>().is_err());
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bounds<T> {
    /// The least value, if there is one.
    pub min: Option<T>,
    /// The greatest value, if there is one.
    pub max: Option<T>,
}

impl<T: PartialOrd> Bounds<T> {
    /// Whether a value is in the range.
    pub fn contains(&self, value: &T) -> bool {
        self.min.as_ref().is_none_or(|min| min <= value)
            && self.max.as_ref().is_none_or(|max| value <= max)
    }
}

/// A value that can be the end of a range that is read from text.
pub trait RangeEnd: PartialOrd + FromStr<Err: fmt::Display> {
    /// Whether a range from `self` to `end` has no values.
    fn is_after(&self, end: &Self) -> bool {
        self > end
    }

    /// What is wrong with a text that is not a value.
    fn problem(text: &str, error: &Self::Err) -> String;
}

/// Whole numbers as ends of ranges.
macro_rules! whole_numbers {
    ($($number:ty)*) => {$(
        impl RangeEnd for $number {
            fn problem(text: &str, _: &Self::Err) -> String {
                format!("'{text}' is not an integer from {} to {}", Self::MIN, Self::MAX)
            }
        }
    )*};
}

whole_numbers!(u16 u32 u64 i32);

impl<T: RangeEnd> FromStr for Bounds<T> {
    type Err = Error;

    /// Reads `a..b`, `a..`, `..b` or `a`.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if an end is not a value, both are missing, or the range
    /// is empty.
    fn from_str(text: &str) -> Result<Self> {
        let value = |end: &str| {
            let value = end.trim().parse::<T>();
            value.map_err(|e| Error::usage(T::problem(end, &e)))
        };
        let end = |text: &str| match text.trim() {
            "" => Ok(None),
            text => value(text).map(Some),
        };
        let (min, max) = match text.split_once("..") {
            // Rust's own form for an included end is accepted too.
            Some((min, max)) => (end(min)?, end(max.trim_start_matches('='))?),
            None => {
                let both = || Ok((value(text).map(Some)?, value(text).map(Some)?));
                both().map_err(|error: Error| match hyphenated::<T>(text) {
                    Some(range) => error.with_remedy(format!("write {range}")),
                    None => error,
                })?
            }
        };
        match (&min, &max) {
            (None, None) => Err(Error::usage("the range has no end")),
            (Some(least), Some(greatest)) if least.is_after(greatest) => {
                Err(Error::usage(format!("'{text}' ends before it starts"))
                    .with_remedy("write the lower end first"))
            }
            _ => Ok(Self { min, max }),
        }
    }
}

/// The range that a text with a hyphen between its ends means: `1600..1999` for `1600-1999`.
fn hyphenated<T: RangeEnd>(text: &str) -> Option<String> {
    let is_value = |end: &&str| end.trim().parse::<T>().is_ok();
    let mut ends = text.match_indices('-').map(|(at, hyphen)| {
        let (min, max) = (&text[..at], &text[at + hyphen.len()..]);
        Some((min, max)).filter(|(min, max)| is_value(min) && is_value(max))
    });
    let (min, max) = ends.find_map(|ends| ends)?;
    Some(format!("{}..{}", min.trim(), max.trim()))
}

impl<T: Clone> From<T> for Bounds<T> {
    fn from(value: T) -> Self {
        Self {
            min: Some(value.clone()),
            max: Some(value),
        }
    }
}

impl<T> From<RangeInclusive<T>> for Bounds<T> {
    fn from(range: RangeInclusive<T>) -> Self {
        let (min, max) = range.into_inner();
        Self {
            min: Some(min),
            max: Some(max),
        }
    }
}

impl<T> From<RangeFrom<T>> for Bounds<T> {
    fn from(range: RangeFrom<T>) -> Self {
        Self {
            min: Some(range.start),
            max: None,
        }
    }
}

impl<T> From<RangeToInclusive<T>> for Bounds<T> {
    fn from(range: RangeToInclusive<T>) -> Self {
        Self {
            min: None,
            max: Some(range.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ranges_with_and_without_ends() {
        let read = |text: &str| text.parse::<Bounds<i32>>().ok();
        assert_eq!(read("3..5"), Some((3..=5).into()));
        assert_eq!(read("3..=5"), Some((3..=5).into()));
        assert_eq!(read(" 3 .. "), Some((3..).into()));
        assert_eq!(read("..5"), Some((..=5).into()));
        assert_eq!(read("-200..-100"), Some((-200..=-100).into()));
        assert_eq!(read("7"), Some(7.into()));
        for wrong in ["", "..", "5..3", "x", "1..x", "1...3", "99999999999"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        for (text, remedy) in [
            ("1600-1999", Some("write 1600..1999")),
            ("1600 - 1999", Some("write 1600..1999")),
            ("-200--100", Some("write -200..-100")),
            ("1600-", None),
            ("-", None),
            ("a-b", None),
        ] {
            let error = text.parse::<Bounds<i32>>().unwrap_err();
            let given = error.remedy().map(ToString::to_string);
            assert_eq!(given.as_deref(), remedy, "{text}");
        }
        let wrong = "70000".parse::<Bounds<u16>>().unwrap_err();
        assert_eq!(wrong.message(), "'70000' is not an integer from 0 to 65535");
    }
}
