//! Number columns: differences of integers, such as the numbers of games on a server, or of times
//! of day (spec §4.3.5).
//!
//! A number is decimal digits after the column's prefix, which is the first line of the text. A
//! time is `hh:mm:ss`, and its differences go the shorter way around midnight. A value is predicted
//! by the record before, or, if the column has a reference, by the time that the reference has in
//! the same record. Any other value is a line of the text.

use std::borrow::Cow;

use ign_entropy::adaptive::Coder;

use super::{
    calendar::{DAY, format_time, parse_time},
    differences::Differences,
    parts::Packer,
    rows,
    streams::{Streams, codes_and_text},
    table::Table,
};
use crate::{container::block_head::Column, error::Result};

/// Flag: values are times of day (spec §4.3.5).
pub const TIMES: u8 = 1;
/// Maximum number of digits (spec §4.3.5).
const MAX_DIGITS: u32 = 18;
/// The end of the numbers (spec §4.3.5).
const END_OF_NUMBERS: i64 = 10i64.pow(MAX_DIGITS);

/// Splits a value into prefix and number.
pub fn split(value: &[u8]) -> Option<(&[u8], i64)> {
    let digits = value
        .iter()
        .rev()
        .take_while(|c| c.is_ascii_digit())
        .count();
    let (prefix, digits) = value.split_at(value.len() - digits);
    let plain = digits.len() == 1 || digits.first().is_some_and(|&c| c != b'0');
    (plain && digits.len() <= MAX_DIGITS as usize).then(|| {
        let number = digits.iter().fold(0, |n, c| n * 10 + i64::from(c - b'0'));
        (prefix, number)
    })
}

/// How the values of a column are written.
#[derive(Clone, Copy)]
enum Notation<'a> {
    Times,
    /// Numbers after this prefix.
    Numbers(&'a [u8]),
}

impl Notation<'_> {
    fn parse(self, value: &[u8]) -> Option<i64> {
        match self {
            Notation::Times => parse_time(value),
            Notation::Numbers(prefix) => split(value).filter(|(p, _)| *p == prefix).map(|(_, n)| n),
        }
    }

    fn format(self, value: i64) -> Vec<u8> {
        match self {
            Notation::Times => format_time(value),
            Notation::Numbers(prefix) => [prefix, value.to_string().as_bytes()].concat(),
        }
    }

    /// The difference between two values.
    fn difference(self, from: i64, to: i64) -> i64 {
        match self {
            Notation::Times => (to - from + DAY + DAY / 2) % DAY - DAY / 2,
            Notation::Numbers(_) => to - from,
        }
    }

    /// The value at this difference; `None` if it is out of range.
    fn add(self, from: i64, difference: i64) -> Option<i64> {
        match self {
            Notation::Times => (-DAY..DAY)
                .contains(&difference)
                .then(|| (from + difference + DAY) % DAY),
            Notation::Numbers(_) => from
                .checked_add(difference)
                .filter(|n| (0..END_OF_NUMBERS).contains(n)),
        }
    }
}

/// Codes a value, or `None` for a line of text.
///
/// # Errors
/// Corrupt, if the value is out of range.
fn code(
    model: &mut Differences,
    coder: &mut impl Coder,
    notation: Notation,
    reference: Option<i64>,
    value: Option<i64>,
) -> Result<Option<i64>> {
    let difference = |from, to| notation.difference(from, to);
    let add = |from, difference| notation.add(from, difference);
    model.code(coder, reference, value, difference, add)
}

/// The time of the reference in a row.
fn reference(table: &Table, column: &Column, row: usize) -> Option<i64> {
    parse_time(table.value(*column.refs.first()?, row)?)
}

/// Encodes the column; its flags determine the notation.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let tag = column.tags[0];
    let (notation, out) = if column.flags & TIMES != 0 {
        (Notation::Times, Packer::default())
    } else {
        let first = (0..table.rows).find_map(|row| table.value(tag, row).and_then(split));
        let prefix = first.map_or(&b""[..], |(prefix, _)| prefix);
        (Notation::Numbers(prefix), Packer::with_prefix(prefix))
    };
    rows::encode(table, column, out, |model, coder, row| {
        let number = table
            .value(tag, row)
            .and_then(|value| notation.parse(value));
        let coded = code(
            model,
            coder,
            notation,
            reference(table, column, row),
            number,
        )?;
        debug_assert!(coded == number);
        Ok(coded.is_some())
    })
}

/// Decodes the column in the parts that the table needs.
///
/// # Errors
/// Corrupt, if a number is out of range or a stream ends early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, mut lines) = codes_and_text(streams)?;
    let notation = if column.flags & TIMES != 0 {
        Notation::Times
    } else {
        Notation::Numbers(lines.next_line()?)
    };
    let streams = (codes, lines);
    rows::decode(table, column, streams, |model, coder, table, row| {
        let reference = reference(table, column, row);
        let Some(value) = code(model, coder, notation, reference, None)? else {
            return Ok(false);
        };
        let span = table.add(&notation.format(value));
        table.set(column.tags[0], row, span);
        Ok(true)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;
    use ign_entropy::adaptive::Encoder;

    fn column(tag: u16, refs: &[u16], flags: u8) -> Column {
        Column {
            flags,
            ..testing::column(Codec::Numbers, &[tag], refs)
        }
    }

    #[test]
    fn only_integers_without_leading_zeros_split() {
        assert_eq!(split(b"live/123"), Some((&b"live/"[..], 123)));
        assert_eq!(split(b"0"), Some((&b""[..], 0)));
        for value in [&b"live/"[..], b"", b"a00", b"1234567890123456789"] {
            assert_eq!(split(value), None);
        }
    }

    #[test]
    fn numbers_times_and_exceptions_round_trip() {
        let table = testing::table(
            &["Link", "UTCTime", "EndTime"],
            &[
                &[Some("game/100000"), Some("23:58:00"), Some("00:01:30")],
                &[Some("game/99999"), Some("00:00:00"), Some("23:59:59")],
                &[Some("other/5"), Some("12:00:00"), Some("25:00:00")],
                &[None, None, Some("00:00:00")],
                &[Some("game/999999999999999999"), Some("12:00:00"), None],
                &[Some("game/0"), Some("?"), Some("12:00:00")],
                &[Some("game/007"), Some(""), Some("")],
            ],
        );
        testing::round_trip(
            &table,
            vec![
                column(0, &[], 0),
                column(1, &[], TIMES),
                column(2, &[1], TIMES),
            ],
        );
    }

    #[test]
    fn rejects_differences_out_of_range() {
        let mut coder = Encoder::new();
        let (mut model, notation) = (Differences::default(), Notation::Numbers(b""));
        code(&mut model, &mut coder, notation, None, Some(-1)).unwrap_err();
        let codes = coder.finish();
        let mut table = testing::table(&["Link"], &[&[Some("1")]]);
        table.needed_parts = vec![true];
        let streams = [codes.into(), b"\n"[..].into()];
        assert!(decode(&mut table, &column(0, &[], 0), &streams).is_err());
    }
}
