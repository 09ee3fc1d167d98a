//! Columns of text in which few values are equal.

use crate::offsets::{item, offset};
use crate::text::decode_text;
use ign_format::error::Result;

/// Strings, one after the other, in the memory layout of an Arrow array of strings. None is null.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strings {
    offsets: Vec<i32>,
    text: String,
}

impl Default for Strings {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            text: String::new(),
        }
    }
}

impl Strings {
    /// The number of bytes in memory.
    pub(super) fn size(&self) -> usize {
        size_of_val(&self.offsets[..]) + self.text.len()
    }

    /// Appends a string. Bytes that are not UTF-8 are read as ISO 8859-1.
    ///
    /// # Errors
    /// Unsupported if all together exceed 2 GiB.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.text.push_str(&decode_text(bytes));
        self.offsets.push(offset(self.text.len())?);
        Ok(())
    }

    /// The number of strings.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of the strings; `None` if there are fewer.
    pub fn get(&self, index: usize) -> Option<&str> {
        self.text.get(item(&self.offsets, index)?)
    }

    /// All strings in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        let ends = self.offsets.windows(2);
        ends.map(|ends| &self.text[ends[0] as usize..ends[1] as usize])
    }

    /// The offset in the text at which each string starts and the end of the last, and the text.
    pub fn into_parts(self) -> (Vec<i32>, String) {
        (self.offsets, self.text)
    }
}
