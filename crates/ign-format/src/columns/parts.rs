//! Tag columns in parts, so that the tags of one game can be had without those
//! of all games before it (spec §4.3).
//!
//! A part is [`PART`] records. Each has codes of its own and begins with
//! estimates that know nothing; only the strings of the column are common, so
//! that a part may use those that came up in parts before. In front of the codes
//! stands how long they are, and how many lines of text they take, for each part
//! but the last.

use std::ops::Range;

use super::{Lines, Streams, Table, check_overrun};
use crate::error::{Error, Result};
use ign_entropy::{
    adaptive::{Decoder, Encoder},
    varint,
};

/// Records of a part; the last may have fewer (spec §4.3).
pub const PART: usize = 1024;

/// How many rows are coded in several ways to choose one for all, in two parts: what a way tells
/// in front of all parts pays only in the second. That is the writer's choice.
const TRIED: usize = 1024;

/// The rows of each part of so many.
pub fn of(rows: usize) -> impl Iterator<Item = Range<usize>> {
    of_len(rows, PART)
}

/// The rows of the parts of a trial, of so many.
pub fn of_trial(rows: usize) -> impl Iterator<Item = Range<usize>> {
    of_len(rows.min(TRIED), TRIED / 2)
}

fn of_len(rows: usize, len: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows)
        .step_by(len)
        .map(move |first| first..rows.min(first + len))
}

/// Packs a column, part by part.
#[derive(Debug, Default)]
pub struct Packer {
    codes: Vec<u8>,
    /// Bytes of codes and lines of text of each part.
    parts: Vec<[usize; 2]>,
    text: Vec<u8>,
    lines: usize,
    /// Lines of the parts before, and what stands in front of all parts.
    lines_before: usize,
}

impl Packer {
    /// A packer whose text begins with a line that is of no part.
    pub fn with_prefix(prefix: &[u8]) -> Self {
        Self {
            text: [prefix, b"\n"].concat(),
            ..Self::default()
        }
    }

    /// Adds a line of text.
    pub fn line(&mut self, value: &[u8]) {
        self.text.extend_from_slice(value);
        self.text.push(b'\n');
        self.lines += 1;
    }

    /// How many lines the parts have taken so far.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Ends a part.
    pub fn end(&mut self, coder: Encoder) {
        let codes = coder.finish();
        self.parts
            .push([codes.len(), self.lines - self.lines_before]);
        self.lines_before = self.lines;
        self.codes.extend_from_slice(&codes);
    }

    /// The streams of the column.
    pub fn finish(mut self) -> Streams {
        self.parts.pop();
        let mut codes = Vec::new();
        for number in self.parts.into_iter().flatten() {
            varint::write(&mut codes, number as u64);
        }
        codes.append(&mut self.codes);
        Streams {
            codes,
            text: self.text,
        }
    }
}

/// A part that is to be decoded.
#[derive(Debug)]
pub struct Part<'a> {
    /// Its rows of the table, as far as they are asked for.
    pub rows: Range<usize>,
    /// Its codes.
    pub coder: Decoder<'a>,
    /// How many lines the parts before have taken.
    pub lines_before: usize,
}

impl Part<'_> {
    /// Fails when more has been decoded than there are codes.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check(&self) -> Result<()> {
        check_overrun(&self.coder)
    }
}

/// The parts of a column that the table asks for, each with its lines of text and all behind them.
///
/// # Errors
/// Corrupt when the parts are not those of the streams.
pub fn open<'a>(
    table: &Table,
    codes: &'a [u8],
    mut lines: Lines<'a>,
) -> Result<Vec<(Part<'a>, Lines<'a>)>> {
    let (_, parts) = open_with_head(table, codes, false)?;
    let mut taken = 0;
    let own_lines = |part: Part<'a>| {
        for _ in taken..part.lines_before {
            lines.next_line()?;
        }
        taken = part.lines_before;
        Ok((part, lines.clone()))
    };
    parts.into_iter().map(own_lines).collect()
}

/// The parts that the table asks for, of a column that may have one in front of those of the
/// records, without rows.
///
/// # Errors
/// Corrupt when the parts are not those of the stream.
pub fn open_with_head<'a>(
    table: &Table,
    mut codes: &'a [u8],
    has_head: bool,
) -> Result<(Option<Part<'a>>, Vec<Part<'a>>)> {
    let mut heads = Vec::new();
    let heads_of_parts = usize::from(has_head) + of(table.rows).count();
    for _ in 1..heads_of_parts {
        let mut number = || varint::read_limited(&mut codes, u32::MAX.into(), "a part of a column");
        heads.push([number()?, number()?]);
    }
    let (mut head, mut parts) = (None, Vec::new());
    let mut lines_before = 0;
    let records = of(table.rows).enumerate();
    let head_rows = has_head.then_some((usize::MAX, 0..0));
    for (place, (number, rows)) in head_rows.into_iter().chain(records).enumerate() {
        let [codes_len, count] = heads.get(place).copied().unwrap_or([codes.len(), 0]);
        let (own, rest) = codes
            .split_at_checked(codes_len)
            .ok_or_else(|| Error::corrupt("the parts of a column do not fit its streams"))?;
        let until = table.until.unwrap_or(rows.end).clamp(rows.start, rows.end);
        let part = || Part {
            rows: rows.start..until,
            coder: Decoder::new(own),
            lines_before,
        };
        if number == usize::MAX {
            head = Some(part());
        } else if table.asks_for(number) {
            parts.push(part());
        }
        codes = rest;
        lines_before += count;
    }
    Ok((head, parts))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::columns::{Codec, Span, codes_and_text, dictionary, name_model, testing};
    use ign_entropy::adaptive::Coder;

    /// A column whose row n is the number n, with a line for each row of a multiple of 500.
    fn packed(rows: usize) -> Streams {
        let mut out = Packer::with_prefix(b"prefix");
        for part in of(rows) {
            let mut coder = Encoder::new();
            for row in part {
                coder.uniform(row as u64, 40);
                if row % 500 == 0 {
                    out.line(row.to_string().as_bytes());
                }
            }
            out.end(coder);
        }
        out.finish()
    }

    fn table(rows: usize, parts: Vec<bool>, until: Option<usize>) -> Table {
        Table {
            rows,
            parts,
            until,
            ..Table::default()
        }
    }

    #[test]
    fn each_part_is_read_without_those_before() {
        for rows in [1, PART, PART + 1, 5 * PART - 1] {
            let Streams { codes, text } = packed(rows);
            let streams = [codes, text].map(Cow::from);
            for asked in 0..of(rows).count() {
                let until = rows.min(asked * PART + 700);
                let asks = (0..=asked).map(|part| part == asked).collect();
                let (codes, mut lines) = codes_and_text(&streams).unwrap();
                assert_eq!(lines.next_line().unwrap(), b"prefix");
                let parts = open(&table(rows, asks, Some(until)), codes, lines).unwrap();
                let [(mut part, mut lines)] = <[_; 1]>::try_from(parts).unwrap();
                assert_eq!(part.rows, asked * PART..until);
                assert_eq!(part.lines_before, (asked * PART).div_ceil(500));
                for row in part.rows.clone() {
                    assert_eq!(part.coder.uniform(0, 40), row as u64);
                    if row % 500 == 0 {
                        let line = lines.next_line().unwrap();
                        assert_eq!(line, row.to_string().as_bytes());
                    }
                }
                part.check().unwrap();
            }
        }
    }

    #[test]
    fn parts_beyond_the_streams_are_corrupt() {
        let Streams { codes, text } = packed(2 * PART);
        let asks = || table(2 * PART, vec![true; 2], None);
        for streams in [
            [vec![], text.clone()],
            [codes[..1].to_vec(), text.clone()],
            [[&[0xff, 0xff, 0x7f, 0], &codes[..]].concat(), text.clone()],
            [[&[0, 0xff, 0x7f], &codes[..]].concat(), text.clone()],
            [codes.clone(), vec![]],
        ] {
            let streams = streams.map(Cow::from);
            let (codes, lines) = codes_and_text(&streams).unwrap();
            assert!(open(&asks(), codes, lines).is_err());
        }
    }

    #[test]
    fn some_records_of_any_codec_are_what_they_are_among_all() {
        const ROWS: usize = 3 * PART + 100;
        let names: Vec<String> = (0..ROWS).map(|i| format!("p{}", i * i % 701)).collect();
        let titles: Vec<String> = (0..ROWS).map(|i| format!("t{}", i * i % 701 % 5)).collect();
        let numbers: Vec<String> = (0..ROWS)
            .map(|i| (1000 + i * 7 % 900).to_string())
            .collect();
        let times: Vec<String> = (0..ROWS)
            .map(|i| format!("{:02}:00:{:02}", i % 24, i % 60))
            .collect();
        let dates: Vec<String> = (0..ROWS)
            .map(|i| format!("2024.01.{:02}", i % 32))
            .collect();
        let ends: Vec<String> = (0..ROWS)
            .map(|i| format!("{} won by {}", names[i], ["time", "mate"][i % 3 / 2]))
            .collect();
        let sites: Vec<String> = (0..ROWS)
            .map(|i| format!("https://lichess.org/{:08}", i * 7919 % 99_999_989))
            .collect();
        let rows: Vec<[Option<&str>; 10]> = (0..ROWS)
            .map(|i| {
                let other = &names[(i * 3 + 1) % ROWS];
                let link = (i % 9 != 4).then_some(&numbers[i][..]);
                [
                    Some(&names[i][..]),
                    Some(other),
                    Some(&titles[i]),
                    Some(&numbers[i]),
                    Some(&numbers[ROWS - 1 - i]),
                    Some(&dates[i]),
                    Some(&times[i]),
                    link,
                    Some(&ends[i]),
                    Some(&sites[i]),
                ]
            })
            .collect();
        let rows: Vec<&[Option<&str>]> = rows.iter().map(|r| &r[..]).collect();
        let tags = [
            "White", "Black", "Title", "WE", "BE", "Date", "Time", "Link", "End", "Site",
        ];
        let whole = testing::table(&tags, &rows);
        let mut columns = [
            testing::column(Codec::Dictionary, &[0, 1], &[]),
            testing::column(Codec::Dictionary, &[2], &[0]),
            testing::column(Codec::Ratings, &[3, 4], &[0, 1]),
            testing::column(Codec::Dates, &[5, 6], &[]),
            testing::column(Codec::Numbers, &[7], &[]),
            testing::column(Codec::Templates, &[8], &[0, 1]),
            testing::column(Codec::Ids, &[9], &[]),
        ];
        let mut packed = whole.clone();
        let streams = columns.each_mut().map(|column| {
            let codec = Codec::from_number(column.codec).unwrap();
            let streams = codec.encode(&mut packed, column);
            [streams.codes, streams.text].map(Cow::from)
        });
        // The titles of names are told once.
        assert_eq!(columns[1].switches & dictionary::FIRSTS, dictionary::FIRSTS);
        // The same with words that are spelled.
        let spelled = columns.iter().cloned().zip(streams.clone());
        let spelled = spelled.map(|(mut column, [codes, mut text])| {
            if Codec::from_number(column.codec).unwrap().may_spell() {
                column.switches |= dictionary::SPELLED;
                text = name_model::spell(&text).unwrap().into();
            }
            (column, [codes, text])
        });
        let spelled: (Vec<_>, Vec<_>) = spelled.unzip();
        let told = [(columns.to_vec(), streams.to_vec()), spelled];
        let rows = [0, PART - 1, PART, 2 * PART + 300, ROWS - 1];
        for (row, (columns, streams)) in rows
            .iter()
            .flat_map(|&row| told.iter().map(move |t| (row, t)))
        {
            let asked = row / PART;
            let held = asked * PART..row + 1;
            let mut some = Table {
                values: whole
                    .values
                    .iter()
                    .map(|v| v[held.clone()].to_vec())
                    .collect(),
                parts: (0..=asked).map(|part| part == asked).collect(),
                first: held.start,
                until: Some(held.end),
                read: held.clone().map(|held| held == row).collect(),
                bytes: vec![],
                ..whole.clone()
            };
            for span in some.values.iter_mut().flatten().filter(|s| s.is_present()) {
                *span = Span::PENDING;
            }
            for (column, streams) in columns.iter().zip(streams) {
                let codec = Codec::from_number(column.codec).unwrap();
                codec.decode(&mut some, column, streams).unwrap();
            }
            for tag in 0..10 {
                assert_eq!(some.value(tag, row), whole.value(tag, row), "{row} {tag}");
                assert!(row < PART || some.value(tag, asked * PART - 1).is_none());
            }
        }
    }
}
