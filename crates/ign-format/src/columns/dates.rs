//! Dates and times as steps: a day, or a second, from the record before, or
//! from the date that another tag gives.
//!
//! The column covers a date tag (`2013.01.31`) and perhaps a time tag
//! (`23:59:59`). A date with its time is one number, the seconds since the
//! start of the year 0; a date alone counts days. Values in any other form
//! (`1984.??.??`) are lines of the text stream.

use std::borrow::Cow;

use super::{Lines, Span, Streams, Table, codes_and_text, parts};
use crate::{
    container::block::Column,
    error::{Error, Result},
};
use ign_entropy::adaptive::{Bit, Coder, Encoder, Signed};

const DAY: i64 = 24 * 60 * 60;
/// Days of a year and a month here: every date that can be written has its
/// own number, also 2013.02.31 (spec §4.3.2).
const MONTH_DAYS: i64 = 32;
const YEAR_DAYS: i64 = 16 * MONTH_DAYS;
/// Days from 0000.00.00 to the end of 9999.
const LAST_DAY: i64 = 10_000 * YEAR_DAYS;

/// Whole numbers of fixed width between separators, as in `2013.01.31`.
fn fields<const N: usize>(value: &[u8], widths: [usize; N], separator: u8) -> Option<[i64; N]> {
    let mut rest = value;
    let mut out = [0; N];
    for (i, (&width, out)) in widths.iter().zip(&mut out).enumerate() {
        if i > 0 {
            rest = rest.strip_prefix(&[separator])?;
        }
        let (digits, after) = rest.split_at_checked(width)?;
        *out = digits.iter().try_fold(0, |n, c| {
            c.is_ascii_digit().then(|| n * 10 + i64::from(c - b'0'))
        })?;
        rest = after;
    }
    rest.is_empty().then_some(out)
}

/// The number of a date.
fn day(value: &[u8]) -> Option<i64> {
    let [year, month, day] = fields(value, [4, 2, 2], b'.')?;
    (month < YEAR_DAYS / MONTH_DAYS && day < MONTH_DAYS)
        .then_some(year * YEAR_DAYS + month * MONTH_DAYS + day)
}

/// The seconds of a time of day.
pub fn second(value: &[u8]) -> Option<i64> {
    let [hours, minutes, seconds] = fields(value, [2, 2, 2], b':')?;
    (hours < 24 && minutes < 60 && seconds < 60).then_some(hours * 3600 + minutes * 60 + seconds)
}

/// Writes whole numbers with leading zeros between separators.
fn spell<const N: usize>(values: [i64; N], widths: [usize; N], separator: u8) -> Vec<u8> {
    let mut out = Vec::with_capacity(12);
    for (i, (mut value, width)) in values.into_iter().zip(widths).enumerate() {
        if i > 0 {
            out.push(separator);
        }
        let start = out.len();
        out.resize(start + width, b'0');
        for c in out[start..].iter_mut().rev() {
            *c += (value % 10) as u8;
            value /= 10;
        }
    }
    out
}

fn spell_day(day: i64) -> Vec<u8> {
    spell(
        [
            day / YEAR_DAYS,
            day % YEAR_DAYS / MONTH_DAYS,
            day % MONTH_DAYS,
        ],
        [4, 2, 2],
        b'.',
    )
}

pub(super) fn spell_second(second: i64) -> Vec<u8> {
    spell(
        [second / 3600, second / 60 % 60, second % 60],
        [2, 2, 2],
        b':',
    )
}

/// Whether a value is a date that this codec writes as a number.
pub fn fits(value: &[u8]) -> bool {
    day(value).is_some()
}

#[derive(Default)]
struct Model {
    irregular: [Bit; 2],
    was_irregular: bool,
    /// Steps from another tag's date, and from the record before.
    from_reference: Signed,
    from_before: Signed,
    before: i64,
}

impl Model {
    /// Codes the number of a date; `None` when it is told in text.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        reference: Option<i64>,
        given: Option<i64>,
    ) -> Option<i64> {
        let irregular = &mut self.irregular[usize::from(self.was_irregular)];
        self.was_irregular = coder.bit(irregular, given.is_none());
        if self.was_irregular {
            return None;
        }
        let (step, base) = match reference {
            Some(base) => (&mut self.from_reference, base),
            None => (&mut self.from_before, self.before),
        };
        // No sum exceeds 64 bits for long: out of range ends the decoding.
        self.before = base.saturating_add(step.code(coder, given.map_or(0, |value| value - base)));
        Some(self.before)
    }
}

/// The number of a record's date, and time if the column has one.
fn read(table: &Table, tags: &[u16], row: usize) -> Option<i64> {
    let day = day(table.value(tags[0], row)?)?;
    match tags.get(1) {
        None => Some(day),
        Some(&time) => Some(day * DAY + second(table.value(time, row)?)?),
    }
}

fn reference(table: &Table, column: &Column, row: usize) -> Option<i64> {
    table.value(*column.refs.first()?, row).and_then(day)
}

/// Codes the column.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let mut out = parts::Packer::default();
    for rows in parts::of(table.rows) {
        let mut model = Model::default();
        let mut coder = Encoder::new();
        for row in rows {
            if !column.tags.iter().any(|&t| table.span(t, row).is_present()) {
                continue;
            }
            let value = read(table, &column.tags, row);
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

/// Fills in the values of the records that the table asks for.
///
/// # Errors
/// Corrupt when a number is no date, or the streams end early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, lines) = codes_and_text(streams)?;
    let mut day_before = (i64::MIN, Span::ABSENT);
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::default();
        for row in part.rows.clone() {
            if !column.tags.iter().any(|&t| table.span(t, row).is_present()) {
                continue;
            }
            match model.code(&mut part.coder, reference(table, column, row), None) {
                None => fill_lines(table, column, &mut lines, row)?,
                Some(value) => {
                    let day = if column.tags.len() > 1 {
                        value / DAY
                    } else {
                        value
                    };
                    if !(0..LAST_DAY).contains(&day) || value < 0 {
                        return Err(Error::corrupt("a date is out of range"));
                    }
                    if day_before.0 != day {
                        day_before = (day, table.add(&spell_day(day)));
                    }
                    table.set(column.tags[0], row, day_before.1);
                    if let Some(&time) = column.tags.get(1) {
                        let span = table.add(&spell_second(value % DAY));
                        table.set(time, row, span);
                    }
                }
            }
            part.check()?;
        }
    }
    Ok(())
}

fn fill_lines(table: &mut Table, column: &Column, lines: &mut Lines, row: usize) -> Result<()> {
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
    use super::*;

    #[test]
    fn dates_that_can_be_written_have_one_number() {
        for text in ["0000.00.00", "2013.02.31", "9999.15.31"] {
            assert_eq!(spell_day(day(text.as_bytes()).unwrap()), text.as_bytes());
        }
        for text in [
            "",
            "2013.1.31",
            "2013-01-31",
            "1984.??.??",
            "2013.01.32",
            "2013.16.01",
            "2013.01.311",
        ] {
            assert_eq!(day(text.as_bytes()), None, "{text}");
        }
        assert_eq!(second(b"23:59:59"), Some(86399));
        assert_eq!(second(b"24:00:00"), None);
    }

    #[test]
    fn dates_times_and_strangers_come_back() {
        let column = |tags: &[u16], refs: &[u16]| Column {
            codec: Codec::Dates as u8,
            tags: tags.to_vec(),
            refs: refs.to_vec(),
            switches: 0,
            streams: vec![],
        };
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
