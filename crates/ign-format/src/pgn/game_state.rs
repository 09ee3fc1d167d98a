//! A game that is being played, whatever its rules, and the frequencies of what may happen next.
//!
//! The model knows chess. It is asked in variants too whose boards are those of chess, and what it
//! knows nothing of, drops, takes its frequency by number; in the others all choices are alike
//! (spec §4.2.3).

use super::start::Start;
use crate::model::{Frequencies, History, Scorer};
use ign_notation::{
    Game,
    chess::{
        self, Legal, Move,
        rules::{Board as _, LegalMoves},
        variant,
    },
};

/// A game as far as it has been played.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every game is the larger one"
)]
pub enum GameState {
    /// One that the model knows.
    Chess(History),
    /// One of a variant.
    Variant(Box<OfVariant>),
}

/// A game of a variant as far as it has been played.
#[derive(Clone, Debug)]
pub struct OfVariant {
    board: variant::Board,
    /// The same game as the model would see it, where its board is one of chess.
    line: Option<History>,
}

impl OfVariant {
    /// The position reached.
    pub fn board(&self) -> &variant::Board {
        &self.board
    }
}

impl GameState {
    /// A game not begun.
    pub fn new(start: &Start) -> Self {
        match start {
            Start::Chess(start) => Self::Chess(History::new(start)),
            Start::Variant(start) => {
                let line = start.board.position().map(|&position| {
                    History::new(&chess::Start {
                        position,
                        fullmoves: start.fullmoves,
                    })
                });
                Self::Variant(Box::new(OfVariant {
                    board: start.board.clone(),
                    line,
                }))
            }
        }
    }

    /// What both sides have on the board, as [`Position::material`](ign_notation::chess::Position::material)
    /// counts it.
    pub fn material(&self) -> u32 {
        match self {
            Self::Chess(line) => line.position().material(),
            Self::Variant(game) => game.board.material(),
        }
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        match self {
            Self::Chess(line) => line.position().turn().is_white(),
            Self::Variant(game) => game.board.turn().is_white(),
        }
    }

    /// Asks the legal moves.
    pub fn ask<T>(&self, question: impl FnOnce(&dyn LegalMoves) -> T) -> T {
        match self {
            Self::Chess(line) => question(&Legal::new(line.position())),
            Self::Variant(game) => question(&game.board.legal()),
        }
    }

    /// Replaces `frequencies` by those of what may happen next. Of several games that are played in
    /// turn each has its [place](Scorer::score_at).
    #[inline]
    pub fn frequency(&self, scorer: &mut Scorer, place: usize, frequencies: &mut Frequencies) {
        match self {
            Self::Chess(line) => scorer.score_at(place, line, frequencies),
            Self::Variant(game) => {
                let legal = game.board.legal();
                match &game.line {
                    Some(line) => {
                        scorer.score_at(place, line, frequencies);
                        frequencies.set_variant_moves(legal.moves());
                    }
                    None => frequencies.set_uniform(legal.moves()),
                }
            }
        }
    }
}

impl Game for GameState {
    type Move = Move;

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.clear();
        self.ask(|legal| legal.each(&mut |m| moves.push(m)));
    }

    #[inline]
    fn play(&mut self, played: Move) {
        match self {
            Self::Chess(line) => line.play(played),
            Self::Variant(game) => {
                game.board.play(played);
                if let Some(line) = &mut game.line {
                    line.play_or_drop(played);
                }
            }
        }
    }
}
