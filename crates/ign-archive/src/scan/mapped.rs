//! The results of work on the batches of a scan.

use std::fmt;

use ign_format::error::Result;

use crate::ordered::Ordered;

/// Starts the threads of a scan.
type Start<R> = Box<dyn FnOnce() -> Result<Ordered<'static, Option<R>>> + Send>;

/// An iterator over the results of work that threads do on the batches of a [`Scan`](super::Scan),
/// in order. See [`Scan::map_batches`](super::Scan::map_batches).
///
/// The threads start with the first call of `next`. The first error ends the iteration.
pub struct MappedScan<R> {
    state: State<R>,
}

impl<R> fmt::Debug for MappedScan<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MappedScan").finish_non_exhaustive()
    }
}

enum State<R> {
    Ready(Start<R>),
    Running(Ordered<'static, Option<R>>),
    Over,
}

impl<R> MappedScan<R> {
    pub(super) fn new(
        start: impl FnOnce() -> Result<Ordered<'static, Option<R>>> + Send + 'static,
    ) -> Self {
        Self {
            state: State::Ready(Box::new(start)),
        }
    }
}

impl<R> Iterator for MappedScan<R> {
    type Item = Result<R>;

    fn next(&mut self) -> Option<Result<R>> {
        let mut results = match std::mem::replace(&mut self.state, State::Over) {
            State::Ready(start) => match start() {
                Ok(results) => results,
                Err(error) => return Some(Err(error)),
            },
            State::Running(results) => results,
            State::Over => return None,
        };
        let next = results.by_ref().find_map(Result::transpose)?;
        if next.is_ok() {
            self.state = State::Running(results);
        }
        Some(next)
    }
}
