//! Zobrist keys of chess positions.
//!
//! The key is the exclusive or of one random number for each piece on its square and for each
//! right (A. Zobrist 1970; D. Eppstein, document 003, see docs/sources.md). The numbers are
//! Polyglot's, from shakmaty. By the Laws of Chess (FIDE, article 9.2) two positions are the same
//! if the same side is to move, the same pieces are on the same squares and the same moves are
//! possible. Castling rights therefore count, and so does the en passant square if the capture is
//! legal.

use shakmaty::{
    CastlingSide, Color, Square,
    zobrist::{Zobrist64, ZobristValue},
};

use super::{legal::Legal, position::Position};

/// The Zobrist key of a position.
pub(super) fn key(legal: &Legal) -> u64 {
    key_of(legal.position(), legal.passing())
}

/// The Zobrist key of a position with this en passant square, if a capture there is legal. Kings
/// may be missing or many.
pub(super) fn key_of(position: &Position, passing: Option<Square>) -> u64 {
    let mut key = Zobrist64::default();
    for square in position.occupied() {
        if let Some(piece) = position.piece_at(square) {
            key ^= Zobrist64::zobrist_for_piece(square, piece);
        }
    }
    if position.turn().is_white() {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    for rook in position.castling_rooks() {
        let color = Color::from_white(position.by_color(Color::White).contains(rook));
        let is_king_side = position.castling_king(color).is_none_or(|king| rook > king);
        let side = CastlingSide::from_king_side(is_king_side);
        key ^= Zobrist64::zobrist_for_castling_right(color, side);
    }
    if let Some(skipped) = passing {
        key ^= Zobrist64::zobrist_for_en_passant_file(skipped.file());
    }
    key.0
}

#[cfg(test)]
mod tests {
    use shakmaty::{EnPassantMode, Position as _};

    use super::*;

    #[test]
    fn keys_equal_those_of_shakmaty() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
            // The pawn that could capture en passant is pinned.
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ] {
            let position = Position::from_fen(fen.as_bytes()).unwrap();
            let theirs = position
                .to_shakmaty()
                .unwrap()
                .zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
            assert_eq!(key(&Legal::new(&position)), theirs.0, "{fen}");
        }
    }
}
