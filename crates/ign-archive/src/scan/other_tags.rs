//! The tags of a game that no other column returns.

use ign_format::{
    error::Result,
    pgn::records::{Tag, TagReader},
};

use super::{
    column::Column,
    days,
    lists::Lists,
    numbers::{read_difference, read_time},
    strings::Strings,
};
use crate::values::read_rating;

/// Names and values of tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagPairs {
    pub(super) names: Strings,
    pub(super) values: Strings,
}

impl TagPairs {
    /// The names.
    pub fn names(&self) -> &Strings {
        &self.names
    }

    /// The value of each, as it is written.
    pub fn values(&self) -> &Strings {
        &self.values
    }

    /// The names and the values.
    pub fn into_parts(self) -> (Strings, Strings) {
        (self.names, self.values)
    }
}

/// Collects the tags of a column [`OtherTags`](Column::OtherTags).
#[derive(Default)]
pub(super) struct OtherTags {
    pub lists: Lists<TagPairs>,
}

impl OtherTags {
    /// Adds a tag to the current game, unless another column returns it.
    ///
    /// # Errors
    /// Unsupported if all tags together exceed 2 GiB.
    pub fn add(&mut self, name: &[u8], value: &[u8]) -> Result<()> {
        if is_elsewhere(name, value) {
            Ok(())
        } else {
            self.push(name, value)
        }
    }

    /// Adds the tags that are written after the tags of the record, in the form of tags: a repeated
    /// name, more than one space. Rows of the table do not have them.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn add_from_text(&mut self, pgn: &[u8], room: &mut Vec<Tag>) -> Result<()> {
        let (_, end) = TagReader::default().read(pgn, 0, room);
        for line in pgn[end..].split(|&c| matches!(c, b'\n' | b'\r')) {
            match tag_line(line) {
                Some((name, value)) => self.push(name, value)?,
                // Empty lines, and lines that only look like tags, may be between tags.
                None if line.is_empty() || line.starts_with(b"[") => {}
                None => break,
            }
        }
        Ok(())
    }

    /// Ends the current game.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    pub fn end_row(&mut self) -> Result<()> {
        let len = self.lists.items().names.len();
        let has_tags = self.lists.last_end() < len;
        self.lists.end_row(len, has_tags)
    }

    fn push(&mut self, name: &[u8], value: &[u8]) -> Result<()> {
        let pairs = self.lists.items_mut();
        pairs.names.push(name)?;
        pairs.values.push(value)
    }
}

/// Whether a column other than `OtherTags` returns this tag. A value that is null in its typed
/// column is not returned there.
fn is_elsewhere(name: &[u8], value: &[u8]) -> bool {
    if Column::TEXT_TAGS.iter().any(|text| text.as_bytes() == name) {
        return true;
    }
    match name {
        b"WhiteElo" | b"BlackElo" => read_rating(value).is_some(),
        b"WhiteRatingDiff" | b"BlackRatingDiff" => read_difference(value).is_some(),
        b"Date" | b"UTCDate" => days::read(value).is_some(),
        b"UTCTime" => read_time(value).is_some(),
        _ => false,
    }
}

/// The name and the value of a line such as `[Name "value"]`, with white space where the standard
/// allows it.
fn tag_line(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inner = line
        .trim_ascii()
        .strip_prefix(b"[")?
        .strip_suffix(b"]")?
        .trim_ascii();
    let end = inner
        .iter()
        .position(|c| !c.is_ascii_alphanumeric() && *c != b'_')?;
    let (name, rest) = inner.split_at(end);
    let value = rest.trim_ascii().strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    (!name.is_empty()).then_some((name, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_in_other_forms_are_read_after_those_of_the_record() {
        let pgn =
            b"[White \"A\"]\n[White \"B\"]\n[ Black  \"C\" ] \r\n[x]\n[Round \"1\"]\n\n1. e4 *";
        let mut tags = OtherTags::default();
        tags.add(b"White", b"A").unwrap();
        tags.add_from_text(pgn, &mut Vec::new()).unwrap();
        tags.end_row().unwrap();
        tags.end_row().unwrap();
        let pairs = tags.lists.items();
        assert_eq!(
            pairs.names.iter().collect::<Vec<_>>(),
            ["White", "Black", "Round"]
        );
        assert_eq!(pairs.values.iter().collect::<Vec<_>>(), ["B", "C", "1"]);
        assert_eq!(
            (tags.lists.range(0), tags.lists.range(1)),
            (Some(0..3), None)
        );
    }

    #[test]
    fn values_that_a_typed_column_cannot_hold_are_other_tags() {
        for (name, value, is) in [
            ("White", "?", true),
            ("WhiteElo", "2100", true),
            ("WhiteElo", "?", false),
            ("Date", "2013.01.05", true),
            ("Date", "2013.??.??", false),
            ("UTCTime", "1:00", false),
            ("BlackRatingDiff", "+12", true),
            ("Annotator", "A", false),
            ("moves", "e4", false),
        ] {
            assert_eq!(
                is_elsewhere(name.as_bytes(), value.as_bytes()),
                is,
                "{name}"
            );
        }
    }
}
