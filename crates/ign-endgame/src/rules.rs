//! How the few men of an endgame move: forwards, to see what a position is worth, and backwards,
//! to see where it comes from.
//!
//! No castling: who still may castle is not in an endgame of these tables.

use std::ops::ControlFlow;

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::{
    fold::Squares,
    material::{BLACK_KING, WHITE_KING},
};

/// What a pawn may become.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The men of an endgame, which know how they move.
#[derive(Debug)]
pub struct Rules {
    men: Vec<Piece>,
}

/// A legal move.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where the men are afterwards. That of a man taken means nothing.
    pub squares: Squares,
    /// The man who moved.
    pub man: usize,
    /// The man who was taken.
    pub taken: Option<usize>,
    /// What a pawn has become.
    pub promotion: Option<Role>,
    /// The enemy pawn that may take this one in passing, if it wants to.
    pub taker: Option<usize>,
}

fn square(number: u8) -> Square {
    Square::new(u32::from(number & 63))
}

impl Rules {
    /// Of these men, the kings first.
    pub fn new(men: &[Piece]) -> Self {
        Self { men: men.to_vec() }
    }

    fn occupied(&self, squares: Squares) -> Bitboard {
        let men = &squares[..self.men.len()];
        Bitboard(men.iter().fold(0, |all, man| all | 1 << man))
    }

    fn attacks(&self, man: usize, at: u8, occupied: Bitboard) -> Bitboard {
        attacks::attacks(square(at), self.men[man], occupied)
    }

    fn of(&self, color: Color) -> impl Iterator<Item = usize> {
        (0..self.men.len()).filter(move |&man| self.men[man].color == color)
    }

    fn man_on(&self, squares: Squares, at: u8) -> Option<usize> {
        (0..self.men.len()).find(|&man| squares[man] == at)
    }

    /// Whether the king of `color` is attacked when man `gone` has left the board.
    fn is_check(&self, squares: Squares, color: Color, gone: Option<usize>) -> bool {
        let king = squares[if color.is_white() {
            WHITE_KING
        } else {
            BLACK_KING
        }];
        let left = (0..self.men.len()).filter(|&man| Some(man) != gone);
        let occupied = Bitboard(left.fold(0, |all, man| all | 1 << squares[man]));
        let attacks = |man: usize| {
            Some(man) != gone
                && self
                    .attacks(man, squares[man], occupied)
                    .contains(square(king))
        };
        self.of(!color).any(attacks)
    }

    /// Whether a position can be at all: every man on a square of his own, pawns between first and
    /// last rank, and the side that has just moved not in check.
    pub fn is_legal(&self, squares: Squares, turn: Color) -> bool {
        self.occupied(squares).count() == self.men.len()
            && (0..self.men.len()).all(|man| {
                self.men[man].role != Role::Pawn || (1..7).contains(&(squares[man] >> 3))
            })
            && !self.is_check(squares, !turn, None)
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self, squares: Squares, turn: Color) -> bool {
        self.is_check(squares, turn, None)
    }

    /// Visits the legal moves until `visit` has enough. Says whether it has.
    pub fn each_move(
        &self,
        squares: Squares,
        turn: Color,
        mut visit: impl FnMut(Step) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = self.occupied(squares);
        for man in self.of(turn) {
            let from = squares[man];
            let mut go = |to: u8, taken: Option<usize>, taker: Option<usize>| {
                let mut step = Step {
                    squares,
                    man,
                    taken,
                    promotion: None,
                    taker,
                };
                step.squares[man] = to;
                if self.is_check(step.squares, turn, taken) {
                    return ControlFlow::Continue(());
                }
                if self.men[man].role != Role::Pawn || (1..7).contains(&(to >> 3)) {
                    return visit(step);
                }
                PROMOTIONS.iter().try_for_each(|&role| {
                    step.promotion = Some(role);
                    visit(step)
                })
            };
            for to in self.attacks(man, from, occupied) {
                let to = to.to_u32() as u8;
                match self.man_on(squares, to) {
                    Some(other) if self.men[other].color == turn => {}
                    // A king is never taken: he was in check with the other side to move.
                    Some(other) => go(to, Some(other), None)?,
                    None if self.men[man].role == Role::Pawn => {}
                    None => go(to, None, None)?,
                }
            }
            if self.men[man].role == Role::Pawn {
                let (one, two) = steps(turn, from);
                if occupied.contains(square(one)) {
                    continue;
                }
                go(one, None, None)?;
                if let Some(two) = two.filter(|&two| !occupied.contains(square(two))) {
                    go(two, None, self.taker(squares, turn, two))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The enemy pawn beside a pawn of `turn` that has just gone two squares to `to`.
    fn taker(&self, squares: Squares, turn: Color, to: u8) -> Option<usize> {
        self.of(!turn).find(|&man| {
            let at = squares[man];
            self.men[man].role == Role::Pawn && at >> 3 == to >> 3 && (at & 7).abs_diff(to & 7) == 1
        })
    }

    /// The move of `taker` that takes in passing the pawn that has just made `step`, if legal.
    pub fn in_passing(&self, step: &Step, taker: usize) -> Option<Step> {
        let turn = self.men[taker].color;
        let behind = step.squares[step.man] ^ 8;
        let mut squares = step.squares;
        squares[taker] = behind;
        let taken = Some(step.man);
        (!self.is_check(squares, turn, taken)).then_some(Step {
            squares,
            man: taker,
            taken,
            promotion: None,
            taker: None,
        })
    }

    /// Visits the positions from which `mover` came to this one without taking or promoting; some
    /// may be illegal. A pawn's double step that can be answered in passing is left out, for it
    /// leads not just to this position.
    pub fn each_unmove(&self, squares: Squares, mover: Color, mut visit: impl FnMut(Squares)) {
        let occupied = self.occupied(squares);
        for man in self.of(mover) {
            let at = squares[man];
            let mut go = |from: u8| {
                let mut before = squares;
                before[man] = from;
                visit(before);
            };
            if self.men[man].role != Role::Pawn {
                for from in self.attacks(man, at, occupied) & !occupied {
                    go(from.to_u32() as u8);
                }
                continue;
            }
            let back = if mover.is_white() { at - 8 } else { at + 8 };
            if occupied.contains(square(back)) {
                continue;
            }
            if (1..7).contains(&(back >> 3)) {
                go(back);
                let far = if mover.is_white() { back - 8 } else { back + 8 };
                let double = steps(mover, far).1 == Some(at);
                if double
                    && !occupied.contains(square(far))
                    && self.taker(squares, mover, at).is_none()
                {
                    go(far);
                }
            }
        }
    }
}

/// One and two squares ahead of a pawn of `color`, two only where it may.
fn steps(color: Color, from: u8) -> (u8, Option<u8>) {
    if color.is_white() {
        (from + 8, (from >> 3 == 1).then(|| from + 16))
    } else {
        (from - 8, (from >> 3 == 6).then(|| from - 16))
    }
}
