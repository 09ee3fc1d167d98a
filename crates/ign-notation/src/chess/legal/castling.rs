//! Legal castlings, standard and Chess960.

use shakmaty::{Bitboard, CastlingSide, File, Square, attacks};

use crate::chess::position::Position;

/// The canonical destinations of the legal castlings with these rooks. The king must not be in
/// check; `attacked` are the squares that the enemy attacks.
#[inline]
pub(super) fn castlings(
    position: &Position,
    king: Square,
    rooks: Bitboard,
    attacked: Bitboard,
) -> Bitboard {
    let us = position.turn();
    let occupied = position.occupied();
    let mut destinations = Bitboard::EMPTY;
    for rook in rooks {
        let side = CastlingSide::from_king_side(rook > king);
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        let blockers = occupied.without(king).without(rook);
        if ((king_path | rook_path) & blockers).any() || (king_path & attacked).any() {
            continue;
        }
        if is_standard(king, rook) {
            destinations.add(king_to);
        } else {
            // The rook may have shielded the king's destination from an attack.
            let attackers = position.attackers(king_to, blockers.with(rook_to));
            if (attackers & position.them()).is_empty() {
                destinations.add(rook);
            }
        }
    }
    destinations
}

/// Whether king and rook, both on their first rank, are on the files of standard chess.
#[inline]
fn is_standard(king: Square, rook: Square) -> bool {
    king.file() == File::E && matches!(rook.file(), File::A | File::H)
}
