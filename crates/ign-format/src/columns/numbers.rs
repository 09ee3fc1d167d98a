//! Number columns: differences of integers, such as the numbers of games on a server, or of times
//! of day (spec §4.3.5).
//!
//! A number is decimal digits after the column's prefix, which is the first line of the text. A
//! time is `hh:mm:ss`, and its differences go the shorter way around midnight. A value is predicted
//! by the record before, or, if the column has a reference, by the time that the reference has in
//! the same record. Any other value is a line of the text.

use std::borrow::Cow;

use ign_entropy::adaptive::{Bit, Coder, Encoder, Signed};

use super::{
    calendar::{DAY, format_time, parse_time},
    parts,
    streams::{Streams, codes_and_text},
    table::Table,
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};

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

/// The statistics of a part.
#[derive(Default)]
struct Model {
    is_text: [Bit; 2],
    was_text: bool,
    /// Differences from the reference, and from the record before.
    from_reference: Signed,
    from_before: Signed,
    before: i64,
}

impl Model {
    /// Codes a value, or `None` for a line of text.
    ///
    /// # Errors
    /// Corrupt, if the value is out of range.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        notation: Notation,
        reference: Option<i64>,
        value: Option<i64>,
    ) -> Result<Option<i64>> {
        let is_text = &mut self.is_text[usize::from(self.was_text)];
        self.was_text = coder.bit(is_text, value.is_none());
        if self.was_text {
            return Ok(None);
        }
        let (difference, base) = match reference {
            Some(base) => (&mut self.from_reference, base),
            None => (&mut self.from_before, self.before),
        };
        let difference = difference.code(
            coder,
            value.map_or(0, |value| notation.difference(base, value)),
        );
        self.before = notation
            .add(base, difference)
            .ok_or_else(|| Error::corrupt("a number is out of range"))?;
        Ok(Some(self.before))
    }
}

/// The time of the reference in a row.
fn reference(table: &Table, column: &Column, row: usize) -> Option<i64> {
    parse_time(table.value(*column.refs.first()?, row)?)
}

/// Encodes the column; its flags determine the notation.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let tag = column.tags[0];
    let (notation, mut out) = if column.flags & TIMES != 0 {
        (Notation::Times, parts::Packer::default())
    } else {
        let mut values = (0..table.rows).filter_map(|row| table.value(tag, row));
        let prefix = values
            .find_map(split)
            .map_or(&b""[..], |(prefix, _)| prefix);
        (
            Notation::Numbers(prefix),
            parts::Packer::with_prefix(prefix),
        )
    };
    for rows in parts::of(table.rows) {
        let mut coder = Encoder::new();
        let mut model = Model::default();
        for row in rows {
            let Some(value) = table.value(tag, row) else {
                continue;
            };
            let number = notation.parse(value);
            let reference = reference(table, column, row);
            let coded = model.code(&mut coder, notation, reference, number);
            debug_assert!(coded.is_ok_and(|coded| coded == number));
            if number.is_none() {
                out.line(value);
            }
        }
        out.end(coder);
    }
    out.finish()
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
    let tag = column.tags[0];
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::default();
        for row in part.rows.clone() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            let reference = reference(table, column, row);
            let span = match model.code(&mut part.coder, notation, reference, None)? {
                Some(value) => table.add(&notation.format(value)),
                None => table.add(lines.next_line()?),
            };
            table.set(tag, row, span);
            part.check()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};
    use super::*;

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
        let mut model = Model::default();
        model
            .code(&mut coder, Notation::Numbers(b""), None, Some(-1))
            .unwrap_err();
        let codes = coder.finish();
        let mut table = testing::table(&["Link"], &[&[Some("1")]]);
        table.needed_parts = vec![true];
        let streams = [codes.into(), b"\n"[..].into()];
        assert!(decode(&mut table, &column(0, &[], 0), &streams).is_err());
    }
}
