//! Names of openings by position.

use std::sync::OnceLock;

use ign_format::columns::openings::Book;
use ign_notation::chess::Position;

/// The number of the book that names positions.
const BOOK: usize = 0;

/// The name of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Opening {
    /// Its code in the *Encyclopaedia of Chess Openings*: `C50`.
    pub eco: &'static str,
    /// Its name: `Italian Game`.
    pub name: &'static str,
}

impl Opening {
    /// The opening that a position is named for, whatever the moves that led to it. `None` if the
    /// opening book has no line that ends there.
    ///
    /// ```
    /// use ign_archive::{query::parse_opening, tree::Opening};
    /// # use ign_notation::chess::Position;
    ///
    /// let mut position = Position::default();
    /// for &played in parse_opening("1. e4 c5")?.moves() {
    ///     position.play(played);
    /// }
    /// assert_eq!(Opening::of(&position).unwrap().name, "Sicilian Defense");
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    pub fn of(position: &Position) -> Option<Self> {
        static FIELDS: OnceLock<Option<(&Book, [usize; 2])>> = OnceLock::new();
        let (book, [eco, name]) = (*FIELDS.get_or_init(|| {
            let book = Book::from_number(BOOK)?;
            Some((book, Book::field_numbers(BOOK, ["ECO", "Opening"])?))
        }))?;
        let line = book.line_at(position)?;
        Some(Self {
            eco: book.value(eco, line),
            name: book.value(name, line),
        })
    }
}
