//! The trait that a game implements.

/// A position of a finite game of perfect information.
///
/// [`legal_moves`](Game::legal_moves) must be determined by the moves played from the start: each
/// legal move once, always in the same order. The order is part of the notation; a different order
/// gives different integers.
///
/// The provided methods list the moves. A game that can count or number its moves without listing
/// them overrides these methods; the results must be the same.
pub trait Game {
    /// A move, unambiguous in the position in which it is played.
    type Move: Copy + Eq;

    /// Replaces the content of `moves` by the legal moves in canonical order. No moves means that
    /// the position ends the game.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a legal move. For any other move it may panic or leave an unspecified position.
    fn play(&mut self, played: Self::Move);

    /// The number of legal moves, at most `u32::MAX - 1`.
    fn count(&self) -> u32 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len() as u32
    }

    /// The zero-based ordinal of a move and the number of legal moves; `None` if the move is
    /// illegal.
    fn ordinal(&self, wanted: Self::Move) -> Option<(u32, u32)> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let ordinal = moves.iter().position(|&legal| legal == wanted)?;
        Some((ordinal as u32, moves.len() as u32))
    }

    /// The move with this zero-based ordinal; `None` if there are not that many moves.
    fn nth(&self, ordinal: u32) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.get(ordinal as usize).copied()
    }
}

/// Plays the move with this ordinal, which must be below the number of moves, and appends it to
/// `moves`.
#[cfg(feature = "integers")]
pub(crate) fn play_nth<G: Game>(game: &mut G, ordinal: u32, moves: &mut Vec<G::Move>) {
    let played = game
        .nth(ordinal)
        .expect("an ordinal below the count of moves");
    game.play(played);
    moves.push(played);
}
