//! A position in 24 bytes, the same for positions that are the same by the laws of chess.
//!
//! Occupied squares as a bitboard, then four bits for each, in their order: the piece; a rook that
//! may still castle; a pawn that may be taken in passing, if it legally may. The side to move is
//! told by the parity of the ply and left out.
//!
//! Invariant: two positions with the same side to move are packed alike if and only if they have
//! the same pieces on the same squares and the same moves are legal.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use ign_notation::chess::{Legal, Position};

/// The most men of a position that can be packed: those of the start.
pub const MAX_PIECES: usize = 32;

/// A packed position.
pub type Packed = [u64; 3];

/// A pawn that may be taken in passing.
const PASSING: u64 = 12;
/// A rook that may castle; Black's is one more.
const CASTLES: u64 = 13;

/// Packs a position of at most [`MAX_PIECES`] men.
///
/// # Panics
/// When there are more.
pub fn pack(position: &Position) -> Packed {
    let mut packed = [position.occupied().0, 0, 0];
    let passed = takeable(position);
    for (i, square) in position.occupied().into_iter().enumerate() {
        let piece = position.piece_at(square).expect("an occupied square");
        let black = u64::from(piece.color.is_black());
        let code = if position.castling_rooks().contains(square) {
            CASTLES + black
        } else if passed == Some(square) {
            PASSING
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
    let (mut castling, mut passing) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (i, square) in Bitboard(packed[0]).into_iter().enumerate() {
        let code = packed[1 + i / 16] >> (4 * (i % 16)) & 15;
        let piece = match code {
            PASSING => {
                let skipped = Square::new(square.to_u32() ^ 8);
                passing = Bitboard::from_square(skipped);
                Role::Pawn.of(!turn)
            }
            CASTLES.. => {
                castling.add(square);
                Role::Rook.of(Color::from_black(code > CASTLES))
            }
            code => Role::ALL[code as usize / 2].of(Color::from_black(code % 2 == 1)),
        };
        board.set_piece_at(square, piece);
    }
    Position::from_parts(&board, turn, castling, passing)
}

/// The square of a pawn that may legally be taken in passing.
fn takeable(position: &Position) -> Option<Square> {
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
    fn positions_come_back() {
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
    fn a_right_that_cannot_be_used_makes_no_difference() {
        // The pawn that could take is pinned; in the second it is not.
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
