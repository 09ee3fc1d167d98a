//! Threads: from input to archive and back, in order.
//!
//! ```text
//! source ─► split ─► workers ─► writer          pack
//! index ───────────► workers ─► writer          unpack
//! ```
//!
//! All of it is one pattern, [`ordered`]: jobs are numbered by the order in
//! which they come, done by many threads, and handed on in that order. So the
//! bytes that come out do not depend on the number of threads. What is in
//! flight is bounded, and so is memory:
//!
//! * packing: `threads` + [`ordered::AHEAD`] + 2 blocks of text, each with what its
//!   encoding takes (about five times its size), and for pzstd input as many
//!   frames of it as there are threads, and two;
//! * unpacking: `threads` + [`ordered::AHEAD`] + 1 blocks with their text.

pub mod ordered;
pub mod pack;
pub mod source;
pub mod split;
pub mod unpack;

use std::sync::atomic::{AtomicU64, Ordering};

/// How far a pipeline has come, told while it runs.
#[derive(Debug, Default)]
pub struct Progress {
    /// Bytes of input taken, as they lie on disk.
    pub input: AtomicU64,
    /// Games written.
    pub games: AtomicU64,
}

impl Progress {
    pub(crate) fn add_input(&self, bytes: u64) {
        self.input.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn add_games(&self, games: u64) {
        self.games.fetch_add(games, Ordering::Relaxed);
    }
}
