//! Ordinals without lists: how many legal moves there are, which number one carries, which move
//! carries a number.
//!
//! The canonical order goes by origin square (a1, b1, … h8), then destination square in the same
//! order, then promotion to bishop, knight, queen, rook. The order is that of the squares, so a
//! move's ordinal is the number of moves from lower squares plus the number of lower
//! destinations of its own piece: both are counts over bitboards, and no list is ever built or
//! sorted. [`Legal::new`] works out once what legality depends on (checks, pins, attacked
//! squares) and counts; the rest are look-ups.
//!
//! Invariant: the moves numbered are exactly the legal ones, `nth` and `ordinal_and_count`
//! invert each other, and `nth` ascends in the order of [`Move`].

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square, attacks};

use super::moves::Move;
use super::pawns::{FILE_A, FILE_H, PROMOTIONS, PawnMoves, step};
use super::position::Position;

/// The legal moves of one position.
#[derive(Clone, Debug)]
pub struct Legal {
    position: Position,
    king: Square,
    /// Enemy pieces giving check.
    checkers: Bitboard,
    /// Where a piece other than the king may go: not onto its own side, and in check only where
    /// it ends the check.
    targets: Bitboard,
    /// Own pieces that shield their king from an enemy piece; they stay on its line.
    pinned: Bitboard,
    /// Where the king may step.
    king_steps: Bitboard,
    /// Canonical destinations of the legal castlings.
    castlings: Bitboard,
    pawns: PawnMoves,
    /// Moves from each square, pawns' left out: those are counted set-wise.
    piece_moves: [u8; 64],
    count: u32,
}

impl Legal {
    /// Works out the legal moves of a position.
    #[inline]
    pub fn new(position: &Position) -> Legal {
        let position = *position;
        let (us, them, occupied) = (position.us(), position.them(), position.occupied());
        let king = position.king(position.turn());
        let queens = position.by_role(Role::Queen);
        let diagonal = position.by_role(Role::Bishop) | queens;
        let straight = position.by_role(Role::Rook) | queens;

        // Seen from the king: what attacks it, and what would if one own piece were gone.
        let king_diagonal = attacks::bishop_attacks(king, occupied);
        let king_straight = attacks::rook_attacks(king, occupied);
        let checkers = them
            & ((king_diagonal & diagonal)
                | (king_straight & straight)
                | (attacks::knight_attacks(king) & position.by_role(Role::Knight))
                | (attacks::pawn_attacks(position.turn(), king) & position.by_role(Role::Pawn)));
        let through_diagonal = attacks::bishop_attacks(king, occupied ^ (king_diagonal & us));
        let through_straight = attacks::rook_attacks(king, occupied ^ (king_straight & us));
        let pinners = them & ((through_diagonal & diagonal) | (through_straight & straight));
        let mut pinned = Bitboard::EMPTY;
        for pinner in pinners {
            pinned |= attacks::between(king, pinner) & us;
        }

        let ends_check = match checkers.first() {
            None => Bitboard::FULL,
            Some(checker) if checkers.more_than_one() => {
                debug_assert!(them.contains(checker));
                Bitboard::EMPTY
            }
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        let attacked = attacked_by_them(&position, occupied ^ Bitboard::from_square(king));

        let mut legal = Legal {
            position,
            king,
            checkers,
            targets: ends_check & !us,
            pinned,
            king_steps: attacks::king_attacks(king) & !us & !attacked,
            castlings: Bitboard::EMPTY,
            pawns: PawnMoves::new(&position, king, pinned, ends_check),
            piece_moves: [0; 64],
            count: 0,
        };
        let may_castle = position.castling_rooks() & us;
        if may_castle.any() && checkers.is_empty() {
            legal.castlings = castlings(&position, king, may_castle, attacked);
        }
        legal.count_moves();
        legal
    }

    /// Fills in the counts.
    #[inline]
    fn count_moves(&mut self) {
        let (us, occupied) = (self.position.us(), self.position.occupied());
        let king_moves = (self.king_steps | self.castlings).count() as u32;
        self.piece_moves[self.king.to_usize()] = king_moves as u8;
        let mut count = king_moves + self.pawns.count(Bitboard::FULL);
        let mut tally = |origin: Square, reach: Bitboard| {
            let moves = (reach & self.targets).count() as u32;
            self.piece_moves[origin.to_usize()] += moves as u8;
            count += moves;
        };

        // One loop a kind of movement and none a piece: the loops' lengths hardly change from
        // move to move, while the order of pieces on the board would be a surprise every time.
        let queens = self.position.by_role(Role::Queen);
        let diagonal = (self.position.by_role(Role::Bishop) | queens) & us;
        let straight = (self.position.by_role(Role::Rook) | queens) & us;
        for origin in self.position.by_role(Role::Knight) & us & !self.pinned {
            tally(origin, attacks::knight_attacks(origin));
        }
        for origin in diagonal & !self.pinned {
            tally(origin, attacks::bishop_attacks(origin, occupied));
        }
        for origin in straight & !self.pinned {
            tally(origin, attacks::rook_attacks(origin, occupied));
        }
        if ((diagonal | straight) & self.pinned).any() {
            for origin in diagonal & self.pinned {
                let line = attacks::ray(self.king, origin);
                tally(origin, attacks::bishop_attacks(origin, occupied) & line);
            }
            for origin in straight & self.pinned {
                let line = attacks::ray(self.king, origin);
                tally(origin, attacks::rook_attacks(origin, occupied) & line);
            }
        }
        self.count = count;
    }

    /// The position these are the moves of.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The number of legal moves; zero in checkmate and stalemate.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The zero-based ordinal of a legal move, and the number of legal moves. The ordinal of an
    /// illegal move means nothing.
    #[inline]
    pub fn ordinal_and_count(&self, m: Move) -> (u32, u32) {
        let (from, to) = (m.from(), m.to());
        let lower = Bitboard((1 << from.to_u32()) - 1);
        let below: u32 = self
            .piece_moves
            .iter()
            .enumerate()
            .map(|(square, &moves)| u32::from(if square < from.to_usize() { moves } else { 0 }))
            .sum();
        let before = self.destinations(from) & Bitboard((1 << to.to_u32()) - 1);
        let within = match m.promotion_field() {
            0 => before.count() as u32,
            promotion => before.count() as u32 * PROMOTIONS + promotion - 1,
        };
        (self.pawns.count(lower) + below + within, self.count)
    }

    /// The legal move with the zero-based ordinal `k`.
    ///
    /// # Panics
    /// When `k` is not below [`count`](Legal::count).
    #[inline]
    pub fn nth(&self, k: u32) -> Move {
        assert!(k < self.count, "no legal move {k} of {}", self.count);
        let mut left = k;
        for from in self.position.us() {
            let moves = u32::from(self.piece_moves[from.to_usize()]) + self.pawns.count_at(from);
            if left < moves {
                return self.nth_from(from, left);
            }
            left -= moves;
        }
        unreachable!("the counts of the origins add up to the count of moves")
    }

    /// The move numbered `k` among those from one square, which must have more than `k`.
    #[inline]
    fn nth_from(&self, from: Square, k: u32) -> Move {
        let mut destinations = self.destinations(from);
        let promotes = self.pawns.promoting.contains(from);
        let (place, promotion) = if promotes {
            (k / PROMOTIONS, k % PROMOTIONS + 1)
        } else {
            (k, 0)
        };
        for _ in 0..place {
            destinations.discard_first();
        }
        let to = Square::new(destinations.0.trailing_zeros() & 63);
        Move::promoting(from, to, promotion)
    }

    /// Whether a move is legal.
    pub fn contains(&self, m: Move) -> bool {
        self.position.us().contains(m.from())
            && self.destinations(m.from()).contains(m.to())
            && self.pawns.promoting.contains(m.from()) == m.promotion().is_some()
    }

    /// The canonical destinations of the legal moves from one square; none when the square does
    /// not hold a piece of the side to move.
    #[inline]
    pub fn destinations(&self, origin: Square) -> Bitboard {
        if !self.position.us().contains(origin) {
            return Bitboard::EMPTY;
        }
        let occupied = self.position.occupied();
        let reach = match self.position.role_at(origin) {
            None => Bitboard::EMPTY,
            Some(Role::Pawn) => return self.pawns.destinations(origin),
            Some(Role::King) => return self.king_steps | self.castlings,
            Some(Role::Knight) => attacks::knight_attacks(origin),
            Some(Role::Bishop) => attacks::bishop_attacks(origin, occupied),
            Some(Role::Rook) => attacks::rook_attacks(origin, occupied),
            Some(Role::Queen) => attacks::queen_attacks(origin, occupied),
        };
        if self.pinned.contains(origin) {
            reach & self.targets & attacks::ray(self.king, origin)
        } else {
            reach & self.targets
        }
    }

    /// The origins from which a knight, bishop, rook or queen can go to `to`.
    #[inline]
    pub(super) fn origins(&self, role: Role, to: Square) -> Bitboard {
        if !self.targets.contains(to) {
            return Bitboard::EMPTY;
        }
        let occupied = self.position.occupied();
        let reach = match role {
            Role::Knight => attacks::knight_attacks(to),
            Role::Bishop => attacks::bishop_attacks(to, occupied),
            Role::Rook => attacks::rook_attacks(to, occupied),
            Role::Queen => attacks::queen_attacks(to, occupied),
            Role::Pawn | Role::King => Bitboard::EMPTY,
        };
        let free = !self.pinned | attacks::ray(self.king, to);
        reach & self.position.by_role(role) & self.position.us() & free
    }

    /// The king's square and where it may step, castling left out.
    #[inline]
    pub(super) fn king_steps(&self) -> (Square, Bitboard) {
        (self.king, self.king_steps)
    }

    /// The castling move to one side.
    #[inline]
    pub(super) fn castling(&self, side: CastlingSide) -> Option<Move> {
        let higher = Bitboard(!0 << self.king.to_u32());
        let to = match side {
            CastlingSide::KingSide => self.castlings & higher,
            CastlingSide::QueenSide => self.castlings & !higher,
        };
        to.first().map(|to| Move::new(self.king, to, None))
    }

    /// The pawns' moves.
    #[inline]
    pub(super) fn pawns(&self) -> &PawnMoves {
        &self.pawns
    }
}

/// The canonical destinations of legal castlings with the given rooks, the king not in check.
#[inline]
fn castlings(position: &Position, king: Square, rooks: Bitboard, attacked: Bitboard) -> Bitboard {
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
            // The rook may have shielded the square that the king goes to.
            let attackers = position.attackers(king_to, blockers.with(rook_to));
            if (attackers & position.them()).is_empty() {
                destinations.add(rook);
            }
        }
    }
    destinations
}

/// Whether king and rook, both on their first rank, castle as in standard chess.
#[inline]
fn is_standard(king: Square, rook: Square) -> bool {
    use shakmaty::File;
    king.file() == File::E && matches!(rook.file(), File::A | File::H)
}

/// All squares the other side attacks when `occupied` squares block.
///
/// Sliding pieces are spread over the board all at once, doubling the distance three times in
/// each of eight directions: more work than a look-up for each piece, but with nothing to
/// predict and no table to miss.
#[inline]
fn attacked_by_them(position: &Position, occupied: Bitboard) -> Bitboard {
    let them = position.them();
    let queens = position.by_role(Role::Queen);
    let straight = ((position.by_role(Role::Rook) | queens) & them).0;
    let diagonal = ((position.by_role(Role::Bishop) | queens) & them).0;

    const SHIFTS: [u32; 4] = [8, 1, 9, 7];
    const ENTERED_UP: [u64; 4] = [!0, !FILE_A, !FILE_A, !FILE_H];
    const ENTERED_DOWN: [u64; 4] = [!0, !FILE_H, !FILE_H, !FILE_A];
    let sliders = [straight, straight, diagonal, diagonal];
    let mut attacked = 0;
    for i in 0..4 {
        let (shift, mask) = (SHIFTS[i], ENTERED_UP[i]);
        let mut open = !occupied.0 & mask;
        let mut spread = sliders[i];
        spread |= open & spread << shift;
        open &= open << shift;
        spread |= open & spread << (2 * shift);
        open &= open << (2 * shift);
        spread |= open & spread << (4 * shift);
        attacked |= spread << shift & mask;
    }
    for i in 0..4 {
        let (shift, mask) = (SHIFTS[i], ENTERED_DOWN[i]);
        let mut open = !occupied.0 & mask;
        let mut spread = sliders[i];
        spread |= open & spread >> shift;
        open &= open >> shift;
        spread |= open & spread >> (2 * shift);
        open &= open >> (2 * shift);
        spread |= open & spread >> (4 * shift);
        attacked |= spread >> shift & mask;
    }

    let knights = (position.by_role(Role::Knight) & them).0;
    let one = knights << 1 & !FILE_A | knights >> 1 & !FILE_H;
    let two = knights << 2 & !(FILE_A | FILE_A << 1) | knights >> 2 & !(FILE_H | FILE_H >> 1);
    attacked |= one << 16 | one >> 16 | two << 8 | two >> 8;

    let pawns = position.by_role(Role::Pawn) & them;
    let ahead = step(pawns, position.turn().fold_wb(56, 8)).0;
    attacked |= ahead << 1 & !FILE_A | ahead >> 1 & !FILE_H;

    let enemy = !position.turn();
    Bitboard(attacked) | attacks::king_attacks(position.king(enemy))
}

/// Black and White index [`Position`]'s sides by their numbers.
const _: () = assert!(Color::Black as usize == 0 && Color::White as usize == 1);
