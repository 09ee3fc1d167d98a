//! What reading, writing and numbering the moves of a game ask of its rules.
//!
//! [`Position`] with [`Legal`] answers it for chess, without lists; that is the hot path, and it
//! is compiled for them alone. [`variant::Board`](super::variant::Board) answers it for the
//! variants, from lists of moves.

use shakmaty::{Color, Role, Square};

use super::{
    Legal, Move, Position, repetition,
    san::{self, Naming, Plain, San},
};

/// A position of a game that is played with chess pieces.
pub trait Board: Clone {
    /// Its legal moves.
    type Legal: LegalMoves;

    /// The legal moves here.
    fn legal(&self) -> Self::Legal;

    /// Plays a legal move. Any other leaves a board without meaning.
    fn play(&mut self, played: Move);

    /// The side to move.
    fn turn(&self) -> Color;

    /// The position, where the rules are those of chess.
    fn as_chess(&self) -> Option<&Position>;
}

/// The legal moves of a position in canonical order (spec §8.1), and their names.
pub trait LegalMoves {
    /// How many there are.
    fn count(&self) -> u32;

    /// Visits them in order.
    fn each(&self, visit: &mut dyn FnMut(Move));

    /// The zero-based ordinal of a legal move, and the number of legal moves.
    fn ordinal_and_count(&self, m: Move) -> (u32, u32);

    /// The move whose ordinal `choose` tells when it is told how many there are; none if it tells
    /// none. The ordinal must be below the number.
    ///
    /// # Errors
    /// Those of `choose`.
    fn pick<E>(
        &self,
        choose: impl FnOnce(u32) -> Result<Option<u32>, E>,
    ) -> Result<Option<Move>, E>
    where
        Self: Sized;

    /// The square where a legal move puts its piece: a castling king is on the g- or c-file.
    fn landing(&self, m: Move) -> Square;

    /// The Zobrist key of the position: see [`repetition`].
    fn key(&self) -> u64;

    /// Whether a legal move is a pawn's or a capture, behind which no earlier position comes back;
    /// none where pieces that were taken do.
    fn is_progress(&self, m: Move) -> Option<bool>;

    /// The sign that the move before demands: `#` where it won the game, `+` for check.
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
    fn count(&self) -> u32 {
        Legal::count(self)
    }

    fn each(&self, visit: &mut dyn FnMut(Move)) {
        self.each_move(visit);
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
        self.position().landing(m)
    }

    fn key(&self) -> u64 {
        repetition::key(self)
    }

    fn is_progress(&self, m: Move) -> Option<bool> {
        let position = self.position();
        let pawn = position.by_role(Role::Pawn).contains(m.from());
        Some(pawn || position.them().contains(m.to()))
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
