//! One or several ranges of values: `1000..1200,2000..`.

use std::str::FromStr;

use ign_format::error::{Error, Result};

use super::{Bounds, RangeEnd};

/// One or several ranges of values. A value is in them if it is in one of them; without ranges no
/// value is.
///
/// ```
/// use ign_archive::query::{Bounds, Ranges};
///
/// let ratings: Ranges<u16> = "1000..1200,2000..".parse()?;
/// assert!(ratings.contains(&1200) && !ratings.contains(&1201) && ratings.contains(&2500));
/// let same = [Bounds::from(1000..=1200), Bounds::from(2000..)];
/// assert_eq!(ratings, same.into_iter().collect());
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ranges<T>(Vec<Bounds<T>>);

impl<T> Ranges<T> {
    /// The ranges.
    pub fn iter(&self) -> std::slice::Iter<'_, Bounds<T>> {
        self.0.iter()
    }
}

impl<T: PartialOrd> Ranges<T> {
    /// Whether a value is in one of the ranges.
    #[inline]
    pub fn contains(&self, value: &T) -> bool {
        self.0.iter().any(|range| range.contains(value))
    }
}

impl<T: Copy + Ord> Ranges<T> {
    /// The greatest value in the ranges; `None` if there is none.
    pub fn max(&self) -> Option<T> {
        let mut ends = self.0.iter().map(|range| range.max);
        let first = ends.next()??;
        ends.try_fold(first, |max, end| Some(max.max(end?)))
    }
}

impl<T: RangeEnd> FromStr for Ranges<T> {
    type Err = Error;

    /// Reads ranges as [`Bounds`] does, with commas between them.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if one of them is not a range.
    fn from_str(text: &str) -> Result<Self> {
        let ranges = text.split(',').map(str::parse);
        ranges.collect::<Result<_>>().map_err(|error| {
            error.with_remedy(
                "write a value, 'a..b' with both included, 'a..' or '..b'; several with commas",
            )
        })
    }
}

impl<T> FromIterator<Bounds<T>> for Ranges<T> {
    fn from_iter<I: IntoIterator<Item = Bounds<T>>>(ranges: I) -> Self {
        Self(ranges.into_iter().collect())
    }
}

impl<T, R: Into<Bounds<T>>> From<R> for Ranges<T> {
    /// One range.
    fn from(range: R) -> Self {
        Self(vec![range.into()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ranges_between_commas() {
        let read = |text: &str| text.parse::<Ranges<i32>>().ok();
        let of = |ranges: &[Bounds<i32>]| Some(ranges.iter().copied().collect());
        assert_eq!(read("7"), Some(7.into()));
        assert_eq!(read("3..5"), Some((3..=5).into()));
        assert_eq!(read("3..5, 9"), of(&[(3..=5).into(), 9.into()]));
        assert_eq!(read("..-3,5.."), of(&[(..=-3).into(), (5..).into()]));
        for wrong in ["", ",", "3,", ",3", "3,,5", "3,..", "3,5..4", "3;5", "1,x"] {
            let error = wrong.parse::<Ranges<i32>>().unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{wrong}");
        }
        let error = "1000..1200;2000".parse::<Ranges<i32>>().unwrap_err();
        let remedy = error.remedy().unwrap().to_string();
        assert!(remedy.ends_with("several with commas"), "{remedy}");
    }

    #[test]
    fn the_greatest_value_is_that_of_all_ranges() {
        let max = |text: &str| text.parse::<Ranges<u32>>().unwrap().max();
        assert_eq!(max("3..5,1"), Some(5));
        assert_eq!(max("1,3..5"), Some(5));
        assert_eq!(max("3..,1"), None);
        assert_eq!(Ranges::<u32>::from_iter([]).max(), None);
    }
}
