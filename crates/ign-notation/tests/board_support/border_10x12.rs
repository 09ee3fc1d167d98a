//! Representation 2: a larger array, whose border holds a value that is no piece.
//!
//! The lecture has ten by ten. A knight at the edge jumps two squares over it: ten by twelve is
//! what it takes, for off one side of a row one comes back on the other.

use super::{BLACK, EMPTY, Piece, Representation, Square, Step};

/// What is off the board.
const BORDER: Piece = 7;

#[derive(Clone)]
pub struct Border10x12([Piece; 120]);

/// The place of a square.
fn place(square: Square) -> usize {
    usize::from(21 + square % 8 + 10 * (square / 8))
}

/// The square of a place.
fn square(place: usize) -> Square {
    let place = place as Square - 21;
    place % 10 + 8 * (place / 10)
}

impl Representation for Border10x12 {
    const NAME: &'static str = "10x12 with a border";

    fn empty() -> Self {
        let mut board = [BORDER; 120];
        (0..64).for_each(|square| board[place(square)] = EMPTY);
        Self(board)
    }

    fn at(&self, square: Square) -> Piece {
        self.0[place(square)]
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.0[place(square)] = piece;
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
        let mut at = place(from);
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
