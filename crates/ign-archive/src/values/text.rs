//! Patterns for tag values: text with wildcards.

use std::{fmt, str::FromStr};

/// A pattern for a whole value: `*` matches any text, letters match in both cases. Letters other
/// than A to Z are compared if pattern and value are UTF-8.
///
/// ```
/// use ign_archive::query::TextPattern;
///
/// let pattern = TextPattern::new("carlsen*");
/// assert!(pattern.matches(b"Carlsen, Magnus") && !pattern.matches(b"Henrik Carlsen"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TextPattern {
    text: String,
    /// The text in lower case, if it has letters other than A to Z.
    folded: Option<String>,
}

impl TextPattern {
    /// The pattern of this text.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let folded = (!text.is_ascii()).then(|| fold(&text));
        Self { text, folded }
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The ASCII characters with which every matching value begins, in either case.
    pub(crate) fn ascii_prefix(&self) -> &str {
        let end = self.text.find(|c: char| c == '*' || !c.is_ascii());
        &self.text[..end.unwrap_or(self.text.len())]
    }

    /// Whether a value matches.
    pub fn matches(&self, value: &[u8]) -> bool {
        match (&self.folded, str::from_utf8(value)) {
            (Some(pattern), Ok(value)) => {
                matches_ignoring_ascii_case(pattern.as_bytes(), fold(value).as_bytes())
            }
            _ => matches_ignoring_ascii_case(self.text.as_bytes(), value),
        }
    }
}

/// The text in lower case, character by character: what a letter becomes does not depend on its
/// neighbours.
fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
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
        ] {
            assert!(matches(pattern, value), "{pattern} {value}");
        }
        for (pattern, value) in [
            ("Carlsen", "Carlsen, Magnus"),
            ("a*a", "a"),
            ("*ab*b", "ab"),
            ("", "x"),
            ("a*b", "abc"),
            ("lódź", "łódź"),
        ] {
            assert!(!matches(pattern, value), "{pattern} {value}");
        }
        // Latin-1.
        assert!(TextPattern::new("m*ller").matches(b"M\xdcller"));
        assert!(!TextPattern::new("Müller").matches(b"M\xfcller"));
    }
}
