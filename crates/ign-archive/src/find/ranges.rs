//! Ranges of games: those that a search is about.

use std::ops::Range;

use crate::{archives::Archives, values::FilePattern};

/// Ranges of games, counted from 0, that ascend and do not touch.
pub(super) struct Ranges(Vec<Range<u64>>);

impl Ranges {
    /// The games of a range whose packed files match; all of the range without a pattern.
    pub fn of_files(archives: &Archives, range: Range<u64>, pattern: Option<&FilePattern>) -> Self {
        let mut ranges = Self(Vec::new());
        let Some(pattern) = pattern else {
            ranges.add(range);
            return ranges;
        };
        let mut before = 0;
        for archive in archives.archives() {
            for (source, games) in archive.sources().iter().zip(archive.games_of_sources()) {
                if pattern.matches(source) {
                    // Games of sources are numbered from 1.
                    let (start, end) = (before + games.start - 1, before + games.end - 1);
                    ranges.add(start.max(range.start)..end.min(range.end));
                }
            }
            before += archive.len();
        }
        ranges
    }

    /// Adds a range after all others.
    fn add(&mut self, range: Range<u64>) {
        match self.0.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if last.end == range.start => last.end = range.end,
            _ => self.0.push(range),
        }
    }

    /// What the ranges have in common with another one.
    pub fn within(&self, range: Range<u64>) -> impl Iterator<Item = Range<u64>> + '_ {
        let first = self.0.partition_point(|own| own.end <= range.start);
        let own = self.0[first..].iter();
        own.take_while(move |own| own.start < range.end)
            .map(move |own| own.start.max(range.start)..own.end.min(range.end))
            .filter(|common| !common.is_empty())
    }

    /// Whether the ranges have games in common with another one.
    pub fn overlaps(&self, range: Range<u64>) -> bool {
        self.within(range).next().is_some()
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.0.iter().map(|range| range.end - range.start).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_are_one_and_empty_ones_are_none() {
        let mut ranges = Ranges(Vec::new());
        for range in [0..2, 2..2, 2..5, 7..7, 9..12] {
            ranges.add(range);
        }
        assert_eq!(ranges.0, [0..5, 9..12]);
        assert_eq!(ranges.games(), 8);
        for (range, expected) in [
            (0..20, vec![0..5, 9..12]),
            (4..10, vec![4..5, 9..10]),
            (5..9, vec![]),
            (4..11, vec![4..5, 9..11]),
            (12..20, vec![]),
            (3..3, vec![]),
        ] {
            assert_eq!(ranges.within(range.clone()).collect::<Vec<_>>(), expected);
            assert_eq!(ranges.overlaps(range), !expected.is_empty());
        }
    }
}
