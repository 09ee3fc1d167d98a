//! Endgames: results, intervals, sizes of tables, and values of positions.

use std::collections::BTreeMap;

use serde::Serialize;

/// An endgame.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Endgame {
    /// The pieces.
    pub endgame: String,
    /// The results with White to move.
    pub white_to_move: Results,
    /// The results with Black to move.
    pub black_to_move: Results,
    /// The side to move in the intervals.
    pub side: String,
    /// The intervals of the numberings of the document, by their names.
    pub document: BTreeMap<String, u64>,
    /// The best numbering of each family that was searched.
    pub families: Vec<Family>,
    /// Bytes of the table in several forms; null if no numbering was searched.
    pub table_bytes: Option<TableBytes>,
}

/// The results with one side to move.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Results {
    /// Legal positions.
    pub positions: u64,
    /// Positions in which neither side can force mate.
    pub drawn: u64,
    /// Wins of the side to move, by the number of moves to mate, from 0.
    pub wins_by_moves: Vec<u64>,
    /// Losses of the side to move, likewise.
    pub losses_by_moves: Vec<u64>,
    /// Moves to mate of the longest win; null without wins.
    pub longest_win: Option<u64>,
    /// A position with the longest win; null without wins.
    pub longest_win_fen: Option<String>,
    /// Moves to mate of the longest loss; null without losses.
    pub longest_loss: Option<u64>,
    /// A position with the longest loss; null without losses.
    pub longest_loss_fen: Option<String>,
}

/// The best numbering of a family.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Family {
    #[serde(flatten)]
    pub numbering: Numbering,
    /// Orders that were tried.
    pub tried: u64,
    /// Whether all orders were tried.
    pub complete: bool,
    /// Positions that are numbered.
    pub positions: u64,
    /// Different values of these positions.
    pub values: u64,
}

/// A numbering of positions.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Numbering {
    /// The options of the numbering.
    pub kind: String,
    /// The order of the coordinates.
    pub order: String,
    /// Intervals of equal values.
    pub intervals: u64,
}

/// Bytes of a table.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TableBytes {
    /// One byte for each index.
    pub raw: u64,
    /// The same, compressed with zstd.
    pub raw_zstd: u64,
    /// One byte for each index of the best numbering, compressed with zstd.
    pub ordered_zstd: u64,
    /// Four bytes for each interval.
    pub searchable: u64,
    /// The file that `-o` writes.
    pub table_file: u64,
}

/// A table that `-o` wrote.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct IntervalTable {
    /// The pieces.
    pub endgame: String,
    /// The side to move.
    pub side: String,
    #[serde(flatten)]
    pub numbering: Numbering,
}

/// A position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Position {
    /// The position.
    pub fen: String,
    #[serde(flatten)]
    pub value: Value,
    /// The moves, the best first; null for a position of a table.
    pub moves: Option<Vec<Move>>,
}

/// A move in a position.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Move {
    /// The move.
    #[serde(rename = "move")]
    pub played: String,
    #[serde(flatten)]
    pub value: Value,
}

/// The value of a position, or of a move.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Value {
    /// The result for the side to move.
    pub result: Outcome,
    /// Moves to mate; null for a draw.
    pub moves_to_mate: Option<u8>,
}

/// A result.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}
