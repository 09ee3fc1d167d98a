//! A position in 24 bytes.
//!
//! The first word is the bitboard of occupied squares. Four bits for each occupied square follow:
//! the piece, with codes of their own for a rook with the castling right and for a pawn that can
//! legally be captured en passant. The side to move is not stored; callers know it from the parity
//! of the ply.
//!
//! Invariant: two positions with the same side to move have equal bytes if and only if they have
//! the same pieces on the same squares and the same legal moves.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use ign_notation::chess::{Legal, Position};

/// The most pieces of a position that can be packed: those of the starting position.
pub const MAX_PIECES: usize = 32;

/// A packed position.
pub type Packed = [u64; 3];

/// The code of a pawn that can be captured en passant.
const EN_PASSANT: u64 = 12;
/// The code of a white rook with the castling right; that of a black one is one higher.
const CASTLING_ROOK: u64 = 13;

/// Packs a position of at most [`MAX_PIECES`] pieces.
///
/// # Panics
/// If there are more.
pub fn pack(position: &Position) -> Packed {
    let mut packed = [position.occupied().0, 0, 0];
    let en_passant = en_passant_pawn(position);
    for (i, square) in position.occupied().into_iter().enumerate() {
        let piece = position.piece_at(square).expect("an occupied square");
        let black = u64::from(piece.color.is_black());
        let code = if position.castling_rooks().contains(square) {
            CASTLING_ROOK + black
        } else if en_passant == Some(square) {
            EN_PASSANT
        } else {
            2 * (piece.role as u64 - 1) + black
        };
        packed[1 + i / 16] |= code << (4 * (i % 16));
    }
    packed
}

/// Unpacks a position with `turn` to move.
pub fn unpack(packed: Packed, turn: Color) -> Position {
    let mut board = Board::empty();
    let (mut castling, mut en_passant) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (i, square) in Bitboard(packed[0]).into_iter().enumerate() {
        let code = packed[1 + i / 16] >> (4 * (i % 16)) & 15;
        let piece = match code {
            EN_PASSANT => {
                let skipped = Square::new(square.to_u32() ^ 8);
                en_passant = Bitboard::from_square(skipped);
                Role::Pawn.of(!turn)
            }
            CASTLING_ROOK.. => {
                castling.add(square);
                Role::Rook.of(Color::from_black(code > CASTLING_ROOK))
            }
            code => Role::ALL[code as usize / 2].of(Color::from_black(code % 2 == 1)),
        };
        board.set_piece_at(square, piece);
    }
    Position::from_parts(&board, turn, castling, en_passant)
}

/// The square of a pawn that can legally be captured en passant.
fn en_passant_pawn(position: &Position) -> Option<Square> {
    let skipped = Legal::new(position).passing()?;
    Some(Square::new(skipped.to_u32() ^ 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn positions_round_trip() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w Kq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        ] {
            let position = position(fen);
            assert_eq!(unpack(pack(&position), position.turn()), position, "{fen}");
        }
    }

    #[test]
    fn an_en_passant_right_without_a_legal_capture_is_not_stored() {
        // The capturing pawn is pinned in the first pair and free in the second.
        for (with, without, same) in [
            (
                "8/8/8/K1pP3r/8/8/8/3k4 w - c6",
                "8/8/8/K1pP3r/8/8/8/3k4 w - -",
                true,
            ),
            (
                "8/8/8/K1pP4/8/8/8/3k4 w - c6",
                "8/8/8/K1pP4/8/8/8/3k4 w - -",
                false,
            ),
        ] {
            assert_eq!(
                pack(&position(with)) == pack(&position(without)),
                same,
                "{with}"
            );
        }
    }
}
