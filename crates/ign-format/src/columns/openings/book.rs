//! An opening book: lines of moves, and the values of the tags that each line determines.

use std::sync::{LazyLock, OnceLock};

use ign_notation::chess::Position;

use super::{
    file::{BOOKS, FILES, TAGS, lines},
    tree::Tree,
};

/// An opening book.
#[derive(Debug)]
pub struct Book {
    /// Its lines as text.
    text: &'static str,
    /// Whether lines are compared by position; otherwise by the sequence of moves.
    is_by_position: bool,
    /// The line without moves.
    root: Option<u32>,
    fields: Vec<Field>,
    /// Where its lines lead, built for the first lookup.
    tree: OnceLock<Tree>,
}

/// The values of one tag.
#[derive(Debug, Default)]
struct Field {
    /// The distinct values in order of first appearance.
    values: Vec<&'static str>,
    /// The number of the value of each line.
    of_line: Vec<u32>,
    /// The first line with each value.
    first_line: Vec<u32>,
}

impl Field {
    /// Adds the value of a line as the file has it: a new value, or `=` and the number of a known
    /// one.
    fn push(&mut self, line: u32, value: &'static str) {
        let known = value
            .strip_prefix('=')
            .and_then(|number| number.parse().ok());
        self.of_line.push(known.unwrap_or(self.values.len() as u32));
        if known.is_none() {
            self.values.push(value);
            self.first_line.push(line);
        }
    }
}

impl Book {
    /// The book with this number.
    pub fn from_number(number: usize) -> Option<&'static Self> {
        static LOADED: [LazyLock<Book>; BOOKS] = [
            LazyLock::new(|| Book::parse(FILES[0])),
            LazyLock::new(|| Book::parse(FILES[1])),
            LazyLock::new(|| Book::parse(FILES[2])),
        ];
        LOADED.get(number).map(|book| &**book)
    }

    /// Parses the file of a book.
    ///
    /// # Panics
    /// If the file is not that of a book.
    fn parse(text: &'static str) -> Self {
        let (head, text) = text.split_once('\n').expect("a book has a head");
        let mut head = head.split('\t');
        let is_by_position = match head.next() {
            Some("position") => true,
            Some("sequence") => false,
            _ => panic!("a book is by position or by sequence"),
        };
        let mut fields: Vec<Field> = head.map(|_| Field::default()).collect();
        let mut root = None;
        for (number, mut line) in (0..).zip(lines(text)) {
            for field in &mut fields {
                field.push(number, line.next_value());
            }
            if line.is_root() {
                root = Some(number);
            }
        }
        Self {
            text,
            is_by_position,
            root,
            fields,
            tree: OnceLock::new(),
        }
    }

    /// Builds what lookups require, which takes longer than parsing.
    pub fn preload(&self) {
        self.tree();
    }

    /// Where the lines lead.
    #[inline]
    pub(super) fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let lines = (0..).zip(lines(self.text));
            if self.is_by_position {
                Tree::by_position(lines)
            } else {
                Tree::by_sequence(lines)
            }
        })
    }

    /// Whether lines are compared by position; otherwise by the sequence of moves.
    #[inline]
    pub(super) fn is_by_position(&self) -> bool {
        self.is_by_position
    }

    /// The line without moves.
    pub(super) fn root(&self) -> Option<u32> {
        self.root
    }

    /// The line that leads to a position, the last if there are several. `None` in a book by
    /// sequence.
    pub fn line_at(&self, position: &Position) -> Option<u32> {
        self.tree().line_at(position)
    }

    /// The fields of the book with this number that have the values of these tags. `None` if there
    /// is no such book, or it lacks one of the tags.
    pub fn field_numbers<const N: usize>(number: usize, tags: [&str; N]) -> Option<[usize; N]> {
        let found = fields(number, tags.iter().map(|tag| tag.as_bytes()))?;
        found.try_into().ok()
    }

    /// The value of a field in a line.
    pub fn value(&self, field: usize, line: u32) -> &'static str {
        self.fields[field].values[self.value_number(field, line) as usize]
    }

    /// The number of the value of a field in a line.
    pub fn value_number(&self, field: usize, line: u32) -> u32 {
        self.fields[field].of_line[line as usize]
    }

    /// The distinct values of a field by number.
    pub fn values(&self, field: usize) -> &[&'static str] {
        &self.fields[field].values
    }

    /// The first line that has this value of a field.
    pub fn first_line(&self, field: usize, value: usize) -> u32 {
        self.fields[field].first_line[value]
    }
}

/// The fields of a book for these tags. `None` if the book does not exist or lacks one of them.
pub fn fields<'t>(number: usize, tags: impl Iterator<Item = &'t [u8]>) -> Option<Vec<usize>> {
    let names = TAGS.get(number)?;
    let field = |tag| names.iter().position(|name| name.as_bytes() == tag);
    tags.map(field).collect()
}
