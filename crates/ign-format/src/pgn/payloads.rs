//! Payloads: the contents of comments and variations, and literal text (spec §4.4.3).
//!
//! Gap templates mark the positions of payloads. The payloads of a record follow each other in one
//! section per kind:
//!
//! * comments: each followed by `}`, coded by [`comments`](super::comments);
//! * variations: each followed by its closing `)`, coded by [`variations`](super::variations);
//! * text: without separators; the layout has the lengths.
//!
//! Comments contain no byte that is a mark in templates: such a comment is literal text.

use memchr::memchr;

use crate::error::{Error, Result};

/// Payloads of one record.
#[derive(Debug, Clone, Default)]
pub struct Payloads {
    /// Comments without their opening braces.
    pub comments: Vec<u8>,
    /// Variations without their opening parentheses.
    pub variations: Vec<u8>,
    /// Literal text.
    pub text: Vec<u8>,
    /// Lengths of the pieces of `text`.
    pub text_lens: Vec<u32>,
}

impl Payloads {
    /// Clears all payloads for the next record.
    pub fn clear(&mut self) {
        self.comments.clear();
        self.variations.clear();
        self.text.clear();
        self.text_lens.clear();
    }

    /// Adds a piece of text.
    pub fn push_text(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.text_lens.push(text.len() as u32);
    }

    /// The last piece of text; empty if there is none.
    pub fn last_text(&self) -> &[u8] {
        let len = self.text_lens.last().map_or(0, |&len| len as usize);
        &self.text[self.text.len() - len..]
    }

    /// Extends the last piece of text.
    pub fn extend_text(&mut self, text: &[u8]) {
        if let Some(len) = self.text_lens.last_mut() {
            self.text.extend_from_slice(text);
            *len += text.len() as u32;
        }
    }

    /// Lengths of the streams, to be restored by [`rewind`](Self::rewind).
    pub fn mark(&self) -> [usize; 4] {
        [
            self.comments.len(),
            self.variations.len(),
            self.text.len(),
            self.text_lens.len(),
        ]
    }

    /// Truncates the streams to the lengths of a mark.
    pub fn rewind(&mut self, mark: [usize; 4]) {
        self.comments.truncate(mark[0]);
        self.variations.truncate(mark[1]);
        self.text.truncate(mark[2]);
        self.text_lens.truncate(mark[3]);
    }
}

/// Length of the variation after an opening parenthesis, including the closing one; `None` if it
/// is not closed. Parentheses in comments do not count.
pub fn variation_len(text: &[u8]) -> Option<usize> {
    let mut depth = 1usize;
    let mut position = 0;
    while let Some(len) = memchr::memchr3(b'(', b')', b'{', &text[position..]) {
        position += len + 1;
        match text[position - 1] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => position += memchr(b'}', &text[position..])? + 1,
        }
        if depth == 0 {
            return Some(position);
        }
    }
    None
}

/// The text column of a block, taken record by record.
#[derive(Debug)]
pub struct TextStream<'a> {
    rest: &'a [u8],
}

impl<'a> TextStream<'a> {
    /// Before the first record.
    pub fn new(stream: &'a [u8]) -> Self {
        Self { rest: stream }
    }

    /// The text of the next record, of `len` bytes.
    ///
    /// # Errors
    /// Returns a corruption error if there are fewer bytes.
    pub fn take_len(&mut self, len: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or_else(missing)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Checks that everything has been taken.
    ///
    /// # Errors
    /// Returns a corruption error otherwise.
    pub fn finish(&self) -> Result<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::corrupt("payloads are left over in a block"))
        }
    }
}

/// The payloads of one record, taken in the order of its gaps.
#[derive(Debug, Clone, Copy, Default)]
pub struct RecordPayloads<'a> {
    /// Comments.
    pub comments: &'a [u8],
    /// Variations.
    pub variations: &'a [u8],
    /// Literal text.
    pub text: &'a [u8],
}

impl<'a> RecordPayloads<'a> {
    /// The next comment with its closing brace.
    ///
    /// # Errors
    /// Returns a corruption error if there is none.
    pub fn comment(&mut self) -> Result<&'a [u8]> {
        let len = memchr(b'}', self.comments).ok_or_else(missing)?;
        split_off(&mut self.comments, len + 1)
    }

    /// The next variation with its closing parenthesis.
    ///
    /// # Errors
    /// Returns a corruption error if there is none.
    pub fn variation(&mut self) -> Result<&'a [u8]> {
        let len = variation_len(self.variations).ok_or_else(missing)?;
        split_off(&mut self.variations, len)
    }

    /// The next piece of text.
    ///
    /// # Errors
    /// Returns a corruption error if there are fewer bytes.
    pub fn text(&mut self, len: usize) -> Result<&'a [u8]> {
        split_off(&mut self.text, len)
    }

    /// Checks that everything has been taken.
    ///
    /// # Errors
    /// Returns a corruption error otherwise.
    pub fn finish(&self) -> Result<()> {
        let left = self.comments.len() + self.variations.len() + self.text.len();
        if left == 0 {
            Ok(())
        } else {
            Err(Error::corrupt("payloads are left over in a record"))
        }
    }
}

fn split_off<'a>(stream: &mut &'a [u8], len: usize) -> Result<&'a [u8]> {
    let (taken, rest) = stream.split_at_checked(len).ok_or_else(missing)?;
    *stream = rest;
    Ok(taken)
}

fn missing() -> Error {
    Error::corrupt("a record has too few payloads")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_nest_and_parentheses_in_comments_do_not_count() {
        assert_eq!(variation_len(b"1. e4) x"), Some(6));
        assert_eq!(variation_len(b"a (b {)} c) d) x"), Some(14));
        assert_eq!(variation_len(b"a (b)"), None);
        assert_eq!(variation_len(b"a {)"), None);
        assert_eq!(variation_len(&b"(".repeat(1_000_000)), None);
    }

    #[test]
    fn sections_are_taken_in_order() {
        let mut record = Payloads {
            variations: b"a)b)".to_vec(),
            ..Payloads::default()
        };
        record.push_text(b"xyz");
        let mut section = RecordPayloads {
            variations: &record.variations,
            ..RecordPayloads::default()
        };
        assert_eq!(section.variation().unwrap(), b"a)");
        assert!(section.finish().is_err());
        assert_eq!(section.variation().unwrap(), b"b)");
        assert!(section.variation().is_err());
        section.finish().unwrap();
        let text = [record.text.clone(), record.text].concat();
        let mut sections = TextStream::new(&text);
        for _ in 0..2 {
            assert!(sections.finish().is_err());
            assert_eq!(sections.take_len(3).unwrap(), b"xyz");
        }
        assert!(sections.take_len(1).is_err());
        sections.finish().unwrap();
    }
}
