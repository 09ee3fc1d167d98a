//! Date columns: differences of dates (spec §4.3.2).
//!
//! Tags: a date, and perhaps a time of day. A date with its time is one integer, in seconds; a date
//! alone is one in days. The codes hold the difference from the record before, or, if the column
//! has a reference, from the date that the reference has in the same record. A value in any other
//! form (`1984.??.??`) is a line of the text.

use std::borrow::Cow;

use super::{
    calendar::{DAY, END_OF_DAYS, format_date, format_time, parse_date, parse_time},
    differences::Differences,
    parts::Packer,
    rows,
    streams::{Streams, codes_and_text},
    table::{Span, Table},
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};
use ign_entropy::adaptive::Coder;

/// Whether a value is a date that this codec expresses as an integer.
pub fn fits(value: &[u8]) -> bool {
    parse_date(value).is_some()
}

/// Codes the integer of a date, or `None` for lines of text.
fn code(
    model: &mut Differences,
    coder: &mut impl Coder,
    reference: Option<i64>,
    value: Option<i64>,
) -> Result<Option<i64>> {
    let difference = |from, to| to - from;
    model.code(coder, reference, value, difference, i64::checked_add)
}

/// The integer of a row's date, with its time if the column has one.
fn integer(table: &Table, tags: &[u16], row: usize) -> Option<i64> {
    let day = parse_date(table.value(tags[0], row)?)?;
    match tags.get(1) {
        None => Some(day),
        Some(&time) => Some(day * DAY + parse_time(table.value(time, row)?)?),
    }
}

/// The day number of the reference in a row.
fn reference(table: &Table, column: &Column, row: usize) -> Option<i64> {
    table.value(*column.refs.first()?, row).and_then(parse_date)
}

/// Encodes the column.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    rows::encode(table, column, Packer::default(), |model, coder, row| {
        let value = integer(table, &column.tags, row);
        let coded = code(model, coder, reference(table, column, row), value)?;
        Ok(coded.is_some())
    })
}

/// Decodes the column in the parts that the table needs.
///
/// # Errors
/// Corrupt, if an integer is not that of a date, or a stream ends early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let streams = codes_and_text(streams)?;
    let mut last_day = (i64::MIN, Span::ABSENT);
    rows::decode(table, column, streams, |model, coder, table, row| {
        let Some(value) = code(model, coder, reference(table, column, row), None)? else {
            return Ok(false);
        };
        let time = column.tags.get(1);
        let day = if time.is_some() { value / DAY } else { value };
        if !(0..END_OF_DAYS).contains(&day) || value < 0 {
            return Err(Error::corrupt("a date is out of range"));
        }
        if last_day.0 != day {
            last_day = (day, table.add(&format_date(day)));
        }
        table.set(column.tags[0], row, last_day.1);
        if let Some(&time) = time {
            let span = table.add(&format_time(value % DAY));
            table.set(time, row, span);
        }
        Ok(true)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Codec, testing};

    #[test]
    fn dates_times_and_exceptions_round_trip() {
        let column = |tags: &[u16], refs: &[u16]| testing::column(Codec::Dates, tags, refs);
        let table = testing::table(
            &["UTCDate", "UTCTime", "Date"],
            &[
                &[Some("2012.12.31"), Some("23:01:03"), Some("2012.12.31")],
                &[Some("2012.12.31"), Some("23:04:12"), Some("2013.01.01")],
                &[Some("2013.01.01"), None, Some("????.??.??")],
                &[None, Some("00:00:00"), None],
                &[Some("2012.02.30"), Some("7:00:00"), Some("")],
                &[Some("0000.00.00"), Some("00:00:00"), Some("9999.12.31")],
                &[None, None, Some("2001.01.01")],
            ],
        );
        testing::round_trip(&table, vec![column(&[0, 1], &[]), column(&[2], &[0])]);
    }
}
