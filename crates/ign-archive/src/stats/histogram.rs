//! A histogram of small integers with one count per value, so that quantiles are exact.
//!
//! Invariant: the last count is not 0, so equal contents are equal values. Histogram crates such as
//! hdrhistogram trade exactness for range; these values are small, and the tests compare exact
//! sums.

use super::ratio::ratio;

/// The number of occurrences of each value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
}

/// A histogram in bins of equal width, for drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bins {
    /// Values per bin.
    pub width: usize,
    /// The first value of the first bin.
    pub first: usize,
    /// Occurrences in each bin.
    pub counts: Vec<u64>,
    /// Occurrences beyond the last bin.
    pub beyond: u64,
}

impl Histogram {
    /// Counts a value.
    #[inline]
    pub(super) fn add(&mut self, number: usize) {
        self.add_many(number, 1);
    }

    /// Counts a value `times` times.
    #[inline]
    pub(super) fn add_many(&mut self, number: usize, times: u64) {
        if times == 0 {
            return;
        }
        if self.counts.len() <= number {
            self.counts.resize(number + 1, 0);
        }
        self.counts[number] += times;
    }

    /// Adds another histogram.
    pub(super) fn merge(&mut self, other: &Self) {
        for (number, count) in other.iter() {
            self.add_many(number, count);
        }
    }

    /// The values that occur, ascending, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (usize, u64)> {
        let counts = self.counts.iter().copied().enumerate();
        counts.filter(|&(_, count)| count > 0)
    }

    /// The number of values counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The sum of the values.
    pub fn sum(&self) -> u64 {
        self.iter()
            .map(|(number, count)| number as u64 * count)
            .sum()
    }

    /// The smallest value.
    pub fn min(&self) -> Option<usize> {
        self.iter().next().map(|(number, _)| number)
    }

    /// The largest value.
    pub fn max(&self) -> Option<usize> {
        self.counts.len().checked_sub(1)
    }

    /// The mean; `None` if empty.
    pub fn mean(&self) -> Option<f64> {
        ratio(self.sum(), self.count())
    }

    /// The percentile by the nearest-rank method: 50 is the lower median, 0 the smallest value, 100
    /// and more the largest.
    pub fn percentile(&self, percent: u8) -> Option<usize> {
        let percent = percent.min(100);
        let rank = (u128::from(self.count()) * u128::from(percent)).div_ceil(100);
        let mut below = 0;
        self.iter()
            .find(|&(_, count)| {
                below += u128::from(count);
                below >= rank
            })
            .map(|(number, _)| number)
    }

    /// The number of values below this one.
    pub fn below(&self, number: usize) -> u64 {
        self.counts[..number.min(self.counts.len())].iter().sum()
    }

    /// At most `max` bins of a round width that hold the lower 99 percent of the values; the rest
    /// is beyond them.
    ///
    /// # Panics
    /// If `max` is 0.
    pub fn bins(&self, max: usize) -> Bins {
        let (Some(min), Some(end)) = (self.min(), self.percentile(99)) else {
            return Bins {
                width: 1,
                first: 0,
                counts: Vec::new(),
                beyond: 0,
            };
        };
        let round = (0..).flat_map(|power| [1, 2, 5].map(|step| step * 10usize.pow(power)));
        let bins = |width: usize| end / width - min / width + 1;
        let width = round
            .into_iter()
            .find(|&width| bins(width) <= max)
            .expect("a bin wide enough for all");
        let first = min / width * width;
        let counts: Vec<u64> = (0..bins(width))
            .map(|bin| first + bin * width)
            .map(|start| self.below(start + width) - self.below(start))
            .collect();
        Bins {
            width,
            first,
            beyond: self.count() - counts.iter().sum::<u64>(),
            counts,
        }
    }
}

impl FromIterator<usize> for Histogram {
    fn from_iter<I: IntoIterator<Item = usize>>(numbers: I) -> Self {
        let mut histogram = Self::default();
        numbers.into_iter().for_each(|n| histogram.add(n));
        histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_empty_histogram_has_no_statistics() {
        let empty = Histogram::default();
        assert_eq!((empty.count(), empty.sum()), (0, 0));
        assert_eq!((empty.min(), empty.max()), (None, None));
        assert_eq!((empty.mean(), empty.percentile(50)), (None, None));
        assert!(empty.bins(10).counts.is_empty());
    }

    #[test]
    fn percentiles_use_the_nearest_rank() {
        let hundred: Histogram = (1..=100).collect();
        for percent in 1..=100 {
            assert_eq!(hundred.percentile(percent), Some(usize::from(percent)));
        }
        let four: Histogram = [5, 1, 9, 1].into_iter().collect();
        let quartiles = [0, 25, 50, 51, 75, 76, 99, 100].map(|p| four.percentile(p).unwrap());
        assert_eq!(quartiles, [1, 1, 1, 5, 5, 9, 9, 9]);
        assert_eq!(
            (four.mean(), four.min(), four.max()),
            (Some(4.0), Some(1), Some(9))
        );
    }

    #[test]
    fn bins_have_round_widths_and_lose_no_value() {
        let numbers: Histogram = (30..430).chain([5000]).collect();
        let bins = numbers.bins(20);
        assert_eq!((bins.width, bins.first, bins.counts.len()), (50, 0, 9));
        assert_eq!(
            (bins.counts[0], bins.counts[1], bins.counts[8]),
            (20, 50, 30)
        );
        assert_eq!(bins.beyond, 1);
        let one: Histogram = [7].into_iter().collect();
        let bins = Bins {
            width: 1,
            first: 7,
            counts: vec![1],
            beyond: 0,
        };
        assert_eq!(one.bins(20), bins);
    }

    proptest! {
        #[test]
        fn statistics_equal_those_of_the_sorted_values(
            mut numbers in prop::collection::vec(0usize..300, 1..200),
            cut in any::<prop::sample::Index>(),
            percent in 1u8..=100,
        ) {
            let (left, right) = numbers.split_at(cut.index(numbers.len()));
            let mut histogram: Histogram = left.iter().copied().collect();
            histogram.merge(&right.iter().copied().collect());
            numbers.sort_unstable();
            let rank = (numbers.len() * usize::from(percent)).div_ceil(100);
            prop_assert_eq!(histogram.percentile(percent), Some(numbers[rank - 1]));
            prop_assert_eq!(histogram.sum(), numbers.iter().sum::<usize>() as u64);
            prop_assert_eq!(histogram.min(), numbers.first().copied());
            prop_assert_eq!(histogram.max(), numbers.last().copied());
            let bins = histogram.bins(12);
            prop_assert!(bins.counts.len() <= 12);
            prop_assert_eq!(bins.counts.iter().sum::<u64>() + bins.beyond, numbers.len() as u64);
        }
    }
}
