//! Stage 1: the text is split into records.

use std::{ops::Range, slice};

use crate::pgn::{
    records::RecordFinder,
    tags::{Tag, TagReader, TagSection},
};

/// Splits the text of a block into records, each into its tags and its movetext. A block may hold
/// several texts, one after the other; their records are those that each text has alone.
///
/// Whether the tags become columns is decided between [`tags`](Self::tags) and
/// [`movetext`](Self::movetext).
#[derive(Debug)]
pub struct RecordReader<'t> {
    all: &'t [u8],
    /// The ends of the texts after the current one.
    ends: slice::Iter<'t, usize>,
    /// The current text, and where it begins.
    text: &'t [u8],
    first: usize,
    /// Its number, counted from 0.
    number: usize,
    finder: RecordFinder<'t>,
    reader: TagReader,
    /// Where the current record begins in the current text.
    start: usize,
    section: TagSection,
}

impl<'t> RecordReader<'t> {
    /// A reader at the start of the first of the texts that end here.
    pub fn new(all: &'t [u8], ends: &'t [usize]) -> Self {
        let mut ends = ends.iter();
        let text = &all[..ends.next().copied().unwrap_or(0)];
        Self {
            all,
            ends,
            text,
            first: 0,
            number: 0,
            finder: RecordFinder::new(text),
            reader: TagReader::default(),
            start: 0,
            section: TagSection::default(),
        }
    }

    /// Reads the tags of the next record; returns how they are written, or `None` at the end of the
    /// text.
    pub fn tags(&mut self, tags: &mut Vec<Tag>) -> Option<TagSection> {
        while self.start == self.text.len() {
            let end = *self.ends.next()?;
            self.first += self.text.len();
            self.text = &self.all[self.first..end];
            self.number += 1;
            self.finder = RecordFinder::new(self.text);
            self.start = 0;
        }
        self.section = self.reader.read(self.text, self.start, tags);
        if self.first > 0 {
            tags.iter_mut().for_each(|tag| tag.shift(self.first));
        }
        Some(self.section)
    }

    /// The number of the text that the last record with [tags](Self::tags) is in, counted from 0.
    pub fn text_number(&self) -> usize {
        self.number
    }

    /// The range of the current tag section.
    pub fn section(&self) -> Range<usize> {
        self.first + self.start..self.first + self.section.end
    }

    /// The movetext of the record; the next record is the current one then. Without `tags`, the tag
    /// section is movetext.
    pub fn movetext(&mut self, tags: bool) -> &'t [u8] {
        let (start, end) = (self.start, self.section.end);
        self.start = self.finder.record_end(start, end);
        &self.text[if tags { end } else { start }..self.start]
    }

    /// The rest of the text from the current record on, as the movetext of one record.
    pub fn rest(&mut self) -> &'t [u8] {
        let rest = &self.text[self.start..];
        self.start = self.text.len();
        rest
    }
}
