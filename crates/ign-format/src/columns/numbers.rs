//! Numbers as steps: a game's number on its server, or a time of day.
//!
//! A number is decimal digits behind the column's prefix, the first line of the
//! text stream; a time is `hh:mm:ss`, and steps go the shorter way around
//! midnight. The step is from the value of the record before, or from the time
//! that another tag gives. Any other value is a line of the text stream.

use std::borrow::Cow;

use super::{
    Streams, Table, codes_and_text,
    dates::{second, spell_second},
    parts,
};
use crate::{
    container::block::Column,
    error::{Error, Result},
};
use ign_entropy::adaptive::{Bit, Coder, Encoder, Signed};

/// Switch: values are times of day (spec §4.3.5).
pub const TIMES: u8 = 1;
/// The most digits of a number (spec §4.3.5).
const MAX_DIGITS: usize = 18;
/// Seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// Splits a value into prefix and number.
pub fn split(value: &[u8]) -> Option<(&[u8], i64)> {
    let digits = value
        .iter()
        .rev()
        .take_while(|c| c.is_ascii_digit())
        .count();
    let (prefix, digits) = value.split_at(value.len() - digits);
    let plain = digits.len() == 1 || digits.first().is_some_and(|&c| c != b'0');
    (plain && digits.len() <= MAX_DIGITS).then(|| {
        let number = digits.iter().fold(0, |n, c| n * 10 + i64::from(c - b'0'));
        (prefix, number)
    })
}

/// What the values of a column are.
#[derive(Clone, Copy)]
enum Form<'a> {
    Times,
    /// Numbers behind this prefix.
    Numbers(&'a [u8]),
}

impl Form<'_> {
    fn read(self, value: &[u8]) -> Option<i64> {
        match self {
            Form::Times => second(value),
            Form::Numbers(prefix) => split(value).filter(|(p, _)| *p == prefix).map(|(_, n)| n),
        }
    }

    /// The step from one value to another.
    fn step(self, from: i64, to: i64) -> i64 {
        match self {
            Form::Times => (to - from + DAY + DAY / 2) % DAY - DAY / 2,
            Form::Numbers(_) => to - from,
        }
    }

    /// Where a step leads; none where no value is.
    fn after(self, from: i64, step: i64) -> Option<i64> {
        match self {
            Form::Times => (-DAY..DAY)
                .contains(&step)
                .then(|| (from + step + DAY) % DAY),
            Form::Numbers(_) => from
                .checked_add(step)
                .filter(|n| (0..10i64.pow(MAX_DIGITS as u32)).contains(n)),
        }
    }

    fn spell(self, value: i64) -> Vec<u8> {
        match self {
            Form::Times => spell_second(value),
            Form::Numbers(prefix) => [prefix, value.to_string().as_bytes()].concat(),
        }
    }
}

#[derive(Default)]
struct Model {
    irregular: [Bit; 2],
    was_irregular: bool,
    from_reference: Signed,
    from_before: Signed,
    before: i64,
}

impl Model {
    /// Codes a value; `None` when it is told in text.
    ///
    /// # Errors
    /// Corrupt when a step leads out of range.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        form: Form,
        reference: Option<i64>,
        given: Option<i64>,
    ) -> Result<Option<i64>> {
        let irregular = &mut self.irregular[usize::from(self.was_irregular)];
        self.was_irregular = coder.bit(irregular, given.is_none());
        if self.was_irregular {
            return Ok(None);
        }
        let (steps, base) = match reference {
            Some(base) => (&mut self.from_reference, base),
            None => (&mut self.from_before, self.before),
        };
        let step = steps.code(coder, given.map_or(0, |value| form.step(base, value)));
        self.before = form
            .after(base, step)
            .ok_or_else(|| Error::corrupt("a number is out of range"))?;
        Ok(Some(self.before))
    }
}

fn reference(table: &Table, column: &Column, row: usize) -> Option<i64> {
    second(table.value(*column.refs.first()?, row)?)
}

/// Codes the column; its switches say what form the values have.
///
/// # Panics
/// Never: what is given is in range.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let tag = column.tags[0];
    let (form, mut out) = if column.switches & TIMES != 0 {
        (Form::Times, parts::Packer::default())
    } else {
        let mut values = (0..table.rows).filter_map(|row| table.value(tag, row));
        let prefix = values
            .find_map(split)
            .map_or(&b""[..], |(prefix, _)| prefix);
        (Form::Numbers(prefix), parts::Packer::with_prefix(prefix))
    };
    for rows in parts::of(table.rows) {
        let mut coder = Encoder::new();
        let mut model = Model::default();
        for row in rows {
            let Some(value) = table.value(tag, row) else {
                continue;
            };
            let given = form.read(value);
            let coded = model.code(&mut coder, form, reference(table, column, row), given);
            debug_assert!(coded.is_ok_and(|coded| coded == given));
            if given.is_none() {
                out.line(value);
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Fills in the values of the records that the table asks for.
///
/// # Errors
/// Corrupt when a number is out of range or the streams end early.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, mut lines) = codes_and_text(streams)?;
    let form = if column.switches & TIMES != 0 {
        Form::Times
    } else {
        Form::Numbers(lines.next_line()?)
    };
    let tag = column.tags[0];
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::default();
        for row in part.rows.clone() {
            if !table.span(tag, row).is_present() {
                continue;
            }
            let reference = reference(table, column, row);
            let span = match model.code(&mut part.coder, form, reference, None)? {
                Some(value) => table.add(&form.spell(value)),
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

    fn column(tag: u16, refs: &[u16], switches: u8) -> Column {
        Column {
            codec: Codec::Numbers as u8,
            tags: vec![tag],
            refs: refs.to_vec(),
            switches,
            streams: vec![],
        }
    }

    #[test]
    fn only_plain_numbers_are_split() {
        assert_eq!(split(b"live/123"), Some((&b"live/"[..], 123)));
        assert_eq!(split(b"0"), Some((&b""[..], 0)));
        for value in [&b"live/"[..], b"", b"a00", b"1234567890123456789"] {
            assert_eq!(split(value), None);
        }
    }

    #[test]
    fn numbers_times_and_strangers_come_back() {
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
    fn steps_that_lead_nowhere_are_corrupt() {
        let mut coder = Encoder::new();
        let mut model = Model::default();
        model
            .code(&mut coder, Form::Numbers(b""), None, Some(-1))
            .unwrap_err();
        let codes = coder.finish();
        let mut table = testing::table(&["Link"], &[&[Some("1")]]);
        table.parts = vec![true];
        let streams = [codes.into(), b"\n"[..].into()];
        assert!(decode(&mut table, &column(0, &[], 0), &streams).is_err());
    }
}
