//! Answers that are kept, bounded by their bytes.

use axum::body::Bytes;
use ign_api::Key;
use quick_cache::{Weighter, sync::Cache};

/// Bytes that an entry takes beside its key and its answer, about.
const OVERHEAD: u64 = 128;
/// Bytes of a typical answer, which only sets how many entries are allocated at first.
const TYPICAL_ANSWER: u64 = 4 << 10;

/// The answers.
pub struct Answers(Cache<Key, Bytes, Size>);

#[derive(Clone)]
struct Size;

impl Weighter<Key, Bytes> for Size {
    fn weight(&self, key: &Key, answer: &Bytes) -> u64 {
        (key.size() + answer.len()) as u64 + OVERHEAD
    }
}

impl Answers {
    /// An empty cache of at most `bytes` bytes.
    pub fn new(bytes: u64) -> Self {
        let entries = usize::try_from(bytes / TYPICAL_ANSWER).unwrap_or(usize::MAX);
        Self(Cache::with_weighter(entries, bytes, Size))
    }

    /// The answer, computed if it is not there. Of several requests for the same answer one
    /// computes it, and the others wait. Errors are not kept.
    ///
    /// # Errors
    /// Those of `compute`.
    pub async fn get<E>(
        &self,
        key: &Key,
        compute: impl Future<Output = Result<Bytes, E>>,
    ) -> Result<Bytes, E> {
        self.0.get_or_insert_async(key, compute).await
    }

    /// Forgets all answers.
    pub fn clear(&self) {
        self.0.clear();
    }
}
