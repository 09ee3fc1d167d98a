//! Opening columns: names and ECO codes of openings, which follow from the first moves of a game
//! (spec §4.3.8).
//!
//! A [`Book`] maps moves to the value of each tag. The codes hold for each record whether its value
//! is the one of the book. If not, it is another value of the book, by number, or a line of the
//! text. A derived value is left as [`Span::DERIVED`] in the table; whoever knows the moves looks
//! it up with a [`Walk`]. So a reader looks up only the games that it needs.
//!
//! In a column of two tags, the first predicts the second: if the book is right about the name, it
//! is right about the code, and a name that is encoded determines its code.

mod book;
mod file;
pub(super) mod predictions;
mod tree;
mod walk;

use std::borrow::Cow;

use ign_entropy::adaptive::{Bit, Coder, Encoder};
use rustc_hash::FxHashMap;

pub use self::{book::Book, file::BOOKS, predictions::BookPredictions, walk::Walk};
use super::{
    parts,
    streams::{Streams, codes_and_text},
    table::{Span, Table},
};
use crate::{
    container::block_head::Column,
    error::{Error, Result},
};

/// The tags that the encoder gives to this codec, those that predict others first.
pub const TAGS: [&str; 2] = ["Opening", "ECO"];
/// The flags: the number of the book (spec §4.3.8).
pub const BOOK_NUMBER: u8 = 0x0f;

/// The field of the column's book for each of its tags. `names` are all tag names of the block.
///
/// # Errors
/// Unsupported, if this program does not have the book, or the book lacks a tag.
pub fn fields(flags: u8, tags: &[u16], names: &[Vec<u8>]) -> Result<Vec<usize>> {
    let tags = tags.iter().map(|&tag| &names[usize::from(tag)][..]);
    book::fields(flags.into(), tags).ok_or_else(|| {
        Error::unsupported(format!("a column requires opening book {flags}"))
            .with_remedy("read it with a newer version of this program")
    })
}

/// The book of a column, and its [`fields`].
///
/// # Errors
/// As [`fields`].
pub fn open(flags: u8, tags: &[u16], names: &[Vec<u8>]) -> Result<(&'static Book, Vec<usize>)> {
    let fields = fields(flags, tags, names)?;
    let book = Book::from_number(flags.into())
        .ok_or_else(|| Error::internal("an opening book is missing"))?;
    Ok((book, fields))
}

/// How a value is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// It is that of the predicted line.
    Predicted,
    /// It is the value of the book with this number.
    Book(u32),
    /// It is a line of text.
    Text,
}

/// The statistics of a part.
#[derive(Default)]
struct Model {
    /// Whether a value is not predicted: by class, and by the last answer of the class.
    unpredicted: [[Bit; 2]; 4],
    was_unpredicted: [bool; 4],
    text: Bit,
}

impl Model {
    /// Codes the source of a value. `values` is the number of values in the book.
    fn code(
        &mut self,
        coder: &mut impl Coder,
        class: usize,
        values: usize,
        source: Source,
    ) -> Source {
        let was_unpredicted = &mut self.was_unpredicted[class];
        let bit = &mut self.unpredicted[class][usize::from(*was_unpredicted)];
        *was_unpredicted = coder.bit(bit, source != Source::Predicted);
        if !*was_unpredicted {
            return Source::Predicted;
        }
        if coder.bit(&mut self.text, source == Source::Text) {
            return Source::Text;
        }
        let number = match source {
            Source::Book(number) => number,
            Source::Predicted | Source::Text => 0,
        };
        Source::Book(coder.one_of(number, values as u32))
    }
}

/// How the values of a record before predict the next one.
#[derive(Clone, Copy, Default)]
struct Context {
    /// The class of adaptive bits.
    class: usize,
    /// The line of the book that an encoded value determines; without it, the moves determine the
    /// line.
    line: Option<u32>,
}

impl Context {
    /// Updates the context after a value of a field. A value that an encoded one predicts does not
    /// change it.
    fn update(&mut self, source: Source, book: &Book, field: usize) {
        if source == Source::Predicted && self.line.is_some() {
            return;
        }
        (self.class, self.line) = match source {
            Source::Predicted => (1, None),
            Source::Book(value) => (2, Some(book.first_line(field, value as usize))),
            Source::Text => (3, None),
        };
    }
}

/// Encodes the column; its flags determine the book.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let opened = open(column.flags, &column.tags, &table.names);
    let (book, fields) = opened.expect("the plan chooses a book with these tags");
    let numbers_of = |&field: &usize| -> FxHashMap<&[u8], u32> {
        let values = book.values(field).iter().map(|value| value.as_bytes());
        values.zip(0..).collect()
    };
    let numbers: Vec<_> = fields.iter().map(numbers_of).collect();
    let mut out = parts::Packer::default();
    for rows in parts::of(table.rows) {
        let mut coder = Encoder::new();
        let mut model = Model::default();
        for row in rows {
            let mut context = Context::default();
            for ((&tag, &field), numbers) in column.tags.iter().zip(&fields).zip(&numbers) {
                let Some(value) = table.value(tag, row) else {
                    continue;
                };
                let by_moves = || table.predicted.line(row, column.flags.into());
                let line = context.line.or_else(by_moves);
                let predicted = line.map(|line| book.value(field, line).as_bytes());
                let source = match numbers.get(value) {
                    _ if predicted == Some(value) => Source::Predicted,
                    Some(&number) => Source::Book(number),
                    None => Source::Text,
                };
                model.code(&mut coder, context.class, book.values(field).len(), source);
                if source == Source::Text {
                    out.line(value);
                }
                context.update(source, book, field);
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Decodes the column in the parts that the table needs. Values that the moves determine become
/// [`Span::DERIVED`].
///
/// # Errors
/// Corrupt, if a stream ends early. Unsupported, if the book is unknown.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, lines) = codes_and_text(streams)?;
    let (book, fields) = open(column.flags, &column.tags, &table.names)?;
    let mut spans = BookSpans::default();
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::default();
        for row in part.rows.clone() {
            let mut context = Context::default();
            for (&tag, &field) in column.tags.iter().zip(&fields) {
                if !table.span(tag, row).is_present() {
                    continue;
                }
                let values = book.values(field).len();
                let source = model.code(&mut part.coder, context.class, values, Source::Predicted);
                let span = match (source, context.line) {
                    (Source::Predicted, None) => Span::DERIVED,
                    (Source::Predicted, Some(line)) => spans.of_line(table, book, field, line),
                    (Source::Book(value), _) => {
                        spans.of_line(table, book, field, book.first_line(field, value as usize))
                    }
                    (Source::Text, _) => table.add(lines.next_line()?),
                };
                table.set(tag, row, span);
                context.update(source, book, field);
                part.check()?;
            }
        }
    }
    Ok(())
}

/// The spans of values of a book in a table, which holds each value once.
#[derive(Debug, Default)]
pub struct BookSpans(FxHashMap<(usize, u32), Span>);

impl BookSpans {
    /// The span of the value of a field in a line of the book.
    pub fn of_line(&mut self, table: &mut Table, book: &Book, field: usize, line: u32) -> Span {
        let value = book.value_number(field, line);
        let add = || table.add(book.values(field)[value as usize].as_bytes());
        *self.0.entry((field, value)).or_insert_with(add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        columns::{Codec, testing},
        error::Kind,
    };

    /// A table of these moves, names and codes.
    fn table(rows: &[(&str, [Option<&str>; 2])]) -> Table {
        let values: Vec<&[Option<&str>]> = rows.iter().map(|(_, values)| &values[..]).collect();
        let mut table = testing::table(&["Opening", "ECO"], &values);
        for (row, (moves, values)) in rows.iter().enumerate() {
            let moves = moves
                .as_bytes()
                .chunks(file::MOVE_LEN)
                .map(file::parse_move);
            let name = (&b"Opening"[..], values[0].unwrap_or_default().as_bytes());
            table.predicted.look_up(row, moves, name);
        }
        table
    }

    fn column(tags: &[u16]) -> Column {
        testing::column(Codec::Openings, tags, &[])
    }

    /// The values after decoding: derived ones as `*`, absent ones as `-`.
    fn unpacked(table: &Table, tags: &[u16]) -> (Vec<String>, Streams) {
        let streams = encode(&mut table.clone(), &mut column(tags));
        let pending = |span: &Span| {
            if span.is_present() {
                Span::PENDING
            } else {
                *span
            }
        };
        let mut out = Table {
            values: table
                .values
                .iter()
                .map(|v| v.iter().map(pending).collect())
                .collect(),
            bytes: Vec::new(),
            needed_parts: parts::of(table.rows).map(|_| true).collect(),
            ..table.clone()
        };
        let both = [&streams.codes, &streams.text].map(Cow::from);
        decode(&mut out, &column(tags), &both).unwrap();
        let value = |row: usize, tag: u16| match out.span(tag, row) {
            Span::DERIVED => "*".to_string(),
            Span::ABSENT => "-".to_string(),
            _ => String::from_utf8(out.value(tag, row).unwrap().to_vec()).unwrap(),
        };
        let rows = (0..table.rows).map(|row| {
            let values: Vec<String> = tags.iter().map(|&tag| value(row, tag)).collect();
            values.join("|")
        });
        (rows.collect(), streams)
    }

    #[test]
    fn only_values_that_the_book_does_not_predict_are_encoded() {
        let rows = [
            ("e2e4 c7c5", [Some("Sicilian Defense"), Some("B20")]),
            ("e2e4 c7c5", [Some("Ruy Lopez"), Some("C60")]),
            ("e2e4 c7c5", [Some("Ruy Lopez"), Some("B20")]),
            ("e2e4 c7c5", [Some("Mine"), Some("B20")]),
            ("e2e4 c7c5", [Some("Mine"), Some("Z99")]),
            ("e2e4 c7c5", [None, Some("B20")]),
            ("e2e4 c7c5", [None, None]),
            ("", [Some("?"), Some("?")]),
        ];
        let (values, streams) = unpacked(&table(&rows), &[0, 1]);
        let expected = [
            "*|*",
            "Ruy Lopez|C60",
            "Ruy Lopez|B20",
            "Mine|*",
            "Mine|Z99",
            "-|*",
            "-|-",
            "*|*",
        ];
        assert_eq!(values, expected);
        assert_eq!(streams.text, b"Mine\nMine\nZ99\n");
        let (codes, _) = unpacked(&table(&rows), &[1]);
        assert_eq!(codes, ["*", "C60", "*", "*", "Z99", "*", "-", "*"]);
    }

    #[test]
    fn derived_values_cost_next_to_nothing() {
        let rows = vec![("d2d4 d7d5", [Some("Queen's Pawn Game"), Some("D00")]); 1000];
        let (values, streams) = unpacked(&table(&rows), &[0, 1]);
        assert!(values.iter().all(|v| v == "*|*"), "{:?}", values[0]);
        assert!(streams.codes.len() < 20 && streams.text.is_empty());
    }

    #[test]
    fn rejects_unknown_books_and_tags_and_random_codes() {
        let names = [b"Opening".to_vec(), b"White".to_vec()];
        assert!(open(0, &[0], &names).is_ok());
        let unknown = open(BOOKS as u8, &[0], &names).unwrap_err();
        assert_eq!(unknown.kind(), Kind::Unsupported);
        assert!(open(0, &[1], &names).is_err());
        // The book of masters has codes only.
        assert!(open(2, &[0], &names).is_err());
        let mut errors = 0;
        for seed in 0..200u32 {
            let codes: Vec<u8> = (0..40u32)
                .map(|i| (seed.wrapping_mul(2_654_435_761).rotate_left(i) >> 7) as u8)
                .collect();
            let mut out = table(&[("", [Some("?"), Some("?")]); 50]);
            out.values
                .iter_mut()
                .flatten()
                .for_each(|span| *span = Span::PENDING);
            out.needed_parts = vec![true];
            errors += u32::from(
                decode(&mut out, &column(&[0, 1]), &[codes.into(), vec![].into()]).is_err(),
            );
        }
        assert!(errors > 100, "{errors}");
    }
}
