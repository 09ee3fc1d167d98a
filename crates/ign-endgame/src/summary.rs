//! What an endgame comes to: how many positions are won, how quickly, and what tables of it take.

use shakmaty::Color;

use super::{
    file::IntervalTable,
    intervals::{View, raw},
    numbering::Numbering,
    solve::Table,
    tables::fen,
    value::Value,
};
use ign_format::error::Result;

/// One side's positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Positions that are legal; two men alike on exchanged squares are one.
    pub positions: u64,
    /// Those in which nobody can force mate.
    pub drawn: u64,
    /// Wins of the side to move by moves to mate.
    pub wins: Vec<u64>,
    /// Its losses by moves to mate.
    pub losses: Vec<u64>,
    /// A position of the longest win, if there is one: a FEN.
    pub longest_win: Option<String>,
    /// A position of the longest loss.
    pub longest_loss: Option<String>,
}

impl Summary {
    /// Of a table with `turn` to move.
    pub fn new(table: &Table, turn: Color) -> Self {
        let men = table.material().men().len();
        let view = View::new(table, turn, &Numbering::document_1(men), &[]);
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

    /// Moves of the longest win; none if there is none.
    pub fn longest_win_moves(&self) -> Option<usize> {
        self.wins.len().checked_sub(1)
    }

    /// Moves of the longest loss.
    pub fn longest_loss_moves(&self) -> Option<usize> {
        self.losses.len().checked_sub(1)
    }
}

/// Level at which zstd compresses tables for comparison.
const LEVEL: i32 = 19;

/// Bytes that one side's table takes, one way and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// A byte for each number of F1.
    pub raw: u64,
    /// The same through zstd.
    pub raw_zstd: u64,
    /// A byte for each number of the better function, through zstd.
    pub ordered_zstd: u64,
    /// Four bytes for each interval: the last number in 24 bits, the value in 8.
    pub searchable: u64,
    /// The file of intervals.
    pub file: u64,
}

impl Sizes {
    /// Of a solved endgame and its interval table.
    ///
    /// # Errors
    /// Io, when zstd fails.
    pub fn new(table: &Table, intervals: &IntervalTable) -> Result<Self> {
        let first = Numbering::document_1(table.material().men().len());
        let view = View::new(table, intervals.turn(), &first, &[]);
        let document = raw(&view.intervals(&first));
        let zstd =
            |bytes: &[u8]| -> Result<u64> { Ok(zstd::bulk::compress(bytes, LEVEL)?.len() as u64) };
        Ok(Self {
            raw: document.len() as u64,
            raw_zstd: zstd(&document)?,
            ordered_zstd: zstd(&raw(intervals.intervals()))?,
            searchable: 4 * intervals.intervals().len() as u64,
            file: intervals.to_bytes().len() as u64,
        })
    }
}
