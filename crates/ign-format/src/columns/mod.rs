//! Columns: one kind of value of all records of a block, coded together.
//!
//! The tags of a block stand in a [`Table`], a row for each record and a
//! column for each tag name. A codec takes one tag, or a few that belong
//! together (the names of both players), and turns their values into
//! [`Streams`] and back. Codecs may look at columns that are decoded before
//! theirs: each file here says which and how.
//!
//! A codec is one file with `encode` and `decode` side by side. To add one,
//! write that file, give it a number in [`Codec`], and name its tags in
//! [`plan`].

pub mod dates;
pub mod derived;
pub mod dictionary;
pub mod ids;
pub mod name_model;
pub mod numbers;
pub mod openings;
pub mod parts;
pub mod plan;
pub mod ratings;
pub mod signatures;
pub mod templates;
pub mod text;

use std::{borrow::Cow, ops::Range};

use rustc_hash::FxHashMap;

use self::name_model::Spelled;
use crate::{
    container::block::Column,
    error::{Error, Result},
};
use ign_entropy::adaptive::Decoder;

/// How a tag column is coded (spec §4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// Values from a dictionary.
    Dictionary = 16,
    /// Dates and times as steps.
    Dates = 17,
    /// Eight characters of base 62 behind a common prefix.
    Ids = 18,
    /// Ratings and their changes.
    Ratings = 19,
    /// Numbers and times of day as steps.
    Numbers = 20,
    /// Values that name the players.
    Templates = 21,
    /// Values that follow from the moves.
    Derived = 22,
    /// What books of openings say of the first moves.
    Openings = 23,
}

impl Codec {
    /// All of them.
    const ALL: [Self; 8] = [
        Self::Dictionary,
        Self::Dates,
        Self::Ids,
        Self::Ratings,
        Self::Numbers,
        Self::Templates,
        Self::Derived,
        Self::Openings,
    ];

    /// The codec of this number.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn from_number(number: u8) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|&codec| codec as u8 == number)
            .ok_or_else(|| Error::corrupt(format!("a column is coded in an unknown way, {number}")))
    }

    /// The word people read for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dictionary => "dictionary",
            Self::Dates => "dates",
            Self::Ids => "ids",
            Self::Ratings => "ratings",
            Self::Numbers => "numbers",
            Self::Templates => "templates",
            Self::Derived => "derived",
            Self::Openings => "openings",
        }
    }

    /// The switches that it defines.
    pub const fn switches(self) -> u8 {
        match self {
            Self::Dictionary => {
                dictionary::RECENT
                    | dictionary::GUESS
                    | dictionary::PAIRED
                    | dictionary::FIRSTS
                    | dictionary::SPELLED
            }
            Self::Templates => {
                dictionary::RECENT | dictionary::GUESS | dictionary::FIRSTS | dictionary::SPELLED
            }
            Self::Numbers => numbers::TIMES,
            Self::Derived => derived::Outcome::Position as u8,
            Self::Ratings => ratings::PLUS_ZERO,
            Self::Openings => openings::SWITCHES,
            Self::Dates | Self::Ids => 0,
        }
    }

    /// Whether its text may be spelled.
    pub const fn may_spell(self) -> bool {
        matches!(self, Self::Dictionary | Self::Templates)
    }

    /// Codes the column's values into its streams.
    pub fn encode(self, table: &mut Table, column: &mut Column) -> Streams {
        match self {
            Self::Dictionary => dictionary::encode(table, column),
            Self::Dates => dates::encode(table, column),
            Self::Ids => ids::encode(table, column),
            Self::Ratings => ratings::encode(table, column),
            Self::Numbers => numbers::encode(table, column),
            Self::Templates => templates::encode(table, column),
            Self::Derived => derived::encode(table, column),
            Self::Openings => openings::encode(table, column),
        }
    }

    /// Fills in the column's values of the records that the table asks for.
    ///
    /// # Errors
    /// Corrupt when the streams end early or do not fit the column.
    pub fn decode(self, table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
        match self {
            Self::Dictionary => dictionary::decode(table, column, streams),
            Self::Dates => dates::decode(table, column, streams),
            Self::Ids => ids::decode(table, column, streams),
            Self::Ratings => ratings::decode(table, column, streams),
            Self::Numbers => numbers::decode(table, column, streams),
            Self::Templates => templates::decode(table, column, streams),
            Self::Derived => derived::decode(table, column, streams),
            Self::Openings => openings::decode(table, column, streams),
        }
    }
}

/// The streams of a column: codes of the range coder as they are, and text
/// that zstd is to compress, or that is to be spelled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Streams {
    /// From the range coder.
    pub codes: Vec<u8>,
    /// Strings that appeared for the first time, a line each.
    pub text: Vec<u8>,
}

/// The two streams of a column as the decoder gets them.
///
/// # Errors
/// Corrupt when the column has another number of streams.
pub fn codes_and_text<'s>(streams: &'s [Cow<[u8]>]) -> Result<(&'s [u8], Lines<'s>)> {
    match streams {
        [codes, text] => Ok((codes, Lines { text, position: 0 })),
        _ => Err(Error::corrupt("a tag column has not its two streams")),
    }
}

/// Fails when a decoder has read far beyond the end of its stream, as it does
/// on bytes that no encoder wrote.
///
/// # Errors
/// Corrupt.
pub fn check_overrun(decoder: &Decoder) -> Result<()> {
    // The four bytes of the interval, and those zeros at the end (spec §7) that the
    // encoder left out.
    const SLACK: usize = 1 << 16;
    if decoder.overrun() > SLACK {
        return Err(Error::corrupt("a column ends before its values do"));
    }
    Ok(())
}

/// Lines of a text stream, taken one by one.
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a [u8],
    position: usize,
}

impl<'a> Lines<'a> {
    /// All that have not been taken.
    pub fn rest(&self) -> &'a [u8] {
        &self.text[self.position..]
    }

    /// The next line without its end.
    ///
    /// # Errors
    /// Corrupt when there is none.
    pub fn next_line(&mut self) -> Result<&'a [u8]> {
        let rest = self.rest();
        let len = memchr::memchr(b'\n', rest).ok_or_else(too_few_strings)?;
        self.position += len + 1;
        Ok(&rest[..len])
    }
}

fn too_few_strings() -> Error {
    Error::corrupt("a column has too few strings")
}

/// A piece of [`Table::bytes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Offset of its first byte.
    pub start: u32,
    /// Number of bytes, or one of the marks below.
    pub len: u32,
}

impl Span {
    /// The record has no such tag.
    pub const ABSENT: Self = Self {
        start: 0,
        len: u32::MAX,
    };
    /// The record has the tag; its value is not decoded yet.
    pub const PENDING: Self = Self {
        start: 0,
        len: u32::MAX - 1,
    };
    /// The record has the tag; its value follows from the game's moves.
    pub const FOLLOWS: Self = Self::follows(0);

    /// The same, in one of several forms.
    pub const fn follows(form: u32) -> Self {
        Self {
            start: form,
            len: u32::MAX - 2,
        }
    }

    /// The form in which the value follows, if it does.
    pub fn form(self) -> Option<u32> {
        (self.len == Self::FOLLOWS.len).then_some(self.start)
    }

    /// A word that is spelled when it is read, by its number among those of [`Table::spelled`].
    pub const fn spelled(number: u32) -> Self {
        Self {
            start: number,
            len: u32::MAX - 3,
        }
    }

    /// Whether the record has the tag.
    #[inline]
    pub fn is_present(self) -> bool {
        self != Self::ABSENT
    }

    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }
}

/// Tag values of all records of a block.
///
/// When packing, `bytes` is the block's text and every value a piece of it;
/// when unpacking, `bytes` gathers each different value once.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// What the spans are pieces of.
    pub bytes: Vec<u8>,
    /// The different tag names in the order of their first appearance.
    pub names: Vec<Vec<u8>>,
    /// For each tag name a span for each record that is held, none where it is not asked for.
    pub values: Vec<Vec<Span>>,
    /// Number of records.
    pub rows: usize,
    /// The first record that is held: when unpacking, nothing is asked for before it.
    pub first: usize,
    /// When unpacking, for each part whether its values are asked for; those of others are not.
    pub parts: Vec<bool>,
    /// When unpacking, no value is asked for from this record on, if one is named.
    pub until: Option<usize>,
    /// When unpacking, of the records that are held those that are read, if not all: the others
    /// only help to tell them.
    pub read: Vec<bool>,
    /// When unpacking, words that are spelled when they are read, behind the number of the first.
    pub spelled: Vec<(usize, Spelled)>,
    /// The words of columns of words, by their spans.
    pub words: FxHashMap<Span, u32>,
    /// When packing, the tags whose values may follow from the moves.
    pub follows: Vec<(u16, derived::Follows)>,
    /// When packing, what books of openings say of the first moves.
    pub predicted: openings::Predicted,
}

impl Table {
    /// Index of a tag name.
    pub fn tag(&self, name: &[u8]) -> Option<u16> {
        self.names.iter().position(|n| n == name).map(|i| i as u16)
    }

    /// Whether the values of this part are asked for.
    pub fn asks_for(&self, part: usize) -> bool {
        self.parts.get(part).copied().unwrap_or(false)
    }

    /// A record's value of a tag, if it has the tag and it is decoded and does not
    /// follow from the moves.
    #[inline]
    pub fn value(&self, tag: u16, row: usize) -> Option<&[u8]> {
        let span = self.span(tag, row);
        (span.len < Span::FOLLOWS.len).then(|| self.bytes_of(span))
    }

    /// The bytes of the span of a value.
    #[inline]
    pub fn bytes_of(&self, span: Span) -> &[u8] {
        match self.place_among_spelled(span) {
            Some((column, number)) => self.spelled[column].1.line(number),
            None => &self.bytes[span.range()],
        }
    }

    /// Which of the columns of spelled words has the word of this span, and its number there.
    fn place_among_spelled(&self, span: Span) -> Option<(usize, usize)> {
        let number = span.start as usize;
        (span == Span::spelled(span.start)).then(|| {
            let column = self.spelled.partition_point(|&(first, _)| first <= number) - 1;
            (column, number - self.spelled[column].0)
        })
    }

    /// Announces that a record's value will be read, if the record will.
    pub fn announce(&mut self, row: usize, span: Span) {
        if let Some((column, number)) = self.place_among_spelled(span)
            && self.is_read(row)
        {
            self.spelled[column].1.announce(number);
        }
    }

    /// Takes words that are spelled when they are read; gives the number of the first.
    pub fn spell(&mut self, words: Spelled) -> u32 {
        let last = self.spelled.last();
        let first = last.map_or(0, |(first, words)| first + words.count());
        self.spelled.push((first, words));
        first as u32
    }

    /// Whether a record that is held is read.
    pub fn is_read(&self, row: usize) -> bool {
        self.read.get(row - self.first).is_none_or(|&read| read)
    }

    /// The records that are held: no value of another is asked for.
    pub fn held(&self) -> Range<usize> {
        self.first..self.until.unwrap_or(self.rows)
    }

    /// A record's span of a tag; none is had of a record that is not held.
    #[inline]
    pub fn span(&self, tag: u16, row: usize) -> Span {
        let values = &self.values[usize::from(tag)];
        let span = values.get(row.wrapping_sub(self.first));
        span.copied().unwrap_or(Span::ABSENT)
    }

    /// Adds bytes and gives their span, which is no other's, not even where there are none.
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

    /// Sets a value of a record that is held.
    #[inline]
    pub fn set(&mut self, tag: u16, row: usize, span: Span) {
        self.values[usize::from(tag)][row - self.first] = span;
    }
}

#[cfg(test)]
pub(crate) mod testing {
    //! Tables from literals, and the one check every codec must pass.
    use super::*;

    /// A table of these tags and rows; `None` where a record lacks the tag.
    pub fn table(names: &[&str], rows: &[&[Option<&str>]]) -> Table {
        let mut table = Table {
            names: names.iter().map(|n| n.as_bytes().to_vec()).collect(),
            values: vec![Vec::new(); names.len()],
            rows: rows.len(),
            ..Table::default()
        };
        for row in rows {
            for (tag, value) in row.iter().enumerate() {
                let span = value.map_or(Span::ABSENT, |v| table.add(v.as_bytes()));
                table.values[tag].push(span);
            }
        }
        table
    }

    /// A column that is to be coded.
    pub fn column(codec: Codec, tags: &[u16], refs: &[u16]) -> Column {
        Column {
            codec: codec as u8,
            tags: tags.to_vec(),
            refs: refs.to_vec(),
            switches: 0,
            streams: vec![],
        }
    }

    /// Encodes the columns in order, decodes them again and compares; gives
    /// the bytes of all streams.
    pub fn round_trip(table: &Table, columns: Vec<Column>) -> usize {
        let mut packed = table.clone();
        let mut size = 0;
        let mut unpacked = Table {
            values: table
                .values
                .iter()
                .map(|v| {
                    v.iter()
                        .map(|s| if s.is_present() { Span::PENDING } else { *s })
                        .collect()
                })
                .collect(),
            bytes: Vec::new(),
            parts: parts::of(table.rows).map(|_| true).collect(),
            ..table.clone()
        };
        for mut column in columns {
            let codec = Codec::from_number(column.codec).unwrap();
            let streams = codec.encode(&mut packed, &mut column);
            size += streams.codes.len() + streams.text.len();
            codec
                .decode(
                    &mut unpacked,
                    &column,
                    &[streams.codes.into(), streams.text.into()],
                )
                .unwrap();
            for &tag in &column.tags {
                for row in 0..table.rows {
                    assert_eq!(table.value(tag, row), unpacked.value(tag, row), "row {row}");
                }
            }
        }
        size
    }
}
