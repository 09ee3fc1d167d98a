//! The tags of a block of chess, record by record: tag lines, and values that the movetext repeats.

use std::borrow::Cow;

use crate::{
    block::{
        decode::{block::Block, openings::OpeningTags, records::Records, unreadable::Unreadable},
        moves::GameMoves,
    },
    columns::{
        Table,
        derived::{Derivation, FenDetails, GameEnd},
    },
    error::{Error, Result},
    pgn::{
        comments::repeats::Repeats,
        render::check_room,
        section::{self, NAME, VALUE, WORD},
        start::Start,
    },
};

/// The tags of the records that are rendered.
pub struct Tags<'a> {
    block: &'a Block<'a>,
    records: &'a Records,
    table: Table,
    /// `[Name "` of each tag name; `None` for tags that cannot be read.
    heads: Vec<Option<Vec<u8>>>,
    openings: Option<OpeningTags>,
    /// The Result tag, if it can be read.
    result: Option<u16>,
    /// The tags that comments repeat.
    repeated: [Option<u16>; 2],
}

impl<'a> Tags<'a> {
    /// The tags of a block, from a table that has all tags that can be read.
    ///
    /// # Errors
    /// Unsupported when the opening book is unknown.
    pub fn new(
        block: &'a Block,
        records: &'a Records,
        table: Table,
        unreadable: &Unreadable,
    ) -> Result<Self> {
        let readable = |tag: u16| !unreadable.has_tag(tag);
        let names = block.head().tag_names.iter().zip(0..);
        let head = |name: &Vec<u8>| [b"[", &name[..], b" \""].concat();
        let heads = names.map(|(name, tag)| readable(tag).then(|| head(name)));
        let openings = OpeningTags::of(block)?;
        Ok(Self {
            block,
            records,
            heads: heads.collect(),
            openings: openings.filter(|openings| openings.tags().all(readable)),
            result: table.tag(b"Result").filter(|&tag| readable(tag)),
            repeated: Repeats::TAGS.map(|name| table.tag(name.as_bytes())),
            table,
        })
    }

    /// Fills in the opening tags of a record, if they are derived from its first moves.
    ///
    /// # Errors
    /// Corrupt when the stored moves are not a game.
    pub fn fill_openings(&mut self, row: usize, start: &Start, game: &mut GameMoves) -> Result<()> {
        if let Some(openings) = &mut self.openings
            && openings.follow(&self.table, row)
        {
            let mut lookup = openings.lookup();
            game.first_moves(start, |played| lookup.play(played))?;
            openings.fill(&mut self.table, row, start, lookup.found());
        }
        Ok(())
    }

    /// Whether no record has a Result tag that can be read.
    pub fn lack_result(&self) -> bool {
        self.result.is_none()
    }

    /// The value of the Result tag of a record.
    pub fn result(&self, row: usize) -> Option<&[u8]> {
        self.table.value(self.result?, row)
    }

    /// The values that the comments of a record may repeat; `?` for tags that cannot be read.
    pub fn repeats(&self, row: usize) -> Repeats<'_> {
        let value = |tag: u16| match &self.heads[usize::from(tag)] {
            Some(_) => self.table.value(tag, row),
            None => Some(&b"?"[..]),
        };
        Repeats {
            tags: self.repeated.map(|tag| value(tag?)),
        }
    }

    /// The line end of a record's tag lines.
    pub fn line_end(&self, row: usize) -> &'static [u8] {
        self.records.line_end(row).bytes()
    }

    /// Appends the tag section of a record. `end` is the end of its game, for values derived from
    /// the moves. `out` must not exceed `max` bytes.
    ///
    /// # Errors
    /// Corrupt when a value is missing or the text too long.
    pub fn write(
        &self,
        row: usize,
        end: Option<&GameEnd>,
        max: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        if let Some(template) = self.records.section(row) {
            return self.write_section(template, row, end, max, out);
        }
        let line_end = self.line_end(row);
        for &tag in self.records.tags(row) {
            let Some(head) = &self.heads[usize::from(tag)] else {
                continue;
            };
            let value = self.value(tag, row, end)?;
            check_room(out, &value, max)?;
            out.extend_from_slice(head);
            out.extend_from_slice(&value);
            out.extend_from_slice(b"\"]");
            out.extend_from_slice(line_end);
        }
        Ok(())
    }

    /// Appends a tag section from its template. The values of tags that cannot be read are `?`.
    fn write_section(
        &self,
        template: &[u8],
        row: usize,
        end: Option<&GameEnd>,
        max: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let wrong = || Error::corrupt("a tag section does not fit its tags");
        let mut tags = self.records.tags(row);
        // Length of the words of the next value that are written, with the spaces after them.
        let mut words = 0;
        for &byte in template {
            let literal = [byte];
            let value;
            let mut part = &literal[..];
            if section::is_mark(byte) {
                let (&tag, others) = tags.split_first().ok_or_else(wrong)?;
                let is_known = self.heads[usize::from(tag)].is_some();
                if byte == NAME {
                    part = &self.block.head().tag_names[usize::from(tag)];
                } else if is_known {
                    value = self.value(tag, row, end)?;
                    part = value.get(words..).ok_or_else(wrong)?;
                } else {
                    part = if byte == VALUE { b"?" } else { b" " };
                }
                match byte {
                    VALUE => (tags, words) = (others, 0),
                    WORD => {
                        part = part.split(|&c| c == b' ').next().ok_or_else(wrong)?;
                        words += part.len() + 1;
                    }
                    _ => {}
                }
            }
            check_room(out, part, max)?;
            out.extend_from_slice(part);
        }
        if tags.is_empty() {
            Ok(())
        } else {
            Err(wrong())
        }
    }

    fn value(&self, tag: u16, row: usize, end: Option<&GameEnd>) -> Result<Cow<'_, [u8]>> {
        match self.table.value(tag, row) {
            Some(value) => Ok(Cow::Borrowed(value)),
            None => derive(self.block, &self.table, tag, row, end).map(Cow::Owned),
        }
    }
}

/// A value that is derived from the end of the game.
pub(super) fn derive(
    block: &Block,
    table: &Table,
    tag: u16,
    row: usize,
    end: Option<&GameEnd>,
) -> Result<Vec<u8>> {
    let columns = &block.head().columns;
    let column = columns.iter().find(|c| c.tags.contains(&tag));
    let derivation = Derivation::from_flags(column.map_or(0, |c| c.flags));
    let details = table
        .span(tag, row)
        .derived_details()
        .map(FenDetails::from_number);
    let value = details
        .zip(end)
        .and_then(|(details, end)| derivation.value(details, end));
    value.ok_or_else(|| Error::corrupt("a tag has no value"))
}
