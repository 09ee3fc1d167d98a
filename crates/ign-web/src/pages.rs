//! The bytes of a source that were read, in pages of a fixed size. Those that were not used for the
//! longest time are dropped.

use std::{collections::HashMap, io, ops::Range};

/// Bytes of a page.
const PAGE: u64 = 16 << 10;
/// Pages that are kept of a source: 24 MiB.
const KEPT: usize = 1536;
/// Pages between two ranges that are announced as one.
const GAP: u64 = 2;

/// The pages.
#[derive(Default)]
pub struct Pages {
    pages: HashMap<u64, Page>,
    now: u64,
}

struct Page {
    bytes: Box<[u8]>,
    used: u64,
}

/// The pages that a range of bytes touches.
fn pages_of(bytes: &Range<u64>) -> Range<u64> {
    bytes.start / PAGE..bytes.end.div_ceil(PAGE)
}

/// The bytes of pages of a source of `len` bytes.
fn bytes_of(pages: &Range<u64>, len: u64) -> Range<u64> {
    pages.start * PAGE..(pages.end * PAGE).min(len)
}

impl Pages {
    /// Fills the buffer with the bytes from `offset` on, which are inside the source of `len`
    /// bytes. `request` reads the runs of whole pages that are missing.
    ///
    /// # Errors
    /// Those of `request`.
    pub fn read(
        &mut self,
        buffer: &mut [u8],
        offset: u64,
        len: u64,
        request: impl Fn(Range<u64>) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        self.now += 1;
        let wanted = offset..offset + buffer.len() as u64;
        let mut page = wanted.start / PAGE;
        while page < wanted.end.div_ceil(PAGE) {
            if let Some(kept) = self.pages.get_mut(&page) {
                kept.used = self.now;
                copy(buffer, offset, page * PAGE, &kept.bytes);
                page += 1;
                continue;
            }
            let end = (page..pages_of(&wanted).end).find(|page| self.pages.contains_key(page));
            let run = page..end.unwrap_or(pages_of(&wanted).end);
            let bytes = bytes_of(&run, len);
            let read = request(bytes.clone())?;
            copy(buffer, offset, bytes.start, &read);
            for (number, bytes) in run.clone().zip(read.chunks(PAGE as usize)) {
                let bytes = bytes.into();
                let used = self.now;
                self.pages.insert(number, Page { bytes, used });
            }
            page = run.end;
        }
        self.shrink();
        Ok(())
    }

    /// The ranges of whole pages, in the order given, that these ranges need and that are not kept.
    /// Ranges that are close to each other are one.
    pub fn missing(&self, ranges: &[Range<u64>], len: u64) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        for range in ranges {
            let end = range.end.min(len);
            for page in pages_of(&(range.start.min(end)..end)) {
                match runs.last_mut() {
                    _ if self.pages.contains_key(&page) => {}
                    Some(run) if run.contains(&page) => {}
                    Some(run) if page >= run.end && page - run.end <= GAP => run.end = page + 1,
                    _ => runs.push(page..page + 1),
                }
            }
        }
        runs.iter().map(|run| bytes_of(run, len)).collect()
    }

    fn shrink(&mut self) {
        if self.pages.len() <= KEPT {
            return;
        }
        let mut used: Vec<u64> = self.pages.values().map(|page| page.used).collect();
        used.sort_unstable();
        let oldest = used[used.len() - KEPT * 3 / 4];
        self.pages.retain(|_, page| page.used >= oldest);
    }
}

/// Copies what `bytes`, which are at `start` in the source, have for a buffer at `offset`.
fn copy(buffer: &mut [u8], offset: u64, start: u64, bytes: &[u8]) {
    let end = (start + bytes.len() as u64).min(offset + buffer.len() as u64);
    let from = start.max(offset);
    if from < end {
        let len = (end - from) as usize;
        let (to, of) = ((from - offset) as usize, (from - start) as usize);
        buffer[to..to + len].copy_from_slice(&bytes[of..of + len]);
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    const LEN: u64 = 10 * PAGE + 5;

    fn byte(place: u64) -> u8 {
        (place % 251) as u8
    }

    #[test]
    fn pages_are_requested_once_and_in_runs() {
        let mut pages = Pages::default();
        let requested = RefCell::new(Vec::new());
        let mut read = |bytes: Range<u64>| {
            let mut buffer = vec![0; (bytes.end - bytes.start) as usize];
            let request = |run: Range<u64>| {
                requested.borrow_mut().push(run.clone());
                Ok(run.map(byte).collect())
            };
            pages.read(&mut buffer, bytes.start, LEN, request).unwrap();
            assert!(buffer.iter().copied().eq(bytes.map(byte)));
            requested.take()
        };
        assert_eq!(read(PAGE + 1..PAGE + 2), [PAGE..2 * PAGE]);
        assert_eq!(read(PAGE..2 * PAGE), []);
        assert_eq!(read(0..4 * PAGE), [0..PAGE, 2 * PAGE..4 * PAGE]);
        assert_eq!(read(10 * PAGE..LEN), [10 * PAGE..LEN]);
        assert_eq!(read(LEN..LEN), []);
    }

    #[test]
    fn missing_ranges_are_whole_pages_that_are_not_kept() {
        let mut pages = Pages::default();
        let zeros = |run: Range<u64>| Ok(vec![0; (run.end - run.start) as usize]);
        pages.read(&mut [0], PAGE, LEN, zeros).unwrap();
        let missing = |ranges: &[Range<u64>]| pages.missing(ranges, LEN);
        assert_eq!(missing(&[PAGE..2 * PAGE]), []);
        assert_eq!(
            missing(&[5..PAGE + 3, 2 * PAGE..2 * PAGE + 1]),
            [0..3 * PAGE]
        );
        let far = [0..1, 9 * PAGE..u64::MAX, 0..1];
        assert_eq!(missing(&far), [0..PAGE, 9 * PAGE..LEN, 0..PAGE]);
    }
}
