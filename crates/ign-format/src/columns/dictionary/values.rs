//! The values of a column as an encoder sees them: an entry for each value, a span for each entry.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::columns::table::{Span, Table};

/// The values of a column.
#[derive(Debug, Clone)]
pub(super) struct Values {
    /// The entries of all values, row by row.
    pub entries: Vec<u32>,
    /// The span of each entry.
    pub spans: Vec<Span>,
}

impl Values {
    /// Numbers the distinct values of these tags by first appearance, and makes the spans of equal
    /// values equal.
    #[allow(
        clippy::needless_range_loop,
        reason = "row by row, across the columns of several tags"
    )]
    pub fn intern(table: &mut Table, tags: &[u16]) -> Self {
        let mut entries = Vec::with_capacity(table.rows * tags.len());
        let mut spans: Vec<Span> = Vec::new();
        let mut numbers: hashbrown::HashTable<u32> = hashbrown::HashTable::new();
        let hasher = FxBuildHasher;
        let Table {
            bytes,
            values,
            rows,
            ..
        } = table;
        for row in 0..*rows {
            for &tag in tags {
                let span = &mut values[usize::from(tag)][row];
                if !span.is_present() {
                    continue;
                }
                let value = &bytes[span.range()];
                let text = |n: u32| &bytes[spans[n as usize].range()];
                let hash = hasher.hash_one(value);
                let known = numbers.find(hash, |&n| text(n) == value).copied();
                let entry = known.unwrap_or(spans.len() as u32);
                if known.is_none() {
                    numbers.insert_unique(hash, entry, |&n| hasher.hash_one(text(n)));
                    spans.push(*span);
                }
                *span = spans[entry as usize];
                entries.push(entry);
            }
        }
        Self { entries, spans }
    }
}
