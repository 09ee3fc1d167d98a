//! Dictionary columns: values as numbers of entries in a dictionary that grows through the block
//! (spec §4.3.1).
//!
//! A value is predicted from up to three *keys*, the values of the references in the same record:
//! the prediction is the value that came with the key last (Event by TimeControl, a title by the
//! player). In a column of two tags, the key may be the other value of the record (a player's last
//! opponent). Without a key, the prediction is the value before. A right prediction costs a
//! fraction of a bit.
//!
//! Otherwise the codes hold the entry: its number by first appearance, coded with adaptive bits, or
//! its place in a move-to-front list (players come back soon). A new entry takes the next line of
//! the text; the [name model](super::name_model) may encode that text. The encoder tries the
//! possible flags and numbers of keys on the first records and keeps the shortest.
//!
//! Invariant: equal values of one column have equal spans in the table, after encoding and after
//! decoding alike. Therefore spans serve as keys.

mod first_values;
mod model;
mod strings;
mod values;

use std::{borrow::Cow, ops::Range};

use ign_entropy::adaptive::Encoder;

pub use self::model::{FIRST_VALUES, MAX_KEYS, NAME_MODEL, PAIRED, PREDICT, RECENT};
use self::{
    first_values::FirstValues,
    model::{MAX_RECENT, Model, UNKNOWN, keys, too_many_entries},
    strings::{Source, Strings},
    values::Values,
};
use super::{
    names::LazyNames,
    parts::{self, Packer},
    streams::{Streams, codes_and_text},
    table::{Span, Table},
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};

/// Encodes the column, sets its flags, and removes references that do not help.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let values = Values::intern(table, &column.tags);
    choose(table, column, &values);
    let parts: Vec<_> = parts::of(table.rows).collect();
    let (streams, spans) = pack(table, column, &values, &parts);
    table.dictionary_numbers.extend(spans.into_iter().zip(0..));
    streams
}

/// Sets the number of references and the flags that encode a trial of the column shortest.
fn choose(table: &Table, column: &mut Column, values: &Values) {
    // Numbers of references, and flags.
    let mut options = vec![(0, 0), (0, PREDICT)];
    if column.refs.is_empty() && column.tags.len() == 2 {
        options.push((0, PREDICT | PAIRED));
    }
    for keys in 1..=column.refs.len() {
        options.push((keys, PREDICT));
        if table.dictionary_numbers.len() <= 2 * table.rows {
            options.push((keys, PREDICT | FIRST_VALUES));
        }
    }
    let trial: Vec<_> = parts::of_trial(table.rows).collect();
    let refs = std::mem::take(&mut column.refs);
    let set = |column: &mut Column, (keys, flags): (usize, u8)| {
        column.refs = refs[..keys].to_vec();
        column.flags = flags;
    };
    let mut shortest = |options: Vec<(usize, u8)>| {
        let len = |&option: &(usize, u8)| {
            set(column, option);
            pack(table, column, values, &trial).0.codes.len()
        };
        options.into_iter().min_by_key(len).expect("not empty")
    };
    // The move-to-front list is independent of the keys, so it is tried with the best only.
    let mut best = shortest(options);
    if values.spans.len() < MAX_RECENT {
        let (keys, flags) = best;
        best = shortest(vec![(keys, flags), (keys, flags | RECENT)]);
    }
    set(column, best);
}

/// Encodes the values of these parts. Also returns the span of each entry.
fn pack(
    table: &Table,
    column: &Column,
    values: &Values,
    parts: &[Range<usize>],
) -> (Streams, Vec<Span>) {
    let mut out = Packer::default();
    let mut first_values = FirstValues::default();
    let mut values = Cow::Borrowed(values);
    if column.flags & FIRST_VALUES != 0 {
        let rows = parts.last().map_or(0, |rows| rows.end);
        let (found, renumbered) = FirstValues::find(table, column, &values, rows);
        (first_values, values) = (found, Cow::Owned(renumbered));
        let mut coder = Encoder::new();
        let line = |entry: u32| out.line(table.bytes_of(values.spans[entry as usize]));
        let coded = first_values.code(&mut coder, column.flags, usize::MAX, line);
        debug_assert!(coded.is_ok());
        out.end(coder);
    }
    let mut entries = values.entries.iter();
    for rows in parts.iter().cloned() {
        let mut model = Model::new(column.flags, out.lines() as u32);
        let mut coder = Encoder::new();
        for row in rows {
            let mut first = None;
            for (i, &tag) in column.tags.iter().enumerate() {
                if !table.span(tag, row).is_present() {
                    continue;
                }
                let entry = *entries.next().expect("an entry for each value");
                let new = entry == model.known();
                let keys = keys(table, column, i, row);
                let first_value = first_values.of(table, column, row);
                let coded = model.code(&mut coder, keys, first_value, entry);
                debug_assert!(coded.is_ok_and(|coded| coded == entry));
                if new {
                    out.line(table.bytes_of(values.spans[entry as usize]));
                }
                model.pair(&mut first, (table.span(tag, row), entry));
            }
        }
        out.end(coder);
    }
    (out.finish(), values.into_owned().spans)
}

/// Decodes the values in the parts that the table needs.
///
/// # Errors
/// Corrupt, if the codes name an entry that has not appeared, or a stream ends early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, lines) = codes_and_text(streams)?;
    let mut strings = Strings::new(match column.flags & NAME_MODEL {
        0 => Source::Lines(lines, Vec::new()),
        _ => {
            let model = table.name_model.clone();
            let model = model.ok_or_else(|| Error::corrupt("names without a model"))?;
            let names = LazyNames::open(model, lines.rest(), table.rows * column.tags.len())?;
            let count = names.count();
            let first = table.add_lazy_names(names);
            Source::LazyNames { count, first }
        }
    });
    let has_head = column.flags & FIRST_VALUES != 0;
    let (head, parts) = parts::open_with_head(table, codes, has_head)?;
    let mut first_values = FirstValues::default();
    if let Some(mut head) = head {
        first_values.code(&mut head.coder, column.flags, 2 * table.rows, |_| ())?;
        head.check()?;
    }
    for mut part in parts {
        strings.check(part.lines_before)?;
        if column.flags & RECENT != 0 && part.lines_before >= MAX_RECENT {
            return Err(too_many_entries());
        }
        let mut model = Model::new(column.flags, part.lines_before as u32);
        for row in part.rows.clone() {
            let mut first = None;
            for (i, &tag) in column.tags.iter().enumerate() {
                if !table.span(tag, row).is_present() {
                    continue;
                }
                let keys = keys(table, column, i, row);
                let first_value = first_values.of(table, column, row);
                let entry = model.code(&mut part.coder, keys, first_value, UNKNOWN)?;
                let span = strings.span(table, entry)?;
                table.set(tag, row, span);
                table.register_read(row, span);
                model.pair(&mut first, (span, entry));
            }
            part.check()?;
        }
    }
    table.dictionary_numbers.extend(strings.used());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

    fn column(tags: &[u16], refs: &[u16]) -> Column {
        testing::column(Codec::Dictionary, tags, refs)
    }

    #[test]
    fn absent_repeated_and_keyed_values_round_trip() {
        let table = testing::table(
            &["White", "Black", "Title"],
            &[
                &[Some("Anand"), Some("Kramnik"), Some("GM")],
                &[Some("Kramnik"), None, None],
                &[Some("Anand"), Some(""), Some("GM")],
                &[None, Some("Anand"), None],
                &[Some("Kramnik"), Some("Anand"), Some("")],
            ],
        );
        testing::round_trip(&table, vec![column(&[0, 1], &[]), column(&[2], &[0])]);
    }

    #[test]
    fn a_column_that_its_key_predicts_costs_next_to_nothing() {
        let keys: Vec<String> = (0..5000u64).map(|i| format!("k{}", i * i % 37)).collect();
        let rows: Vec<[Option<&str>; 2]> = keys
            .iter()
            .map(|k| [Some(k.as_str()), Some(&k[1..])])
            .collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|r| &r[..]).collect();
        let table = testing::table(&["Key", "Value"], &rows);
        let without = testing::round_trip(&table, vec![column(&[0], &[])]);
        let with = testing::round_trip(&table, vec![column(&[0], &[]), column(&[1], &[0])]);
        assert!(with < without + 200, "{with} {without}");
    }

    #[test]
    fn many_distinct_values_round_trip() {
        let names: Vec<String> = (0..3000u64).map(|i| format!("n{}", i * i % 1009)).collect();
        let rows: Vec<[Option<&str>; 1]> = names.iter().map(|n| [Some(n.as_str())]).collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|r| &r[..]).collect();
        testing::round_trip(&testing::table(&["White"], &rows), vec![column(&[0], &[])]);
    }
}
