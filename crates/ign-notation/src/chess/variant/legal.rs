//! The legal moves of a position of a variant: a sorted list.

use std::borrow::Cow;

use shakmaty::{CastlingSide, Color, Role, Square};

use super::{board::Board, names::Variant};
use crate::chess::{
    moves::Move,
    position::Position,
    rules::{self, LegalMoves},
    san::{self, Naming, Plain, San},
};

/// The legal moves of one position of a variant, in canonical order.
#[derive(Debug, Clone)]
pub struct Legal {
    board: Board,
    moves: Vec<Move>,
    sign: Option<u8>,
}

impl Legal {
    /// The legal moves of a position.
    pub fn new(board: &Board) -> Self {
        let (moves, sign) = board.legal_moves();
        Self {
            board: board.clone(),
            moves,
            sign,
        }
    }

    /// The moves in canonical order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Whether a move is of a piece of this role to this square; false for castling and drops.
    fn moves_to(&self, m: Move, role: Role, to: Square) -> bool {
        m.dropped().is_none()
            && m.to() == to
            && self.board.role_at(m.from()) == Some(role)
            && self.board.castling_side(m).is_none()
    }

    /// The move that matches, if there is exactly one.
    fn only(&self, matches: impl Fn(Move) -> bool) -> Option<Move> {
        let mut matching = self.moves.iter().copied().filter(|&m| matches(m));
        matching.next().filter(|_| matching.next().is_none())
    }
}

impl rules::Board for Board {
    type Legal = Legal;

    fn legal(&self) -> Legal {
        Legal::new(self)
    }

    fn play(&mut self, played: Move) {
        self.play_legal(played);
    }

    fn turn(&self) -> Color {
        self.side_to_move()
    }

    fn as_chess(&self) -> Option<&Position> {
        None
    }
}

impl LegalMoves for Legal {
    fn board(&self) -> Cow<'_, Position> {
        match self.board.bitboards() {
            Some(position) => Cow::Borrowed(position),
            None => Cow::Owned(self.board.to_chess()),
        }
    }

    fn count(&self) -> u32 {
        self.moves.len() as u32
    }

    fn each(&self, visit: &mut dyn FnMut(Move)) {
        self.moves.iter().copied().for_each(visit);
    }

    fn may_pass(&self) -> bool {
        self.board.may_pass()
    }

    fn ordinal_and_count(&self, m: Move) -> (u32, u32) {
        let ordinal = self.moves.binary_search(&m).unwrap_or_else(|place| place);
        (ordinal as u32, self.count())
    }

    fn pick<E>(
        &self,
        choose: impl FnOnce(u32) -> Result<Option<u32>, E>,
    ) -> Result<Option<Move>, E> {
        Ok(choose(self.count())?.map(|ordinal| self.moves[ordinal as usize]))
    }

    fn landing(&self, m: Move) -> Square {
        let turn = self.board.side_to_move();
        let side = self.board.castling_side(m);
        side.map_or(m.to(), |side| side.king_to(turn))
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn is_progress(&self, m: Move) -> Option<bool> {
        if self.board.variant() == Variant::Crazyhouse {
            return None;
        }
        let pawn = self.board.role_at(m.from()) == Some(Role::Pawn);
        Some(!m.is_null() && (pawn || self.board.them().contains(m.to())))
    }

    fn sign(&self) -> Option<u8> {
        self.sign
    }

    fn read_plain(&self, _: &[u8]) -> Option<Plain> {
        None
    }

    fn resolve(&self, token: &[u8]) -> Option<Move> {
        let token = san::without_signs(token);
        let side = match token {
            b"O-O" | b"0-0" => Some(CastlingSide::KingSide),
            b"O-O-O" | b"0-0-0" => Some(CastlingSide::QueenSide),
            _ => None,
        };
        if side.is_some() {
            return self.only(|m| self.board.castling_side(m) == side);
        }
        let (&first, rest) = token.split_first()?;
        if let [b'@', _, _] = rest {
            let dropped = Move::drop(
                san::role(first).filter(|&r| r != Role::King)?,
                san::square(&rest[1..])?,
            );
            return self.only(|m| m == dropped);
        }
        if let (b'@', [_, _]) = (first, rest) {
            let dropped = Move::drop(Role::Pawn, san::square(rest)?);
            return self.only(|m| m == dropped);
        }
        let (role, rest) = match san::role(first) {
            Some(role) => (role, rest),
            None => (Role::Pawn, token),
        };
        let (rest, promotion) = match rest {
            [rest @ .., b'=', letter] => (rest, Some(san::role(*letter)?)),
            [rest @ .., letter] if letter.is_ascii_uppercase() => (rest, Some(san::role(*letter)?)),
            _ => (rest, None),
        };
        if let Some(played) = san::move_of_squares(token)
            && self.moves.binary_search(&played).is_ok()
        {
            return Some(played);
        }
        let (to, from) = san::squares(rest)?;
        self.only(|m| {
            // A pawn move given by its destination alone is not a capture.
            let straight = role == Role::Pawn && rest.len() == 2;
            self.moves_to(m, role, to)
                && from.contains(m.from())
                && m.promotion() == promotion
                && (!straight || m.from().file() == to.file())
        })
    }

    fn write_with(&self, naming: Naming, m: Move) -> San {
        let to = m.to();
        if m.is_null() {
            return San::null();
        }
        if let Some(role) = m.dropped() {
            return San::drop(role, to);
        }
        if naming == Naming::Squares {
            return San::squares(m);
        }
        if let Some(side) = self.board.castling_side(m) {
            return San::castling(side);
        }
        let from = m.from();
        let role = self.board.role_at(from).unwrap_or(Role::Pawn);
        let is_rival = |rival: &&Move| role != Role::Pawn && self.moves_to(**rival, role, to);
        let rivals = self
            .moves
            .iter()
            .filter(is_rival)
            .map(|rival| rival.from())
            .filter(|&rival| rival != from)
            .collect();
        San::named(naming, role, m, rivals, self.board.them().contains(to))
    }
}
