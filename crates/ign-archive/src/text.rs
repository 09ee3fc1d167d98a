//! Bytes of PGN as text.

use std::borrow::Cow;

/// Text as a string: UTF-8, otherwise ISO 8859-1.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}
