//! Writes the tag lines of a record.

use crate::{
    block::decode::{block::Block, records::Records},
    columns::{
        Table,
        derived::{Derivation, FenDetails, GameEnd},
    },
    error::{Error, Result},
    pgn::render::check_room,
};

/// Writes tags.
pub struct TagWriter {
    /// `[Name "` of each tag name; `None` for tags that are left out.
    heads: Vec<Option<Vec<u8>>>,
}

impl TagWriter {
    /// A writer of the tags with these names of which the number is `wanted`.
    pub fn new(names: &[Vec<u8>], wanted: impl Fn(usize) -> bool) -> Self {
        let head = |name: &Vec<u8>| [b"[", &name[..], b" \""].concat();
        let names = names.iter().enumerate();
        Self {
            heads: names
                .map(|(tag, name)| wanted(tag).then(|| head(name)))
                .collect(),
        }
    }

    /// Appends the tags of a record. `end` is the end of its game, for values derived from the
    /// moves. `out` must not exceed `max` bytes.
    ///
    /// # Errors
    /// Corrupt when a value is missing or the text too long.
    pub fn write(
        &self,
        (block, records, table): (&Block, &Records, &Table),
        row: usize,
        end: Option<&GameEnd>,
        max: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let line_end = records.line_end(row).bytes();
        for &tag in records.tags(row) {
            let Some(head) = &self.heads[usize::from(tag)] else {
                continue;
            };
            let derived;
            let value = match table.value(tag, row) {
                Some(value) => value,
                None => {
                    derived = derive(block, table, tag, row, end)?;
                    &derived
                }
            };
            check_room(out, value, max)?;
            out.extend_from_slice(head);
            out.extend_from_slice(value);
            out.extend_from_slice(b"\"]");
            out.extend_from_slice(line_end);
        }
        Ok(())
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
