//! One position with what is known of it: the form in which threads hand positions on and in which
//! they are shuffled. [`PositionBatch`](super::PositionBatch) has the same values column by column.

use ign_notation::chess::Position;
use shakmaty::{Bitboard, Color, Square};

use crate::movetext::Eval;

/// A position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    /// The squares of White's pawns, knights, bishops, rooks, queens and kings, then of Black's.
    pub boards: [u64; 12],
    /// The number of the game, from 1.
    pub game: u64,
    /// The evaluation of the position.
    pub eval: Option<Eval>,
    /// The number of moves played before.
    pub ply: u32,
    /// The number of the next move, as in a FEN.
    pub fullmoves: u32,
    /// Milliseconds, or [`NO_CLOCK`](super::NO_CLOCK).
    pub clock: u32,
    /// The code of the move, or [`NO_MOVE`](super::NO_MOVE).
    pub played: u16,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u16,
    /// White's and Black's; 0 if not known.
    pub ratings: [u16; 2],
    pub castling: Castling,
    /// The square that a pawn may capture on, or -1.
    pub en_passant: i8,
    /// See [`result_code`](super::batch::result_code).
    pub result: i8,
    pub white_to_move: bool,
}

impl Row {
    /// Takes over the parts of a position, except castling rights.
    #[inline]
    pub fn set_position(&mut self, position: &Position) {
        self.boards = position.boards();
        self.white_to_move = position.turn().is_white();
        self.en_passant = match position.en_passant().first() {
            Some(square) => square.to_u32() as i8,
            None => -1,
        };
    }

    /// The position.
    pub fn position(&self) -> Position {
        let passing = u32::try_from(self.en_passant).ok().map(Square::new);
        Position::from_boards(
            &self.boards,
            Color::from_white(self.white_to_move),
            self.castling.rooks(),
            Bitboard::from_iter(passing),
        )
    }
}

/// Castling rights with the files of their rooks: for each of White's king side and queen side and
/// Black's king side and queen side, from the low bits up, four bits: 0, or 8 plus the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Castling(u16);

impl Castling {
    /// The rights of a position.
    pub fn of(position: &Position) -> Self {
        let mut rights = 0;
        for color in Color::ALL {
            let king = position.castling_king(color);
            for rook in position.castling_rooks() & position.by_color(color) {
                let is_queen_side = king.is_some_and(|king| rook < king);
                let place = color.fold_wb(0, 2) + u32::from(is_queen_side);
                rights |= (8 | rook.to_u32() as u16 & 7) << (4 * place);
            }
        }
        Self(rights)
    }

    /// The rights as bits: White's king side 1, White's queen side 2, Black's king side 4, Black's
    /// queen side 8.
    #[inline]
    pub fn bits(self) -> u8 {
        let has = |place: u32| (self.0 >> (4 * place + 3) & 1) << place;
        (has(0) | has(1) | has(2) | has(3)) as u8
    }

    /// The rooks.
    fn rooks(self) -> Bitboard {
        let rook = |place: u32| {
            let right = self.0 >> (4 * place) & 15;
            let rank = if place < 2 { 0 } else { 56 };
            u64::from(right >> 3) << (u32::from(right & 7) + rank)
        };
        Bitboard(rook(0) | rook(1) | rook(2) | rook(3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_every_part_of_its_position() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "1r2k1r1/8/8/8/8/8/8/R2K3R w HAgb - 0 1",
            "8/8/8/8/8/4k3/4p3/4K3 b - - 0 60",
        ] {
            let position = Position::from_fen(fen.as_bytes()).unwrap();
            let castling = Castling::of(&position);
            let mut row = Row {
                boards: [0; 12],
                game: 1,
                eval: None,
                ply: 0,
                fullmoves: 1,
                clock: 0,
                played: 0,
                halfmoves: 0,
                ratings: [0; 2],
                castling,
                en_passant: 0,
                result: 0,
                white_to_move: false,
            };
            row.set_position(&position);
            assert_eq!(row.position(), position, "{fen}");
            let rights = position.castling_rooks().count() as u32;
            assert_eq!(castling.bits().count_ones(), rights, "{fen}");
        }
        let position = Position::from_fen(b"r3k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1").unwrap();
        assert_eq!(Castling::of(&position).bits(), 2 | 4);
    }
}
