//! Openings: ECO codes and names of openings, which follow from the first moves of a game.
//!
//! A [`Book`] tells what a game is called. The column tells for each record only whether the
//! value is what the book has; if not, it is another value of the book, told by its number, or a
//! line of the text stream. A value that follows is left [`Span::FOLLOWS`] here: whoever knows the
//! moves looks into the book. So this column needs no game but the one that is wanted.
//!
//! Of two tags the first helps to tell the second: where the book is right about the name it is
//! right about the code, and a name that is told tells its code.

pub mod book;

use std::borrow::Cow;

use rustc_hash::FxHashMap;

pub use self::book::{BOOKS, Book, Walk};
use super::{Span, Streams, Table, codes_and_text, parts};
use crate::{
    container::block::Column,
    error::{Error, Kind, Result},
};
use ign_entropy::adaptive::{Bit, Coder, Encoder};
use ign_notation::chess::Move;

/// The tags that books tell, those that help to tell others first.
pub const TAGS: [&str; 2] = ["Opening", "ECO"];
/// The switches: the number of the book.
pub const SWITCHES: u8 = 0x0f;

/// The field of its book for each tag of a column.
///
/// # Errors
/// Unsupported when this program has no such book, or that does not tell the tags.
pub fn fields(switches: u8, tags: &[u16], names: &[Vec<u8>]) -> Result<Vec<usize>> {
    let tags = tags.iter().map(|&tag| &names[usize::from(tag)][..]);
    book::fields(switches.into(), tags).ok_or_else(|| {
        let wanted = format!("a column needs the book of openings number {switches}");
        Error::new(Kind::Unsupported, wanted)
            .with_remedy("read it with a newer version of this program")
    })
}

/// The book of a column, and for each of its tags the field of the book.
///
/// # Errors
/// As [`fields`].
pub fn open(switches: u8, tags: &[u16], names: &[Vec<u8>]) -> Result<(&'static Book, Vec<usize>)> {
    let fields = fields(switches, tags, names)?;
    let book = Book::of_number(switches.into());
    let book = book.ok_or_else(|| Error::internal("a book that has fields is missing"))?;
    Ok((book, fields))
}

/// What the books say of the records when packing: the line of each book.
#[derive(Debug, Clone)]
pub struct Predicted {
    rows: Vec<[Option<u32>; BOOKS]>,
    /// The books that are still looked into.
    open: [bool; BOOKS],
    /// How many records each has told, of so many.
    told: [u32; BOOKS],
    tried: u32,
}

impl Default for Predicted {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            open: [true; BOOKS],
            told: [0; BOOKS],
            tried: 0,
        }
    }
}

/// How many records all books are tried on, for the best alone to go on.
const TRIED: u32 = 512;

impl Predicted {
    /// Looks a record up, by its moves from the usual start and a tag that it has; those before it
    /// that were not looked up have no line.
    pub fn look_up(
        &mut self,
        row: usize,
        moves: impl Iterator<Item = Move>,
        (tag, value): (&[u8], &[u8]),
    ) {
        let lines = book::look_up(moves, self.open);
        self.rows.resize(row, [None; BOOKS]);
        self.rows.push(lines);
        if self.tried == TRIED {
            return;
        }
        for (number, line) in lines.into_iter().enumerate() {
            let is_told = line.is_some_and(|line| book::tells(number, line, tag, value));
            self.told[number] += u32::from(is_told);
        }
        self.tried += 1;
        if self.tried == TRIED {
            let most = self.told.into_iter().fold(1, u32::max);
            self.open = self.told.map(|told| told == most);
        }
    }

    /// The line of a book for a record.
    pub fn line(&self, row: usize, book: usize) -> Option<u32> {
        self.rows.get(row)?[book]
    }
}

/// How a value is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    /// It follows.
    Follows,
    /// Another value of the book, by its number.
    Known(u32),
    /// A line of text.
    Text,
}

/// The estimates of a part.
#[derive(Default)]
struct Model {
    /// Whether the value does not follow: by class, and whether the last one of the class did not.
    differs: [[Bit; 2]; 4],
    differed: [bool; 4],
    text: Bit,
}

impl Model {
    /// Codes how a value is told, in a field of so many values.
    fn code(&mut self, coder: &mut impl Coder, class: usize, values: usize, told: Told) -> Told {
        let differed = &mut self.differed[class];
        let estimate = &mut self.differs[class][usize::from(*differed)];
        *differed = coder.bit(estimate, told != Told::Follows);
        if !*differed {
            return Told::Follows;
        }
        if coder.bit(&mut self.text, told == Told::Text) {
            return Told::Text;
        }
        let number = match told {
            Told::Known(number) => number,
            Told::Follows | Told::Text => 0,
        };
        Told::Known(coder.one_of(number, values as u32))
    }
}

/// The class of the next value of a record, by how the one before it was told, and the line of the
/// book that it follows from, if not from the moves.
fn next(told: Told, book: &Book, field: usize) -> (usize, Option<u32>) {
    match told {
        Told::Follows => (1, None),
        Told::Known(value) => (2, Some(book.first_line(field, value as usize))),
        Told::Text => (3, None),
    }
}

/// Codes the column.
pub fn encode(table: &mut Table, column: &mut Column) -> Streams {
    let opened = open(column.switches, &column.tags, &table.names);
    let (book, fields) = opened.expect("the plan takes a book that tells these tags");
    let numbers = |&field: &usize| -> FxHashMap<&[u8], u32> {
        let values = book.values(field).iter().map(|value| value.as_bytes());
        values.zip(0..).collect()
    };
    let numbers: Vec<_> = fields.iter().map(numbers).collect();
    let mut out = parts::Packer::default();
    for rows in parts::of(table.rows) {
        let mut coder = Encoder::new();
        let mut model = Model::default();
        for row in rows {
            let (mut class, mut line) = (0, None);
            for ((&tag, &field), numbers) in column.tags.iter().zip(&fields).zip(&numbers) {
                let Some(value) = table.value(tag, row) else {
                    continue;
                };
                let from = line.or_else(|| table.predicted.line(row, column.switches.into()));
                let told = match numbers.get(value) {
                    _ if from.is_some_and(|l| book.value(field, l).as_bytes() == value) => {
                        Told::Follows
                    }
                    Some(&number) => Told::Known(number),
                    None => Told::Text,
                };
                model.code(&mut coder, class, book.values(field).len(), told);
                if told == Told::Text {
                    out.line(value);
                }
                // What follows from a value that was told is told by it too.
                if told != Told::Follows || line.is_none() {
                    (class, line) = next(told, book, field);
                }
            }
        }
        out.end(coder);
    }
    out.finish()
}

/// Fills in the values of the records that the table asks for, but those that follow from moves.
///
/// # Errors
/// Corrupt when the streams end early; unsupported when the book is not known.
pub fn decode(table: &mut Table, column: &Column, streams: &[Cow<[u8]>]) -> Result<()> {
    let (codes, lines) = codes_and_text(streams)?;
    let (book, fields) = open(column.switches, &column.tags, &table.names)?;
    let mut spans = Spans::default();
    for (mut part, mut lines) in parts::open(table, codes, lines)? {
        let mut model = Model::default();
        for row in part.rows.clone() {
            let (mut class, mut line) = (0, None);
            for (&tag, &field) in column.tags.iter().zip(&fields) {
                if !table.span(tag, row).is_present() {
                    continue;
                }
                let values = book.values(field);
                let told = model.code(&mut part.coder, class, values.len(), Told::Follows);
                let span = match (told, line) {
                    (Told::Follows, None) => Span::FOLLOWS,
                    (Told::Follows, Some(line)) => spans.of_line(table, book, field, line),
                    (Told::Known(value), _) => {
                        spans.of_line(table, book, field, book.first_line(field, value as usize))
                    }
                    (Told::Text, _) => table.add(lines.next_line()?),
                };
                table.set(tag, row, span);
                if told != Told::Follows || line.is_none() {
                    (class, line) = next(told, book, field);
                }
                part.check()?;
            }
        }
    }
    Ok(())
}

/// Values of books that stand in a table, each once.
#[derive(Debug, Default)]
pub struct Spans(FxHashMap<(usize, u32), Span>);

impl Spans {
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
    use crate::columns::{Codec, testing};

    /// A table of these names and codes, with the lines that the books have for these moves.
    fn table(rows: &[(&str, [Option<&str>; 2])]) -> Table {
        let values: Vec<&[Option<&str>]> = rows.iter().map(|(_, values)| &values[..]).collect();
        let mut table = testing::table(&["Opening", "ECO"], &values);
        for (row, (moves, values)) in rows.iter().enumerate() {
            let moves = moves.as_bytes().chunks(book::MOVE).map(book::read);
            let name = (&b"Opening"[..], values[0].unwrap_or_default().as_bytes());
            table.predicted.look_up(row, moves, name);
        }
        table
    }

    fn column(tags: &[u16]) -> Column {
        Column {
            codec: Codec::Openings as u8,
            tags: tags.to_vec(),
            refs: vec![],
            switches: 0,
            streams: vec![],
        }
    }

    /// The values as unpacking has them: those that follow as `*`, absent ones as `-`.
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
            parts: parts::of(table.rows).map(|_| true).collect(),
            ..table.clone()
        };
        let both = [&streams.codes, &streams.text].map(Cow::from);
        decode(&mut out, &column(tags), &both).unwrap();
        let value = |row: usize, tag: u16| match out.span(tag, row) {
            Span::FOLLOWS => "*".to_string(),
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
    fn what_the_book_says_follows_and_all_else_is_told() {
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
    fn what_follows_costs_next_to_nothing() {
        let rows = vec![("d2d4 d7d5", [Some("Queen's Pawn Game"), Some("D00")]); 1000];
        let (values, streams) = unpacked(&table(&rows), &[0, 1]);
        assert!(values.iter().all(|v| v == "*|*"), "{:?}", values[0]);
        assert!(streams.codes.len() < 20 && streams.text.is_empty());
    }

    #[test]
    fn the_book_that_tells_most_is_looked_into_to_the_end() {
        let mut predicted = Predicted::default();
        let moves = [b"d2d4", b"d7d5"].map(|text| book::read(text));
        for row in 0..2 * TRIED as usize {
            let name = (&b"Opening"[..], &b"Queen's Pawn Game"[..]);
            predicted.look_up(row, moves.into_iter(), name);
        }
        let told = |row: usize| [0, 1, 2].map(|book| predicted.line(row, book).is_some());
        assert_eq!(told(TRIED as usize - 1), [true; 3]);
        let [one, two, _] = [0, 1, 2].map(|book| {
            let line = predicted.line(0, book).unwrap();
            book::tells(book, line, b"Opening", b"Queen's Pawn Game")
        });
        assert_eq!(told(2 * TRIED as usize - 1), [one, two, false]);
        assert!(one);
        // Where no book tells anything none is looked into.
        let mut predicted = Predicted::default();
        for row in 0..=TRIED as usize {
            predicted.look_up(row, moves.into_iter(), (b"Opening", b"Mine"));
        }
        assert_eq!(predicted.line(TRIED as usize, 0), None);
    }

    #[test]
    fn books_and_values_that_are_not_there_are_errors() {
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
            out.parts = vec![true];
            errors += u32::from(
                decode(&mut out, &column(&[0, 1]), &[codes.into(), vec![].into()]).is_err(),
            );
        }
        assert!(errors > 100, "{errors}");
    }
}
