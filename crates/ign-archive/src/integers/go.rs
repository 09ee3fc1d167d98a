//! Moves of Go as text: two letters as in SGF; a pass is `pass`.

use super::Player;
use ign_format::{
    error::{Error, Result},
    model::Scorer,
    sgf,
};
use ign_notation::go::{Color, Move, Point, Position};

/// The text of a pass.
const PASS: &str = "pass";

impl Player for Position {
    fn resolve(&self, word: &[u8]) -> Option<Move> {
        let played = match word {
            word if word == PASS.as_bytes() => Move::Pass,
            letters => Move::Stone(Point::from_letters(letters)?),
        };
        self.is_legal(played).then_some(played)
    }

    fn name(&self, played: Move) -> String {
        match played {
            Move::Stone(point) => point.to_string(),
            Move::Pass => PASS.into(),
        }
    }

    fn sign(&self) -> Option<char> {
        None
    }

    fn white_to_move(&self) -> bool {
        self.turn() == Color::White
    }

    fn counts_each_move(&self) -> bool {
        true
    }

    fn result(&self) -> Option<&'static str> {
        None
    }

    /// The move model is one of chess, so all moves have equal weights.
    fn weigh(&self, _: &mut Scorer, weights: &mut Vec<u32>) {
        weights.clear();
        weights.resize(ign_notation::Game::count(self) as usize + 1, 1);
    }
}

/// The starting position of an SGF root node.
///
/// # Errors
/// Usage if the node determines none.
pub fn start(head: &str) -> Result<Position> {
    let wrong = || {
        Error::usage(format!("'{head}' is not a starting position of Go"))
            .with_remedy("write the root node of a record: (;SZ[9]), (;SZ[19]HA[2]AB[dp][pd])")
    };
    let mut games = sgf::game::read(head.as_bytes()).map_err(|_| wrong())?;
    match (games.pop(), games.is_empty()) {
        (Some(game), true) if game.moves.is_empty() => Ok(game.start),
        _ => Err(wrong()),
    }
}
