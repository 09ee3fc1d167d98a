//! Signatures of Go games (seed document 002; spec §14.5).
//!
//! Six points: those of moves 20, 40 and 60 (A) and of moves 31, 51 and 71 (B). In a handicap game
//! White's first move is number 1; stones set up are move zero, as are the moves of Black before
//! White's first in such a game.
//!
//! In the index the point in column x and row y is the number 64 + s, behind the squares of a chess
//! board: points are counted in shells around the upper left one, so that small boards have small
//! numbers and the usual board takes nine bits. A pass is `tt`, the point it was before version 4
//! of SGF; on boards that have this point it is a number of its own, written `[]`.

use crate::go::{Color, Move, Point, Size};
use crate::signature::{Element, Signature, element_of_ply};

/// The number of the upper left point: squares of a chess board are below it (spec §4.1.2).
pub const FIRST_POINT: u16 = 64;
/// The number of a pass on boards that have the point `tt` (spec §14.5).
pub const PASS: u16 = FIRST_POINT + 52 * 52;
/// How that is written.
const PASS_WRITTEN: &str = "[]";
/// Where a pass is found otherwise.
const TT: Point = Point {
    row: 19,
    column: 19,
};

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

/// The point of a number; `None` for a square of a chess board, and for a pass that is a number of
/// its own.
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

/// The number of a move in the index.
pub fn number(played: Move, size: Size) -> u16 {
    match played {
        Move::Stone(point) => number_of_point(point),
        Move::Pass if size.passes_by_letters() => number_of_point(TT),
        Move::Pass => PASS,
    }
}

/// How a number is written: two letters; `None` when it is of no move of Go.
pub fn spell(number: u16) -> Option<String> {
    if number == PASS {
        return Some(PASS_WRITTEN.to_string());
    }
    point(number).map(|point| point.to_string())
}

/// The number of two letters, or of a pass.
pub fn read(letters: &[u8]) -> Option<u16> {
    if letters == PASS_WRITTEN.as_bytes() {
        return Some(PASS);
    }
    Point::from_letters(letters).map(number_of_point)
}

/// Gathers the signature of a game from the moves of its record, in order.
#[derive(Debug, Clone, Copy)]
pub struct Gathering {
    size: Size,
    /// Whether White's first move is still to come, in a handicap game.
    waiting: bool,
    /// The number of the last move.
    moves: usize,
    signature: Signature,
}

impl Gathering {
    /// Of a game on a board of this size, with a handicap or not.
    pub fn new(size: Size, handicap: bool) -> Self {
        Self {
            size,
            waiting: handicap,
            moves: 0,
            signature: Signature::default(),
        }
    }

    /// Takes the next move that the record has.
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
    fn numbers_are_different_and_grow_with_the_board() {
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
        // The usual board, its pass included, takes nine bits.
        assert!(number(Move::Pass, Size::STANDARD) < 512);
        assert_eq!(spell(number(Move::Pass, Size::STANDARD)).unwrap(), "tt");
        assert_eq!(number(Move::Pass, Size::new(20, 20).unwrap()), PASS);
    }

    #[test]
    fn with_a_handicap_whites_first_move_is_number_one() {
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
        // Black's stone before White's first is move zero.
        assert_eq!(gather(true, Color::Black), number(20));
    }
}
