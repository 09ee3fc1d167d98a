//! Signatures of Go games (document 002, see docs/sources.md; spec §14.5).
//!
//! A signature is the points of moves 20, 40 and 60 (A) and of moves 31, 51 and 71 (B). In a
//! handicap game White's first move is number 1; setup stones, and Black's moves before White's
//! first, are move 0.
//!
//! In the index, points are numbered from 64, after the squares of a chess board. They are counted
//! in shells around the upper left point, so small boards have small numbers and the standard board
//! takes nine bits. A pass is `tt`, its notation before version 4 of SGF; on boards with that point
//! a pass has its own number, written `[]`.

use super::point::{Color, Move, Point, Size};
use crate::signature::{Element, Signature, element_of_ply};

/// The number of the upper left point; the squares of a chess board are below it (spec §4.1.2).
pub const FIRST_POINT: u16 = 64;
/// The number of a pass on boards with the point `tt` (spec §14.5).
pub const PASS: u16 = FIRST_POINT + 52 * 52;
/// The notation of [`PASS`].
const PASS_TEXT: &str = "[]";
/// The point that stands for a pass on other boards.
const TT: Point = Point {
    row: 19,
    column: 19,
};

/// The number of a point: shell by shell; in a shell the column downwards, then the row.
fn number_of_point(point: Point) -> u16 {
    let [row, column] = [point.row, point.column].map(u16::from);
    let shell = row.max(column);
    let within = if column == shell {
        row
    } else {
        shell + 1 + column
    };
    FIRST_POINT + shell * shell + within
}

/// The point of a number; `None` for a chess square and for [`PASS`].
pub fn point(number: u16) -> Option<Point> {
    let number = number.checked_sub(FIRST_POINT).filter(|_| number < PASS)?;
    let shell = number.isqrt();
    let within = number - shell * shell;
    let (row, column) = if within <= shell {
        (within, shell)
    } else {
        (shell, within - shell - 1)
    };
    Some(Point {
        row: row as u8,
        column: column as u8,
    })
}

/// The number of a move on a board of this size.
pub fn number(played: Move, size: Size) -> u16 {
    match played {
        Move::Stone(point) => number_of_point(point),
        Move::Pass if size.passes_by_letters() => number_of_point(TT),
        Move::Pass => PASS,
    }
}

/// The notation of a number: two SGF letters, or `[]` for [`PASS`]; `None` for a chess square.
pub fn spell(number: u16) -> Option<String> {
    if number == PASS {
        return Some(PASS_TEXT.to_string());
    }
    point(number).map(|point| point.to_string())
}

/// The number of two SGF letters or `[]`; `None` for any other text.
pub fn read(letters: &[u8]) -> Option<u16> {
    if letters == PASS_TEXT.as_bytes() {
        return Some(PASS);
    }
    Point::from_letters(letters).map(number_of_point)
}

/// Computes the signature of a game from its moves, in order.
#[derive(Debug, Clone, Copy)]
pub struct Gathering {
    size: Size,
    /// Whether White has not moved yet in a handicap game.
    waiting: bool,
    /// The number of moves so far.
    moves: usize,
    signature: Signature,
}

impl Gathering {
    /// A game on a board of this size, with or without a handicap.
    pub fn new(size: Size, handicap: bool) -> Self {
        Self {
            size,
            waiting: handicap,
            moves: 0,
            signature: Signature::default(),
        }
    }

    /// Adds the next move of the record.
    pub fn push(&mut self, color: Color, played: Move) {
        self.waiting &= color == Color::Black;
        if self.waiting {
            return;
        }
        self.moves += 1;
        if let Some(element) = element_of_ply(self.moves) {
            let number: Element = Some(number(played, self.size));
            self.signature[element] = number;
        }
    }

    /// The signature of the moves so far.
    pub fn signature(&self) -> Signature {
        self.signature
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique_and_small_boards_have_small_numbers() {
        let mut seen = vec![false; 52 * 52];
        for row in 0..52 {
            for column in 0..52 {
                let point = Point { row, column };
                let number = number_of_point(point);
                assert!(number < FIRST_POINT + (u16::from(row.max(column)) + 1).pow(2));
                assert!(!std::mem::replace(
                    &mut seen[usize::from(number - FIRST_POINT)],
                    true
                ));
                assert_eq!(super::point(number), Some(point));
                assert_eq!(read(spell(number).unwrap().as_bytes()), Some(number));
            }
        }
        assert_eq!(point(63), None);
        assert_eq!(point(PASS), None);
        assert_eq!(
            (spell(PASS).unwrap(), read(b"[]")),
            ("[]".into(), Some(PASS))
        );
        // The standard board with its pass takes nine bits.
        assert!(number(Move::Pass, Size::STANDARD) < 512);
        assert_eq!(spell(number(Move::Pass, Size::STANDARD)).unwrap(), "tt");
        assert_eq!(number(Move::Pass, Size::new(20, 20).unwrap()), PASS);
    }

    #[test]
    fn in_handicap_games_whites_first_move_is_number_1() {
        let stone = |i: u8| {
            Move::Stone(Point {
                row: i / 19,
                column: i % 19,
            })
        };
        let gather = |handicap, first: Color| {
            let mut gathering = Gathering::new(Size::STANDARD, handicap);
            let mut color = first;
            for i in 0..25 {
                gathering.push(color, stone(i));
                color = !color;
            }
            gathering.signature()[0]
        };
        let number = |i| Some(super::number(stone(i), Size::STANDARD));
        assert_eq!(gather(false, Color::Black), number(19));
        assert_eq!(gather(true, Color::White), number(19));
        assert_eq!(gather(false, Color::White), number(19));
        // Black's move before White's first is move 0.
        assert_eq!(gather(true, Color::Black), number(20));
    }
}
