//! Representation 4: bitboards, one for each kind of piece.
//!
//! A step shifts all squares at once; squares that would wrap around the board are masked. The
//! lecture finds the index of a single bit by its remainder modulo a suitable number; processors
//! now have an instruction for it.

use super::{BLACK, EMPTY, Piece, Representation, Square, Step};

/// The squares of each kind of piece, indexed by its number.
#[derive(Clone)]
pub struct Bitboards([u64; 16]);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// All squares one step away.
fn shift(squares: u64, step: Step) -> u64 {
    let shifted = |by: i8| {
        if by >= 0 {
            squares << by
        } else {
            squares >> -by
        }
    };
    let allowed = match step.0 {
        2 => !(FILE_A | FILE_A << 1),
        1 => !FILE_A,
        -1 => !FILE_H,
        -2 => !(FILE_H | FILE_H >> 1),
        _ => !0,
    };
    shifted(step.0 + 8 * step.1) & allowed
}

impl Bitboards {
    fn side(&self, black: bool) -> u64 {
        let first = if black { usize::from(BLACK) } else { 0 };
        self.0[first + 1..first + 7]
            .iter()
            .fold(0, |all, kind| all | kind)
    }

    fn occupied(&self) -> u64 {
        self.side(false) | self.side(true)
    }
}

impl Representation for Bitboards {
    const NAME: &'static str = "bitboards";

    fn empty() -> Self {
        Self([0; 16])
    }

    fn at(&self, square: Square) -> Piece {
        let found = (1..15).find(|&kind| self.0[kind] >> square & 1 == 1);
        found.map_or(EMPTY, |kind| kind as Piece)
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.0.iter_mut().for_each(|kind| *kind &= !(1 << square));
        if piece != EMPTY {
            self.0[usize::from(piece)] |= 1 << square;
        }
    }

    fn each(&self, black: bool, mut visit: impl FnMut(Square, Piece)) {
        let mut left = self.side(black);
        while left != 0 {
            let square = left.trailing_zeros() as Square;
            visit(square, self.at(square));
            left &= left - 1;
        }
    }

    fn reach(&self, from: Square, step: Step, slides: bool, mut visit: impl FnMut(Square)) {
        let mut here = 1 << from;
        loop {
            here = shift(here, step);
            if here == 0 {
                return;
            }
            visit(here.trailing_zeros() as Square);
            if !slides || here & self.occupied() != 0 {
                return;
            }
        }
    }
}
