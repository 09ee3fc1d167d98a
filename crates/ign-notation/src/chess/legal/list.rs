//! Visits and lists the legal moves in canonical order.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::{moves::Legal, pawns::PROMOTIONS};
use crate::chess::{moves::Move, sliding};

impl Legal {
    /// Visits the legal moves in canonical order.
    #[inline]
    pub fn each_move(&self, mut visit: impl FnMut(Move)) {
        self.each_origin(|from, destinations, promotes| {
            let promotions = if promotes { 1..PROMOTIONS + 1 } else { 0..1 };
            for to in destinations {
                for promotion in promotions.clone() {
                    visit(Move::promoting(from, to, promotion));
                }
            }
        });
    }

    /// Replaces the content of `moves` by the legal moves, in canonical order. Returns the set of
    /// their origins.
    ///
    /// The number of moves of a piece is unpredictable, so moves are written eight at a time; the
    /// next piece overwrites the excess.
    #[inline(always)]
    pub fn list(&self, moves: &mut Vec<Move>) -> Bitboard {
        moves.clear();
        if self.pawns.promoting.any() {
            let mut origins = Bitboard::EMPTY;
            self.each_move(|played| {
                origins |= Bitboard::from_square(played.from());
                moves.push(played);
            });
            return origins;
        }
        let mut reach = [0u64; 64];
        reach[self.king.to_usize()] = self.king_moves().0;
        self.each_piece(|origin, destinations| reach[origin.to_usize()] = destinations.0);
        for origin in self.position.by_role(Role::Pawn) & self.position.us() {
            reach[origin.to_usize()] = self.pawns.destinations(origin).0;
        }
        let mut origins = 0;
        for origin in self.position.us() {
            origins |= u64::from(reach[origin.to_usize()] != 0) << origin.to_u32();
        }
        let mut count = 0;
        for origin in Bitboard(origins) {
            let mut left = reach[origin.to_usize()];
            let more = left.count_ones() as usize;
            if moves.len() < count + 32 {
                moves.resize(count + 128, Move::promoting(origin, origin, 0));
            }
            for eight in moves[count..].as_chunks_mut::<8>().0 {
                for played in eight {
                    // After the last destination this is no square; the entry is overwritten.
                    let square = Square::new(left.trailing_zeros() & 63);
                    *played = Move::promoting(origin, square, 0);
                    left &= left.wrapping_sub(1);
                }
                if left == 0 {
                    break;
                }
            }
            count += more;
        }
        moves.truncate(count);
        Bitboard(origins)
    }

    /// Visits the pieces that can move in the order of their squares: origin, canonical
    /// destinations, and whether the moves are promotions.
    #[inline(always)]
    pub fn each_origin(&self, mut visit: impl FnMut(Square, Bitboard, bool)) {
        let mut reach = [0u64; 64];
        reach[self.king.to_usize()] = self.king_moves().0;
        self.each_piece(|origin, destinations| reach[origin.to_usize()] = destinations.0);
        let pawns = self.position.by_role(Role::Pawn);
        for from in self.position.us() {
            let (destinations, promotes) = if pawns.contains(from) {
                let promotes = self.pawns.promoting.contains(from);
                (self.pawns.destinations(from), promotes)
            } else {
                (Bitboard(reach[from.to_usize()]), false)
            };
            if destinations.any() {
                visit(from, destinations, promotes);
            }
        }
    }

    /// Visits the own knights, bishops, rooks and queens with their destinations.
    ///
    /// One loop for each role is predictable: its length rarely changes from move to move. The
    /// order of the pieces on the board is not.
    #[inline(always)]
    fn each_piece(&self, mut visit: impl FnMut(Square, Bitboard)) {
        let (position, pinned, targets) = (&self.position, self.pinned, self.targets);
        let (us, occupied) = (position.us(), position.occupied());
        let free = us & !pinned;
        for origin in position.by_role(Role::Knight) & free {
            visit(origin, attacks::knight_attacks(origin) & targets);
        }
        for origin in position.by_role(Role::Bishop) & free {
            visit(origin, sliding::bishop(origin, occupied) & targets);
        }
        for origin in position.by_role(Role::Rook) & free {
            visit(origin, sliding::rook(origin, occupied) & targets);
        }
        for origin in position.by_role(Role::Queen) & free {
            let reach = sliding::bishop(origin, occupied) | sliding::rook(origin, occupied);
            visit(origin, reach & targets);
        }
        let movable = !(position.by_role(Role::Pawn) | position.by_role(Role::Knight));
        for origin in pinned & movable {
            visit(origin, self.destinations(origin));
        }
    }
}
