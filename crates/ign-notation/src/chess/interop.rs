//! Conversion of moves and positions to and from shakmaty.
//!
//! None of it generates moves: a move is converted by looking at its two squares.

use shakmaty::{
    Board, ByColor, ByRole, CastlingMode, Chess, FromSetup, Position as _, PositionError, Role,
    Setup,
};

use super::{
    moves::{Move, castling_destination},
    position::Position,
};

impl Move {
    /// The same move for shakmaty. The move must be legal in `position`; for any other move the
    /// result is unspecified.
    ///
    /// ```
    /// use ign_notation::chess::{Legal, Move, Position, san};
    ///
    /// let position = Position::default();
    /// let e4 = san::resolve(&Legal::new(&position), b"e4").unwrap();
    /// let theirs = e4.to_shakmaty(&position);
    /// assert_eq!(theirs.to_string(), "e2-e4");
    /// assert_eq!(Move::from_shakmaty(theirs), e4);
    /// ```
    pub fn to_shakmaty(self, position: &Position) -> shakmaty::Move {
        let to = self.to();
        if let Some(role) = self.dropped() {
            return shakmaty::Move::Put { role, to };
        }
        let from = self.from();
        if position.castling_side(self).is_some() {
            let rook = position.castling_rook(position.turn(), from, to);
            return shakmaty::Move::Castle { king: from, rook };
        }
        let role = position.role_at(from).unwrap_or(Role::Pawn);
        piece_move(self, role, position.role_at(to))
    }

    /// The same move from shakmaty.
    ///
    /// # Panics
    /// If the move promotes to a pawn or drops a king, which no rules allow.
    pub fn from_shakmaty(played: shakmaty::Move) -> Move {
        match played {
            shakmaty::Move::Normal {
                from,
                to,
                promotion,
                ..
            } => Move::new(from, to, promotion),
            shakmaty::Move::EnPassant { from, to } => Move::new(from, to, None),
            shakmaty::Move::Castle { king, rook } => {
                Move::new(king, castling_destination(king, rook), None)
            }
            shakmaty::Move::Put { role, to } => Move::drop(role, to),
        }
    }
}

/// A legal move of a piece of this role for shakmaty; neither castling nor a drop. `capture` is the
/// role on the destination.
pub(super) fn piece_move(played: Move, role: Role, capture: Option<Role>) -> shakmaty::Move {
    let (from, to) = (played.from(), played.to());
    if role == Role::Pawn && from.file() != to.file() && capture.is_none() {
        return shakmaty::Move::EnPassant { from, to };
    }
    shakmaty::Move::Normal {
        role,
        from,
        capture,
        to,
        promotion: played.promotion(),
    }
}

impl Position {
    /// The same position for shakmaty, with the move counters of a first move. `None` only if an
    /// illegal move was played.
    pub fn to_shakmaty(&self) -> Option<Chess> {
        let roles = ByRole::new_with(|role| self.by_role(role));
        let colors = ByColor::new_with(|color| self.by_color(color));
        let setup = Setup {
            board: Board::try_from_bitboards(roles, colors).ok()?,
            turn: self.turn(),
            castling_rights: self.castling_rooks(),
            ep_square: self.en_passant().first(),
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }

    /// The same position from shakmaty; its move counters are dropped.
    pub fn from_shakmaty(position: &Chess) -> Position {
        Position::from_parts(
            position.board(),
            position.turn(),
            position.castles().castling_rights(),
            shakmaty::Bitboard::from_iter(position.pseudo_legal_ep_square()),
        )
    }
}
