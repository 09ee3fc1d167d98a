//! Retraction of moves: the positions from which one legal move leads to a position.
//!
//! The generator proposes every candidate: each role that can have been captured, each set of
//! castling rights that the move can have ended, each en passant right that it can have let
//! expire. It then plays the move forwards by the rules and keeps the candidates that arrive at
//! the position. So this module has to be complete, and only the move generator has to be correct.

use shakmaty::{Bitboard, Board, Color, Piece, Rank, Role, Square, attacks};

use super::packed::{MAX_PIECES, Packed, pack};
use ign_notation::chess::{Legal, Move, Position};

/// The roles that a capture can have removed.
const CAPTURABLE: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// Visits the positions from which a legal move leads to `position`, some of them several times.
/// Castling is that of standard chess, not Chess960.
pub fn predecessors(position: &Position, visit: &mut impl FnMut(Position)) {
    let goal = pack(position);
    let mover = !position.turn();
    let mut retraction = Retraction {
        position,
        board: board(position),
        mover,
        goal,
        visit,
    };
    for to in position.by_color(mover) {
        retraction.take_back(to);
    }
    retraction.take_back_castling();
}

struct Retraction<'a, V> {
    position: &'a Position,
    board: Board,
    /// The side that made the move.
    mover: Color,
    goal: Packed,
    visit: &'a mut V,
}

impl<V: FnMut(Position)> Retraction<'_, V> {
    /// Takes back a move of the piece on `to`.
    fn take_back(&mut self, to: Square) {
        let role = self.position.role_at(to).expect("an occupied square");
        let empty = !self.position.occupied();
        if role == Role::Pawn {
            self.take_back_pawn(to, None);
            return;
        }
        let piece = role.of(self.mover);
        for from in attacks::attacks(to, piece, self.position.occupied()) & empty {
            self.retract_from(from, to, piece, None, true);
        }
        if role != Role::King && to.rank() == self.mover.fold_wb(Rank::Eighth, Rank::First) {
            self.take_back_pawn(to, Some(role));
        }
    }

    /// Takes back a pawn's move to `to`, with a promotion if `promotion` is the role on `to`.
    fn take_back_pawn(&mut self, to: Square, promotion: Option<Role>) {
        let pawn = Role::Pawn.of(self.mover);
        let occupied = self.position.occupied();
        let home = self.mover.fold_wb(Rank::Second, Rank::Seventh);
        let step = self.mover.fold_wb(-8, 8);
        let behind = |square: Square| square.offset(step);
        for from in attacks::pawn_attacks(!self.mover, to) & !occupied {
            if !Bitboard::BACKRANKS.contains(from) {
                self.with_capture(from, to, pawn, promotion);
                self.en_passant(from, to);
            }
        }
        let Some(from) = behind(to).filter(|&from| !occupied.contains(from)) else {
            return;
        };
        if Bitboard::BACKRANKS.contains(from) {
            return;
        }
        self.retract_from(from, to, pawn, promotion, false);
        let far = behind(from).filter(|&far| !occupied.contains(far) && far.rank() == home);
        if let Some(far) = far {
            self.retract_from(far, to, pawn, None, false);
        }
    }

    /// Takes back a move without a capture and, if `captures`, those with one.
    fn retract_from(
        &mut self,
        from: Square,
        to: Square,
        piece: Piece,
        promotion: Option<Role>,
        captures: bool,
    ) {
        let mut board = self.board.clone();
        board.discard_piece_at(to);
        board.set_piece_at(from, piece);
        self.with_rights(&board, Move::new(from, to, promotion), from, None);
        if captures {
            self.with_capture(from, to, piece, promotion);
        }
    }

    fn with_capture(&mut self, from: Square, to: Square, piece: Piece, promotion: Option<Role>) {
        for role in CAPTURABLE {
            if role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
                continue;
            }
            let mut board = self.board.clone();
            board.set_piece_at(to, role.of(!self.mover));
            board.set_piece_at(from, piece);
            let rook = (role == Role::Rook).then_some(to);
            self.with_rights(&board, Move::new(from, to, promotion), from, rook);
        }
    }

    fn en_passant(&mut self, from: Square, to: Square) {
        let taken = Square::new(to.to_u32() ^ 8);
        let free = !self.position.occupied().contains(taken);
        if to.rank() == self.mover.fold_wb(Rank::Sixth, Rank::Third) && free {
            let mut board = self.board.clone();
            board.discard_piece_at(to);
            board.set_piece_at(from, Role::Pawn.of(self.mover));
            board.set_piece_at(taken, Role::Pawn.of(!self.mover));
            let castling = self.position.castling_rooks();
            self.check(
                &board,
                castling,
                Bitboard::from_square(to),
                Move::new(from, to, None),
            );
        }
    }

    fn take_back_castling(&mut self) {
        let rank = self.mover.backrank();
        let at = |file: u32| Square::new(file + 8 * rank.to_u32());
        for (king, rook, corner) in [(6, 5, 7), (2, 3, 0)] {
            let (king_to, rook_to, corner) = (at(king), at(rook), at(corner));
            let piece = |role: Role| Some(role.of(self.mover));
            let has_castled = self.board.piece_at(king_to) == piece(Role::King)
                && self.board.piece_at(rook_to) == piece(Role::Rook);
            if !has_castled {
                continue;
            }
            let mut board = self.board.clone();
            board.discard_piece_at(king_to);
            board.discard_piece_at(rook_to);
            board.set_piece_at(at(4), Role::King.of(self.mover));
            board.set_piece_at(corner, Role::Rook.of(self.mover));
            self.with_rights(&board, Move::new(at(4), king_to, None), at(4), None);
        }
    }

    /// Tries all castling rights that the move can have ended, those of the piece that left `from`
    /// and of a captured rook, each with all en passant rights that can have expired.
    fn with_rights(&mut self, board: &Board, played: Move, from: Square, rook: Option<Square>) {
        let mut ended = Bitboard::EMPTY;
        for color in Color::ALL {
            let rank = color.backrank().to_u32() * 8;
            let king = Square::new(rank + 4);
            for corner in [Square::new(rank), Square::new(rank + 7)] {
                let at_home = board.piece_at(king) == Some(Role::King.of(color))
                    && board.piece_at(corner) == Some(Role::Rook.of(color));
                if at_home && (from == king || from == corner || rook == Some(corner)) {
                    ended.add(corner);
                }
            }
        }
        for some in ended.carry_rippler() {
            let castling = self.position.castling_rooks() | some;
            self.check(board, castling, Bitboard::EMPTY, played);
            // Pawns that can just have made a double step and were not captured.
            let fourth = board.by_color(!self.mover)
                & board.pawns()
                & self.mover.fold_wb(Rank::Fifth, Rank::Fourth);
            for pawn in fourth {
                let skipped = Square::new(pawn.to_u32() ^ 8);
                let home = Square::new(pawn.to_u32() ^ 16);
                let free = (board.occupied() & (Bitboard::from(skipped) | Bitboard::from(home)))
                    .is_empty();
                let capturers = attacks::pawn_attacks(!self.mover, skipped)
                    & board.pawns()
                    & board.by_color(self.mover);
                if free && capturers.any() {
                    self.check(board, castling, Bitboard::from_square(skipped), played);
                }
            }
        }
    }

    /// Visits the position before the move if the move is legal there and leads to the goal.
    fn check(&mut self, board: &Board, castling: Bitboard, en_passant: Bitboard, played: Move) {
        let before = Position::from_parts(board, self.mover, castling, en_passant);
        if before.occupied().count() > MAX_PIECES || before.leaves_check() {
            return;
        }
        let legal = Legal::new(&before);
        if !legal.contains(played) {
            return;
        }
        let mut after = before;
        after.play(played);
        if pack(&after) == self.goal {
            (self.visit)(before);
        }
    }
}

fn board(position: &Position) -> Board {
    let mut board = Board::empty();
    for square in position.occupied() {
        let piece = position.piece_at(square).expect("an occupied square");
        board.set_piece_at(square, piece);
    }
    board
}
