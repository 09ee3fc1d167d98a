//! Positions and moves in our representation and in shakmaty's.

use ign_notation::chess::{Move, Position};
use shakmaty::{CastlingMode, CastlingSide, Chess, FromSetup, Square};

/// Converts a move of shakmaty, by an independent implementation of the castling rule of [`Move`].
pub fn ours(m: shakmaty::Move) -> Move {
    let shakmaty::Move::Castle { king, rook } = m else {
        return Move::new(m.from().unwrap(), m.to(), m.promotion());
    };
    let standard = matches!(
        (king, rook),
        (Square::E1, Square::A1 | Square::H1) | (Square::E8, Square::A8 | Square::H8)
    );
    let to = match CastlingSide::from_king_side(king < rook) {
        _ if !standard => rook,
        CastlingSide::KingSide => king.offset(2).unwrap(),
        CastlingSide::QueenSide => king.offset(-2).unwrap(),
    };
    Move::new(king, to, None)
}

/// The position of a FEN in both representations.
pub fn both(fen: &str) -> (Position, Chess) {
    let setup = fen.parse::<shakmaty::fen::Fen>().unwrap().into_setup();
    let theirs = Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .or_else(shakmaty::PositionError::ignore_invalid_castling_rights)
        .unwrap();
    (Position::from_fen(fen.as_bytes()).unwrap(), theirs)
}

/// The Chess960 starting position with this Scharnagl number.
pub fn chess960(number: u32) -> (Position, Chess) {
    let board = shakmaty::Board::chess960(number);
    let rank = board.board_fen().to_string();
    both(&format!("{rank} w KQkq - 0 1"))
}
