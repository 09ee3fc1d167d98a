//! What the opening books predict for the records of a block, when packing.

use ign_notation::chess::Move;

use super::{
    book::{Book, fields},
    file::BOOKS,
    walk::look_up,
};

/// Number of records on which all books are tried. After that only the best ones are consulted.
const TRIAL: u32 = 512;

/// The line of each book for each record.
#[derive(Debug, Clone)]
pub struct BookPredictions {
    rows: Vec<[Option<u32>; BOOKS]>,
    /// The books that are still consulted.
    open: [bool; BOOKS],
    /// Number of records of the trial that each book predicts correctly.
    hits: [u32; BOOKS],
    /// Number of records of the trial so far.
    trial: u32,
}

impl Default for BookPredictions {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            open: [true; BOOKS],
            hits: [0; BOOKS],
            trial: 0,
        }
    }
}

impl BookPredictions {
    /// Looks up the moves of a row, which start from the standard starting position. `tag` is a
    /// name and a value of the record, by which the books are compared. Rows before this one that
    /// were not looked up have no lines.
    pub fn look_up(
        &mut self,
        row: usize,
        moves: impl Iterator<Item = Move>,
        (tag, value): (&[u8], &[u8]),
    ) {
        let lines = look_up(moves, self.open);
        self.rows.resize(row, [None; BOOKS]);
        self.rows.push(lines);
        if self.trial == TRIAL {
            return;
        }
        for (number, line) in lines.into_iter().enumerate() {
            let hit = line.is_some_and(|line| predicts(number, line, tag, value));
            self.hits[number] += u32::from(hit);
        }
        self.trial += 1;
        if self.trial == TRIAL {
            let max = self.hits.into_iter().fold(1, u32::max);
            self.open = self.hits.map(|hits| hits == max);
        }
    }

    /// The line of a book for a row.
    pub fn line(&self, row: usize, book: usize) -> Option<u32> {
        self.rows.get(row)?[book]
    }
}

/// Whether a line of a book has exactly this value of a tag.
fn predicts(number: usize, line: u32, tag: &[u8], value: &[u8]) -> bool {
    let fields = fields(number, std::iter::once(tag));
    let found = fields.zip(Book::from_number(number));
    found.is_some_and(|(fields, book)| book.value(fields[0], line).as_bytes() == value)
}

#[cfg(test)]
mod tests {
    use super::{super::file::parse_move, *};

    #[test]
    fn only_the_best_book_is_consulted_after_the_trial() {
        let mut predicted = BookPredictions::default();
        let moves = [b"d2d4", b"d7d5"].map(|text| parse_move(text));
        for row in 0..2 * TRIAL as usize {
            let name = (&b"Opening"[..], &b"Queen's Pawn Game"[..]);
            predicted.look_up(row, moves.into_iter(), name);
        }
        let has_line = |row: usize| [0, 1, 2].map(|book| predicted.line(row, book).is_some());
        assert_eq!(has_line(TRIAL as usize - 1), [true; 3]);
        let [one, two, _] = [0, 1, 2].map(|book| {
            let line = predicted.line(0, book).unwrap();
            predicts(book, line, b"Opening", b"Queen's Pawn Game")
        });
        assert_eq!(has_line(2 * TRIAL as usize - 1), [one, two, false]);
        assert!(one);
        // If no book is ever right, none is consulted.
        let mut predicted = BookPredictions::default();
        for row in 0..=TRIAL as usize {
            predicted.look_up(row, moves.into_iter(), (b"Opening", b"Mine"));
        }
        assert_eq!(predicted.line(TRIAL as usize, 0), None);
    }
}
