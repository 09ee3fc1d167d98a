//! Patterns for tag values: text with wildcards.

use std::{fmt, str::FromStr};

use unicode_normalization::UnicodeNormalization;

use crate::text::decode_text;

/// A pattern for a whole value: `*` matches any text. Matching is case-insensitive and
/// ignores accents: `muller` matches `Müller`. Values that are not UTF-8 are read as ISO 8859-1.
///
/// ```
/// use ign_archive::query::TextPattern;
///
/// let pattern = TextPattern::new("carlsen*");
/// assert!(pattern.matches(b"Carlsen, Magnus") && !pattern.matches(b"Henrik Carlsen"));
/// assert!(TextPattern::new("Muller").matches(b"M\xfcller"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextPattern {
    text: String,
    /// The folded text.
    folded: String,
}

impl TextPattern {
    /// The pattern of this text.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let folded = fold(&text);
        Self { text, folded }
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What every matching value begins with once it is folded.
    pub(crate) fn folded_prefix(&self) -> &str {
        let end = self.folded.find('*');
        &self.folded[..end.unwrap_or(self.folded.len())]
    }

    /// Whether a value matches. The value is without escapes.
    pub fn matches(&self, value: &[u8]) -> bool {
        let pattern = self.folded.as_bytes();
        if value.is_ascii() {
            matches_ignoring_ascii_case(pattern, value)
        } else {
            matches_ignoring_ascii_case(pattern, fold(&decode_text(value)).as_bytes())
        }
    }
}

/// The folded text of a value, by which the names of an index are sorted (spec §15.5).
pub(crate) fn folded(value: &[u8]) -> Vec<u8> {
    if value.is_ascii() {
        value.to_ascii_lowercase()
    } else {
        fold(&decode_text(value)).into_bytes()
    }
}

/// The text decomposed, without accents, in one case (spec §15.5). Character by character, so that
/// parts of a text fold to parts of the folded text.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let letters = text.nfd().filter(|c| !is_accent(*c));
    letters.map(fold_case).collect()
}

/// Whether a character is a combining accent of Latin, Greek or Cyrillic letters.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// A letter in lower case. Letters with the same upper case become equal: `ς` is `σ`.
fn fold_case(c: char) -> char {
    let upper = single(c.to_uppercase()).unwrap_or(c);
    single(upper.to_lowercase()).unwrap_or(upper)
}

/// The only one of some characters.
fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    chars.next().filter(|_| chars.next().is_none())
}

/// Whether a value matches a pattern with wildcards, letters from A to Z in both cases.
fn matches_ignoring_ascii_case(pattern: &[u8], value: &[u8]) -> bool {
    let mut parts = pattern.split(|&c| c == b'*');
    let first = parts.next().unwrap_or_default();
    let Some(last) = parts.next_back() else {
        return value.eq_ignore_ascii_case(first);
    };
    let Some(middle) = value.len().checked_sub(last.len()) else {
        return false;
    };
    let (mut rest, end) = value.split_at(middle);
    if rest.len() < first.len()
        || !rest[..first.len()].eq_ignore_ascii_case(first)
        || !end.eq_ignore_ascii_case(last)
    {
        return false;
    }
    rest = &rest[first.len()..];
    // The earliest place for each part leaves the most room for the next.
    for part in parts.filter(|part| !part.is_empty()) {
        let place = rest
            .windows(part.len())
            .position(|w| w.eq_ignore_ascii_case(part));
        let Some(place) = place else {
            return false;
        };
        rest = &rest[place + part.len()..];
    }
    true
}

impl From<&str> for TextPattern {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for TextPattern {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl FromStr for TextPattern {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        Ok(Self::new(text))
    }
}

impl fmt::Display for TextPattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_match_any_text_and_letters_both_cases() {
        let matches =
            |pattern: &str, value: &str| TextPattern::new(pattern).matches(value.as_bytes());
        for (pattern, value) in [
            ("Carlsen, Magnus", "carlsen, magnus"),
            ("Carlsen*", "Carlsen"),
            ("*magnus", "Carlsen, Magnus"),
            ("*a*a*", "Anand"),
            ("a*b*c", "abcbc"),
            ("*", ""),
            ("**", "x"),
            ("", ""),
            ("łódź*", "Łódź, Ümit"),
            ("*ümit", "ŁÓDŹ, ÜMIT"),
            ("ŁÓDŹ", "łódź"),
            ("Muller, Jorg", "MÜLLER, JÖRG"),
            ("MÜLLER*", "Muller, Jörg"),
            ("Jörg", "Jorg"),
            ("jo\u{308}rg", "Jörg"),
            ("Nepomnyashchii", "Nepomnyashchíi"),
            ("петров*", "ПЕТРОВ, Артём"),
            ("*артем", "Петров, Артём"),
            ("ΣΟΦΌΣ", "σοφος"),
            ("straße", "STRAẞE"),
            ("*が", "ひらが"),
        ] {
            assert!(matches(pattern, value), "{pattern} {value}");
        }
        for (pattern, value) in [
            ("Carlsen", "Carlsen, Magnus"),
            ("a*a", "a"),
            ("*ab*b", "ab"),
            ("", "x"),
            ("a*b", "abc"),
            ("lodz", "łódź"),
            ("Mueller", "Müller"),
            ("*か", "ひらが"),
        ] {
            assert!(!matches(pattern, value), "{pattern} {value}");
        }
        // Latin-1.
        assert!(TextPattern::new("m*ller").matches(b"M\xdcller"));
        for pattern in ["Müller", "MÜLLER", "muller", "M*LLER", "mu*"] {
            assert!(TextPattern::new(pattern).matches(b"M\xfcller"), "{pattern}");
        }
    }
}
