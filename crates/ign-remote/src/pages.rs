//! Which pages of an object are in memory, which are on their way, and which are to be requested.
//!
//! This is a state without threads or clocks: [`Object`](crate::Object) does what it decides.

use std::{
    collections::{HashMap, VecDeque},
    io,
    ops::Range,
};

/// Bytes of a page.
pub(crate) const PAGE: u64 = 16 << 10;
/// The largest request, in pages: 4 MiB.
const MAX_REQUEST: u64 = 256;
/// Pages between two ranges that are requested with them, because a request takes longer: 128 KiB.
const MAX_GAP: u64 = 8;
/// Requests ahead of the reader that run at the same time.
const MAX_AHEAD_REQUESTS: usize = 6;
/// Pages that are requested ahead of the reader: 24 MiB.
const MAX_AHEAD: u64 = 1536;
/// Pages in memory, if the reader is not waiting for more: 64 MiB.
const MAX_KEPT: usize = 4096;

/// Page numbers.
pub(crate) type Run = Range<u64>;

/// A page.
enum Page {
    /// It has been requested.
    Requested { ahead: bool },
    /// It is in memory.
    Kept {
        bytes: Box<[u8]>,
        /// When it was last read.
        used: u64,
        /// Whether it was requested ahead and has not been read.
        ahead: bool,
    },
    /// Its request failed.
    Failed(io::ErrorKind, String),
}

/// The pages of an object.
pub(crate) struct Pages {
    size: u64,
    pages: HashMap<u64, Page>,
    kept: usize,
    now: u64,
    /// What the reader has announced and is not requested yet.
    plan: VecDeque<Run>,
    /// Pages that were requested ahead and have not been read.
    ahead: u64,
    ahead_requests: usize,
}

/// What a reader finds.
#[derive(Debug)]
pub(crate) enum Found<'p> {
    /// The bytes of the page.
    Bytes(&'p [u8]),
    /// The page is on its way.
    Wait,
    /// The page must be requested.
    Missing,
    /// The request failed.
    Failed(io::Error),
}

impl Pages {
    pub fn new(size: u64) -> Self {
        Self {
            size,
            pages: HashMap::new(),
            kept: 0,
            now: 0,
            plan: VecDeque::new(),
            ahead: 0,
            ahead_requests: 0,
        }
    }

    /// The pages that a range of bytes touches.
    pub fn of(bytes: &Range<u64>) -> Run {
        bytes.start / PAGE..bytes.end.div_ceil(PAGE)
    }

    /// The bytes of a run of pages.
    pub fn bytes(&self, run: &Run) -> Range<u64> {
        run.start * PAGE..(run.end * PAGE).min(self.size)
    }

    /// The runs of a range of pages that a reader must request now. They count as requested.
    pub fn request(&mut self, wanted: Run) -> Vec<Run> {
        self.take(wanted, false)
    }

    /// Announces ranges of bytes, in the order in which they will be read. What was announced
    /// before is forgotten.
    pub fn announce(&mut self, ranges: impl IntoIterator<Item = Range<u64>>) {
        self.plan.clear();
        self.ahead = 0;
        for page in self.pages.values_mut() {
            match page {
                Page::Requested { ahead } | Page::Kept { ahead, .. } => *ahead = false,
                Page::Failed(..) => {}
            }
        }
        for range in ranges {
            let end = range.end.min(self.size);
            let run = Self::of(&(range.start.min(end)..end));
            match self.plan.back_mut() {
                Some(last) if run.start >= last.start && run.start <= last.end + MAX_GAP => {
                    last.end = last.end.max(run.end);
                }
                _ if run.is_empty() => {}
                _ => self.plan.push_back(run),
            }
        }
    }

    /// The next run of what was announced that is to be requested now, if any. It counts as
    /// requested.
    pub fn next_ahead(&mut self) -> Option<Run> {
        while self.ahead_requests < MAX_AHEAD_REQUESTS && self.ahead < MAX_AHEAD {
            let run = self.plan.front_mut()?;
            let part = run.start..run.end.min(run.start + MAX_REQUEST);
            run.start = part.end;
            if run.is_empty() {
                self.plan.pop_front();
            }
            let mut missing = self.take(part, true).into_iter();
            if let Some(first) = missing.next() {
                // Pages in memory divide a part. The rest of it is next.
                for later in missing.rev() {
                    self.forget(&later);
                    self.plan.push_front(later);
                }
                self.ahead_requests += 1;
                return Some(first);
            }
        }
        None
    }

    /// Notes that a request which [`next_ahead`](Self::next_ahead) returned has ended.
    pub fn end_ahead(&mut self) {
        self.ahead_requests -= 1;
    }

    /// Marks the pages of a range that are neither in memory nor requested as requested, and
    /// returns them.
    fn take(&mut self, wanted: Run, ahead: bool) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for page in wanted {
            if matches!(
                self.pages.get(&page),
                Some(Page::Requested { .. } | Page::Kept { .. })
            ) {
                continue;
            }
            self.pages.insert(page, Page::Requested { ahead });
            self.ahead += u64::from(ahead);
            match runs.last_mut() {
                Some(run) if run.end == page && run.end - run.start < MAX_REQUEST => run.end += 1,
                _ => runs.push(page..page + 1),
            }
        }
        runs
    }

    /// Takes back that pages are requested.
    fn forget(&mut self, run: &Run) {
        for page in run.clone() {
            if let Some(Page::Requested { ahead: true }) = self.pages.remove(&page) {
                self.ahead -= 1;
            }
        }
    }

    /// Adds the bytes of a run of whole pages; the last page of the object may be shorter.
    pub fn add(&mut self, run: &Run, bytes: &[u8]) {
        for (page, bytes) in run.clone().zip(bytes.chunks(PAGE as usize)) {
            let ahead = matches!(self.pages.get(&page), Some(Page::Requested { ahead: true }));
            let kept = Page::Kept {
                bytes: bytes.into(),
                used: self.now,
                ahead,
            };
            let before = self.pages.insert(page, kept);
            self.kept += usize::from(!matches!(before, Some(Page::Kept { .. })));
        }
        self.evict();
    }

    /// Notes that the request of a run failed.
    pub fn fail(&mut self, run: &Run, error: &io::Error) {
        self.forget(run);
        for page in run.clone() {
            let failed = Page::Failed(error.kind(), error.to_string());
            self.pages.insert(page, failed);
        }
    }

    /// What is known of a page.
    pub fn find(&mut self, page: u64) -> Found<'_> {
        self.now += 1;
        if let Some(Page::Failed(..)) = self.pages.get(&page) {
            // The next reader requests it again.
            return match self.pages.remove(&page) {
                Some(Page::Failed(kind, message)) => Found::Failed(io::Error::new(kind, message)),
                _ => Found::Missing,
            };
        }
        match self.pages.get_mut(&page) {
            Some(Page::Kept { bytes, used, ahead }) => {
                *used = self.now;
                self.ahead -= u64::from(std::mem::take(ahead));
                Found::Bytes(bytes)
            }
            Some(Page::Requested { .. }) => Found::Wait,
            _ => Found::Missing,
        }
    }

    /// Removes the pages that were not read for the longest time, if there are too many. Pages that
    /// were requested ahead stay.
    fn evict(&mut self) {
        if self.kept <= MAX_KEPT {
            return;
        }
        let mut old: Vec<(u64, u64)> = Vec::new();
        for (&number, page) in &self.pages {
            if let Page::Kept {
                used, ahead: false, ..
            } = page
            {
                old.push((*used, number));
            }
        }
        old.sort_unstable();
        // A quarter more, so that this is done seldom.
        let surplus = self.kept - MAX_KEPT * 3 / 4;
        for (_, number) in old.into_iter().take(surplus) {
            self.pages.remove(&number);
            self.kept -= 1;
        }
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kept(pages: &mut Pages, run: Run) {
        let range = pages.bytes(&run);
        pages.add(&run, &vec![7; (range.end - range.start) as usize]);
    }

    #[test]
    fn a_read_requests_what_is_missing() {
        let mut pages = Pages::new(100 * PAGE + 5);
        assert_eq!(Pages::of(&(PAGE - 1..PAGE + 1)), 0..2);
        assert_eq!(pages.request(3..6), [3..6]);
        // Those that are on their way are not requested twice.
        assert_eq!(pages.request(2..8), [2..3, 6..8]);
        kept(&mut pages, 3..6);
        assert!(matches!(pages.find(4), Found::Bytes(_)));
        assert!(matches!(pages.find(2), Found::Wait));
        assert!(matches!(pages.find(9), Found::Missing));
        assert_eq!(pages.request(100..101), [100..101]);
        assert_eq!(pages.bytes(&(100..101)), 100 * PAGE..100 * PAGE + 5);
        // A long read is several requests.
        let mut pages = Pages::new(10_000 * PAGE);
        assert_eq!(pages.request(0..600), [0..256, 256..512, 512..600]);
    }

    #[test]
    fn a_failure_is_reported_once_and_requested_again() {
        let mut pages = Pages::new(10 * PAGE);
        pages.request(0..2);
        pages.fail(&(0..2), &io::Error::new(io::ErrorKind::NotFound, "gone"));
        let Found::Failed(error) = pages.find(1) else {
            panic!("no failure");
        };
        assert_eq!(
            (error.kind(), error.to_string()),
            (io::ErrorKind::NotFound, "gone".to_owned())
        );
        assert!(matches!(pages.find(1), Found::Missing));
        assert_eq!(pages.request(0..2), [0..2]);
    }

    #[test]
    fn announced_ranges_are_joined_and_requested_within_bounds() {
        let mut pages = Pages::new(100_000 * PAGE);
        let at = |page: u64| page * PAGE..page * PAGE + 1;
        // A small gap is requested too, a large one is not.
        pages.announce([at(1), at(3), at(30), at(20)]);
        let mut runs = Vec::new();
        while let Some(run) = pages.next_ahead() {
            runs.push(run);
        }
        assert_eq!(runs, [1..4, 30..31, 20..21]);
        runs.iter().for_each(|run| {
            kept(&mut pages, run.clone());
            pages.end_ahead();
        });

        pages.announce([0..50_000 * PAGE]);
        let mut requested = 0;
        for _ in 0..MAX_AHEAD_REQUESTS {
            let run = pages.next_ahead().unwrap();
            requested += run.end - run.start;
        }
        assert!(pages.next_ahead().is_none());
        assert!(requested <= MAX_AHEAD + MAX_REQUEST);
        // What was announced before is forgotten.
        pages.announce([]);
        (0..MAX_AHEAD_REQUESTS).for_each(|_| pages.end_ahead());
        assert!(pages.next_ahead().is_none());
    }

    #[test]
    fn pages_that_were_read_make_room() {
        let mut pages = Pages::new(1_000_000 * PAGE);
        for first in 0..2 * MAX_KEPT as u64 {
            assert_eq!(pages.request(first..first + 1), [first..first + 1]);
            kept(&mut pages, first..first + 1);
            assert!(matches!(pages.find(first), Found::Bytes(_)));
            assert!(
                matches!(pages.find(0), Found::Bytes(_)),
                "used again and again"
            );
        }
        assert!(pages.pages.len() <= MAX_KEPT);
        assert!(matches!(pages.find(1), Found::Missing));
    }

    proptest! {
        /// Whatever is announced and read, a reader gets its pages, and the counts stay right.
        #[test]
        fn readers_get_their_pages(
            ranges in prop::collection::vec((0u64..3000, 1u64..500), 1..12),
            reads in prop::collection::vec((0u64..3000, 1u64..300), 1..20),
        ) {
            let mut pages = Pages::new(3000 * PAGE);
            pages.announce(ranges.iter().map(|&(first, len)| first * PAGE..(first + len) * PAGE));
            let mut running = VecDeque::new();
            for (first, len) in reads {
                while let Some(run) = pages.next_ahead() {
                    prop_assert!(run.end - run.start <= MAX_REQUEST);
                    running.push_back((run, true));
                }
                let end = (first + len).min(3000);
                running.extend(pages.request(first..end).into_iter().map(|run| (run, false)));
                for page in first..end {
                    loop {
                        match pages.find(page) {
                            Found::Bytes(bytes) => {
                                prop_assert_eq!(bytes.len() as u64, PAGE);
                                break;
                            }
                            Found::Wait => {
                                let (run, ahead) = running.pop_front().expect("a request is running");
                                kept(&mut pages, run);
                                if ahead {
                                    pages.end_ahead();
                                }
                            }
                            found => return Err(TestCaseError::fail(format!("{found:?}"))),
                        }
                    }
                }
            }
            let ahead = pages.pages.values().filter(|page| {
                matches!(page, Page::Requested { ahead: true } | Page::Kept { ahead: true, .. })
            });
            prop_assert_eq!(ahead.count() as u64, pages.ahead);
        }
    }
}
