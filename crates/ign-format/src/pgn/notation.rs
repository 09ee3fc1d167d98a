//! Detection of the notation that a game's moves are written in.
//!
//! A game is assumed to use the notation of the last one until a move shows otherwise.

use ign_notation::chess::{Move, rules::LegalMoves, san::Naming};

/// The notation of a game, as far as its moves have shown it. Only the first move can switch
/// between SAN and coordinate notation, because the moves before must stay as they are.
#[derive(Debug, Clone, Copy, Default)]
pub struct NotationDetector {
    /// The notation.
    pub naming: Naming,
    /// Whether a move has been read.
    has_move: bool,
    /// Whether a move has shown the disambiguation rule.
    is_settled: bool,
}

impl NotationDetector {
    /// Starts a game.
    pub fn begin(&mut self) {
        (self.has_move, self.is_settled) = (false, false);
    }

    /// Whether [`LegalMoves::read_plain`] may read the next move.
    #[inline]
    pub fn may_be_plain(&self) -> bool {
        !(self.has_move && self.naming == Naming::Squares)
    }

    /// Notes that it has read a move.
    #[inline]
    pub fn note_plain(&mut self) {
        if !self.has_move && self.naming == Naming::Squares {
            self.naming = Naming::Standard;
        }
        self.has_move = true;
    }

    /// Whether a move is written in the game's notation, which is adapted if the move allows it.
    #[inline]
    pub fn matches(&mut self, text: &[u8], played: Move, legal: &impl LegalMoves) -> bool {
        let matches = legal.write_with(self.naming, played).as_bytes() == text;
        let first = !std::mem::replace(&mut self.has_move, true);
        // Only disambiguation by rank shows the rule.
        let ranked = matches!(
            text,
            [b'N' | b'B' | b'R' | b'Q', b'1'..=b'8', ..] | [_, _, b'1'..=b'8', _, _, ..]
        );
        if ranked || (first && !matches) {
            self.settle(matches, first, text, played, legal)
        } else {
            matches
        }
    }

    #[cold]
    fn settle(
        &mut self,
        matches: bool,
        first: bool,
        text: &[u8],
        played: Move,
        legal: &impl LegalMoves,
    ) -> bool {
        let current = self.naming;
        let by_squares = |naming| naming == Naming::Squares;
        let may_be = |other| {
            other != current
                && (first || by_squares(other) == by_squares(current))
                && legal.write_with(other, played).as_bytes() == text
        };
        let mut others = Naming::ALL.into_iter().filter(|&other| may_be(other));
        match others.next() {
            // A move that several notations write alike shows nothing.
            Some(_) if matches => return true,
            Some(other) if !self.is_settled => self.naming = other,
            Some(_) => return false,
            None if !matches => return false,
            None => {}
        }
        self.is_settled = others.next().is_none();
        true
    }
}
