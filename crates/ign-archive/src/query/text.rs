//! Patterns for tag values: text with wildcards, and regular expressions.

use std::{fmt, str::FromStr};

use ign_format::error::{Error, Result};
use regex::bytes::{Regex, RegexBuilder};

/// The greatest size in bytes of a compiled regular expression. Matching takes linear time whatever
/// the expression.
const MAX_REGEX: usize = 1 << 20;

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

/// A regular expression for the value of a tag: `TimeControl=^300`. It may match anywhere in the
/// value; a game without the tag does not match.
#[derive(Debug, Clone)]
pub struct TagPattern {
    /// The name of the tag.
    pub name: String,
    /// The expression, for the bytes of the value.
    pub regex: Regex,
}

impl FromStr for TagPattern {
    type Err = Error;

    /// Reads `NAME=REGEX`.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no name, or the expression is invalid or too
    /// large.
    fn from_str(text: &str) -> Result<Self> {
        let (name, regex) = text
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| {
                Error::usage(format!("'{text}' names no tag"))
                    .with_remedy("write NAME=REGEX, such as TimeControl=^300")
            })?;
        let built = RegexBuilder::new(regex).size_limit(MAX_REGEX).build();
        let regex = built.map_err(|e| {
            Error::usage(format!("'{regex}' is no regular expression: {e}")).with_remedy(
                "the syntax is that of the Rust crate regex; '\\' quotes a special character",
            )
        })?;
        Ok(Self {
            name: name.to_owned(),
            regex,
        })
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

    #[test]
    fn expressions_that_are_invalid_or_explode_are_errors() {
        assert!("Site=lichess".parse::<TagPattern>().is_ok());
        for wrong in [
            "Site",
            "=x",
            "Site=(",
            "Site=[z-a]",
            "Site=(?=x)",
            "Site=(a{1000}){1000}",
        ] {
            let error = wrong.parse::<TagPattern>().unwrap_err();
            assert_eq!(error.kind(), crate::ErrorKind::Usage, "{wrong}");
        }
    }
}
