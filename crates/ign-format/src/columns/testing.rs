//! Tables from literals, and the round trip that every codec must pass.

use super::{Codec, Span, Table, name_model::NameNetwork, parts};
use crate::{container::block_head::Column, models::Architecture as _};

/// A table of these tags and rows; `None` where a record lacks the tag.
pub fn table(names: &[&str], rows: &[&[Option<&str>]]) -> Table {
    let mut table = Table {
        names: names.iter().map(|n| n.as_bytes().to_vec()).collect(),
        values: vec![Vec::new(); names.len()],
        rows: rows.len(),
        name_model: Some(NameNetwork::builtin()),
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

/// A column to encode.
pub fn column(codec: Codec, tags: &[u16], refs: &[u16]) -> Column {
    Column::new(codec as u8, tags.to_vec(), refs.to_vec())
}

/// Encodes the columns in order, decodes them and compares the values. Returns the total length of
/// the streams in bytes.
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
        needed_parts: parts::of(table.rows).map(|_| true).collect(),
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
