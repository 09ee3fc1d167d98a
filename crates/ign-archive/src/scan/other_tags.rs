//! The tags of a game that no other column returns.

use ign_format::error::Result;

use super::{
    column::ScanColumn,
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

    /// The value of each, without escapes.
    pub fn values(&self) -> &Strings {
        &self.values
    }

    /// The names and the values.
    pub fn into_parts(self) -> (Strings, Strings) {
        (self.names, self.values)
    }
}

/// Collects the tags of a column [`OtherTags`](ScanColumn::OtherTags).
#[derive(Default)]
pub(super) struct OtherTags {
    pub lists: Lists<TagPairs>,
}

impl OtherTags {
    /// Adds a tag with its value, without escapes, to the current game, unless another column
    /// returns it: `repeated` tags are in no other column.
    ///
    /// # Errors
    /// Unsupported if all tags together exceed 2 GiB.
    pub fn add(&mut self, name: &[u8], value: &[u8], repeated: bool) -> Result<()> {
        if !repeated && is_elsewhere(name, value) {
            Ok(())
        } else {
            self.push(name, value)
        }
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
    if ScanColumn::TEXT_TAGS
        .iter()
        .any(|text| text.as_bytes() == name)
    {
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

#[cfg(test)]
mod tests {
    use super::*;

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
