//! Statistics of an endgame: how many positions are won, and in how many moves.

use shakmaty::Color;

use super::{intervals::View, numbering::Numbering, placement::fen, table::Table, value::Value};

/// The statistics of the positions with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Legal positions; exchanging equal pieces does not make another position.
    pub positions: u64,
    /// Positions in which neither side can force mate.
    pub drawn: u64,
    /// Wins of the side to move; element n counts the mates in n moves.
    pub wins: Vec<u64>,
    /// Losses of the side to move, likewise.
    pub losses: Vec<u64>,
    /// The FEN of a position with the longest win, if there are wins.
    pub longest_win: Option<String>,
    /// The FEN of a position with the longest loss, if there are losses.
    pub longest_loss: Option<String>,
}

impl Summary {
    /// The statistics of a table with `turn` to move.
    pub fn new(table: &Table, turn: Color) -> Self {
        let pieces = table.material().pieces().len();
        let view = View::new(table, turn, &Numbering::f1(pieces), &[]);
        let mut summary = Self::default();
        for (byte, positions) in view.histogram() {
            summary.positions += positions;
            let value = Value::from_byte(byte).unwrap_or(Value::Draw);
            let Some(moves) = value.moves() else {
                summary.drawn += positions;
                continue;
            };
            let wins = matches!(value, Value::Win(_));
            let list = if wins {
                &mut summary.wins
            } else {
                &mut summary.losses
            };
            if list.len() <= usize::from(moves) {
                list.resize(usize::from(moves) + 1, 0);
            }
            list[usize::from(moves)] += positions;
        }
        let example = |win| {
            table
                .longest(turn, win)
                .map(|squares| fen(table.material(), squares, turn))
        };
        summary.longest_win = example(true);
        summary.longest_loss = example(false);
        summary
    }

    /// The number of moves of the longest win, if there are wins.
    pub fn longest_win_moves(&self) -> Option<usize> {
        self.wins.len().checked_sub(1)
    }

    /// The number of moves of the longest loss, if there are losses.
    pub fn longest_loss_moves(&self) -> Option<usize> {
        self.losses.len().checked_sub(1)
    }
}
