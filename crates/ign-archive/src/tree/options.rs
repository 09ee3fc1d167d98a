//! What a tree has.

use shakmaty::Color;

/// The options of a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// The number of plies to follow, from 1.
    pub depth: usize,
    /// The number of games to list by rating.
    pub top_games: usize,
    /// The number of games to list by date.
    pub recent_games: usize,
    /// Whether to count results by month.
    pub history: bool,
    /// Whether counts have their first and last game.
    pub game_numbers: bool,
    /// The side whose performance is measured in all moves; `None` for the side that moves.
    pub side: Option<Color>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            depth: 1,
            top_games: 0,
            recent_games: 0,
            history: false,
            game_numbers: true,
            side: None,
        }
    }
}
