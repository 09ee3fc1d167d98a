//! Template columns: values that contain the players' names, as in `Ann won on time`
//! (spec §4.3.6).
//!
//! Two marks replace the first occurrence of each name, White's first. The templates that result
//! are few, and a [`dictionary`] encodes them. References: White, Black, and perhaps a tag that
//! predicts the template (Result). No value of such a column contains a mark.

use std::borrow::Cow;

use super::{
    dictionary,
    streams::Streams,
    table::{Span, Table},
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};

/// The bytes that replace the names of White and of Black (spec §4.3.6).
const MARKS: [u8; 2] = [0x01, 0x02];

/// Whether a value may be in a template column.
pub fn fits(value: &[u8]) -> bool {
    !value.iter().any(|c| MARKS.contains(c))
}

/// Whether a value contains a player's name.
pub fn names_a_player(value: &[u8], names: [Option<&[u8]>; 2]) -> bool {
    let contains = |name: &[u8]| !name.is_empty() && memchr::memmem::find(value, name).is_some();
    names.into_iter().flatten().any(contains)
}

/// Replaces the names in a value by marks.
fn to_template(value: &[u8], names: [Option<&[u8]>; 2]) -> Vec<u8> {
    let mut template = value.to_vec();
    for (name, mark) in names.into_iter().zip(MARKS) {
        let name = name.unwrap_or_default();
        if let Some(at) = memchr::memmem::find(&template, name).filter(|_| !name.is_empty()) {
            template.splice(at..at + name.len(), [mark]);
        }
    }
    template
}

/// Replaces the marks in a template by names.
fn from_template(template: &[u8], names: [Option<&[u8]>; 2]) -> Result<Vec<u8>> {
    let mut value = Vec::with_capacity(template.len() + 40);
    for &c in template {
        match MARKS.iter().position(|&m| m == c) {
            None => value.push(c),
            Some(side) => value.extend_from_slice(
                names[side].ok_or_else(|| Error::corrupt("a template names a missing player"))?,
            ),
        }
    }
    Ok(value)
}

/// The names of White and Black in a row.
fn names<'t>(table: &'t Table, column: &Column, row: usize) -> [Option<&'t [u8]>; 2] {
    [0, 1].map(|side| table.value(column.refs[side], row))
}

/// A table for the dictionary, with the templates as its first tag and their key as its second;
/// and the column of the templates in it.
fn template_table(table: &Table, column: &Column) -> (Table, Column) {
    let mut values = vec![vec![Span::ABSENT; table.held_rows().len()]];
    let key = column.refs.get(2);
    values.extend(key.map(|&key| table.values[usize::from(key)].clone()));
    let templates = Table {
        names: vec![Vec::new(); values.len()],
        values,
        rows: table.rows,
        first_row: table.first_row,
        end_row: table.end_row,
        needed_parts: table.needed_parts.clone(),
        needed_rows: table.needed_rows.clone(),
        name_model: table.name_model.clone(),
        dictionary_numbers: table.dictionary_numbers.clone(),
        ..Table::default()
    };
    let template_column = Column {
        tags: vec![0],
        refs: key.map(|_| 1).into_iter().collect(),
        ..column.clone()
    };
    (templates, template_column)
}

/// Encodes the column, sets its flags, and removes the reference to a key that does not help.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let (mut templates, mut template_column) = template_table(table, column);
    for row in 0..table.rows {
        if let Some(value) = table.value(column.tags[0], row) {
            let span = templates.add(&to_template(value, names(table, column, row)));
            templates.set(0, row, span);
        }
    }
    let streams = dictionary::encode(&mut templates, &mut template_column);
    column.flags = template_column.flags;
    column.refs.truncate(2 + template_column.refs.len());
    streams
}

/// Decodes the column in the parts that the table needs.
///
/// # Errors
/// Corrupt, if the streams contradict the column, or a template names a missing player.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (mut templates, template_column) = template_table(table, column);
    for row in table.held_rows() {
        templates.set(0, row, table.span(column.tags[0], row));
    }
    dictionary::decode(&mut templates, &template_column, streams)?;
    for row in table.held_rows() {
        if table.needs_row(row)
            && let Some(template) = templates.value(0, row)
        {
            let value = from_template(template, names(table, column, row))?;
            let span = table.add(&value);
            table.set(column.tags[0], row, span);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

    #[test]
    fn only_the_first_occurrence_of_a_name_is_marked() {
        let names = [Some(&b"Ann"[..]), Some(&b"on"[..])];
        assert_eq!(
            to_template(b"Ann won on time, Ann", names),
            b"\x01 w\x02 on time, Ann"
        );
        assert_eq!(to_template(b"drawn", [Some(b""), None]), b"drawn");
        assert!(from_template(b"\x02", [Some(b""), None]).is_err());
    }

    /// A table of these values of White, Black, Result and Termination, and its columns.
    fn games(rows: &[[Option<&str>; 4]]) -> (Table, Vec<Column>) {
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|r| &r[..]).collect();
        let table = testing::table(&["White", "Black", "Result", "Termination"], &rows);
        let columns = vec![
            testing::column(Codec::Dictionary, &[0, 1], &[]),
            testing::column(Codec::Dictionary, &[2], &[]),
            testing::column(Codec::Templates, &[3], &[0, 1, 2]),
        ];
        (table, columns)
    }

    #[test]
    fn a_key_that_does_not_help_is_dropped() {
        // Templates come in runs, so the template before predicts them; results alternate.
        let rows: Vec<[Option<&str>; 4]> = (0..40)
            .map(|i| {
                let result = if i % 2 == 0 { "1-0" } else { "0-1" };
                let how = ["Ann on time", "Ann by mate", "Ann by law", "Ann"][i / 10];
                [Some("Ann"), Some("Bob"), Some(result), Some(how)]
            })
            .collect();
        let (table, mut columns) = games(&rows);
        testing::round_trip(&table, columns.clone());
        let mut column = columns.remove(2);
        encode(&mut table.clone(), &mut column);
        assert_eq!(column.refs, [0, 1]);
    }

    #[test]
    fn templates_and_exceptions_round_trip_and_names_cost_nothing() {
        let players: Vec<String> = (0..500).map(|i| format!("player{i}")).collect();
        let won: Vec<String> = players.iter().map(|p| format!("{p} won on time")).collect();
        let rows: Vec<[Option<&str>; 4]> = (0..500)
            .map(|i| {
                let termination = if i % 100 == 7 { "drawn" } else { &won[i] };
                let black = (i % 50 != 3).then_some("someone");
                [Some(&players[i][..]), black, Some("1-0"), Some(termination)]
            })
            .collect();
        let (table, columns) = games(&rows);
        let without = testing::round_trip(&table, columns[..2].to_vec());
        let with = testing::round_trip(&table, columns);
        assert!(with < without + 60, "{with} {without}");
    }
}
