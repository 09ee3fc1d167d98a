//! Progress of long operations, and their cancellation.

use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicU64, Ordering},
};

use ign_format::error::{Error, Kind, Result};

/// How far a long operation has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes done: of the input as it is stored when packing, so compressed bytes where the input
    /// is compressed; of the text when unpacking or verifying; of the archive for statistics.
    pub bytes: u64,
    /// Games done.
    pub games: u64,
}

/// What threads count while an operation runs.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    bytes: AtomicU64,
    games: AtomicU64,
}

impl Counters {
    pub(crate) fn add_bytes(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn add_games(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
    }

    /// Reports the counts; an error if the callback cancels the operation.
    pub(crate) fn report(
        &self,
        callback: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<()> {
        let progress = Progress {
            bytes: self.bytes.load(Ordering::Relaxed),
            games: self.games.load(Ordering::Relaxed),
        };
        match callback(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::new(Kind::Cancelled, "cancelled")),
        }
    }
}

/// A callback for callers that ask for no progress.
pub(crate) fn ignore(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
