//! Progress of long operations, and their cancellation.

use std::{
    fmt,
    io::{self, Read},
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering},
};

use ign_format::error::{Error, Kind, Result};

/// How far a long operation has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes done: of the input as it is stored when packing, so compressed bytes where the input
    /// is compressed; of the text when unpacking or verifying; of the archive for
    /// statistics, searches and trees.
    pub bytes: u64,
    /// Games done.
    pub games: u64,
    /// Bytes of text that were packed, whose input may be compressed; 0 for other operations.
    pub text_len: u64,
}

/// What threads count while an operation runs.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    bytes: AtomicU64,
    games: AtomicU64,
    text_len: AtomicU64,
}

impl Counters {
    pub(crate) fn add_bytes(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn add_games(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
    }

    pub(crate) fn add_text(&self, bytes: u64) {
        self.text_len.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Reports the counts; an error if the callback cancels the operation.
    pub(crate) fn report(&self, on_progress: &mut OnProgress) -> Result<()> {
        let progress = Progress {
            bytes: self.bytes.load(Ordering::Relaxed),
            games: self.games.load(Ordering::Relaxed),
            text_len: self.text_len.load(Ordering::Relaxed),
        };
        match (on_progress.0)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::new(Kind::Cancelled, "cancelled")),
        }
    }
}

/// Counts the bytes that are read.
pub(crate) struct Counting<'a, R> {
    pub input: R,
    pub counters: &'a Counters,
}

impl<R: Read> Read for Counting<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        self.counters.add_bytes(n as u64);
        Ok(n)
    }
}

/// The callback of an operation. By default it does nothing.
pub(crate) struct OnProgress<'p>(Box<dyn FnMut(Progress) -> ControlFlow<()> + 'p>);

impl<'p> OnProgress<'p> {
    pub(crate) fn new(callback: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        Self(Box::new(callback))
    }
}

impl Default for OnProgress<'_> {
    fn default() -> Self {
        Self::new(|_| ControlFlow::Continue(()))
    }
}

impl fmt::Debug for OnProgress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnProgress")
    }
}

/// The setter of the callback, in the `impl` of a builder with the lifetime `'p`.
macro_rules! progress_setter {
    () => {
        /// Sets a callback that is called after each block. If it returns
        /// [`Break`](std::ops::ControlFlow::Break), the operation ends with an error of kind
        /// [`Cancelled`](crate::ErrorKind::Cancelled).
        #[must_use]
        pub fn on_progress(
            mut self,
            callback: impl FnMut($crate::Progress) -> std::ops::ControlFlow<()> + 'p,
        ) -> Self {
            self.on_progress = $crate::progress::OnProgress::new(callback);
            self
        }
    };
}
pub(crate) use progress_setter;
