//! What legality depends on, computed once for a position.

use std::hint::select_unpredictable;

use shakmaty::{Bitboard, CastlingSide, Role, Square, attacks};

use super::{
    castling,
    pawns::{PROMOTIONS, PawnMoves},
};
use crate::chess::{
    moves::Move,
    pawns,
    position::Position,
    rays,
    simd::{self, Words, Work},
    sliding,
};

/// The legal moves of one position.
///
/// Creating one computes checks, pins, king steps, castlings and pawn moves. Counting and
/// numbering are computed by the methods that need them; SAN needs neither.
#[derive(Clone, Debug)]
pub struct Legal {
    pub(super) position: Position,
    pub(super) movers: Movers,
    /// The king's square.
    pub(super) king: Square,
    /// The enemy pieces that give check.
    checkers: Bitboard,
    /// The possible destinations of pieces other than the king: no square of the own side, and in
    /// check only the squares that end it.
    pub(super) targets: Bitboard,
    /// The own pieces that shield their king from an enemy slider; they stay on its line.
    pub(super) pinned: Bitboard,
    /// The destinations of the king without castling.
    king_steps: Bitboard,
    /// The canonical destinations of the legal castlings.
    castlings: Bitboard,
    pub(super) pawns: PawnMoves,
}

/// The own pieces by the way they move, and the occupied squares. The position holds them too, but
/// reading them there would wait for the copy of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Movers {
    pub occupied: Bitboard,
    /// Rooks and queens.
    pub straight: Bitboard,
    /// Bishops and queens.
    pub diagonal: Bitboard,
    pub knights: Bitboard,
}

impl Legal {
    /// The legal moves of a position.
    #[inline]
    pub fn new(position: &Position) -> Legal {
        struct New<'a>(&'a Position);
        impl Work for New<'_> {
            type Output = Legal;
            #[inline(always)]
            fn on(self, simd: impl Words) -> Legal {
                Legal::with(simd, self.0)
            }
        }
        simd::here(New(position))
    }

    /// [`new`](Legal::new), inlined into its caller and its instruction set. Low-level: used by the
    /// move model.
    #[inline(always)]
    pub fn with(simd: impl Words, position: &Position) -> Legal {
        let (us, them, occupied) = (position.us(), position.them(), position.occupied());
        let king = position.king(position.turn());
        let queens = position.by_role(Role::Queen);
        let diagonal = position.by_role(Role::Bishop) | queens;
        let straight = position.by_role(Role::Rook) | queens;
        let enemies = rays::sliders(simd, them & straight, them & diagonal);

        // From the king along each direction: a first piece that is an enemy slider gives check; a
        // first piece of the own side is pinned if the next piece is an enemy slider.
        let on_king = simd.all(Bitboard::from_square(king).0);
        let seen = rays::slide(simd, on_king, occupied.0);
        let pins = rays::screens(simd, seen, us, enemies, occupied.0);
        let checking = simd.and(seen, enemies);
        // Most positions have neither. The branches are well predicted, so what follows need not
        // wait for the sets.
        let mut pinned = Bitboard::EMPTY;
        if simd.has_any(pins) {
            pinned = Bitboard(simd.any(pins));
        }
        let mut checkers = them
            & ((attacks::knight_attacks(king) & position.by_role(Role::Knight))
                | (attacks::pawn_attacks(position.turn(), king) & position.by_role(Role::Pawn)));
        let mut ends_check = Bitboard::FULL;
        if checkers.any() || simd.has_any(checking) {
            let lines = Bitboard(simd.any(simd.and_where_any(seen, checking)));
            checkers |= lines & them;
            ends_check = if checkers.more_than_one() {
                Bitboard::EMPTY
            } else {
                checkers | lines
            };
        }
        let targets = ends_check & !us;

        let without_king = occupied ^ Bitboard::from_square(king);
        let by_sliders = rays::slide(simd, enemies, without_king.0);
        let by_knights = rays::leap(simd, (them & position.by_role(Role::Knight)).0);
        let enemy = !position.turn();
        let [east, west] = pawns::attacked(enemy, them & position.by_role(Role::Pawn));
        let attacked = Bitboard(simd.any(simd.or(by_sliders, by_knights)))
            | east
            | west
            | attacks::king_attacks(position.king(enemy));
        let king_steps = attacks::king_attacks(king) & !us & !attacked;

        let mut castlings = Bitboard::EMPTY;
        if checkers.is_empty() {
            // A piece between king and rook always blocks castling.
            let mut rooks = position.castling_rooks() & us;
            for rook in rooks {
                let between = attacks::between(king, rook) & occupied;
                let rook = Bitboard::from_square(rook);
                rooks ^= select_unpredictable(between.any(), rook, Bitboard::EMPTY);
            }
            if rooks.any() {
                castlings = castling::castlings(position, king, rooks, attacked);
            }
        }
        let pawns = PawnMoves::new(position, king, pinned, ends_check);
        // The position is copied last: the stores of the move just played have then completed.
        Legal {
            position: *position,
            movers: Movers {
                occupied,
                straight: us & straight,
                diagonal: us & diagonal,
                knights: us & position.by_role(Role::Knight),
            },
            king,
            checkers,
            targets,
            pinned,
            king_steps,
            castlings,
            pawns,
        }
    }

    /// The position.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Whether the side to move is in check.
    #[inline]
    pub const fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The enemy pieces that give check.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The en passant square, if an en passant capture is legal.
    pub fn passing(&self) -> Option<Square> {
        let skipped = self.position.en_passant().first()?;
        let pawns = self.position.us() & self.position.by_role(Role::Pawn);
        let takes = |pawn| self.destinations(pawn).contains(skipped);
        pawns.into_iter().any(takes).then_some(skipped)
    }

    /// Whether the moves may include castling, a promotion or an en passant capture.
    #[inline]
    pub fn has_special(&self) -> bool {
        (self.castlings | self.pawns.promoting | self.position.en_passant()).any()
    }

    /// The canonical destinations of the king, castling included.
    #[inline]
    pub(super) fn king_moves(&self) -> Bitboard {
        self.king_steps | self.castlings
    }

    /// Whether a move is legal.
    pub fn contains(&self, m: Move) -> bool {
        self.position.us().contains(m.from())
            && self.destinations(m.from()).contains(m.to())
            && self.pawns.promoting.contains(m.from()) == m.promotion().is_some()
            && m.promotion_field() <= PROMOTIONS
    }

    /// The canonical destinations of the legal moves from one square; empty if no piece of the side
    /// to move is on it.
    #[inline]
    pub fn destinations(&self, origin: Square) -> Bitboard {
        if !self.position.us().contains(origin) {
            return Bitboard::EMPTY;
        }
        self.destinations_of_own(origin)
    }

    /// [`destinations`](Legal::destinations) of a square that has a piece of the side to move.
    #[inline(always)]
    pub(super) fn destinations_of_own(&self, origin: Square) -> Bitboard {
        // The role is unpredictable: compute every kind of move and mask those that the piece does
        // not have.
        let movers = self.movers;
        let if_in = |set: Bitboard, reach: Bitboard| {
            let mask = 0u64.wrapping_sub(set.0 >> origin.to_u32() & 1);
            Bitboard(reach.0 & mask)
        };
        let mut reach = if_in(movers.diagonal, sliding::bishop(origin, movers.occupied))
            | if_in(movers.straight, sliding::rook(origin, movers.occupied))
            | if_in(movers.knights, attacks::knight_attacks(origin));
        if self.pinned.contains(origin) {
            reach &= attacks::ray(self.king, origin);
        }
        (reach & self.targets)
            | if_in(Bitboard::from_square(self.king), self.king_moves())
            | self.pawns.destinations(origin)
    }

    /// The knights, bishops, rooks or queens that can move to `to`; empty for pawns and kings.
    #[inline]
    pub(in crate::chess) fn origins(&self, role: Role, to: Square) -> Bitboard {
        if !self.targets.contains(to) {
            return Bitboard::EMPTY;
        }
        // The role is unpredictable: compute the origins of all roles, then mask.
        let movers = self.movers;
        let of_all_roles = (attacks::knight_attacks(to) & movers.knights)
            | (sliding::bishop(to, movers.occupied) & movers.diagonal)
            | (sliding::rook(to, movers.occupied) & movers.straight);
        let origins = of_all_roles & self.position.by_role(role);
        if (origins & self.pinned).is_empty() {
            return origins;
        }
        origins & (!self.pinned | attacks::ray(self.king, to))
    }

    /// The king's square and its destinations without castling.
    #[inline]
    pub(in crate::chess) fn king_steps(&self) -> (Square, Bitboard) {
        (self.king, self.king_steps)
    }

    /// The castling move to one side, if it is legal.
    #[inline]
    pub(in crate::chess) fn castling(&self, side: CastlingSide) -> Option<Move> {
        let higher = Bitboard(!0 << self.king.to_u32());
        let to = match side {
            CastlingSide::KingSide => self.castlings & higher,
            CastlingSide::QueenSide => self.castlings & !higher,
        };
        to.first().map(|to| Move::new(self.king, to, None))
    }

    /// The pawn moves.
    #[inline]
    pub(in crate::chess) fn pawns(&self) -> &PawnMoves {
        &self.pawns
    }
}
