//! Stage 1: the text is split into records.

use std::ops::Range;

use crate::pgn::{
    records::RecordFinder,
    tags::{Section, Tag, TagReader},
};

/// Splits the text of a block into records, each into its tags and its movetext.
///
/// Whether the tags become columns is decided between [`tags`](Self::tags) and
/// [`movetext`](Self::movetext).
#[derive(Debug)]
pub struct RecordReader<'t> {
    text: &'t [u8],
    finder: RecordFinder<'t>,
    reader: TagReader,
    /// Where the current record begins.
    start: usize,
    section: Section,
}

impl<'t> RecordReader<'t> {
    /// A reader at the start of the text.
    pub fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            finder: RecordFinder::new(text),
            reader: TagReader::default(),
            start: 0,
            section: Section::default(),
        }
    }

    /// Reads the tags of the next record; returns how they are written, or `None` at the end of the
    /// text.
    pub fn tags(&mut self, tags: &mut Vec<Tag>) -> Option<Section> {
        if self.start == self.text.len() {
            return None;
        }
        self.section = self.reader.read(self.text, self.start, tags);
        Some(self.section)
    }

    /// The range of the current tag section.
    pub fn section(&self) -> Range<usize> {
        self.start..self.section.end
    }

    /// The movetext of the record; the next record is the current one then. Without `tags`, the tag
    /// section is movetext.
    pub fn movetext(&mut self, tags: bool) -> &'t [u8] {
        let Range { start, end } = self.section();
        self.start = self.finder.record_end(start, end);
        &self.text[if tags { end } else { start }..self.start]
    }

    /// All text from the current record on, as the movetext of the last record.
    pub fn rest(&mut self) -> &'t [u8] {
        let rest = &self.text[self.start..];
        self.start = self.text.len();
        rest
    }
}
