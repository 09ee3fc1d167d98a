//! The tags of a block's records.

use crate::{
    block::{
        decode::{block::Block, records::Records},
        directory,
    },
    columns::{Codec, Span, Table, parts},
    error::Result,
};

impl Block<'_> {
    /// The tags of all records: all tags, or those named in `names` and the tags they depend on.
    ///
    /// # Errors
    /// Corrupt.
    pub fn table(&self, records: &Records, names: Option<&[&str]>) -> Result<Table> {
        let wanted = |tag: u16| {
            let name = &self.head().tag_names[usize::from(tag)];
            names.is_none_or(|names| names.iter().any(|n| n.as_bytes() == name))
        };
        self.table_of(records, records.len(), |_| true, wanted)
    }

    /// The `wanted` tags, and the tags they depend on, of records before `until`: of all parts of
    /// the columns in which any record is `needed`.
    ///
    /// # Errors
    /// Corrupt.
    pub fn table_of(
        &self,
        records: &Records,
        until: usize,
        needed: impl Fn(usize) -> bool,
        wanted: impl Fn(u16) -> bool,
    ) -> Result<Table> {
        let parts: Vec<bool> = parts::of(until).map(|mut rows| rows.any(&needed)).collect();
        let before = parts.iter().take_while(|&&needed| !needed).count();
        let first = until.min(before * parts::PART);
        let names = self.head().tag_names.clone();
        let mut table = Table {
            values: vec![Vec::new(); names.len()],
            has_values: vec![false; names.len()],
            names,
            rows: records.len(),
            first_row: first,
            needed_parts: parts,
            end_row: Some(until),
            needed_rows: (first..until).map(&needed).collect(),
            ..Table::default()
        };
        self.extend_table(records, &mut table, wanted)?;
        Ok(table)
    }

    /// Decodes more tags of the records of a table: the `wanted` tags, and the tags they depend on,
    /// as far as the table does not have them.
    ///
    /// # Errors
    /// Corrupt.
    pub fn extend_table(
        &self,
        records: &Records,
        table: &mut Table,
        wanted: impl Fn(u16) -> bool,
    ) -> Result<()> {
        let head = self.head();
        let needed = self.needed_for(wanted);
        let is_missing = |tag: &&u16| {
            let tag = usize::from(**tag);
            needed[tag] && !table.has_values[tag]
        };
        let columns: Vec<usize> = head
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| column.tags.iter().any(|tag| is_missing(&tag)))
            .map(|(place, _)| place)
            .collect();
        let mut decoded = vec![false; needed.len()];
        for &tag in columns.iter().flat_map(|&place| &head.columns[place].tags) {
            decoded[usize::from(tag)] = true;
            table.values[usize::from(tag)] = vec![Span::ABSENT; table.held_rows().len()];
        }
        for (part, rows) in parts::of(table.held_rows().end).enumerate() {
            if !table.needs_part(part) {
                continue;
            }
            for row in rows {
                for &tag in records.tags(row) {
                    if decoded[usize::from(tag)] {
                        table.set(tag, row, Span::PENDING);
                    }
                }
            }
        }
        table.needed_tags = needed;
        for place in columns {
            let column = &head.columns[place];
            let codec = Codec::from_number(column.codec)?;
            if directory::uses_name_model(column) {
                table.name_model = Some(self.model()?);
            }
            codec.decode(table, column, &self.streams(place)?)?;
            for &tag in &column.tags {
                let tag = usize::from(tag);
                table.has_values[tag] = table.needed_tags[tag] || !codec.omits_unneeded();
            }
        }
        Ok(())
    }

    /// The places in the directory of the columns that [`table`](Self::table) decodes for these
    /// names.
    pub fn tag_columns(&self, names: &[&str]) -> Vec<usize> {
        let head = self.head();
        let needed = self.needed_for(|tag| {
            let name = &head.tag_names[usize::from(tag)];
            names.iter().any(|n| n.as_bytes() == name)
        });
        let columns = head
            .columns
            .iter()
            .enumerate()
            .filter(|(_, column)| any_of(&needed, &column.tags));
        columns.map(|(place, _)| place).collect()
    }

    /// For each tag whether it is needed: if it is `wanted`, or if the column of a needed tag
    /// refers to it.
    fn needed_for(&self, wanted: impl Fn(u16) -> bool) -> Vec<bool> {
        let head = self.head();
        let mut needed: Vec<bool> = (0..head.tag_names.len() as u16).map(wanted).collect();
        // References point to earlier columns.
        for column in head.columns.iter().rev() {
            if any_of(&needed, &column.tags) {
                for &tag in &column.refs {
                    needed[usize::from(tag)] = true;
                }
            }
        }
        needed
    }
}

/// Whether any of these tags is marked.
fn any_of(marked: &[bool], tags: &[u16]) -> bool {
    tags.iter().any(|&tag| marked[usize::from(tag)])
}
