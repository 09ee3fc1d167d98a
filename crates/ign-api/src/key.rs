//! What identifies an answer.

use std::sync::Arc;

use xxhash_rust::xxh64::xxh64;

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

    /// The number of bytes of the key.
    pub fn size(&self) -> usize {
        self.0.len()
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
