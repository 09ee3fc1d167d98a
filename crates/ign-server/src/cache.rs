//! Answers that are kept, bounded by their bytes.

use std::sync::Arc;

use axum::body::Bytes;
use quick_cache::{Weighter, sync::Cache};
use xxhash_rust::xxh64::xxh64;

/// Bytes that an entry takes beside its key and its answer, about.
const OVERHEAD: u64 = 128;
/// Bytes of a typical answer, which only sets how many entries are allocated at first.
const TYPICAL_ANSWER: u64 = 4 << 10;

/// What identifies an answer: the archives, and everything in the request that the answer depends
/// on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key(Arc<str>);

impl Key {
    /// The key of these parts, for archives of this identity. Each part has its length before it,
    /// so that other parts have another key whatever their text.
    pub fn new<'p>(identity: u64, parts: impl IntoIterator<Item = &'p str>) -> Self {
        let mut key = format!("{identity:016x}");
        for part in parts {
            key.push_str(&format!(" {} {part}", part.len()));
        }
        Self(key.into())
    }

    /// The entity tag of the answer.
    pub fn etag(&self) -> String {
        format!("\"{:016x}\"", xxh64(self.0.as_bytes(), 0))
    }
}

/// The answers.
pub struct Answers(Cache<Key, Bytes, Size>);

#[derive(Clone)]
struct Size;

impl Weighter<Key, Bytes> for Size {
    fn weight(&self, key: &Key, answer: &Bytes) -> u64 {
        (key.0.len() + answer.len()) as u64 + OVERHEAD
    }
}

impl Answers {
    /// No answers yet, and at most so many bytes of them.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_parts_have_another_key() {
        let key = |parts: &[&str]| Key::new(1, parts.iter().copied());
        let one = key(&["black=Ben", "white=Ann"]);
        assert_eq!(one, key(&["black=Ben", "white=Ann"]));
        for other in [
            &["black=Ben\0white=Ann"][..],
            &["black=Ben 9 white=Ann"],
            &["black=Ben", "white=Ann", ""],
            &["black=Benwhite=", "Ann"],
        ] {
            assert_ne!(one, key(other), "{other:?}");
        }
    }
}
