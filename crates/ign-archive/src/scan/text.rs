//! A column of text, dictionary-encoded: each distinct value is stored once.

use std::{borrow::Cow, hash::BuildHasher};

use hashbrown::HashTable;
use ign_format::{
    columns::Span,
    error::{Error, Result},
};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::values::Validity;
use crate::offsets::item;
use crate::text::{decode_text, unescape};

/// The values of a text column: a code for each row, and the distinct values that the codes number,
/// by first appearance. Codes of different batches are unrelated.
///
/// The buffers are those of an Arrow dictionary array with keys `UInt32`: `codes` and `validity`,
/// and for its values `offsets` and `bytes`. Values are the bytes of the text that was packed,
/// without escapes; if [`is_utf8`](Self::is_utf8), the array may be one of strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextColumn {
    codes: Vec<u32>,
    validity: Validity,
    /// Where the values start, and the end of the last.
    offsets: Vec<i32>,
    bytes: Vec<u8>,
}

/// The buffers of a [`TextColumn`], which its methods describe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextParts {
    /// The code of each row.
    pub codes: Vec<u32>,
    /// Which rows are not null.
    pub validity: Validity,
    /// Where the distinct values start, and the end of the last.
    pub offsets: Vec<i32>,
    /// The bytes of the distinct values.
    pub bytes: Vec<u8>,
}

impl TextColumn {
    /// The buffers.
    pub fn into_parts(self) -> TextParts {
        TextParts {
            codes: self.codes,
            validity: self.validity,
            offsets: self.offsets,
            bytes: self.bytes,
        }
    }

    /// The code of each row; 0 for a null.
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// Which rows are not null.
    pub fn validity(&self) -> &Validity {
        &self.validity
    }

    /// The offset in [`bytes`](Self::bytes) at which each distinct value starts, and the end of the
    /// last.
    pub fn offsets(&self) -> &[i32] {
        &self.offsets
    }

    /// The bytes of the distinct values.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether every value is UTF-8.
    pub fn is_utf8(&self) -> bool {
        // Values that are UTF-8 only together are none.
        self.bytes.is_ascii()
            || self
                .values()
                .all(|value| std::str::from_utf8(value).is_ok())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The number of distinct values. Each occurs in some row.
    pub fn distinct(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The distinct values in the order of their codes, without escapes.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let ends = self.offsets.windows(2);
        ends.map(|ends| &self.bytes[ends[0] as usize..ends[1] as usize])
    }

    /// The distinct value with this code, without escapes: `\"` is a quotation mark. `None` if there
    /// is no such code.
    pub fn value(&self, code: u32) -> Option<&[u8]> {
        self.bytes.get(item(&self.offsets, code as usize)?)
    }

    /// The value of a row; `None` if it is null, or there are fewer rows.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let is_valid = self.validity.is_valid(row);
        is_valid.then(|| self.value(self.codes[row])).flatten()
    }

    /// The value of a row as a string; `None` if it is null, or there are fewer rows. Bytes that
    /// are not UTF-8 are read as ISO 8859-1 (Latin-1).
    pub fn text(&self, row: usize) -> Option<Cow<'_, str>> {
        self.get(row).map(decode_text)
    }
}

/// A text column that is being built.
#[derive(Debug)]
pub(super) struct Builder {
    column: TextColumn,
    /// The codes of the spans of the block's table that occurred. Most equal values have equal
    /// spans, so most rows need no comparison of text.
    of_span: FxHashMap<Span, u32>,
    /// The codes by value.
    of_value: HashTable<u32>,
}

impl Builder {
    pub fn new(rows: usize) -> Self {
        Self {
            column: TextColumn {
                codes: Vec::with_capacity(rows),
                validity: Validity::default(),
                offsets: vec![0],
                bytes: Vec::new(),
            },
            of_span: FxHashMap::default(),
            of_value: HashTable::new(),
        }
    }

    /// A column of values, which have no escapes; `None` is null. Equal values follow each other.
    pub fn raw<'v>(values: impl Iterator<Item = Option<&'v [u8]>>) -> Result<TextColumn> {
        let mut builder = Self::new(values.size_hint().0);
        let mut last = None;
        for value in values {
            match (value, last) {
                (None, _) => builder.push_null(),
                (Some(value), Some((before, code))) if value == before => builder.push_code(code),
                (Some(value), _) => {
                    let code = builder.code(value)?;
                    last = Some((value, code));
                    builder.push_code(code);
                }
            }
        }
        Ok(builder.finish())
    }

    /// Appends a null.
    pub fn push_null(&mut self) {
        self.column.codes.push(0);
        self.column.validity.push(false);
    }

    /// Appends the value of a span, which is as it is written.
    pub fn push_span(&mut self, span: Span, value: &[u8]) -> Result<()> {
        let code = match self.of_span.get(&span) {
            Some(&code) => code,
            None => {
                let code = self.code(&unescape(value))?;
                self.of_span.insert(span, code);
                code
            }
        };
        self.push_code(code);
        Ok(())
    }

    /// Appends a value, which is as it is written.
    pub fn push(&mut self, value: &[u8]) -> Result<()> {
        let code = self.code(&unescape(value))?;
        self.push_code(code);
        Ok(())
    }

    fn push_code(&mut self, code: u32) {
        self.column.codes.push(code);
        self.column.validity.push(true);
    }

    /// The code of a value, a new one if it did not occur.
    fn code(&mut self, value: &[u8]) -> Result<u32> {
        let hash = |value: &[u8]| FxBuildHasher.hash_one(value);
        let column = &mut self.column;
        let found = self
            .of_value
            .find(hash(value), |&code| column.value(code) == Some(value));
        if let Some(&code) = found {
            return Ok(code);
        }
        let code = column.distinct() as u32;
        column.bytes.extend_from_slice(value);
        let end = i32::try_from(column.bytes.len())
            .map_err(|_| Error::unsupported("a column of a block exceeds 2 GiB"))?;
        column.offsets.push(end);
        self.of_value.insert_unique(hash(value), code, |&code| {
            hash(column.value(code).unwrap_or_default())
        });
        Ok(code)
    }

    pub fn finish(self) -> TextColumn {
        self.column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_code_whatever_their_span() {
        let mut builder = Builder::new(5);
        let span = |start| Span { start, len: 3 };
        builder.push_span(span(0), b"Ann").unwrap();
        builder.push_span(span(0), b"Ann").unwrap();
        builder.push_null();
        builder.push_span(span(9), b"Ann").unwrap();
        builder.push(b"").unwrap();
        builder.push(b"J\xf8rgen").unwrap();
        let column = builder.finish();
        assert_eq!(column.codes(), [0, 0, 0, 0, 1, 2]);
        assert_eq!(column.offsets(), [0, 3, 3, 9]);
        assert_eq!((column.get(2), column.get(4)), (None, Some(&b""[..])));
        assert_eq!(column.text(5).as_deref(), Some("Jørgen"));
        assert!(!column.is_utf8());
    }

    #[test]
    fn raw_values_are_stored_once_without_reading_escapes() {
        let raw = |values: &[Option<&'static [u8]>]| Builder::raw(values.iter().copied()).unwrap();
        let (a, b) = (Some(&br"a\b"[..]), Some(&b"b"[..]));
        let column = raw(&[a, a, None, a, b, a]);
        assert_eq!(column.codes(), [0, 0, 0, 0, 1, 0]);
        assert_eq!((column.distinct(), column.get(1)), (2, a));
        assert_eq!((column.get(2), column.get(4)), (None, b));
        assert_eq!(raw(&[]).distinct(), 0);
    }

    #[test]
    fn values_that_are_utf_8_only_together_are_not_utf_8() {
        let mut builder = Builder::new(2);
        builder.push(b"\xc3").unwrap();
        builder.push(b"\xb8").unwrap();
        assert!(!builder.finish().is_utf8());
    }
}
