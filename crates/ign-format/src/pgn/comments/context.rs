//! Context of a comment and of a field in it: the ply, the moves of the game, the glyph.

use super::{glyph::Glyph, move_features::MoveFeatures};

/// The point of a game that a comment refers to.
#[derive(Debug, Clone, Copy)]
pub struct GamePoint<'a> {
    /// Number of plies played before the comment.
    pub ply: usize,
    /// Features of all moves of the game; empty if the moves are not known.
    pub moves: &'a [MoveFeatures],
}

impl GamePoint<'_> {
    /// Index of the last move played; `None` before the first.
    pub fn last_move(&self) -> Option<usize> {
        self.ply.checked_sub(1)
    }

    /// Key of the position, if it is known and belongs to the opening.
    pub fn opening_key(&self) -> Option<u64> {
        let played = self.moves.get(self.last_move()?)?;
        Some(played.key).filter(|&key| key != 0)
    }
}

/// Context of a field of a comment.
#[derive(Debug, Clone, Copy)]
pub struct FieldContext<'a> {
    /// Number of the comment's slot: its gap template and its place in that.
    pub slot: u32,
    /// Number of the field among the fields of all templates.
    pub field: u32,
    /// The point of the game.
    pub point: GamePoint<'a>,
    /// The glyph that annotates the last move.
    pub glyph: Glyph,
    /// Whether the field is the engine's evaluation of the position on the board.
    pub is_evaluation: bool,
}
