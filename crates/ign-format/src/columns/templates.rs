//! Phrases: values that name the players, as in `Ann won on time`.
//!
//! The players' names are replaced by marks, and what is left are
//! [`words`]: a handful for a whole block. A name is replaced where
//! it stands first in the value, White's before Black's.
//!
//! References: White, Black, and perhaps a tag that helps to tell the phrase
//! (Result). In a column of phrases no value holds a mark.

use std::borrow::Cow;

use super::{Span, Streams, Table, dictionary};
use crate::{
    container::block::Column,
    error::{Error, Result},
};

/// What stands for the name of White, and of Black (spec §4.3.6).
const MARKS: [u8; 2] = [0x01, 0x02];

/// Whether a value can be in a column of phrases.
pub fn fits(value: &[u8]) -> bool {
    !value.iter().any(|c| MARKS.contains(c))
}

/// Whether a value holds a player's name.
pub fn names_a_player(value: &[u8], names: [Option<&[u8]>; 2]) -> bool {
    let holds = |name: &[u8]| !name.is_empty() && memchr::memmem::find(value, name).is_some();
    names.into_iter().flatten().any(holds)
}

/// A value with marks in place of the names.
fn mark(value: &[u8], names: [Option<&[u8]>; 2]) -> Vec<u8> {
    let mut phrase = value.to_vec();
    for (name, mark) in names.into_iter().zip(MARKS) {
        let name = name.unwrap_or_default();
        if let Some(at) = memchr::memmem::find(&phrase, name).filter(|_| !name.is_empty()) {
            phrase.splice(at..at + name.len(), [mark]);
        }
    }
    phrase
}

/// A phrase with the names in place of the marks.
fn unmark(phrase: &[u8], names: [Option<&[u8]>; 2]) -> Result<Vec<u8>> {
    let mut value = Vec::with_capacity(phrase.len() + 40);
    for &c in phrase {
        match MARKS.iter().position(|&m| m == c) {
            None => value.push(c),
            Some(side) => value.extend_from_slice(
                names[side].ok_or_else(|| Error::corrupt("a phrase names a missing player"))?,
            ),
        }
    }
    Ok(value)
}

fn names<'t>(table: &'t Table, column: &Column, row: usize) -> [Option<&'t [u8]>; 2] {
    [0, 1].map(|side| table.value(column.refs[side], row))
}

/// A table of two columns: the phrases, and their keys.
fn side_table(table: &Table, column: &Column) -> (Table, Column) {
    let mut values = vec![vec![Span::ABSENT; table.held().len()]];
    let key = column.refs.get(2);
    values.extend(key.map(|&key| table.values[usize::from(key)].clone()));
    let side = Table {
        names: vec![Vec::new(); values.len()],
        values,
        rows: table.rows,
        first: table.first,
        parts: table.parts.clone(),
        until: table.until,
        read: table.read.clone(),
        words: table.words.clone(),
        ..Table::default()
    };
    let side_column = Column {
        tags: vec![0],
        refs: key.map(|_| 1).into_iter().collect(),
        ..column.clone()
    };
    (side, side_column)
}

/// Codes the column, sets its switches, and drops the reference to a key that does not help.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let (mut side, mut side_column) = side_table(table, column);
    for row in 0..table.rows {
        if let Some(value) = table.value(column.tags[0], row) {
            let span = side.add(&mark(value, names(table, column, row)));
            side.set(0, row, span);
        }
    }
    let streams = dictionary::encode(&mut side, &mut side_column);
    column.switches = side_column.switches;
    column.refs.truncate(2 + side_column.refs.len());
    streams
}

/// Fills in the values of the records that the table asks for.
///
/// # Errors
/// Corrupt when the streams do not fit the column.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (mut side, side_column) = side_table(table, column);
    for row in table.held() {
        side.set(0, row, table.span(column.tags[0], row));
    }
    dictionary::decode(&mut side, &side_column, streams)?;
    for row in table.held() {
        if table.is_read(row)
            && let Some(phrase) = side.value(0, row)
        {
            let value = unmark(phrase, names(table, column, row))?;
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
    fn names_are_marked_where_they_stand_first() {
        let names = [Some(&b"Ann"[..]), Some(&b"on"[..])];
        assert_eq!(
            mark(b"Ann won on time, Ann", names),
            b"\x01 w\x02 on time, Ann"
        );
        assert_eq!(mark(b"drawn", [Some(b""), None]), b"drawn");
        assert!(unmark(b"\x02", [Some(b""), None]).is_err());
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
        // Phrases come in runs, which the last phrase predicts; results go to and fro.
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
    fn phrases_and_strangers_come_back_and_names_cost_nothing() {
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
