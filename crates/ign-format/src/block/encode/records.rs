//! Stage 1: the text is split into records.

use crate::pgn::records::{LineEnd, RecordFinder, Tag, TagReader};

/// Splits the text of a block into records, each into its tags and its movetext.
///
/// The tag table may have no room for all tags of a record, so the next record is read in two
/// steps: [`tags`](Self::tags), then [`movetext`](Self::movetext).
#[derive(Debug)]
pub struct RecordReader<'t> {
    text: &'t [u8],
    finder: RecordFinder<'t>,
    reader: TagReader,
    tags: Vec<Tag>,
    /// Where the next record begins.
    start: usize,
    /// Where its tags end.
    tags_end: usize,
    line_end: LineEnd,
}

/// How many tags of a record become columns; the rest of the record is movetext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accepted {
    /// All tags.
    All,
    /// The tags before this one: the block has no room for another tag name.
    Before(usize),
    /// None, and the record extends to the end of the text: the block has no room for another
    /// record.
    Nothing,
}

impl<'t> RecordReader<'t> {
    /// A reader at the start of the text.
    pub fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            finder: RecordFinder::new(text),
            reader: TagReader::default(),
            tags: Vec::new(),
            start: 0,
            tags_end: 0,
            line_end: LineEnd::default(),
        }
    }

    /// Reads the tags of the next record and the line ending of their lines; `None` at the end of
    /// the text.
    pub fn tags(&mut self) -> Option<(&[Tag], LineEnd)> {
        if self.start == self.text.len() {
            return None;
        }
        (self.line_end, self.tags_end) = self.reader.read(self.text, self.start, &mut self.tags);
        Some((&self.tags, self.line_end))
    }

    /// Reads the movetext of the record, all that follows the accepted tags, and goes to the next
    /// record.
    pub fn movetext(&mut self, accepted: Accepted) -> &'t [u8] {
        let (start, end) = match accepted {
            Accepted::All => (self.tags_end, self.finder.record_end(self.tags_end)),
            Accepted::Before(tag) => {
                // From the tag's bracket on.
                let start = self.tags[tag].name.start - 1;
                (start, self.finder.record_end(start))
            }
            Accepted::Nothing => (self.start, self.text.len()),
        };
        self.start = end;
        &self.text[start..end]
    }
}
