//! The rows of a column that are coded one by one: those with a tag of the column, each as a value
//! or as lines of text, one for each of its tags.

use ign_entropy::adaptive::{Decoder, Encoder};

use super::{
    parts::{self, Packer},
    streams::{Lines, Streams},
    table::Table,
};
use crate::{container::block_head::Column, error::Result};

/// Whether a row has any tag of the column.
fn is_present(table: &Table, column: &Column, row: usize) -> bool {
    let mut tags = column.tags.iter();
    tags.any(|&tag| table.span(tag, row).is_present())
}

/// Encodes a column after what `out` holds. `code` encodes a row with the statistics of its part
/// and returns whether it has a value; if not, the row is text. `code` must not fail: it encodes
/// values that it has read itself.
pub fn encode<M: Default>(
    table: &Table,
    column: &Column,
    mut out: Packer,
    code: impl Fn(&mut M, &mut Encoder, usize) -> Result<bool>,
) -> Streams {
    for rows in parts::of(table.rows) {
        let (mut model, mut coder) = (M::default(), Encoder::new());
        for row in rows.filter(|&row| is_present(table, column, row)) {
            let has_value = code(&mut model, &mut coder, row);
            if !has_value.expect("a value of the table is in range") {
                let values = column.tags.iter().filter_map(|&tag| table.value(tag, row));
                values.for_each(|value| out.line(value));
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Decodes a column in the parts that the table needs. `code` decodes a row and returns whether it
/// has a value, to which it sets the tags of the row.
///
/// # Errors
/// Corrupt, if a stream ends early, and those of `code`.
pub fn decode<M: Default>(
    table: &mut Table,
    column: &Column,
    (codes, lines): (&[u8], Lines),
    mut code: impl FnMut(&mut M, &mut Decoder, &mut Table, usize) -> Result<bool>,
) -> Result<()> {
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = M::default();
        for row in part.rows.clone() {
            if !is_present(table, column, row) {
                continue;
            }
            if !code(&mut model, &mut part.coder, table, row)? {
                for &tag in &column.tags {
                    if table.span(tag, row).is_present() {
                        let span = table.add(lines.next_line()?);
                        table.set(tag, row, span);
                    }
                }
            }
            part.check()?;
        }
    }
    Ok(())
}
