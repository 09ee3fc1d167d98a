//! Books of openings: what programs call the first moves of a game (spec §4.3.8).
//!
//! A book is lines of moves, each with its ECO code and its name, or the code alone. What a game
//! is called is told by the last of its positions that a line of the book leads to: in a book *by
//! position* on whatever way, in one *by sequence* on the way that the line goes. The books are
//! part of the format: they never change, and another one gets another number.

use std::{
    ops::Range,
    sync::{LazyLock, OnceLock},
};

use rustc_hash::{FxBuildHasher, FxHashMap};

use ign_notation::chess::{Move, Position};

/// The books: lines of text, fields separated by tabs.
const FILES: [&str; BOOKS] = [
    include_str!("lichess.tsv"),
    include_str!("lichess-2013.tsv"),
    include_str!("masters.tsv"),
];
/// How many books there are.
pub const BOOKS: usize = 3;
/// The tags that each tells, as its file has them: so that a column can be checked without.
const FIELDS: [&[&str]; BOOKS] = [&["ECO", "Opening"], &["ECO", "Opening"], &["ECO"]];

/// Bytes of a move of a line, with the space behind it.
pub(super) const MOVE: usize = 5;
/// Room for so many places of a book is made at first: more than most have.
const USUAL_PLACES: usize = 1 << 13;
/// Of a book by position: after so many positions in a row that no line passes the game has left
/// the book, though it might come back by other moves.
const AWAY: u32 = 4;

/// A book of openings.
#[derive(Debug)]
pub struct Book {
    /// Its lines as text.
    lines: &'static str,
    is_by_position: bool,
    /// The line without moves, if there is one.
    root: Option<u32>,
    fields: Vec<Field>,
    /// Once a game is looked up.
    places: OnceLock<Places>,
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

impl Field {
    /// Adds a value as a line has it: a new one, or the number of one that stood before.
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

/// Where lines pass and lead to.
#[derive(Debug)]
enum Places {
    /// For the key of each position that a line passes, the line that leads there, if there is one.
    Positions(FxHashMap<u64, Option<u32>>),
    /// The moves of all lines, those that begin alike together: as one goes through their tree.
    Ways(Vec<Step>),
}

/// A move of lines, behind the moves that they have in common before it.
#[derive(Debug)]
struct Step {
    played: Move,
    /// The line that leads there, if there is one.
    line: Option<u32>,
    /// Where the steps end that come behind this one.
    end: u32,
}

/// Where a game is that started as usual, as books of one kind see it.
#[derive(Debug, Clone)]
enum Place {
    Position(Position),
    /// Of the steps of the book, those behind the moves so far.
    Way(Range<u32>),
}

impl Book {
    /// The book of this number, if there is one.
    pub fn of_number(number: usize) -> Option<&'static Self> {
        static LOADED: [LazyLock<Book>; BOOKS] = [
            LazyLock::new(|| Book::of_text(FILES[0])),
            LazyLock::new(|| Book::of_text(FILES[1])),
            LazyLock::new(|| Book::of_text(FILES[2])),
        ];
        LOADED.get(number).map(|book| &**book)
    }

    /// A book from its text: the kind and the names of its fields, then its lines.
    ///
    /// # Panics
    /// When it is no book.
    fn of_text(text: &'static str) -> Self {
        let (head, text) = text.split_once('\n').expect("a book has a head");
        let mut head = head.split('\t');
        let is_by_position = match head.next() {
            Some("position") => true,
            Some("sequence") => false,
            _ => panic!("a book is by position or by sequence"),
        };
        let mut fields: Vec<Field> = head.map(|_| Field::default()).collect();
        let mut root = None;
        for (number, line) in (0..).zip(lines(text)) {
            let mut values = line.values;
            for field in &mut fields {
                field.push(number, cut(&mut values, b'\t'));
            }
            if line.shared == 0 && line.moves.is_empty() {
                root = Some(number);
            }
        }
        Self {
            lines: text,
            is_by_position,
            root,
            fields,
            places: OnceLock::new(),
        }
    }

    /// Makes ready for games to be looked up, which takes longest.
    pub fn preload(&self) {
        self.places();
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let lines = (0..).zip(lines(self.lines));
            if self.is_by_position {
                Places::Positions(by_position(lines))
            } else {
                Places::Ways(by_sequence(lines))
            }
        })
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

    /// Where a game starts as usual.
    fn start(&self) -> Place {
        match self.places() {
            Places::Positions(_) => Place::Position(Position::default()),
            Places::Ways(steps) => Place::Way(0..steps.len() as u32),
        }
    }

    /// Plays a move; gives what leads behind it, if a line passes there.
    #[inline]
    fn next(&self, place: &mut Place, played: Move) -> Option<Option<u32>> {
        match (self.places(), place) {
            (Places::Positions(positions), Place::Position(position)) => {
                position.play(played);
                positions.get(&position.key()).copied()
            }
            (Places::Ways(steps), Place::Way(way)) => {
                while let Some(at) = way.next() {
                    let step = &steps[at as usize];
                    if step.played == played {
                        way.end = step.end;
                        return Some(step.line);
                    }
                    way.start = step.end;
                }
                None
            }
            _ => None,
        }
    }

    /// How many places in a row that no line passes tell that a game has left the book.
    fn away(&self) -> u32 {
        if self.is_by_position { AWAY } else { 1 }
    }
}

/// The places of a book by position, of the lines with their numbers.
fn by_position<'t>(lines: impl Iterator<Item = (u32, Line<'t>)>) -> FxHashMap<u64, Option<u32>> {
    let mut positions = FxHashMap::with_capacity_and_hasher(USUAL_PLACES, FxBuildHasher);
    let mut way = vec![Position::default()];
    for (number, line) in lines {
        way.truncate(line.shared + 1);
        for played in line.moves() {
            let mut position = way[way.len() - 1];
            position.play(played);
            positions.entry(position.key()).or_default();
            way.push(position);
        }
        if let [_, .., last] = &way[..] {
            positions.insert(last.key(), Some(number));
        }
    }
    positions
}

/// The places of a book by sequence, of the lines with their numbers.
fn by_sequence<'t>(lines: impl Iterator<Item = (u32, Line<'t>)>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::with_capacity(USUAL_PLACES);
    // The steps of the line before.
    let mut way: Vec<usize> = Vec::new();
    let end_behind = |steps: &mut Vec<Step>, way: &mut Vec<usize>, shared: usize| {
        let end = steps.len() as u32;
        for step in way.drain(shared.min(way.len())..) {
            steps[step].end = end;
        }
    };
    for (number, line) in lines {
        end_behind(&mut steps, &mut way, line.shared);
        for played in line.moves() {
            way.push(steps.len());
            steps.push(Step {
                played,
                line: None,
                end: 0,
            });
        }
        if let Some(&last) = way.last() {
            steps[last].line = Some(number);
        }
    }
    end_behind(&mut steps, &mut way, 0);
    steps
}

/// The numbers of the fields of a book that tell these tags; none if there is no such book, or it
/// does not tell one of them.
pub fn fields<'t>(number: usize, tags: impl Iterator<Item = &'t [u8]>) -> Option<Vec<usize>> {
    let fields = FIELDS.get(number)?;
    let field = |tag| fields.iter().position(|name| name.as_bytes() == tag);
    tags.map(field).collect()
}

/// A line of the text of a book.
struct Line<'t> {
    /// How many moves it has in common with the line before.
    shared: usize,
    /// The others.
    moves: &'t str,
    /// The values of all fields.
    values: &'t str,
}

impl Line<'_> {
    /// The moves that it has not in common with the line before.
    fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.as_bytes().chunks(MOVE).map(read)
    }
}

/// The lines of the text of a book.
fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut line = (!rest.is_empty()).then(|| cut(&mut rest, b'\n'))?;
        let shared = cut(&mut line, b'\t').parse();
        Some(Line {
            shared: shared.expect("a line of a book begins with a number"),
            moves: cut(&mut line, b'\t'),
            values: line,
        })
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
    /// Places in a row that no line passes.
    away: u32,
}

impl Walk {
    /// Of a game that starts as usual.
    pub fn new(book: &'static Book) -> Self {
        Self {
            book,
            place: book.start(),
            found: book.root,
            away: 0,
        }
    }

    /// Plays a move; tells whether the book may have more to say.
    pub fn play(&mut self, played: Move) -> bool {
        if self.away == self.book.away() {
            return false;
        }
        match self.book.next(&mut self.place, played) {
            None => self.away += 1,
            Some(line) => {
                self.away = 0;
                self.found = line.or(self.found);
            }
        }
        self.away < self.book.away()
    }

    /// The line that tells what the game is called.
    pub fn found(&self) -> Option<u32> {
        self.found
    }
}

/// Whether a line of a book says just this of a tag.
pub fn tells(number: usize, line: u32, tag: &[u8], value: &[u8]) -> bool {
    let fields = fields(number, std::iter::once(tag));
    let said = fields.zip(Book::of_number(number));
    said.is_some_and(|(fields, book)| book.value(fields[0], line).as_bytes() == value)
}

/// The lines that each of the books which are open has for a game that starts as usual and has
/// these moves.
pub fn look_up(moves: impl Iterator<Item = Move>, open: [bool; BOOKS]) -> [Option<u32>; BOOKS] {
    let walk = |number: usize| {
        Book::of_number(number)
            .filter(|_| open[number])
            .map(Walk::new)
    };
    let mut walks: [Option<Walk>; BOOKS] = std::array::from_fn(walk);
    for played in moves {
        let on = walks
            .iter_mut()
            .flatten()
            .fold(false, |on, walk| walk.play(played) | on);
        if !on {
            break;
        }
    }
    walks.map(|walk| walk?.found)
}

/// A move as books have it: the square it leaves and the one it goes to.
pub(super) fn read(text: &[u8]) -> Move {
    let squares = text.get(..4).and_then(Move::of_squares);
    squares.expect("a book has moves from square to square")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_notation::chess::{Legal, san};

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
        let line = look_up(played(moves).into_iter(), [true; BOOKS])[book].unwrap();
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
        for (number, text) in FILES.into_iter().enumerate() {
            let (head, text) = text.split_once('\n').unwrap();
            let head: Vec<&str> = head.split('\t').collect();
            assert_eq!(head[1..], *FIELDS[number]);
            assert!(lines(text).count() > 1000);
            let mut way = vec![Position::default()];
            let mut known: Vec<_> = FIELDS[number].iter().map(|_| Vec::new()).collect();
            for line in lines(text) {
                assert!(line.shared < way.len());
                way.truncate(line.shared + 1);
                for played in line.moves() {
                    let mut position = way[way.len() - 1];
                    assert!(Legal::new(&position).contains(played), "{}", line.moves);
                    position.play(played);
                    way.push(position);
                }
                let values: Vec<&str> = line.values.split('\t').collect();
                assert_eq!(values.len(), known.len());
                for (known, value) in known.iter_mut().zip(values) {
                    match value.strip_prefix('=') {
                        Some(before) => assert!(before.parse::<usize>().unwrap() < known.len()),
                        None => known.push(value),
                    }
                }
            }
            let mut all = known.concat();
            assert_eq!(known.iter().map(Vec::len).sum::<usize>(), all.len());
            all.sort_unstable();
            all.dedup();
            // A question mark may be both a name and a code.
            assert!(known.concat().len() - all.len() <= 1);
        }
    }
}
