//! Payloads: what stands in comments, variations, and text that the model
//! cannot express.
//!
//! Gaps tell where payloads stand, payloads what they say. A record that has
//! payloads of a kind has one section of that kind, in which they follow each
//! other:
//!
//! * comments: each followed by `}`; [`super::comments`] codes them;
//! * variations: each followed by its closing `)`; [`super::variations`] codes them;
//! * text: as it is, the lengths stand in the layout.
//!
//! Movetext that holds control characters is kept whole as text, so neither
//! comments nor variations contain NUL (spec §4.4.3).

use memchr::memchr;

use crate::error::{Error, Result};

/// Payloads of one record.
#[derive(Debug, Clone, Default)]
pub struct Payloads {
    /// Comments without their opening braces.
    pub comments: Vec<u8>,
    /// Variations without their opening parentheses.
    pub variations: Vec<u8>,
    /// Other text.
    pub text: Vec<u8>,
    /// Lengths of the pieces of `text`, of one record.
    pub text_lens: Vec<u32>,
}

impl Payloads {
    /// Forgets a record.
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

    /// How far each stream has come: taken before trying, given to
    /// [`Payloads::rewind`] after failing.
    pub fn mark(&self) -> [usize; 4] {
        [
            self.comments.len(),
            self.variations.len(),
            self.text.len(),
            self.text_lens.len(),
        ]
    }

    /// Goes back to a mark.
    pub fn rewind(&mut self, mark: [usize; 4]) {
        self.comments.truncate(mark[0]);
        self.variations.truncate(mark[1]);
        self.text.truncate(mark[2]);
        self.text_lens.truncate(mark[3]);
    }
}

/// Length of the variation that follows an opening parenthesis, its closing
/// one included; `None` when it is not closed. Braces inside are comments.
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

/// Sections of a block's streams, taken record by record.
#[derive(Debug)]
pub struct Sections<'a> {
    rest: &'a [u8],
}

impl<'a> Sections<'a> {
    /// All sections of a stream.
    pub fn new(stream: &'a [u8]) -> Self {
        Self { rest: stream }
    }

    /// The next `len` bytes.
    ///
    /// # Errors
    /// Corrupt when there are fewer.
    pub fn take_len(&mut self, len: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or_else(missing)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Fails unless all has been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(&self) -> Result<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Error::corrupt("payloads are left over in a block"))
        }
    }
}

/// The payloads of one record, taken as its gaps ask for them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Section<'a> {
    /// Comments.
    pub comments: &'a [u8],
    /// Variations.
    pub variations: &'a [u8],
    /// Other text.
    pub text: &'a [u8],
}

impl<'a> Section<'a> {
    /// The next comment with its closing brace.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn comment(&mut self) -> Result<&'a [u8]> {
        let len = memchr(b'}', self.comments).ok_or_else(missing)?;
        split_off(&mut self.comments, len + 1)
    }

    /// The next variation with its closing parenthesis.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn variation(&mut self) -> Result<&'a [u8]> {
        let len = variation_len(self.variations).ok_or_else(missing)?;
        split_off(&mut self.variations, len)
    }

    /// The next piece of text.
    ///
    /// # Errors
    /// Corrupt when there is less.
    pub fn text(&mut self, len: usize) -> Result<&'a [u8]> {
        split_off(&mut self.text, len)
    }

    /// Fails unless all has been taken.
    ///
    /// # Errors
    /// Corrupt.
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
    Error::corrupt("a record asks for a payload that is not there")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_nest_and_comments_hide_parentheses() {
        assert_eq!(variation_len(b"1. e4) x"), Some(6));
        assert_eq!(variation_len(b"a (b {)} c) d) x"), Some(14));
        assert_eq!(variation_len(b"a (b)"), None);
        assert_eq!(variation_len(b"a {)"), None);
        assert_eq!(variation_len(&b"(".repeat(1_000_000)), None);
    }

    #[test]
    fn sections_are_taken_in_turn() {
        let mut record = Payloads {
            variations: b"a)b)".to_vec(),
            ..Payloads::default()
        };
        record.push_text(b"xyz");
        let mut section = Section {
            variations: &record.variations,
            ..Section::default()
        };
        assert_eq!(section.variation().unwrap(), b"a)");
        assert!(section.finish().is_err());
        assert_eq!(section.variation().unwrap(), b"b)");
        assert!(section.variation().is_err());
        section.finish().unwrap();
        let text = [record.text.clone(), record.text].concat();
        let mut sections = Sections::new(&text);
        for _ in 0..2 {
            assert!(sections.finish().is_err());
            assert_eq!(sections.take_len(3).unwrap(), b"xyz");
        }
        assert!(sections.take_len(1).is_err());
        sections.finish().unwrap();
    }
}
