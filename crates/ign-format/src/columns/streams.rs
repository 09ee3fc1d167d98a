//! The two streams of a tag column: *codes* of the range coder, and *text*, one line for each
//! value that the codes do not express (spec §4.3).

use std::borrow::Cow;

use ign_entropy::adaptive::Decoder;

use crate::error::{Error, Result};

/// The streams of a column as an encoder returns them, before they are stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Streams {
    /// Codes of the range coder. They are not compressed further.
    pub codes: Vec<u8>,
    /// Lines of text, each ended by a line feed.
    pub text: Vec<u8>,
}

/// The streams of a column as a decoder reads them: the codes, and the lines of the text.
///
/// # Errors
/// Corrupt, if there are not exactly two streams.
pub fn codes_and_text<'s>(streams: &'s [Cow<[u8]>]) -> Result<(&'s [u8], Lines<'s>)> {
    match streams {
        [codes, text] => Ok((codes, Lines { text, position: 0 })),
        _ => Err(Error::corrupt("a tag column does not have two streams")),
    }
}

/// Fails if a decoder has read far beyond the end of its codes, which happens only on bytes that no
/// encoder wrote. The check bounds the time that a short stream can demand.
///
/// # Errors
/// Corrupt.
pub fn check_overrun(decoder: &Decoder) -> Result<()> {
    /// Number of bytes that a range decoder may read past the end of its codes (spec §7). An
    /// encoder omits zeros at the end, and the decoder reads four bytes ahead.
    const SLACK: usize = 1 << 16;
    if decoder.overrun() > SLACK {
        return Err(Error::corrupt("a column ends before its values do"));
    }
    Ok(())
}

/// The lines of a text stream, taken in order.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a [u8],
    position: usize,
}

impl<'a> Lines<'a> {
    /// The text that has not been taken.
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.position..]
    }

    /// Takes the next line, and returns it without its line feed.
    ///
    /// # Errors
    /// Corrupt, if no line is left.
    pub fn next_line(&mut self) -> Result<&'a [u8]> {
        let rest = self.rest();
        let len = memchr::memchr(b'\n', rest).ok_or_else(too_few_lines)?;
        self.position += len + 1;
        Ok(&rest[..len])
    }
}

/// The error of a text stream that is too short for its codes.
pub(super) fn too_few_lines() -> Error {
    Error::corrupt("a column has too few strings")
}
