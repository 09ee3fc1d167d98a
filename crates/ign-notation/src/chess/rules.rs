//! The interface between the rules of a game and the code that reads, writes and numbers its moves.
//!
//! [`Position`] and [`Legal`] implement it for chess, without move lists. This is the hot path, and
//! generic code is compiled for them separately. [`variant::Board`](super::variant::Board) and
//! [`variant::Legal`](super::variant::Legal) implement it for the variants, with move lists.

use std::borrow::Cow;

use shakmaty::{Color, Role, Square};

use super::{
    legal::Legal,
    moves::Move,
    position::Position,
    san::{self, Naming, Plain, San},
    zobrist,
};

/// A position of chess or of a variant.
pub trait Board: Clone {
    /// Its legal moves.
    type Legal: LegalMoves;

    /// The legal moves here.
    fn legal(&self) -> Self::Legal;

    /// Plays a legal move, or the null move where the side to move
    /// [may pass](LegalMoves::may_pass). After an illegal move the position is unspecified.
    fn play(&mut self, played: Move);

    /// The side to move.
    fn turn(&self) -> Color;

    /// The position of chess; `None` for variants.
    fn as_chess(&self) -> Option<&Position>;
}

/// The legal moves of a position in canonical order (spec §8.1), and their SAN.
pub trait LegalMoves {
    /// The board, side to move, castling rights and en passant square, in variants too.
    fn board(&self) -> Cow<'_, Position>;

    /// The number of legal moves.
    fn count(&self) -> u32;

    /// Visits the legal moves in order.
    fn each(&self, visit: &mut dyn FnMut(Move));

    /// Whether the side to move may pass with the null move: in chess where it is not in check; with
    /// kings that the laws of chess do not allow, where neither side is.
    fn may_pass(&self) -> bool;

    /// The zero-based ordinal of a legal move, and the number of legal moves.
    fn ordinal_and_count(&self, m: Move) -> (u32, u32);

    /// [`ordinal_and_count`](Self::ordinal_and_count) of a legal move; `None` for the null move.
    #[inline]
    fn digit(&self, m: Move) -> Option<(u32, u32)> {
        (!m.is_null()).then(|| self.ordinal_and_count(m))
    }

    /// Calls `choose` with the number of legal moves and returns the move with the ordinal that it
    /// returns; `None` if it returns `None`. The ordinal must be below the number.
    ///
    /// # Errors
    /// Those of `choose`.
    fn pick<E>(
        &self,
        choose: impl FnOnce(u32) -> Result<Option<u32>, E>,
    ) -> Result<Option<Move>, E>
    where
        Self: Sized;

    /// The square on which the piece of a legal move ends; for castling, the g- or c-file; for the
    /// null move, a1.
    fn landing(&self, m: Move) -> Square;

    /// The Zobrist key of the position.
    fn key(&self) -> u64;

    /// Whether a legal move is a pawn move or a capture, after which no earlier position can recur;
    /// `None` in Crazyhouse, where captured pieces return. The null move is neither.
    fn is_progress(&self, m: Move) -> Option<bool>;

    /// The SAN suffix of the move that led here: `#` if it won the game, `+` for check.
    fn sign(&self) -> Option<u8>;

    /// As [`san::read_plain`].
    fn read_plain(&self, text: &[u8]) -> Option<Plain>;

    /// As [`san::resolve`].
    fn resolve(&self, token: &[u8]) -> Option<Move>;

    /// As [`san::write_with`].
    fn write_with(&self, naming: Naming, m: Move) -> San;
}

impl Board for Position {
    type Legal = Legal;

    #[inline]
    fn legal(&self) -> Legal {
        Legal::new(self)
    }

    #[inline]
    fn play(&mut self, played: Move) {
        Position::play(self, played);
    }

    #[inline]
    fn turn(&self) -> Color {
        Position::turn(self)
    }

    #[inline]
    fn as_chess(&self) -> Option<&Position> {
        Some(self)
    }
}

impl LegalMoves for Legal {
    #[inline]
    fn board(&self) -> Cow<'_, Position> {
        Cow::Borrowed(self.position())
    }

    #[inline]
    fn count(&self) -> u32 {
        Legal::count(self)
    }

    fn each(&self, visit: &mut dyn FnMut(Move)) {
        self.each_move(visit);
    }

    #[inline]
    fn may_pass(&self) -> bool {
        !self.is_check()
    }

    #[inline]
    fn ordinal_and_count(&self, m: Move) -> (u32, u32) {
        Legal::ordinal_and_count(self, m)
    }

    #[inline]
    fn pick<E>(
        &self,
        choose: impl FnOnce(u32) -> Result<Option<u32>, E>,
    ) -> Result<Option<Move>, E> {
        let numbering = self.numbering();
        Ok(choose(numbering.count())?.map(|ordinal| numbering.nth(ordinal)))
    }

    #[inline]
    fn landing(&self, m: Move) -> Square {
        if m.is_null() {
            return m.to();
        }
        self.position().landing(m)
    }

    fn key(&self) -> u64 {
        zobrist::key(self)
    }

    fn is_progress(&self, m: Move) -> Option<bool> {
        let position = self.position();
        let pawn = position.by_role(Role::Pawn).contains(m.from());
        Some(!m.is_null() && (pawn || position.them().contains(m.to())))
    }

    #[inline]
    fn sign(&self) -> Option<u8> {
        Legal::sign(self)
    }

    #[inline]
    fn read_plain(&self, text: &[u8]) -> Option<Plain> {
        san::read_plain(self, text)
    }

    #[inline]
    fn resolve(&self, token: &[u8]) -> Option<Move> {
        san::resolve(self, token)
    }

    #[inline]
    fn write_with(&self, naming: Naming, m: Move) -> San {
        san::write_with(naming, self, m)
    }
}
