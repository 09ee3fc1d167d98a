//! Representation 3: sixteen squares a row, of which eight are on the board. An index with a bit of
//! 0x88 set is off the board.

use super::{BLACK, EMPTY, Piece, Representation, Square, Step};

#[derive(Clone)]
pub struct Hex0x88([Piece; 128]);

/// The index of a square: the row in the high four bits.
fn index(square: Square) -> u8 {
    square + (square & 56)
}

/// The square of an index.
fn square(index: u8) -> Square {
    (index & 7) | (index & 0x70) >> 1
}

impl Representation for Hex0x88 {
    const NAME: &'static str = "0x88";

    fn empty() -> Self {
        Self([EMPTY; 128])
    }

    fn at(&self, square: Square) -> Piece {
        self.0[usize::from(index(square))]
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.0[usize::from(index(square))] = piece;
    }

    fn each(&self, black: bool, mut visit: impl FnMut(Square, Piece)) {
        for (at, &piece) in (0..).zip(&self.0) {
            if piece != EMPTY && (piece & BLACK != 0) == black {
                visit(square(at), piece);
            }
        }
    }

    fn reach(&self, from: Square, step: Step, slides: bool, mut visit: impl FnMut(Square)) {
        let offset = step.0 + 16 * step.1;
        let mut at = index(from);
        loop {
            at = at.wrapping_add_signed(offset);
            if at & 0x88 != 0 {
                return;
            }
            visit(square(at));
            if !slides || self.0[usize::from(at)] != EMPTY {
                return;
            }
        }
    }
}
