//! The tag table of a block: a row for each record, a column for each tag name.
//!
//! A cell is a [`Span`]: the place of a value in the bytes of the table, or a mark. When packing,
//! those bytes are the text of the block and every value is a piece of it. When unpacking, they
//! collect every distinct value once.
//!
//! A reader that needs few records decodes few. The table then holds the rows from
//! [`Table::first_row`] to [`Table::end_row`], and of those the needed ones are a subset: codecs
//! decode the others because they predict the needed ones.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{
    derived::derivation::DerivedTag, name_model::NameNetwork, names::LazyNames,
    openings::predictions::BookPredictions,
};
use crate::models::Model;

/// A value of a [`Table`]: a piece of [`Table::bytes`], or a mark.
///
/// Marks use lengths beyond those of any value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of the first byte. Marks use it as a parameter.
    pub start: u32,
    /// Number of bytes, or a mark.
    pub len: u32,
}

impl Span {
    /// The record does not have the tag.
    pub const ABSENT: Self = Self {
        start: 0,
        len: u32::MAX,
    };
    /// The record has the tag, but its value has not been decoded.
    pub const PENDING: Self = Self {
        start: 0,
        len: u32::MAX - 1,
    };
    /// The record has the tag, and its value is derived from the moves of the game.
    pub const DERIVED: Self = Self::derived(0);
    /// The length that marks a name of [`Table::lazy_names`].
    const LAZY_LEN: u32 = u32::MAX - 3;

    /// [`Span::DERIVED`] with details, which the codec of the column defines.
    pub const fn derived(details: u32) -> Self {
        Self {
            start: details,
            len: u32::MAX - 2,
        }
    }

    /// The details of a derived value; `None` for any other value.
    pub fn derived_details(self) -> Option<u32> {
        (self.len == Self::DERIVED.len).then_some(self.start)
    }

    /// The name with this number in [`Table::lazy_names`].
    pub const fn lazy_name(number: u32) -> Self {
        Self {
            start: number,
            len: Self::LAZY_LEN,
        }
    }

    /// Whether the record has the tag.
    #[inline]
    pub fn is_present(self) -> bool {
        self != Self::ABSENT
    }

    /// The place of its bytes, unless it is a mark.
    #[inline]
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// The values of all tags in the records of a block.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The bytes of all values.
    pub bytes: Vec<u8>,
    /// The distinct tag names in order of first appearance.
    pub names: Vec<Vec<u8>>,
    /// For each tag name, the span of each row that the table holds. It may be empty for a tag
    /// that is not needed.
    pub values: Vec<Vec<Span>>,
    /// Number of records in the block.
    pub rows: usize,
    /// The first row that the table holds; 0 when packing.
    pub first_row: usize,
    /// The end of the rows that the table holds, if it is before the last record of the block.
    pub end_row: Option<usize>,
    /// When unpacking, whether each [part](super::parts) is needed.
    pub needed_parts: Vec<bool>,
    /// When unpacking, whether each row from [`Table::first_row`] is needed. Empty if all are.
    pub needed_rows: Vec<bool>,
    /// When unpacking, for each tag whether the table has its values.
    pub has_values: Vec<bool>,
    /// When unpacking, for each tag whether its values are needed. Empty if all are.
    pub needed_tags: Vec<bool>,
    /// When unpacking, names that are decoded on first access, with the number of the first name
    /// of each column.
    pub lazy_names: Vec<(usize, LazyNames)>,
    /// When unpacking, the model that encoded names, if a column needs it.
    pub name_model: Option<Model<NameNetwork>>,
    /// The number in its dictionary of every value of a dictionary column.
    pub dictionary_numbers: FxHashMap<Span, u32>,
    /// When packing, the tags whose values may be derived from the moves.
    pub derived: Vec<(u16, DerivedTag)>,
    /// When packing, the predictions of the opening books.
    pub predicted: BookPredictions,
}

impl Table {
    /// Index of a tag name.
    pub fn tag(&self, name: &[u8]) -> Option<u16> {
        self.names.iter().position(|n| n == name).map(|i| i as u16)
    }

    /// Whether a part is needed.
    pub fn needs_part(&self, part: usize) -> bool {
        self.needed_parts.get(part).copied().unwrap_or(false)
    }

    /// Whether the values of a tag are needed.
    pub fn needs_tag(&self, tag: u16) -> bool {
        let needed = self.needed_tags.get(usize::from(tag));
        needed.is_none_or(|&needed| needed)
    }

    /// Whether a row that the table holds is needed.
    pub fn needs_row(&self, row: usize) -> bool {
        let needed = self.needed_rows.get(row - self.first_row);
        needed.is_none_or(|&needed| needed)
    }

    /// The rows that the table holds.
    pub fn held_rows(&self) -> Range<usize> {
        self.first_row..self.end_row.unwrap_or(self.rows)
    }

    /// The span of a tag in a row; [`Span::ABSENT`] if the table does not hold the row.
    #[inline]
    pub fn span(&self, tag: u16, row: usize) -> Span {
        let values = &self.values[usize::from(tag)];
        let span = values.get(row.wrapping_sub(self.first_row));
        span.copied().unwrap_or(Span::ABSENT)
    }

    /// The value of a tag in a row; `None` if it is absent, pending or derived.
    #[inline]
    pub fn value(&self, tag: u16, row: usize) -> Option<&[u8]> {
        let span = self.span(tag, row);
        (span.len < Span::DERIVED.len).then(|| self.bytes_of(span))
    }

    /// The bytes of a span that is no mark other than a lazy name.
    #[inline]
    pub fn bytes_of(&self, span: Span) -> &[u8] {
        match self.lazy_place(span) {
            Some((column, number)) => self.lazy_names[column].1.line(number),
            None => &self.bytes[span.range()],
        }
    }

    /// The entry of [`Table::lazy_names`] that has this name, and the number of the name there.
    fn lazy_place(&self, span: Span) -> Option<(usize, usize)> {
        let number = span.start as usize;
        (span.len == Span::LAZY_LEN).then(|| {
            let after = self
                .lazy_names
                .partition_point(|&(first, _)| first <= number);
            (after - 1, number - self.lazy_names[after - 1].0)
        })
    }

    /// Adds the names of a column, and returns the number of the first.
    pub fn add_lazy_names(&mut self, names: LazyNames) -> u32 {
        let last = self.lazy_names.last();
        let first = last.map_or(0, |(first, names)| first + names.count());
        self.lazy_names.push((first, names));
        first as u32
    }

    /// Registers that the value of a row will be read if the row is needed, so that its name is
    /// decoded together with its neighbours.
    pub fn register_read(&mut self, row: usize, span: Span) {
        if let Some((column, number)) = self.lazy_place(span)
            && self.needs_row(row)
        {
            self.lazy_names[column].1.register_read(number);
        }
    }

    /// Adds a value and returns its span, which differs from every other, even for an empty value.
    #[inline]
    pub fn add(&mut self, value: &[u8]) -> Span {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(value);
        if value.is_empty() {
            self.bytes.push(0);
        }
        Span {
            start,
            len: value.len() as u32,
        }
    }

    /// Sets the span of a tag in a row that the table holds.
    #[inline]
    pub fn set(&mut self, tag: u16, row: usize, span: Span) {
        self.values[usize::from(tag)][row - self.first_row] = span;
    }
}
