//! The tags of a block's records.

use crate::{
    block::decode::{block::Block, records::Records},
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
        let head = self.head();
        let names = &head.tag_names;
        let decoded = self.decoded_with(wanted);
        let parts: Vec<bool> = parts::of(until).map(|mut rows| rows.any(&needed)).collect();
        let before = parts.iter().take_while(|&&needed| !needed).count();
        let first = until.min(before * parts::PART);
        let rows_of = |&is: &bool| vec![Span::ABSENT; if is { until - first } else { 0 }];
        let mut table = Table {
            names: names.clone(),
            values: decoded.iter().map(rows_of).collect(),
            rows: records.len(),
            first_row: first,
            needed_parts: parts,
            end_row: Some(until),
            needed_rows: (first..until).map(&needed).collect(),
            ..Table::default()
        };
        for (part, rows) in parts::of(until).enumerate() {
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
        for (place, column) in head.columns.iter().enumerate() {
            if any_of(&decoded, &column.tags) {
                let codec = Codec::from_number(column.codec)?;
                codec.decode(&mut table, column, &self.streams(place)?)?;
            }
        }
        Ok(table)
    }

    /// The places in the directory of the columns that [`table`](Self::table) decodes for these
    /// names.
    pub fn tag_columns(&self, names: &[&str]) -> Vec<usize> {
        let head = self.head();
        let decoded = self.decoded_with(|tag| {
            let name = &head.tag_names[usize::from(tag)];
            names.iter().any(|n| n.as_bytes() == name)
        });
        let columns = head.columns.iter().enumerate();
        let needed = columns.filter(|(_, column)| any_of(&decoded, &column.tags));
        needed.map(|(place, _)| place).collect()
    }

    /// For each tag whether it is decoded: if it is `wanted`, or if the column of a wanted tag has it
    /// too or refers to it.
    fn decoded_with(&self, wanted: impl Fn(u16) -> bool) -> Vec<bool> {
        let head = self.head();
        let mut decoded: Vec<bool> = (0..head.tag_names.len() as u16).map(wanted).collect();
        // References point to earlier columns. A column decodes all its tags at once.
        for column in head.columns.iter().rev() {
            if any_of(&decoded, &column.tags) {
                for &tag in column.tags.iter().chain(&column.refs) {
                    decoded[usize::from(tag)] = true;
                }
            }
        }
        decoded
    }
}

/// Whether any of these tags is marked.
fn any_of(marked: &[bool], tags: &[u16]) -> bool {
    tags.iter().any(|&tag| marked[usize::from(tag)])
}
