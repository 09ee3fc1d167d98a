//! Bytes of PGN as text.

use std::borrow::Cow;

/// Text of a PGN file as a string: UTF-8, or ISO 8859-1 (Latin-1) if the bytes are not UTF-8.
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}
