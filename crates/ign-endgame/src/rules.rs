//! Move generation for the few pieces of an endgame: forwards, to evaluate a position, and
//! backwards, to find the positions that lead to it.
//!
//! There is no castling: endgame tables do not cover castling rights.

use std::ops::ControlFlow;

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::{
    fold::Squares,
    material::{BLACK_KING, WHITE_KING},
};

/// The roles that a pawn can promote to.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The move generator of an endgame.
#[derive(Debug)]
pub struct Rules {
    pieces: Vec<Piece>,
}

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The squares of the pieces after the move; that of a captured piece is meaningless.
    pub squares: Squares,
    /// The index of the moved piece.
    pub piece: usize,
    /// The index of the captured piece.
    pub captured: Option<usize>,
    /// The role that a pawn promotes to.
    pub promotion: Option<Role>,
    /// After a double pawn step, the index of an enemy pawn next to it. Its en passant capture can
    /// still be illegal.
    pub en_passant_capturer: Option<usize>,
}

fn square(number: u8) -> Square {
    Square::new(u32::from(number & 63))
}

impl Rules {
    /// The rules for these pieces, in the order of a [`Material`](super::material::Material).
    pub fn new(pieces: &[Piece]) -> Self {
        Self {
            pieces: pieces.to_vec(),
        }
    }

    fn occupied(&self, squares: Squares) -> Bitboard {
        let squares = &squares[..self.pieces.len()];
        Bitboard(squares.iter().fold(0, |all, square| all | 1 << square))
    }

    fn attacks(&self, piece: usize, at: u8, occupied: Bitboard) -> Bitboard {
        attacks::attacks(square(at), self.pieces[piece], occupied)
    }

    /// The indices of the pieces of a colour.
    fn of(&self, color: Color) -> impl Iterator<Item = usize> {
        (0..self.pieces.len()).filter(move |&piece| self.pieces[piece].color == color)
    }

    fn piece_on(&self, squares: Squares, at: u8) -> Option<usize> {
        (0..self.pieces.len()).find(|&piece| squares[piece] == at)
    }

    /// Whether the king of `color` is attacked. The piece `captured` is not on the board.
    fn is_check(&self, squares: Squares, color: Color, captured: Option<usize>) -> bool {
        let king = squares[if color.is_white() {
            WHITE_KING
        } else {
            BLACK_KING
        }];
        let left = (0..self.pieces.len()).filter(|&piece| Some(piece) != captured);
        let occupied = Bitboard(left.fold(0, |all, piece| all | 1 << squares[piece]));
        let attacks = |piece: usize| {
            Some(piece) != captured
                && self
                    .attacks(piece, squares[piece], occupied)
                    .contains(square(king))
        };
        self.of(!color).any(attacks)
    }

    /// Whether a position is legal: the pieces are on different squares, no pawn is on the first
    /// or last rank, and the side that has just moved is not in check.
    pub fn is_legal(&self, squares: Squares, turn: Color) -> bool {
        self.occupied(squares).count() == self.pieces.len()
            && (0..self.pieces.len()).all(|piece| {
                self.pieces[piece].role != Role::Pawn || (1..7).contains(&(squares[piece] >> 3))
            })
            && !self.is_check(squares, !turn, None)
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, squares: Squares, turn: Color) -> bool {
        self.is_check(squares, turn, None)
    }

    /// Visits the legal moves, en passant excepted, until `visit` breaks. Returns whether it did.
    pub fn each_move(
        &self,
        squares: Squares,
        turn: Color,
        mut visit: impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = self.occupied(squares);
        for piece in self.of(turn) {
            let from = squares[piece];
            let mut go = |to: u8, captured: Option<usize>, en_passant_capturer: Option<usize>| {
                let mut step = Step {
                    squares,
                    piece,
                    captured,
                    promotion: None,
                    en_passant_capturer,
                };
                step.squares[piece] = to;
                if self.is_check(step.squares, turn, captured) {
                    return ControlFlow::Continue(());
                }
                if self.pieces[piece].role != Role::Pawn || (1..7).contains(&(to >> 3)) {
                    return visit(step);
                }
                PROMOTIONS.iter().try_for_each(|&role| {
                    step.promotion = Some(role);
                    visit(step)
                })
            };
            for to in self.attacks(piece, from, occupied) {
                let to = to.to_u32() as u8;
                match self.piece_on(squares, to) {
                    Some(other) if self.pieces[other].color == turn => {}
                    // Never a king: a position where the king can be captured is illegal.
                    Some(other) => go(to, Some(other), None)?,
                    None if self.pieces[piece].role == Role::Pawn => {}
                    None => go(to, None, None)?,
                }
            }
            if self.pieces[piece].role == Role::Pawn {
                let (single, double) = pawn_steps(turn, from);
                if occupied.contains(square(single)) {
                    continue;
                }
                go(single, None, None)?;
                if let Some(double) = double.filter(|&to| !occupied.contains(square(to))) {
                    go(
                        double,
                        None,
                        self.en_passant_capturer(squares, turn, double),
                    )?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The enemy pawn next to a pawn of `turn` that has made a double step to `to`.
    fn en_passant_capturer(&self, squares: Squares, turn: Color, to: u8) -> Option<usize> {
        self.of(!turn).find(|&piece| {
            let at = squares[piece];
            self.pieces[piece].role == Role::Pawn
                && at >> 3 == to >> 3
                && (at & 7).abs_diff(to & 7) == 1
        })
    }

    /// The en passant capture by pawn `capturer` of the pawn that has made the double step `step`,
    /// if it is legal.
    pub fn en_passant(&self, step: &Step, capturer: usize) -> Option<Step> {
        let turn = self.pieces[capturer].color;
        let mut squares = step.squares;
        // The square that the pawn has passed.
        squares[capturer] = step.squares[step.piece] ^ 8;
        let captured = Some(step.piece);
        (!self.is_check(squares, turn, captured)).then_some(Step {
            squares,
            piece: capturer,
            captured,
            promotion: None,
            en_passant_capturer: None,
        })
    }

    /// Visits the positions from which `mover` reaches this one without a capture or promotion.
    /// Some can be illegal. Double pawn steps that can be answered en passant are left out, since
    /// the position after them is not in a table.
    pub fn each_unmove(&self, squares: Squares, mover: Color, mut visit: impl FnMut(Squares)) {
        let occupied = self.occupied(squares);
        for piece in self.of(mover) {
            let at = squares[piece];
            let mut go = |from: u8| {
                let mut before = squares;
                before[piece] = from;
                visit(before);
            };
            if self.pieces[piece].role != Role::Pawn {
                for from in self.attacks(piece, at, occupied) & !occupied {
                    go(from.to_u32() as u8);
                }
                continue;
            }
            let single = if mover.is_white() { at - 8 } else { at + 8 };
            if occupied.contains(square(single)) {
                continue;
            }
            if (1..7).contains(&(single >> 3)) {
                go(single);
                let double = if mover.is_white() {
                    single - 8
                } else {
                    single + 8
                };
                if pawn_steps(mover, double).1 == Some(at)
                    && !occupied.contains(square(double))
                    && self.en_passant_capturer(squares, mover, at).is_none()
                {
                    go(double);
                }
            }
        }
    }
}

/// The targets of the single and the double step of a pawn of `color`.
fn pawn_steps(color: Color, from: u8) -> (u8, Option<u8>) {
    if color.is_white() {
        (from + 8, (from >> 3 == 1).then(|| from + 16))
    } else {
        (from - 8, (from >> 3 == 6).then(|| from - 16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Material;

    #[test]
    fn generates_double_steps_and_the_en_passant_captures_of_them() {
        // Kings a1 and h8, pawns e2 and f4.
        let rules = Rules::new(Material::parse("KPKP").unwrap().pieces());
        let mut steps = Vec::new();
        _ = rules.each_move([0, 63, 12, 29], Color::White, |step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        // Three king moves, e3 and e4.
        assert_eq!(steps.len(), 5);
        let double = steps.iter().find(|step| step.squares[2] == 28).unwrap();
        let capture = rules
            .en_passant(double, double.en_passant_capturer.unwrap())
            .unwrap();
        assert_eq!((capture.squares[3], capture.captured), (20, Some(2)));
    }

    #[test]
    fn generates_the_four_promotions() {
        // Kings a1 and h8, pawn b7.
        let rules = Rules::new(Material::parse("KPK").unwrap().pieces());
        let mut promotions = Vec::new();
        _ = rules.each_move([0, 63, 49, 0], Color::White, |step| {
            promotions.extend(step.promotion);
            ControlFlow::Continue(())
        });
        assert_eq!(promotions, PROMOTIONS);
    }
}
