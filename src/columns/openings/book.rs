//! Books of openings: what programs call the first moves of a game (spec §4.3.8).
//!
//! A book is lines of moves, each with its ECO code and its name, or the code alone. What a game
//! is called is told by the last of its positions that a line of the book leads to: in a book *by
//! position* on whatever way, in one *by sequence* on the way that the line goes. The books are
//! part of the format: they never change, and another one gets another number.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::{
    chess::{Move, Position},
    columns::text,
};

/// The books, compressed: lines of text, fields separated by tabs.
const FILES: [&[u8]; BOOKS] = [
    include_bytes!("lichess.zst"),
    include_bytes!("lichess-2013.zst"),
    include_bytes!("masters.zst"),
];
/// How many books there are.
pub const BOOKS: usize = 3;
/// The tags that each tells, as its file has them: so that a column can be checked without.
const FIELDS: [&[&str]; BOOKS] = [&["ECO", "Opening"], &["ECO", "Opening"], &["ECO"]];

/// Bytes of a move of a line, with the space behind it.
pub(super) const MOVE: usize = 5;
/// Of a book by position: after so many positions in a row on the way of no line the game has left
/// the book, though it might come back by other moves.
const AWAY: u32 = 4;

/// A book of openings.
#[derive(Debug, Default)]
pub struct Book {
    by_position: bool,
    /// For each place on the way of a line, by its key, the line that leads there, if there is
    /// one.
    places: FxHashMap<u64, Option<u32>>,
    /// The line without moves, if there is one.
    root: Option<u32>,
    fields: Vec<Field>,
}

/// A field of all lines of a book.
#[derive(Debug, Default)]
struct Field {
    /// The different values, in the order of the lines.
    values: Vec<&'static str>,
    /// The value of each line.
    of_line: Vec<u32>,
    /// The first line that has each value.
    first_line: Vec<u32>,
}

/// Where a game is that started as usual, as books of one kind see it.
#[derive(Debug, Clone)]
enum Place {
    /// What books by position look at.
    Position(Position),
    /// A key of the moves so far, for books by sequence.
    Way(u64),
}

impl Place {
    fn start(by_position: bool) -> Self {
        match by_position {
            true => Self::Position(Position::default()),
            false => Self::Way(0),
        }
    }

    /// Plays a move; gives the key of the place behind it.
    #[inline]
    fn next(&mut self, played: Move) -> u64 {
        match self {
            Self::Position(position) => {
                position.play(played);
                position.key()
            }
            Self::Way(way) => {
                *way ^= u64::from(played.number()) + 1;
                *way = way.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                *way ^= *way >> 29;
                *way
            }
        }
    }
}

impl Book {
    /// The book of this number, if there is one.
    pub fn of_number(number: usize) -> Option<&'static Self> {
        static LOADED: [LazyLock<Book>; BOOKS] = [
            LazyLock::new(|| Book::of_file(0)),
            LazyLock::new(|| Book::of_file(1)),
            LazyLock::new(|| Book::of_file(2)),
        ];
        LOADED.get(number).map(|book| &**book)
    }

    fn of_file(number: usize) -> Self {
        let text = text::embedded(FILES[number]);
        let text = String::from_utf8(text).expect("a book is plain text");
        Self::of_text(text.leak())
    }

    /// A book from its text: the kind and the names of its fields, then its lines.
    ///
    /// # Panics
    /// When it is no book.
    fn of_text(text: &'static str) -> Self {
        let (head, text) = text.split_once('\n').expect("a book has a head");
        let mut head = head.split('\t');
        let by_position = head.next() == Some("position");
        let mut book = Self {
            by_position,
            fields: head.map(|_| Field::default()).collect(),
            ..Self::default()
        };
        let count = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        // Most books have two new moves a line and a little more.
        book.places.reserve(count * 5 / 2);
        for field in &mut book.fields {
            field.of_line.reserve(count);
        }
        let mut numbers = vec![FxHashMap::default(); book.fields.len()];
        // The places behind the moves of the line before, and their keys.
        let mut way: Vec<(Place, u64)> = Vec::new();
        for (number, (shared, moves, values)) in (0..).zip(lines(text)) {
            way.truncate(shared);
            for played in moves.as_bytes().chunks(MOVE) {
                let start = || Place::start(by_position);
                let mut place = way.last().map_or_else(start, |step| step.0.clone());
                let key = place.next(read(played));
                way.push((place, key));
                book.places.entry(key).or_default();
            }
            match way.last() {
                Some((_, key)) => _ = book.places.insert(*key, Some(number)),
                None => book.root = Some(number),
            }
            let mut values = values;
            for (field, numbers) in book.fields.iter_mut().zip(&mut numbers) {
                let value = cut(&mut values, b'\t');
                let next = field.values.len() as u32;
                let value_number = *numbers.entry(value).or_insert(next);
                if value_number == next {
                    field.values.push(value);
                    field.first_line.push(number);
                }
                field.of_line.push(value_number);
            }
        }
        book
    }

    /// The value of a field in a line.
    pub fn value(&self, field: usize, line: u32) -> &'static str {
        self.fields[field].values[self.value_number(field, line) as usize]
    }

    /// The number of the value of a field in a line.
    pub fn value_number(&self, field: usize, line: u32) -> u32 {
        self.fields[field].of_line[line as usize]
    }

    /// The different values of a field, in the order of the lines.
    pub fn values(&self, field: usize) -> &[&'static str] {
        &self.fields[field].values
    }

    /// The first line that has this value of a field.
    pub fn first_line(&self, field: usize, value: usize) -> u32 {
        self.fields[field].first_line[value]
    }
}

/// The numbers of the fields of a book that tell these tags; none if there is no such book, or it
/// does not tell one of them.
pub fn fields<'t>(number: usize, tags: impl Iterator<Item = &'t [u8]>) -> Option<Vec<usize>> {
    let fields = FIELDS.get(number)?;
    let field = |tag| fields.iter().position(|name| name.as_bytes() == tag);
    tags.map(field).collect()
}

/// The lines of the text of a book: how many moves each has from the line before, the others, and
/// the values of all fields.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut line = (!rest.is_empty()).then(|| cut(&mut rest, b'\n'))?;
        let shared = cut(&mut line, b'\t').parse();
        let shared = shared.expect("a line of a book begins with a number");
        Some((shared, cut(&mut line, b'\t'), line))
    })
}

/// Cuts a text off before the first of these ASCII characters, which is dropped.
fn cut<'t>(text: &mut &'t str, end: u8) -> &'t str {
    let (cut, rest) = match memchr::memchr(end, text.as_bytes()) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (*text, ""),
    };
    *text = rest;
    cut
}

/// A game on its way through a book.
#[derive(Debug, Clone)]
pub struct Walk {
    book: &'static Book,
    place: Place,
    /// The last line so far.
    found: Option<u32>,
    /// Places in a row that are on no line.
    away: u32,
}

impl Walk {
    /// Of a game that starts as usual.
    pub fn new(book: &'static Book) -> Self {
        Self {
            book,
            place: Place::start(book.by_position),
            found: book.root,
            away: 0,
        }
    }

    /// Plays a move; tells whether the book may have more to say.
    pub fn play(&mut self, played: Move) -> bool {
        if self.is_over() {
            return false;
        }
        match self.book.places.get(&self.place.next(played)) {
            None => self.away += if self.book.by_position { 1 } else { AWAY },
            Some(line) => {
                self.away = 0;
                self.found = line.or(self.found);
            }
        }
        !self.is_over()
    }

    /// Whether the game has left the book.
    fn is_over(&self) -> bool {
        self.away >= AWAY
    }

    /// The line that tells what the game is called.
    pub fn found(&self) -> Option<u32> {
        self.found
    }
}

/// The lines that each of the books has for a game that starts as usual and has these moves.
pub fn look_up(moves: impl Iterator<Item = Move>) -> [Option<u32>; BOOKS] {
    let mut walks =
        std::array::from_fn(|number| Walk::new(Book::of_number(number).expect("a book")));
    for played in moves {
        let on = walks
            .iter_mut()
            .fold(false, |on, walk| walk.play(played) | on);
        if !on {
            break;
        }
    }
    walks.map(|walk| walk.found)
}

/// A move as books have it: the square it leaves and the one it goes to.
pub(super) fn read(text: &[u8]) -> Move {
    let squares = text.get(..4).and_then(Move::of_squares);
    squares.expect("a book has moves from square to square")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Legal, san};

    fn played(text: &str) -> Vec<Move> {
        let mut position = Position::default();
        let play = |name: &str| {
            let played = san::resolve(&Legal::new(&position), name.as_bytes()).unwrap();
            position.play(played);
            played
        };
        text.split_ascii_whitespace().map(play).collect()
    }

    /// What a book says of these moves, field by field.
    fn said(book: usize, moves: &str) -> Vec<&'static str> {
        let line = look_up(played(moves).into_iter())[book].unwrap();
        let book = Book::of_number(book).unwrap();
        (0..book.fields.len())
            .map(|field| book.value(field, line))
            .collect()
    }

    #[test]
    fn openings_have_their_usual_codes_and_names() {
        assert_eq!(said(0, "e4 c5"), ["B20", "Sicilian Defense"]);
        assert_eq!(said(0, "e4 e5 Nf3 Nc6 Bb5"), ["C60", "Ruy Lopez"]);
        assert_eq!(said(1, "e4 c6"), ["B10", "Caro-Kann Defense"]);
        assert_eq!(said(2, "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2"), ["E91"]);
        assert_eq!(said(0, ""), ["?", "?"]);
        assert!(Book::of_number(BOOKS).is_none());
    }

    #[test]
    fn by_position_the_way_there_does_not_matter() {
        assert_eq!(said(0, "Nf3 d5 d4"), said(0, "d4 d5 Nf3"));
        // By sequence it does.
        assert_ne!(said(1, "Nf3 d5 c4"), said(1, "c4 d5 Nf3"));
    }

    #[test]
    fn a_game_that_has_left_the_book_is_what_it_was() {
        let moves = "e4 c5 Na3 a6 Nb1 a5 Na3 a4 Nb1 h6 Na3 h5";
        let mut walk = Walk::new(Book::of_number(0).unwrap());
        let on: Vec<bool> = played(moves).iter().map(|&m| walk.play(m)).collect();
        let left = on.iter().position(|on| !on).unwrap();
        assert!(left > 4 && on[left..].iter().all(|on| !on), "{on:?}");
        assert_eq!(said(0, moves)[1], said(0, "e4 c5 Na3 a6")[1]);
    }

    #[test]
    fn the_lines_of_all_books_are_legal() {
        for (number, file) in FILES.into_iter().enumerate() {
            let text = String::from_utf8(text::embedded(file)).unwrap();
            let (head, text) = text.split_once('\n').unwrap();
            let head: Vec<&str> = head.split('\t').collect();
            assert_eq!(head[1..], *FIELDS[number]);
            assert!(lines(text).count() > 1000);
            let mut way = vec![Position::default()];
            for (shared, moves, values) in lines(text) {
                assert!(shared < way.len());
                assert_eq!(values.split('\t').count(), FIELDS[number].len());
                way.truncate(shared + 1);
                for name in moves.as_bytes().chunks(MOVE) {
                    let (mut position, played) = (way[way.len() - 1], read(name));
                    assert!(Legal::new(&position).contains(played), "{moves}");
                    position.play(played);
                    way.push(position);
                }
            }
        }
    }
}
