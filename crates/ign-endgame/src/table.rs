//! The values of all positions of one endgame.

use shakmaty::Color;

use super::{
    fold::{Fold, Squares},
    material::{Material, WHITE_KING},
    value::Value,
};

/// The numbering of a table: positions folded by the white king, with 10 or 32 squares for this
/// king and 64 for each other piece. Piece order is that of the [`Material`].
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) fold: Fold,
    /// Number of pieces.
    pieces: usize,
}

impl Layout {
    pub(super) fn new(material: &Material) -> Self {
        Self {
            fold: Fold::new(material.has_pawns()),
            pieces: material.pieces().len(),
        }
    }

    /// The number of positions, legal or not, for one side to move.
    pub(super) fn len(&self) -> usize {
        self.fold.region().len() << (6 * (self.pieces - 1))
    }

    /// The index of a folded position.
    pub(super) fn index(&self, folded: Squares) -> usize {
        let king = self.fold.index(folded[WHITE_KING]);
        let others = folded[1..self.pieces].iter();
        others.fold(king, |index, &square| index << 6 | usize::from(square))
    }

    /// The position of an index.
    pub(super) fn squares(&self, mut index: usize) -> Squares {
        let mut squares = Squares::default();
        for square in squares[1..self.pieces].iter_mut().rev() {
            *square = (index & 63) as u8;
            index >>= 6;
        }
        squares[WHITE_KING] = self.fold.region()[index];
        squares
    }
}

/// The value of every position of one endgame; [`solve`](super::solve::solve) computes it.
#[derive(Debug)]
pub struct Table {
    material: Material,
    layout: Layout,
    /// Values as bytes by the side to move, Black first, then by index.
    values: [Vec<u8>; 2],
}

impl Table {
    pub(super) fn new(material: Material, layout: Layout, values: [Vec<u8>; 2]) -> Self {
        Self {
            material,
            layout,
            values,
        }
    }

    /// The pieces.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The value of a position; `None` if it is illegal.
    pub fn value(&self, squares: Squares, turn: Color) -> Option<Value> {
        Value::from_byte(self.byte(squares, turn))
    }

    /// The value as a byte: [`ILLEGAL`](super::value::ILLEGAL) if the position is illegal.
    pub fn byte(&self, squares: Squares, turn: Color) -> u8 {
        let folded = self.layout.fold.fold(squares, WHITE_KING);
        self.values[turn as usize][self.layout.index(folded)]
    }

    /// A position with the longest win (or, if not `win`, the longest loss) of the side to move:
    /// the one with the lowest index. `None` if there is no win (or loss).
    pub fn longest(&self, turn: Color, win: bool) -> Option<Squares> {
        let values = &self.values[turn as usize];
        let counts = |&(_, &byte): &(usize, &u8)| match Value::from_byte(byte) {
            Some(Value::Win(_)) => win,
            Some(Value::Loss(_)) => !win,
            _ => false,
        };
        // Of equal elements `max_by_key` returns the last, so the iteration is reversed.
        let longest = values.iter().enumerate().filter(counts).rev();
        let (index, _) = longest.max_by_key(|(_, byte)| **byte)?;
        Some(self.layout.squares(index))
    }
}
