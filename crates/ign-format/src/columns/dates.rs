//! Date columns: differences of dates (spec §4.3.2).
//!
//! Tags: a date, and perhaps a time of day. A date with its time is one integer, in seconds; a date
//! alone is one in days. The codes hold the difference from the record before, or, if the column
//! has a reference, from the date that the reference has in the same record. A value in any other
//! form (`1984.??.??`) is a line of the text.

use std::borrow::Cow;

use ign_entropy::adaptive::{Bit, Coder, Encoder, Signed};

use super::{
    calendar::{DAY, END_OF_DAYS, format_date, format_time, parse_date, parse_time},
    parts,
    streams::{Lines, Streams, codes_and_text},
    table::{Span, Table},
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};

/// Whether a value is a date that this codec expresses as an integer.
pub fn fits(value: &[u8]) -> bool {
    parse_date(value).is_some()
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
    /// Codes the integer of a date, or `None` for lines of text.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        reference: Option<i64>,
        value: Option<i64>,
    ) -> Option<i64> {
        let is_text = &mut self.is_text[usize::from(self.was_text)];
        self.was_text = coder.bit(is_text, value.is_none());
        if self.was_text {
            return None;
        }
        let (difference, base) = match reference {
            Some(base) => (&mut self.from_reference, base),
            None => (&mut self.from_before, self.before),
        };
        let difference = difference.code(coder, value.map_or(0, |value| value - base));
        // Saturated sums are out of range, so the decoder rejects them.
        self.before = base.saturating_add(difference);
        Some(self.before)
    }
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
    let mut out = parts::Packer::default();
    for rows in parts::of(table.rows) {
        let mut model = Model::default();
        let mut coder = Encoder::new();
        for row in rows {
            if !column.tags.iter().any(|&t| table.span(t, row).is_present()) {
                continue;
            }
            let value = integer(table, &column.tags, row);
            model.code(&mut coder, reference(table, column, row), value);
            if value.is_none() {
                for value in column.tags.iter().filter_map(|&t| table.value(t, row)) {
                    out.line(value);
                }
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Decodes the column in the parts that the table needs.
///
/// # Errors
/// Corrupt, if an integer is not that of a date, or a stream ends early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, lines) = codes_and_text(streams)?;
    let mut last_day = (i64::MIN, Span::ABSENT);
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::default();
        for row in part.rows.clone() {
            if !column.tags.iter().any(|&t| table.span(t, row).is_present()) {
                continue;
            }
            match model.code(&mut part.coder, reference(table, column, row), None) {
                None => set_lines(table, column, &mut lines, row)?,
                Some(value) => {
                    let day = if column.tags.len() > 1 {
                        value / DAY
                    } else {
                        value
                    };
                    if !(0..END_OF_DAYS).contains(&day) || value < 0 {
                        return Err(Error::corrupt("a date is out of range"));
                    }
                    if last_day.0 != day {
                        last_day = (day, table.add(&format_date(day)));
                    }
                    table.set(column.tags[0], row, last_day.1);
                    if let Some(&time) = column.tags.get(1) {
                        let span = table.add(&format_time(value % DAY));
                        table.set(time, row, span);
                    }
                }
            }
            part.check()?;
        }
    }
    Ok(())
}

/// Sets every value of a row from a line of text.
fn set_lines(table: &mut Table, column: &Column, lines: &mut Lines, row: usize) -> Result<()> {
    for &tag in &column.tags {
        if table.span(tag, row).is_present() {
            let span = table.add(lines.next_line()?);
            table.set(tag, row, span);
        }
    }
    Ok(())
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
