//! Records whose comments are those of the record before them once more (spec §4.5.8).
//!
//! A game that stands twice in a collection, annotated or with its clocks, mostly stands there
//! twice in a row: sorted files have it so. What its comments say is not coded again; readers who
//! want them take the record before too.

use std::ops::Range;

use memchr::memchr_iter;

use crate::error::{Error, Result};
use ign_entropy::varint;

/// A record with fewer comments is not told to be a copy: habit tells them as cheaply. The choice
/// is the writer's: it is no part of the format.
const WORTH: usize = 8;

/// Which records of a block are copies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copies {
    /// Copies in a row; between two runs is a record that is none, and so is the first of all.
    runs: Vec<Range<usize>>,
}

impl Copies {
    /// Whether a record that has these comments, each with its `}`, like the one before it, is
    /// worth being told as a copy.
    pub fn is_worth(comments: &[u8]) -> bool {
        memchr_iter(b'}', comments).nth(WORTH - 1).is_some()
    }

    /// Adds a record behind all others.
    pub fn push(&mut self, record: usize) {
        match self.runs.last_mut() {
            Some(run) if run.end == record => run.end += 1,
            _ => self.runs.push(record..record + 1),
        }
    }

    /// The stream: for each run how many records lie before it that are no copies, and how long it
    /// is, each less one.
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

    /// The copies among so many records.
    ///
    /// # Errors
    /// Corrupt when there are fewer records.
    pub fn read(mut stream: &[u8], records: usize) -> Result<Self> {
        let mut runs = Vec::new();
        let mut end = 0;
        let mut next = |stream: &mut &[u8]| {
            let left = (records - end).checked_sub(1);
            let left =
                left.ok_or_else(|| Error::corrupt("a block has more copies than records"))?;
            let less_one = varint::read_limited(stream, left as u64, "a run of copies")?;
            end += less_one as usize + 1;
            Ok::<_, Error>(end)
        };
        while !stream.is_empty() {
            let start = next(&mut stream)?;
            runs.push(start..next(&mut stream)?);
        }
        Ok(Self { runs })
    }

    /// Whether a record is a copy.
    pub fn contains(&self, record: usize) -> bool {
        let after = self.runs.partition_point(|run| run.start <= record);
        let last = self.runs[..after].last();
        last.is_some_and(|run| run.contains(&record))
    }

    /// A record, which is no copy, and those that are copies of it.
    pub fn from(&self, record: usize) -> Range<usize> {
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
    fn few_comments_are_not_worth_it() {
        assert!(!Copies::is_worth(b""));
        assert!(!Copies::is_worth(&b"+0.3/9 1s}".repeat(WORTH - 1)));
        assert!(Copies::is_worth(&b"+0.3/9 1s}".repeat(WORTH)));
    }

    #[test]
    fn records_that_are_not_there_are_refused() {
        // Runs are 1..3 and 4..5.
        let stream = [0, 1, 0, 0];
        assert!(Copies::read(&stream, 5).is_ok());
        for records in 0..5 {
            assert!(Copies::read(&stream, records).is_err(), "{records}");
        }
        assert!(Copies::read(&stream[..3], 5).is_err());
        assert!(Copies::read(&[0xff; 12], usize::MAX).is_err());
    }

    proptest! {
        #[test]
        fn copies_come_back(is_copy in prop::collection::vec(any::<bool>(), 1..60)) {
            let mut copies = Copies::default();
            (1..is_copy.len()).filter(|&i| is_copy[i]).for_each(|i| copies.push(i));
            let read = Copies::read(&copies.write(), is_copy.len()).unwrap();
            prop_assert_eq!(&read, &copies);
            for i in 0..is_copy.len() {
                let expected = i > 0 && is_copy[i];
                prop_assert_eq!(read.contains(i), expected);
                if !expected {
                    let behind = is_copy[i + 1..].iter().take_while(|&&copy| copy).count();
                    prop_assert_eq!(read.from(i), i..i + 1 + behind);
                }
            }
        }

        #[test]
        fn any_bytes_are_copies_or_an_error(
            stream in prop::collection::vec(any::<u8>(), 0..30), records in 0..3000usize
        ) {
            if let Ok(copies) = Copies::read(&stream, records) {
                prop_assert!(!copies.contains(0) && !copies.contains(records));
            }
        }
    }
}
