//! Representation 1: an 8×8 array with bounds tests for every step.

use super::{EMPTY, Piece, Representation, Square, Step};

#[derive(Clone)]
pub struct Array8x8([[Piece; 8]; 8]);

impl Representation for Array8x8 {
    const NAME: &'static str = "8x8 array";

    fn empty() -> Self {
        Self([[EMPTY; 8]; 8])
    }

    fn at(&self, square: Square) -> Piece {
        self.0[usize::from(square / 8)][usize::from(square % 8)]
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.0[usize::from(square / 8)][usize::from(square % 8)] = piece;
    }

    fn each(&self, black: bool, mut visit: impl FnMut(Square, Piece)) {
        for (rank, row) in self.0.iter().enumerate() {
            for (file, &piece) in row.iter().enumerate() {
                if piece != EMPTY && (piece & super::BLACK != 0) == black {
                    visit((8 * rank + file) as Square, piece);
                }
            }
        }
    }

    fn reach(&self, from: Square, step: Step, slides: bool, mut visit: impl FnMut(Square)) {
        let (mut file, mut rank) = ((from % 8) as i8, (from / 8) as i8);
        loop {
            (file, rank) = (file + step.0, rank + step.1);
            if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                return;
            }
            let to = (8 * rank + file) as Square;
            visit(to);
            if !slides || self.at(to) != EMPTY {
                return;
            }
        }
    }
}
