//! The files of the opening books: tab-separated text (spec §4.3.8).
//!
//! The first line has the kind of the book and the names of its tags. Every other line has a
//! sequence of moves from the standard starting position, as a number of moves shared with the line
//! before and the rest, and a value for each tag. The files are part of the format: they never
//! change, and a new book gets a new number.

use ign_notation::chess::Move;

/// Number of books.
pub const BOOKS: usize = 3;
/// The books by number.
pub(super) const FILES: [&str; BOOKS] = [
    include_str!("lichess.tsv"),
    include_str!("lichess-2013.tsv"),
    include_str!("masters.tsv"),
];
/// The tags of each book, in the order of its file. They are here too so that a directory is
/// checked without parsing a book.
pub(super) const TAGS: [&[&str]; BOOKS] = [&["ECO", "Opening"], &["ECO", "Opening"], &["ECO"]];

/// Length of a move with the space after it, in bytes.
pub(super) const MOVE_LEN: usize = 5;

/// A line of a book.
pub(super) struct Line<'t> {
    /// Number of moves that it shares with the line before.
    pub shared: usize,
    /// The moves after those.
    moves: &'t str,
    /// The values of all tags, separated by tabs.
    values: &'t str,
}

impl<'t> Line<'t> {
    /// The moves after the shared ones.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.as_bytes().chunks(MOVE_LEN).map(parse_move)
    }

    /// Whether it is the line without moves.
    pub fn is_root(&self) -> bool {
        self.shared == 0 && self.moves.is_empty()
    }

    /// Takes the value of the next tag.
    pub fn next_value(&mut self) -> &'t str {
        cut(&mut self.values, b'\t')
    }
}

/// The lines of a book after its first.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
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

/// Takes the text before the first `end`, and drops `end`.
fn cut<'t>(text: &mut &'t str, end: u8) -> &'t str {
    let (cut, rest) = match memchr::memchr(end, text.as_bytes()) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (*text, ""),
    };
    *text = rest;
    cut
}

/// Parses a move: its origin and its destination, as in `e2e4`.
pub(super) fn parse_move(text: &[u8]) -> Move {
    let squares = text.get(..4).and_then(Move::of_squares);
    squares.expect("a move of a book has two squares")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_notation::chess::{Legal, Position};

    #[test]
    fn all_books_are_valid_and_their_moves_legal() {
        for (number, text) in FILES.into_iter().enumerate() {
            let (head, text) = text.split_once('\n').unwrap();
            let head: Vec<&str> = head.split('\t').collect();
            assert_eq!(head[1..], *TAGS[number]);
            assert!(lines(text).count() > 1000);
            let mut path = vec![Position::default()];
            let mut known: Vec<_> = TAGS[number].iter().map(|_| Vec::new()).collect();
            for line in lines(text) {
                assert!(line.shared < path.len());
                path.truncate(line.shared + 1);
                for played in line.moves() {
                    let mut position = path[path.len() - 1];
                    assert!(Legal::new(&position).contains(played), "{}", line.moves);
                    position.play(played);
                    path.push(position);
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
            // A question mark is both a name and a code.
            assert!(known.concat().len() - all.len() <= 1);
        }
    }
}
