//! Crazyhouse: a chess position with pieces in hand.

use shakmaty::{Bitboard, ByColor, Role, attacks};

use crate::chess::{
    legal::Legal,
    moves::{DROPS, Move},
    position::Position,
};

/// A position of Crazyhouse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct House {
    /// The board.
    pub position: Position,
    /// The number of pieces in hand, in the order of [`DROPS`].
    pub hands: ByColor<[u8; DROPS.len()]>,
    /// The squares of promoted pieces, which are captured as pawns.
    pub promoted: Bitboard,
}

/// The index of a role in [`DROPS`].
fn in_hand(role: Role) -> usize {
    DROPS.iter().position(|&d| d == role).unwrap_or(0)
}

impl House {
    /// Plays a legal move or drop.
    pub fn play(&mut self, played: Move) {
        let turn = self.position.turn();
        let to = played.to();
        if let Some(role) = played.dropped() {
            let hand = &mut self.hands.get_mut(turn)[in_hand(role)];
            *hand = hand.saturating_sub(1);
            self.position.put(role, to);
            return;
        }
        let from = played.from();
        let position = &self.position;
        let taken = if position.them().contains(to) {
            let role = position.role_at(to);
            role.filter(|_| !self.promoted.contains(to))
                .or(Some(Role::Pawn))
        } else {
            let skips = position.en_passant().contains(to);
            (skips && position.role_at(from) == Some(Role::Pawn)).then_some(Role::Pawn)
        };
        if let Some(role) = taken {
            self.hands.get_mut(turn)[in_hand(role)] += 1;
        }
        let castles = position.castling_side(played).is_some();
        let was_pawn = self.promoted.contains(from) || played.promotion().is_some();
        self.promoted.discard(from);
        if !castles {
            self.promoted.set(to, was_pawn);
        }
        self.position.play(played);
    }

    /// Appends the legal drops, which follow the moves on the board.
    pub fn drops(&self, legal: &Legal, moves: &mut Vec<Move>) {
        let king = self.position.king(self.position.turn());
        let checkers = legal.checkers();
        let squares = match checkers.first() {
            None => !self.position.occupied(),
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker),
        };
        let hand = self.hands.get(self.position.turn());
        for (role, _) in DROPS.into_iter().zip(hand).filter(|&(_, &count)| count > 0) {
            let squares = match role {
                Role::Pawn => squares & !Bitboard::BACKRANKS,
                _ => squares,
            };
            moves.extend(squares.into_iter().map(|to| Move::drop(role, to)));
        }
    }
}
