//! What the model sees of each legal move: rows of the network's last layer, and traits
//! (spec §8.5.2).
//!
//! A *trait* is a small number that tells one thing about a move (what it captures and what then
//! hits back, what it does about the last move …); its table gives each value a score. A
//! *context* is the same with a row of the network's last layer for each value.

use shakmaty::{Role, Square, attacks};

use super::{
    line::Step,
    rows::ROW_OF,
    scene::Scene,
    tables::{CASTLING_ROWS, CONTEXT, CONTEXTS, NOWHERE, OPENINGS, PROMOTION_ROWS, TRAIT, TRAITS},
};
use crate::chess::{
    Move,
    pawns::{FILE_A, FILE_H},
};

const PAWN: usize = 0;
const KING: usize = 5;
/// Promotions in canonical order, and the piece each makes.
const PROMOTIONS: [Role; 4] = [Role::Bishop, Role::Knight, Role::Queen, Role::Rook];
const PROMOTED: [usize; 4] = [2, 1, 4, 3];
/// Openings last so many plies.
const OPENING_PLIES: u32 = 40;
const OPENING_FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// A legal move as the model sees it.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub played: Move,
    /// Its own row in the network's last layer, and those of its contexts.
    pub rows: [usize; 1 + CONTEXTS],
    /// Its entry in the table of each trait.
    pub traits: [usize; TRAITS],
}

/// What the moves of one piece have in common: where their rows and entries begin.
struct Origin {
    square: Square,
    from: usize,
    piece: usize,
    /// Where one's own last move came from and where the enemy's went, 64 for nowhere.
    own_from: usize,
    last_to: usize,
    shields: bool,
    /// The row of its first way to move, and all its ways on an empty board.
    row: usize,
    ways: u64,
    contexts: [usize; CONTEXTS],
    traits: [usize; TRAITS],
}

#[inline(always)]
const fn has(squares: u64, square: usize) -> usize {
    (squares >> square & 1) as usize
}

impl Scene<'_> {
    /// Visits the legal moves, in canonical order.
    #[inline(always)]
    pub fn choices(&self, mut visit: impl FnMut(Choice)) {
        self.legal.each_origin(|square, destinations, promotes| {
            let origin = self.origin(square);
            let promotions = if promotes { 1..=4 } else { 0..=0 };
            for destination in destinations {
                for promotion in promotions.clone() {
                    visit(self.choice(&origin, destination, promotion));
                }
            }
        });
    }

    /// What the moves from a square have in common.
    #[inline(always)]
    fn origin(&self, square: Square) -> Origin {
        let from = square.to_usize();
        let piece = usize::from(self.board[from]) - 1;
        let [last, own, before] = self.line.steps();
        let unless_none = |step: &Step, square: u8| match step.role {
            0 => 64,
            _ => usize::from(square),
        };
        let same = usize::from(unless_none(own, own.to) == from);
        let undone =
            usize::from(before.role != 0 && before.to == last.from && before.from == last.to);
        let saves = has(self.hanging.1, from);
        let risk = self.class(from) * 2 + has(self.ours.any, from);
        let last_kind = usize::from(last.role) * 2 + usize::from(last.taken != 0);
        // The relation to the last move: one part is the origin's alone.
        let flees = 2 * has(self.last_attacks, from);
        let enemy_king = usize::from(self.enemy_king[from]);
        let own_king = usize::from(self.own_king[from]);
        let phase = self.phase;
        let (row, ways) = ROW_OF[piece][from ^ self.turn];
        Origin {
            square,
            from,
            piece,
            own_from: unless_none(own, own.from),
            last_to: unless_none(last, last.to),
            shields: has(self.shields, from) == 1,
            row: usize::from(row),
            ways,
            contexts: [
                CONTEXT[0] + piece * 72,
                CONTEXT[1] + (piece * 48 + risk) * 2 + saves,
                CONTEXT[2] + ((piece * 16 + flees) * 2 + same) * 2,
                CONTEXT[3] + piece * 64,
            ],
            traits: [
                TRAIT[0] + (piece * 72 * 12 + risk) * 2,
                TRAIT[1] + self.landed(last) * 384 + piece * 64,
                TRAIT[2] + piece * 32,
                TRAIT[3] + ((last_kind * 16 + flees) * 6 + piece) * 2,
                TRAIT[4] + self.landed(own) * 384 + piece * 64,
                TRAIT[5]
                    + (((piece * 2 + same) * 4 + undone) * 2 + usize::from(self.back)) * 3
                    + phase,
                TRAIT[6] + (piece * 64 + enemy_king * 8) * 3 + phase,
                TRAIT[7] + (piece * 64 + own_king * 8) * 3 + phase,
                TRAIT[8],
                TRAIT[9],
                TRAIT[10] + (self.checker * 6 + piece) * 2,
                TRAIT[11] + piece * 64,
                TRAIT[12] + (phase * 6 + piece) * 30,
                TRAIT[13] + (self.hanging.0 * 2 + saves) * 72 + piece,
            ],
        }
    }

    #[inline(always)]
    fn choice(&self, origin: &Origin, destination: Square, promotion: usize) -> Choice {
        let position = self.line.position();
        let (from, piece) = (origin.from, origin.piece);
        let mut to = destination.to_usize();
        let mut victim = usize::from(self.board[to]);
        let mut guards = self.ours.twice;
        let mut pawn = 0;
        let mut aims = &self.aims[piece];
        let mut into = None;
        let turned = to ^ self.turn;
        let mut row = origin.row + (origin.ways & ((1 << turned) - 1)).count_ones() as usize;
        if piece == PAWN {
            if position.en_passant().contains(destination) {
                victim = 1;
            }
            if (from ^ to) & 7 == 0 {
                guards = self.ours.any;
            }
            if promotion != 0 {
                aims = &self.aims[PROMOTED[promotion - 1]];
                into = Some(PROMOTIONS[promotion - 1]);
                let side = (to & 7) + 1 - (from & 7);
                row = PROMOTION_ROWS + ((from & 7) * 3 + side) * 4 + promotion - 1;
            }
            let state = ((turned >> 3) * 2 + self.passed(to)) * 3 + self.phase;
            let attacked = has(self.theirs.any, to);
            pawn = 1 + (state * 2 + attacked) * 2 + has(guards, to);
        }
        let played = Move::new(origin.square, destination, into);
        if piece == KING && position.castling_side(played).is_some() {
            to = position.landing(played).to_usize();
            victim = 0;
            row = CASTLING_ROWS + usize::from(to < from);
        }
        let turned = to ^ self.turn;
        let attacked = has(self.theirs.any, to);
        let guarded = has(guards, to);
        let captures = usize::from(victim != 0);
        let exchange = (victim * 6 + self.class(to)) * 2 + guarded;

        let mut checks = has(aims[0], to);
        if origin.shields && !attacks::aligned(self.king, origin.square, Square::new(to as u32)) {
            checks += 2;
        }
        let check = usize::from(checks != 0);
        // The rest of the relation to the last move.
        let relation = (usize::from(to == origin.last_to) & captures)
            + 4 * has(self.aims_last[piece], to)
            + 8 * has(self.last_attacks, to);
        let targets =
            has(aims[1], to) + 2 * has(aims[2], to) + 4 * has(aims[3], to) + 8 * has(aims[4], to);
        let back = usize::from(origin.own_from == to);
        let mut opening = 0;
        if self.line.ply() < OPENING_PLIES {
            let mixed = (self.line.key() ^ (from * 64 + to) as u64).wrapping_mul(OPENING_FACTOR);
            opening = 1 + (mixed >> (64 - OPENINGS.trailing_zeros())) as usize;
        }
        let near_enemy = usize::from(self.enemy_king[to]);
        let near_own = usize::from(self.own_king[to]);

        let [a, b, c, d] = origin.contexts;
        let mut traits = origin.traits;
        for (entry, more) in traits.iter_mut().zip([
            exchange * 24 + check,
            turned,
            checks * 8 + attacked * 4 + guarded * 2 + captures,
            relation * 12 + attacked,
            turned,
            back * 12,
            near_enemy * 3,
            near_own * 3,
            pawn,
            opening,
            usize::from(self.checker != 0) & captures,
            targets * 4 + attacked * 2 + captures,
            victim * 5 + promotion,
            victim * 12 + check * 6,
        ]) {
            *entry += more;
        }
        Choice {
            played,
            rows: [
                row,
                a + exchange,
                b + checks * 24,
                c + relation * 4 + back,
                d + targets * 4 + (near_enemy - 1).min(3),
            ],
            traits,
        }
    }

    /// Role and turned square of where a move landed, as one number.
    #[inline(always)]
    fn landed(&self, step: &Step) -> usize {
        match step.role {
            0 => NOWHERE,
            role => (usize::from(role) - 1) * 64 + (usize::from(step.to) ^ self.turn),
        }
    }

    /// Whether no enemy pawn stands in the way of a pawn of ours on this square.
    #[inline(always)]
    fn passed(&self, square: usize) -> usize {
        let square = square ^ self.turn;
        let file = FILE_A << (square & 7);
        let files = file | (file << 1 & !FILE_A) | (file >> 1 & !FILE_H);
        let above = !0u64 << (square & 56) << 7 << 1;
        usize::from(self.enemy_pawns & files & above == 0)
    }
}
