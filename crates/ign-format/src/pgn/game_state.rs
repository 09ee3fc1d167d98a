//! State of a game while it is replayed, for chess and its variants, and the frequencies of the
//! next move.
//!
//! The move model knows chess only. It also serves variants whose board is a chess board: moves
//! that chess does not have, drops, get frequencies independent of the model. In other variants,
//! and with kings that the laws of chess do not allow, all moves have equal frequencies (spec
//! §8.5.4).

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

/// State of a game.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every game is the larger one"
)]
pub enum GameState {
    /// Chess, which the move model knows.
    Chess(History),
    /// A variant.
    Variant(Box<VariantState>),
}

/// State of a game of a variant.
#[derive(Clone, Debug)]
pub struct VariantState {
    board: variant::Board,
    /// The game for the move model, if its board is a chess board.
    history: Option<History>,
}

impl VariantState {
    /// The current position.
    pub fn board(&self) -> &variant::Board {
        &self.board
    }
}

impl GameState {
    /// The state before the first move.
    pub fn new(start: &Start) -> Self {
        match start {
            Start::Chess(start) => Self::Chess(History::new(start)),
            Start::Variant(start) => {
                let history = start.board.position().map(|&position| {
                    History::new(&chess::Start {
                        position,
                        fullmoves: start.fullmoves,
                        halfmoves: start.halfmoves,
                    })
                });
                Self::Variant(Box::new(VariantState {
                    board: start.board.clone(),
                    history,
                }))
            }
        }
    }

    /// Material of both sides, as counted by
    /// [`Position::material`](ign_notation::chess::Position::material).
    pub fn material(&self) -> u32 {
        match self {
            Self::Chess(history) => history.position().material(),
            Self::Variant(game) => game.board.material(),
        }
    }

    /// The game for the move model; `None` in variants whose moves have equal frequencies.
    pub fn history(&self) -> Option<&History> {
        match self {
            Self::Chess(history) => Some(history),
            Self::Variant(game) => game.history.as_ref(),
        }
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        match self {
            Self::Chess(history) => history.position().turn().is_white(),
            Self::Variant(game) => game.board.turn().is_white(),
        }
    }

    /// Calls a function with the legal moves.
    pub fn with_legal<T>(&self, visit: impl FnOnce(&dyn LegalMoves) -> T) -> T {
        match self {
            Self::Chess(history) => visit(&Legal::new(history.position())),
            Self::Variant(game) => visit(&game.board.legal()),
        }
    }

    /// Replaces `frequencies` by those of the possible continuations. `place` is the game's
    /// [place](Scorer::score_at) among the games that are scored in turn.
    #[inline]
    pub fn score(&self, scorer: &mut Scorer, place: usize, frequencies: &mut Frequencies) {
        match self {
            Self::Chess(history) => scorer.score_at(place, history, frequencies),
            Self::Variant(game) => {
                let legal = game.board.legal();
                match &game.history {
                    Some(history) => {
                        scorer.score_at(place, history, frequencies);
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
        self.with_legal(|legal| legal.each(&mut |m| moves.push(m)));
    }

    #[inline]
    fn play(&mut self, played: Move) {
        match self {
            Self::Chess(history) => history.play(played),
            Self::Variant(game) => {
                game.board.play(played);
                if let Some(history) = &mut game.history {
                    history.play_or_drop(played);
                }
            }
        }
    }
}
