//! Duplicates: records whose comments equal those of the record before (spec §4.5.8).
//!
//! A game that occurs twice in a collection mostly occurs twice in a row, because files are
//! sorted. The comments of the second are not coded; a reader decodes those of the first.

use std::ops::Range;

use memchr::memchr_iter;

use crate::error::{Error, Result};
use ign_entropy::varint;

/// Minimum number of comments of a duplicate; with fewer, coding them again is as cheap. This is
/// the writer's choice and not part of the format.
const MIN_COMMENTS: usize = 8;

/// The duplicates among the records of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Runs of duplicates. A record that is not a duplicate precedes each run.
    runs: Vec<Range<usize>>,
}

impl Duplicates {
    /// Whether a duplicate with these comments, each followed by `}`, is worth storing.
    pub fn is_worthwhile(comments: &[u8]) -> bool {
        memchr_iter(b'}', comments).nth(MIN_COMMENTS - 1).is_some()
    }

    /// Adds a duplicate; its number must exceed those of all others.
    pub fn push(&mut self, record: usize) {
        match self.runs.last_mut() {
            Some(run) if run.end == record => run.end += 1,
            _ => self.runs.push(record..record + 1),
        }
    }

    /// Writes the stream: for each run the number of records before it that are not duplicates,
    /// and its length, each less one.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut end = 0;
        for run in &self.runs {
            varint::write(&mut out, (run.start - end - 1) as u64);
            varint::write(&mut out, (run.len() - 1) as u64);
            end = run.end;
        }
        out
    }

    /// Reads the duplicates among a number of records.
    ///
    /// # Errors
    /// Returns a corruption error if there are fewer records.
    pub fn read(mut stream: &[u8], records: usize) -> Result<Self> {
        let mut runs = Vec::new();
        let mut end = 0;
        let mut next = |stream: &mut &[u8]| {
            let left = (records - end)
                .checked_sub(1)
                .ok_or_else(|| Error::corrupt("a block has more duplicates than records"))?;
            let less_one = varint::read_limited(stream, left as u64, "a run of duplicates")?;
            end += less_one as usize + 1;
            Ok::<_, Error>(end)
        };
        while !stream.is_empty() {
            let start = next(&mut stream)?;
            runs.push(start..next(&mut stream)?);
        }
        Ok(Self { runs })
    }

    /// Whether a record is a duplicate.
    pub fn contains(&self, record: usize) -> bool {
        let after = self.runs.partition_point(|run| run.start <= record);
        let last = self.runs[..after].last();
        last.is_some_and(|run| run.contains(&record))
    }

    /// A record that is not a duplicate, and the duplicates that follow it.
    pub fn with_duplicates(&self, record: usize) -> Range<usize> {
        let next = self.runs.partition_point(|run| run.start <= record);
        match self.runs.get(next) {
            Some(run) if run.start == record + 1 => record..run.end,
            _ => record..record + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn few_comments_are_not_worthwhile() {
        assert!(!Duplicates::is_worthwhile(b""));
        assert!(!Duplicates::is_worthwhile(
            &b"+0.3/9 1s}".repeat(MIN_COMMENTS - 1)
        ));
        assert!(Duplicates::is_worthwhile(
            &b"+0.3/9 1s}".repeat(MIN_COMMENTS)
        ));
    }

    #[test]
    fn rejects_runs_beyond_the_records() {
        // Runs are 1..3 and 4..5.
        let stream = [0, 1, 0, 0];
        assert!(Duplicates::read(&stream, 5).is_ok());
        for records in 0..5 {
            assert!(Duplicates::read(&stream, records).is_err(), "{records}");
        }
        assert!(Duplicates::read(&stream[..3], 5).is_err());
        assert!(Duplicates::read(&[0xff; 12], usize::MAX).is_err());
    }

    proptest! {
        #[test]
        fn round_trips_any_duplicates(is_duplicate in prop::collection::vec(any::<bool>(), 1..60)) {
            let mut duplicates = Duplicates::default();
            (1..is_duplicate.len()).filter(|&i| is_duplicate[i]).for_each(|i| duplicates.push(i));
            let read = Duplicates::read(&duplicates.write(), is_duplicate.len()).unwrap();
            prop_assert_eq!(&read, &duplicates);
            for i in 0..is_duplicate.len() {
                let expected = i > 0 && is_duplicate[i];
                prop_assert_eq!(read.contains(i), expected);
                if !expected {
                    let after = is_duplicate[i + 1..].iter().take_while(|&&is_one| is_one).count();
                    prop_assert_eq!(read.with_duplicates(i), i..i + 1 + after);
                }
            }
        }

        #[test]
        fn reads_any_bytes_without_panic(
            stream in prop::collection::vec(any::<u8>(), 0..30), records in 0..3000usize
        ) {
            if let Ok(duplicates) = Duplicates::read(&stream, records) {
                prop_assert!(!duplicates.contains(0) && !duplicates.contains(records));
            }
        }
    }
}
