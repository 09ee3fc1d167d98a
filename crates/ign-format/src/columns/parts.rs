//! Parts: tag columns cut into pieces that decode independently (spec §4.3).
//!
//! A part is [`PART`] records. Each has range coder codes of its own and starts with fresh
//! statistics, so that the tags of one game are read without those of all games before it. Only
//! the lines of text are common: a part may use the dictionary strings of parts before.
//!
//! The codes of a column begin with two varints for each part but the last: the number of bytes of
//! its codes, and the number of lines of text that it takes. A column may have a *head*: a part
//! without records before all others.

use std::ops::Range;

use ign_entropy::{
    adaptive::{Decoder, Encoder},
    varint,
};

use super::{
    streams::{Lines, Streams, check_overrun},
    table::Table,
};
use crate::error::{Error, Result};

/// Number of records of a part; the last may have fewer (spec §4.3).
pub const PART: usize = 1024;

/// Number of rows that an encoder tries several ways on, as two parts, because a head pays only
/// from the second part on. This is the writer's choice.
const TRIAL: usize = 1024;

/// The rows of each part of a column of `rows` rows.
pub fn of(rows: usize) -> impl Iterator<Item = Range<usize>> {
    of_len(rows, PART)
}

/// The rows of the two parts of a trial.
pub fn of_trial(rows: usize) -> impl Iterator<Item = Range<usize>> {
    of_len(rows.min(TRIAL), TRIAL / 2)
}

fn of_len(rows: usize, len: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows)
        .step_by(len)
        .map(move |first| first..rows.min(first + len))
}

impl Table {
    /// Restricts the parts that codecs decode to those with a row that is `needed`.
    pub fn need_only(&mut self, needed: impl Fn(usize) -> bool) {
        let end = self.held_rows().end;
        for (part, rows) in self.needed_parts.iter_mut().zip(of(end)) {
            *part = *part && rows.clone().any(&needed);
        }
    }
}

/// Collects the parts of a column into its streams.
#[derive(Debug, Default)]
pub struct Packer {
    codes: Vec<u8>,
    /// Number of bytes of codes and of lines of text of each finished part.
    parts: Vec<[usize; 2]>,
    text: Vec<u8>,
    /// Number of lines of text, without a prefix line.
    lines: usize,
    /// [`Packer::lines`] at the end of the last finished part.
    lines_before: usize,
}

impl Packer {
    /// A packer whose text begins with a line that belongs to no part.
    pub fn with_prefix(prefix: &[u8]) -> Self {
        Self {
            text: [prefix, b"\n"].concat(),
            ..Self::default()
        }
    }

    /// Adds a line of text to the current part.
    pub fn line(&mut self, value: &[u8]) {
        self.text.extend_from_slice(value);
        self.text.push(b'\n');
        self.lines += 1;
    }

    /// Number of lines that the parts have taken so far.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Finishes the current part.
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

/// A part to decode.
#[derive(Debug)]
pub struct Part<'a> {
    /// Its rows, up to the end of those that the table holds.
    pub rows: Range<usize>,
    /// The decoder of its codes.
    pub coder: Decoder<'a>,
    /// Number of lines that the parts before it take.
    pub lines_before: usize,
}

impl Part<'_> {
    /// Fails if the decoder has read far beyond the codes.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check(&self) -> Result<()> {
        check_overrun(&self.coder)
    }
}

/// Opens the parts that the table needs, each with the lines of text from its own on.
///
/// # Errors
/// Corrupt, if the streams do not have the lengths of the parts.
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

/// Opens the head, if the column has one, and the parts that the table needs.
///
/// # Errors
/// Corrupt, if the codes do not have the lengths of the parts.
pub fn open_with_head<'a>(
    table: &Table,
    mut codes: &'a [u8],
    has_head: bool,
) -> Result<(Option<Part<'a>>, Vec<Part<'a>>)> {
    let mut lens = Vec::new();
    let count = usize::from(has_head) + of(table.rows).count();
    for _ in 1..count {
        let mut number = || varint::read_limited(&mut codes, u32::MAX.into(), "a part of a column");
        lens.push([number()?, number()?]);
    }
    let (mut head, mut parts) = (None, Vec::new());
    let mut lines_before = 0;
    // The head has no number among the parts.
    let head_rows = has_head.then_some((None, 0..0));
    let part_rows = (0..).map(Some).zip(of(table.rows));
    for (place, (number, rows)) in head_rows.into_iter().chain(part_rows).enumerate() {
        let [codes_len, lines] = lens.get(place).copied().unwrap_or([codes.len(), 0]);
        let (own, rest) = codes
            .split_at_checked(codes_len)
            .ok_or_else(|| Error::corrupt("the parts of a column do not fit its streams"))?;
        let end = table.end_row.unwrap_or(rows.end);
        let part = || Part {
            rows: rows.start..end.clamp(rows.start, rows.end),
            coder: Decoder::new(own),
            lines_before,
        };
        match number {
            None => head = Some(part()),
            Some(number) if table.needs_part(number) => parts.push(part()),
            Some(_) => {}
        }
        codes = rest;
        lines_before += lines;
    }
    Ok((head, parts))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::{
        columns::{
            Codec, Span, codes_and_text, dictionary, name_model::NameNetwork, names, testing,
        },
        models::Architecture as _,
    };
    use ign_entropy::adaptive::Coder;

    /// A column that encodes the number of each row, with a line for every 500th row.
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

    fn table(rows: usize, needed_parts: Vec<bool>, end_row: Option<usize>) -> Table {
        Table {
            rows,
            needed_parts,
            end_row,
            name_model: Some(NameNetwork::builtin()),
            ..Table::default()
        }
    }

    #[test]
    fn parts_decode_without_those_before() {
        for rows in [1, PART, PART + 1, 5 * PART - 1] {
            let Streams { codes, text } = packed(rows);
            let streams = [codes, text].map(Cow::from);
            for needed in 0..of(rows).count() {
                let end = rows.min(needed * PART + 700);
                let needs = (0..=needed).map(|part| part == needed).collect();
                let (codes, mut lines) = codes_and_text(&streams).unwrap();
                assert_eq!(lines.next_line().unwrap(), b"prefix");
                let parts = open(&table(rows, needs, Some(end)), codes, lines).unwrap();
                let [(mut part, mut lines)] = <[_; 1]>::try_from(parts).unwrap();
                assert_eq!(part.rows, needed * PART..end);
                assert_eq!(part.lines_before, (needed * PART).div_ceil(500));
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
    fn rejects_parts_beyond_the_streams() {
        let Streams { codes, text } = packed(2 * PART);
        let table = || table(2 * PART, vec![true; 2], None);
        for streams in [
            [vec![], text.clone()],
            [codes[..1].to_vec(), text.clone()],
            [[&[0xff, 0xff, 0x7f, 0], &codes[..]].concat(), text.clone()],
            [[&[0, 0xff, 0x7f], &codes[..]].concat(), text.clone()],
            [codes.clone(), vec![]],
        ] {
            let streams = streams.map(Cow::from);
            let (codes, lines) = codes_and_text(&streams).unwrap();
            assert!(open(&table(), codes, lines).is_err());
        }
    }

    #[test]
    fn every_codec_decodes_some_records_as_it_decodes_all() {
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
        // The title of each name is encoded once.
        assert_eq!(
            columns[1].flags & dictionary::FIRST_VALUES,
            dictionary::FIRST_VALUES
        );
        // The same with strings encoded by the name model.
        let named: (Vec<_>, Vec<_>) = columns
            .iter()
            .cloned()
            .zip(streams.clone())
            .map(|(mut column, [codes, mut text])| {
                if Codec::from_number(column.codec)
                    .unwrap()
                    .may_use_name_model()
                {
                    column.flags |= dictionary::NAME_MODEL;
                    text = names::encode(&NameNetwork::builtin(), &text)
                        .unwrap()
                        .into();
                }
                (column, [codes, text])
            })
            .unzip();
        let variants = [(columns.to_vec(), streams.to_vec()), named];
        let rows = [0, PART - 1, PART, 2 * PART + 300, ROWS - 1];
        for (row, (columns, streams)) in rows
            .iter()
            .flat_map(|&row| variants.iter().map(move |variant| (row, variant)))
        {
            let needed = row / PART;
            let held = needed * PART..row + 1;
            let mut some = Table {
                values: whole
                    .values
                    .iter()
                    .map(|v| v[held.clone()].to_vec())
                    .collect(),
                needed_parts: (0..=needed).map(|part| part == needed).collect(),
                first_row: held.start,
                end_row: Some(held.end),
                needed_rows: held.clone().map(|held| held == row).collect(),
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
                assert!(row < PART || some.value(tag, needed * PART - 1).is_none());
            }
        }
    }
}
