//! Points, board sizes, colors and moves.

use std::{fmt, ops::Not};

/// The maximum number of rows and columns: the letters of SGF, lower and upper case (spec §14.1).
pub const MAX_LINES: u8 = 52;

/// A player, and the color of the stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    /// Black moves first, except in handicap games.
    Black = 1,
    /// White.
    White = 2,
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// A point of the board. Points are ordered by row, then by column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The row from the top, 0 to 51.
    pub row: u8,
    /// The column from the left, 0 to 51.
    pub column: u8,
}

/// The SGF letter of a row or column, which must be below [`MAX_LINES`].
fn letter(line: u8) -> u8 {
    match line {
        0..26 => b'a' + line,
        _ => b'A' + line - 26,
    }
}

/// The row or column of an SGF letter.
fn line(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

impl Point {
    /// The point of two SGF letters: column, then row. `None` for any other text.
    pub fn from_letters(letters: &[u8]) -> Option<Self> {
        let &[column, row] = letters else {
            return None;
        };
        Some(Self {
            row: line(row)?,
            column: line(column)?,
        })
    }

    /// The SGF letters: column, then row.
    pub fn letters(self) -> [u8; 2] {
        [letter(self.column), letter(self.row)]
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [column, row] = self.letters().map(char::from);
        write!(f, "{column}{row}")
    }
}

/// A move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A stone is placed on this point.
    Stone(Point),
    /// No stone is placed.
    Pass,
}

/// The size of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    rows: u8,
    columns: u8,
}

impl Size {
    /// The standard board, 19×19.
    pub const STANDARD: Self = Self {
        rows: 19,
        columns: 19,
    };

    /// A board of 1 to [`MAX_LINES`] columns and rows; `None` for other numbers.
    pub fn new(columns: u8, rows: u8) -> Option<Self> {
        let lines = 1..=MAX_LINES;
        (lines.contains(&columns) && lines.contains(&rows)).then_some(Self { rows, columns })
    }

    /// The number of rows.
    pub fn rows(self) -> u8 {
        self.rows
    }

    /// The number of columns.
    pub fn columns(self) -> u8 {
        self.columns
    }

    /// The number of points.
    pub fn points(self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }

    /// Whether the point is on the board.
    pub fn has(self, point: Point) -> bool {
        point.row < self.rows && point.column < self.columns
    }

    /// Whether `tt` is a pass, as before version 4 of SGF: it is not a point of boards up to 19×19.
    pub fn passes_by_letters(self) -> bool {
        self.rows.max(self.columns) <= 19
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_column_then_row_and_lower_case_then_upper_case() {
        let point = |column, row| Point { row, column };
        assert_eq!(Point::from_letters(b"pd"), Some(point(15, 3)));
        assert_eq!(Point::from_letters(b"zA"), Some(point(25, 26)));
        assert_eq!(Point::from_letters(b"ZZ"), Some(point(51, 51)));
        for text in ["", "p", "pdq", "p1", "p ", "\u{e9}"] {
            assert_eq!(Point::from_letters(text.as_bytes()), None, "{text}");
        }
        for row in 0..MAX_LINES {
            for column in 0..MAX_LINES {
                let point = point(column, row);
                assert_eq!(Point::from_letters(&point.letters()), Some(point));
            }
        }
        assert!(point(18, 0) < point(0, 1));
    }

    #[test]
    fn boards_have_1_to_52_lines() {
        assert!(Size::new(0, 9).is_none() && Size::new(9, 53).is_none());
        assert_eq!(Size::new(52, 1).unwrap().points(), 52);
        assert!(Size::STANDARD.passes_by_letters());
        assert!(!Size::new(9, 20).unwrap().passes_by_letters());
    }
}
