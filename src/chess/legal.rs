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
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(king, checker) | checkers,
        };
        let targets = ends_check & !us;

        let steps = attacks::king_attacks(king) & !us;
        let may_castle = position.castling_rooks() & us;
        let attacked = if (steps | may_castle).any() {
            attacked_by_them(position, occupied ^ Bitboard::from_square(king))
        } else {
            Bitboard::EMPTY
        };
        let castlings = if may_castle.any() && checkers.is_empty() {
            castlings(position, king, may_castle, attacked)
        } else {
            Bitboard::EMPTY
        };
        let king_steps = steps & !attacked;
        let king_moves = (king_steps | castlings).count() as u32;

        let pawns = PawnMoves::new(position, king, pinned, ends_check);
        let mut count = king_moves + pawns.count(Bitboard::FULL);
        let mut piece_moves = [0; 64];
        piece_moves[king.to_usize()] = king_moves as u8;
        each_reach(position, king, pinned, |origin, reach| {
            let moves = (reach & targets).count() as u32;
            piece_moves[origin.to_usize()] += moves as u8;
            count += moves;
        });
        // The position is copied and the struct written only now: right after a move was played,
        // or the counts stored, the processor would wait for those stores.
        Legal {
            position: *position,
            king,
            checkers,
            targets,
            pinned,
            king_steps,
            castlings,
            pawns,
            piece_moves,
            count,
        }
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
        if origin == self.king {
            return self.king_steps | self.castlings;
        }
        // Which role it is cannot be predicted, so we look up every way of moving and keep what
        // the piece has of it: all of one, of both for a queen, of none for a pawn.
        let position = &self.position;
        let occupied = position.occupied();
        let queens = position.by_role(Role::Queen);
        let if_in = |set: Bitboard| Bitboard(0u64.wrapping_sub(set.0 >> origin.to_u32() & 1));
        let mut reach = (attacks::knight_attacks(origin) & if_in(position.by_role(Role::Knight)))
            | (attacks::bishop_attacks(origin, occupied)
                & if_in(position.by_role(Role::Bishop) | queens))
            | (attacks::rook_attacks(origin, occupied)
                & if_in(position.by_role(Role::Rook) | queens));
        if self.pinned.contains(origin) {
            reach &= attacks::ray(self.king, origin);
        }
        (reach & self.targets) | self.pawns.destinations(origin)
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

/// Visits the own knights, bishops, rooks and queens with where they reach, pins respected;
/// queens twice, once for each way they move.
///
/// One loop a kind of movement, and none over the board: the loops' lengths hardly change from
/// move to move, while the order of pieces on the board would be a surprise every time.
#[inline]
fn each_reach(
    position: &Position,
    king: Square,
    pinned: Bitboard,
    mut visit: impl FnMut(Square, Bitboard),
) {
    let (us, occupied) = (position.us(), position.occupied());
    let queens = position.by_role(Role::Queen);
    let diagonal = (position.by_role(Role::Bishop) | queens) & us;
    let straight = (position.by_role(Role::Rook) | queens) & us;
    for origin in position.by_role(Role::Knight) & us & !pinned {
        visit(origin, attacks::knight_attacks(origin));
    }
    for origin in diagonal & !pinned {
        visit(origin, attacks::bishop_attacks(origin, occupied));
    }
    for origin in straight & !pinned {
        visit(origin, attacks::rook_attacks(origin, occupied));
    }
    if ((diagonal | straight) & pinned).any() {
        for origin in diagonal & pinned {
            let line = attacks::ray(king, origin);
            visit(origin, attacks::bishop_attacks(origin, occupied) & line);
        }
        for origin in straight & pinned {
            let line = attacks::ray(king, origin);
            visit(origin, attacks::rook_attacks(origin, occupied) & line);
        }
    }
}

/// All squares the other side attacks when `occupied` squares block.
#[inline]
fn attacked_by_them(position: &Position, occupied: Bitboard) -> Bitboard {
    let them = position.them();
    let queens = position.by_role(Role::Queen);
    let mut attacked = 0;
    for slider in (position.by_role(Role::Bishop) | queens) & them {
        attacked |= attacks::bishop_attacks(slider, occupied).0;
    }
    for slider in (position.by_role(Role::Rook) | queens) & them {
        attacked |= attacks::rook_attacks(slider, occupied).0;
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
