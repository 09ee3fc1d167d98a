//! Numbering of the legal moves: ordinals, counts, and the move of an ordinal.

use std::hint::select_unpredictable;

use shakmaty::{Bitboard, Square};

use super::{
    moves::Legal,
    pawns::PROMOTIONS,
    select::{self, find, nth_square},
};
use crate::chess::{
    moves::Move,
    rays,
    simd::{self, Planes, Portable, Rays, Words, Work},
};

/// The legal moves of a position counted by origin: the index that finds the move of an ordinal.
#[derive(Clone, Debug)]
pub struct Numbering<'a> {
    legal: &'a Legal,
    /// The number of moves by direction and origin, without the king's.
    planes: Planes<Rays>,
    /// The number of moves from each rank, a byte each. Valid if there are at most
    /// [`select::MAX`] moves; more occur only in positions that no real game reaches.
    by_rank: u64,
    count: u32,
}

impl Legal {
    /// The number of legal moves; 0 in checkmate and stalemate. Each call counts again.
    #[inline]
    pub fn count(&self) -> u32 {
        self.numbering().count()
    }

    /// The SAN suffix of the move that led here: `+` for check, `#` for checkmate.
    #[inline]
    pub fn sign(&self) -> Option<u8> {
        if self.is_check() {
            self.sign_of(self.count())
        } else {
            None
        }
    }

    /// [`sign`](Legal::sign), given the number of legal moves.
    #[inline]
    pub fn sign_of(&self, count: u32) -> Option<u8> {
        let sign = if count == 0 { b'#' } else { b'+' };
        self.is_check().then_some(sign)
    }

    /// The zero-based ordinal of a legal move, and the number of legal moves. The ordinal of an
    /// illegal move is unspecified.
    #[inline]
    pub fn ordinal_and_count(&self, m: Move) -> (u32, u32) {
        struct Of<'a>(&'a Legal, Move);
        impl Work for Of<'_> {
            type Output = (u32, u32);
            #[inline(always)]
            fn on(self, simd: impl Words) -> (u32, u32) {
                self.0.ordinal_and_count_with(simd, self.1)
            }
        }
        simd::here(Of(self, m))
    }

    #[inline(always)]
    fn ordinal_and_count_with(&self, simd: impl Words, m: Move) -> (u32, u32) {
        let (from, to) = (m.from(), m.to());
        let below = |square: Square| Bitboard((1 << square.to_u32()) - 1);
        let [ones, twos, fours] = self.planes(simd);
        let below_from = simd.all(below(from).0);
        let lower = [
            simd.and(ones, below_from),
            simd.and(twos, below_from),
            simd.and(fours, below_from),
        ];
        let by_king = self.king_moves().count() as u32;
        let count = simd.total(simd.by_rank([ones, twos, fours])) + by_king;
        let before =
            simd.total(simd.by_rank(lower)) + select_unpredictable(self.king < from, by_king, 0);
        let destinations = (self.destinations_of_own(from) & below(to)).count() as u32;
        let within = match m.promotion_field() {
            0 => destinations,
            promotion => destinations * PROMOTIONS + promotion - 1,
        };
        (before + within, count)
    }

    /// The number of moves of every piece except the king, by direction and origin.
    #[inline(always)]
    fn planes<V: Words>(&self, simd: V) -> Planes<V::Rays> {
        let movers = self.movers;
        // A pinned slider moves along the line through its king.
        let free = simd.all(!self.pinned.0);
        let along = simd.or(free, simd.rays(*rays::through(self.king)));
        let sliders = simd.and(rays::sliders(simd, movers.straight, movers.diagonal), along);
        let check = self.is_check();
        let [ones, twos, fours] = rays::counts(simd, !movers.occupied.0, self.targets.0, check);
        let knights = simd.and(free, simd.all(movers.knights.0));
        let by_knights = simd.and(rays::leap_back(simd, self.targets.0), knights);
        // A square has one piece, so the planes of different pieces are disjoint: or is addition.
        let ones = simd.or(simd.and(ones, sliders), by_knights);
        let fours = simd.and(fours, sliders);
        let by_pawns = simd.rays(self.pawns.by_direction());
        let twos = simd.and(twos, sliders);
        let promoting = self.pawns.promoting;
        if promoting.is_empty() {
            return [simd.or(ones, by_pawns), twos, fours];
        }
        // A promoting pawn has four moves for each destination.
        let once = simd.and(by_pawns, simd.all(!promoting.0));
        let each = simd.and(by_pawns, simd.all(promoting.0));
        [simd.or(ones, once), twos, simd.or(fours, each)]
    }

    /// Counts the moves by origin, to find moves by ordinal.
    #[inline]
    pub fn numbering(&self) -> Numbering<'_> {
        struct Of<'a>(&'a Legal);
        impl<'a> Work for Of<'a> {
            type Output = Numbering<'a>;
            #[inline(always)]
            fn on(self, simd: impl Words) -> Numbering<'a> {
                self.0.numbering_with(simd)
            }
        }
        simd::here(Of(self))
    }

    /// [`numbering`](Legal::numbering), inlined into its caller and its instruction set.
    #[inline(always)]
    pub(in crate::chess) fn numbering_with(&self, simd: impl Words) -> Numbering<'_> {
        let [ones, twos, fours] = self.planes(simd);
        let by_rank = simd.by_rank([ones, twos, fours]);
        let by_king = self.king_moves().count() as u32;
        let of_king = u64::from(by_king) << (self.king.to_u32() & 56);
        Numbering {
            legal: self,
            planes: [simd.words(ones), simd.words(twos), simd.words(fours)],
            by_rank: simd.merged(by_rank).wrapping_add(of_king),
            count: simd.total(by_rank) + by_king,
        }
    }

    /// The legal move with the zero-based ordinal `k`. For several moves, or for the count too,
    /// [`numbering`](Legal::numbering) is faster.
    ///
    /// # Panics
    /// If `k` is not below [`count`](Legal::count).
    #[inline]
    pub fn nth(&self, k: u32) -> Move {
        self.numbering().nth(k)
    }
}

impl<'a> Numbering<'a> {
    /// The legal moves.
    #[inline]
    pub const fn legal(&self) -> &'a Legal {
        self.legal
    }

    /// The number of legal moves.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// The legal move with the zero-based ordinal `k`.
    ///
    /// # Panics
    /// If `k` is not below [`count`](Numbering::count).
    #[inline]
    pub fn nth(&self, k: u32) -> Move {
        struct Nth<'a>(&'a Numbering<'a>, u32);
        impl Work for Nth<'_> {
            type Output = Move;
            #[inline(always)]
            fn on(self, simd: impl Words) -> Move {
                self.0.nth_with(simd, self.1)
            }
        }
        simd::here(Nth(self, k))
    }

    /// [`nth`](Numbering::nth), inlined into its caller and its instruction set.
    #[inline(always)]
    pub(in crate::chess) fn nth_with(&self, simd: impl Words, k: u32) -> Move {
        assert!(k < self.count, "no legal move {k} of {}", self.count);
        if self.count > select::MAX {
            return self.nth_of_many(k);
        }
        let (rank, k) = find(self.by_rank, k);
        let (file, k) = find(self.moves_from_rank(simd, rank), k);
        self.nth_from(Square::new((8 * rank + file) & 63), k)
    }

    /// The number of moves from each square of a rank, a byte each.
    #[inline(always)]
    fn moves_from_rank(&self, simd: impl Words, rank: u32) -> u64 {
        let [ones, twos, fours] = self.planes;
        let planes = [simd.rays(ones), simd.rays(twos), simd.rays(fours)];
        let (king, steps) = (self.legal.king.to_u32(), self.legal.king_moves());
        let on_rank = select_unpredictable(king / 8 == rank, steps, Bitboard::EMPTY);
        let by_king = (on_rank.count() as u64) << (8 * (king & 7));
        simd.merged(simd.of_rank(planes, rank)) + by_king
    }

    /// [`nth`](Numbering::nth) for more than [`select::MAX`] moves.
    #[cold]
    fn nth_of_many(&self, k: u32) -> Move {
        let mut left = k;
        for from in Square::ALL {
            let (rank, file) = (from.to_u32() / 8, from.to_u32() % 8);
            let moves = (self.moves_from_rank(Portable, rank) >> (8 * file)) as u32 & 0xff;
            if left < moves {
                return self.nth_from(from, left);
            }
            left -= moves;
        }
        unreachable!("the counts of the origins add up to the count of moves")
    }

    /// The `k`-th move from one square, which must have more than `k`.
    #[inline(always)]
    fn nth_from(&self, from: Square, k: u32) -> Move {
        let destinations = self.legal.destinations_of_own(from);
        let (place, promotion) = if self.legal.pawns.promoting.contains(from) {
            (k / PROMOTIONS, k % PROMOTIONS + 1)
        } else {
            (k, 0)
        };
        Move::promoting(from, nth_square(destinations, place), promotion)
    }
}
