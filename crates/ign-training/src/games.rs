//! Games to train on.

use ign_format::{
    block::{Kind, decode::Block},
    error::Result,
    pgn::{game_state::GameState, start::Start},
};
use ign_notation::chess::{Move, variant::Variant};

/// A game for training or evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// `None` for the standard starting position of chess.
    pub start: Option<Box<Start>>,
    /// The moves, null moves included.
    pub moves: Box<[Move]>,
    /// The style of play that the model gives it.
    pub style: u8,
}

impl Game {
    /// The state before the first move.
    pub fn state(&self) -> GameState {
        match &self.start {
            None => GameState::new(&Start::default()),
            Some(start) => GameState::new(start),
        }
    }

    /// Whether the rules are those of chess; the starting position may be any.
    pub fn is_chess(&self) -> bool {
        (self.start.as_ref()).is_none_or(|start| start.as_chess().is_some())
    }

    /// The variant of the game, if the move model does not predict it: its moves have equal
    /// frequencies. Chess, if it starts with kings that its laws do not allow.
    pub fn unpredicted(&self) -> Option<Variant> {
        match self.start.as_deref() {
            Some(Start::Variant(start)) if start.board.position().is_none() => {
                Some(start.board.variant())
            }
            _ => None,
        }
    }
}

/// The games of a block that have moves, with style 0.
///
/// # Errors
/// Corrupt.
pub fn games_of(block: &Block) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    if block.kind() != Kind::Chess {
        return Ok(games);
    }
    block.walk_games(&block.records()?, |mut game| {
        let mut moves = Vec::new();
        game.moves
            .play(game.start, |_, played| moves.push(played))?;
        if !moves.is_empty() {
            games.push(Game {
                start: (*game.start != Start::default()).then(|| Box::new(game.start.clone())),
                moves: moves.into(),
                style: 0,
            });
        }
        Ok(())
    })?;
    Ok(games)
}
