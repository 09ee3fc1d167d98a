//! Representation 2: a larger array with a border of a value that is not a piece.
//!
//! The lecture has 10×10. A knight jumps up to two squares over the edge, so 10×12 are needed: two
//! more rows, and one column on each side, because rows wrap around.

use super::{BLACK, EMPTY, Piece, Representation, Square, Step};

/// The value off the board.
const BORDER: Piece = 7;

#[derive(Clone)]
pub struct Border10x12([Piece; 120]);

/// The index of a square.
fn index(square: Square) -> usize {
    usize::from(21 + square % 8 + 10 * (square / 8))
}

/// The square of an index.
fn square(index: usize) -> Square {
    let index = index as Square - 21;
    index % 10 + 8 * (index / 10)
}

impl Representation for Border10x12 {
    const NAME: &'static str = "10x12 with a border";

    fn empty() -> Self {
        let mut board = [BORDER; 120];
        (0..64).for_each(|square| board[index(square)] = EMPTY);
        Self(board)
    }

    fn at(&self, square: Square) -> Piece {
        self.0[index(square)]
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.0[index(square)] = piece;
    }

    fn each(&self, black: bool, mut visit: impl FnMut(Square, Piece)) {
        for (at, &piece) in self.0.iter().enumerate() {
            if piece != EMPTY && piece != BORDER && (piece & BLACK != 0) == black {
                visit(square(at), piece);
            }
        }
    }

    fn reach(&self, from: Square, step: Step, slides: bool, mut visit: impl FnMut(Square)) {
        let offset = isize::from(step.0) + 10 * isize::from(step.1);
        let mut at = index(from);
        loop {
            at = at.wrapping_add_signed(offset);
            let piece = self.0[at];
            if piece == BORDER {
                return;
            }
            visit(square(at));
            if !slides || piece != EMPTY {
                return;
            }
        }
    }
}
