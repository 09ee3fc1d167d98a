//! Text for people: bytes of PGN as strings, values of tags without escapes, and words of messages.

mod closest;

pub use closest::closest;

use std::{borrow::Cow, ops::RangeInclusive};

use ign_format::pgn::{line_end::LineEnd, tags::TagReader};

/// Text of a PGN file as a string: UTF-8, or ISO 8859-1 (Latin-1) if the bytes are not UTF-8.
pub fn decode_text(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// `game 7`, `games 1201..1300`: games numbered from 1, as messages name them.
pub fn games_text(games: &RangeInclusive<u64>) -> String {
    match (games.start(), games.end()) {
        (first, last) if first == last => format!("game {first}"),
        (first, last) => format!("games {first}..{last}"),
    }
}

/// The value of a tag without the escapes of PGN: `\"` is a quotation mark, `\\` is a backslash. A
/// backslash before any other character stays.
pub(crate) fn unescape(value: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', value) else {
        return Cow::Borrowed(value);
    };
    let (plain, mut rest) = value.split_at(first);
    let mut out = plain.to_vec();
    while let [byte, after @ ..] = rest {
        (rest, _) = match (byte, after) {
            (b'\\', [escaped @ (b'"' | b'\\'), after @ ..]) => (after, out.push(*escaped)),
            _ => (after, out.push(*byte)),
        };
    }
    Cow::Owned(out)
}

/// The value of a tag as text, without escapes.
pub(crate) fn tag_text(value: &[u8]) -> Cow<'_, str> {
    match unescape(value) {
        Cow::Borrowed(value) => decode_text(value),
        Cow::Owned(value) => Cow::Owned(decode_text(&value).into_owned()),
    }
}

/// The movetext of a game without white space before it, if its tags are not each once and on a line
/// of its own that ends with LF, and then an empty line.
pub(crate) fn after_odd_tags(pgn: &[u8]) -> Option<&[u8]> {
    let mut found = Vec::new();
    let section = TagReader::default().read(pgn, 0, &mut found);
    let movetext = &pgn[section.end..];
    let moves = movetext.trim_ascii_start();
    let space = &movetext[..movetext.len() - moves.len()];
    let is_repeated = |at: usize| {
        let name = found[at].name(pgn);
        found[..at].iter().any(|before| before.name(pgn) == name)
    };
    let is_odd = section.standard.is_none_or(|end| end == LineEnd::Cr)
        // Other readers take a second empty line for the end of the game.
        || memchr::memchr_iter(b'\n', space).count() > 1
        || (0..found.len()).any(is_repeated);
    is_odd.then_some(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_and_backslashes_are_unescaped() {
        for (written, meant) in [
            ("", ""),
            ("Ann", "Ann"),
            (r#"Ann \"A\" B"#, r#"Ann "A" B"#),
            (r"a\\b", r"a\b"),
            (r#"\\\""#, r#"\""#),
            (r"a\b", r"a\b"),
            (r"a\", r"a\"),
            (r"a\\", r"a\"),
        ] {
            assert_eq!(tag_text(written.as_bytes()), meant, "{written}");
        }
        assert_eq!(tag_text(b"M\xfcller \\\"M\\\""), "Müller \"M\"");
        assert!(matches!(unescape(b"Ann"), Cow::Borrowed(_)));
    }
}
