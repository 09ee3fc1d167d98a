//! A game that is being played, whatever its rules, and the shares of what may happen next.
//!
//! The model knows chess. Of a variant all choices are alike (spec §4.2.3).

use crate::{
    chess::{
        Legal, Move,
        rules::{Board as _, LegalMoves},
        variant,
    },
    model::{Line, Scorer, Shares},
    notation::Game,
    pgn::start::Start,
};

/// A game as far as it has been played.
#[derive(Clone, Debug)]
pub enum Seat {
    /// One that the model knows.
    Chess(Line),
    /// One of a variant.
    Variant(variant::Board),
}

impl Seat {
    /// A game not begun.
    pub fn new(start: &Start) -> Self {
        match start {
            Start::Chess(start) => Self::Chess(Line::new(start)),
            Start::Variant(start) => Self::Variant(start.board.clone()),
        }
    }

    /// What both sides have on the board, as [`Position::material`](crate::chess::Position::material)
    /// counts it.
    pub fn material(&self) -> u32 {
        match self {
            Self::Chess(line) => line.position().material(),
            Self::Variant(board) => board.material(),
        }
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        match self {
            Self::Chess(line) => line.position().turn().is_white(),
            Self::Variant(board) => board.turn().is_white(),
        }
    }

    /// Asks the legal moves.
    pub fn ask<T>(&self, question: impl FnOnce(&dyn LegalMoves) -> T) -> T {
        match self {
            Self::Chess(line) => question(&Legal::new(line.position())),
            Self::Variant(board) => question(&board.legal()),
        }
    }

    /// Replaces `shares` by those of what may happen next.
    #[inline]
    pub fn share(&self, scorer: &mut Scorer, shares: &mut Shares) {
        match self {
            Self::Chess(line) => scorer.score(line, shares),
            Self::Variant(board) => shares.set_alike(board.legal().moves()),
        }
    }
}

impl Game for Seat {
    type Move = Move;

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        self.ask(|legal| legal.each(&mut |m| moves.push(m)));
    }

    #[inline]
    fn play(&mut self, played: Move) {
        match self {
            Self::Chess(line) => line.play(played),
            Self::Variant(board) => board.play(played),
        }
    }
}
