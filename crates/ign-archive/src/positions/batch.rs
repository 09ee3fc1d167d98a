//! Positions column by column.

use super::{
    column::{Columns, PositionColumn as Column},
    row::Row,
};
use crate::offsets::item;
use crate::{movetext::Eval, values::GameResult};

/// The move of a position in which none was played: the last of a game.
pub const NO_MOVE: u16 = u16::MAX;
/// The result of a game of which it is not known.
pub const UNKNOWN_RESULT: i8 = i8::MIN;
/// The clock of a move without one.
pub const NO_CLOCK: u32 = u32::MAX;
/// The evaluation, or the number of moves to mate, of a position without one.
pub const NO_EVAL: i32 = i32::MIN;

/// Some positions: a vector for each column, with a value for each position. Vectors of columns
/// that were not chosen are empty.
///
/// There are no nulls, but values that no position has otherwise, because arrays for training have
/// no nulls either: rating 0, move [`NO_MOVE`], en passant square -1, result [`UNKNOWN_RESULT`],
/// clock [`NO_CLOCK`], evaluations [`NO_EVAL`].
///
/// Squares are numbered a1, b1, … h8 from 0, as in shakmaty and python-chess; bit `n` of a bitboard
/// is square `n`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PositionBatch {
    /// The number of the game in its archive, from 1.
    pub game: Vec<u64>,
    /// The number of moves played before the position: 0 in the first position of a game.
    pub ply: Vec<u32>,
    /// Twelve bitboards for each position, one after the other: White's pawns, knights, bishops,
    /// rooks, queens and kings, then Black's.
    pub boards: Vec<u64>,
    /// Whether White is to move.
    pub white_to_move: Vec<bool>,
    /// Castling rights: White's king side 1, White's queen side 2, Black's king side 4, Black's
    /// queen side 8. In Chess960 the rook is not always the outermost; the columns of text name
    /// its file then.
    pub castling: Vec<u8>,
    /// The square that a pawn has just skipped, if an enemy pawn attacks it; otherwise -1. The
    /// capture may be illegal because of a pin.
    pub en_passant: Vec<i8>,
    /// Plies since the last capture or pawn move. In the first position it is that of the FEN tag,
    /// 0 if it has none.
    pub halfmoves: Vec<u16>,
    /// The number of the next move, as in a FEN.
    pub fullmoves: Vec<u32>,
    /// The move played, as a number of the table [`uci_moves`](crate::scan::uci_moves), or [`NO_MOVE`].
    pub played: Vec<u16>,
    /// The result, as of [`ScanColumn::Result`](crate::scan::ScanColumn::Result): 1 White wins, 0 draw, -1 Black
    /// wins, otherwise [`UNKNOWN_RESULT`].
    pub result: Vec<i8>,
    /// White's rating, or 0.
    pub white_elo: Vec<u16>,
    /// Black's rating, or 0.
    pub black_elo: Vec<u16>,
    /// The time left to the player after the move played, in milliseconds, or [`NO_CLOCK`].
    pub clock: Vec<u32>,
    /// The evaluation of the position in hundredths of a pawn from White's point of view, or
    /// [`NO_EVAL`]. A comment states it after the move that led to the position.
    pub cp: Vec<i32>,
    /// The number of moves to mate, negative if Black mates, or [`NO_EVAL`]. A position has at
    /// most one of the two.
    pub mate: Vec<i32>,
    /// The position as FEN.
    pub fen: TextRows,
    /// The first four fields of the FEN.
    pub epd: TextRows,
    /// The number of rows.
    len: usize,
}

/// Passes to a macro, for each column of single values, its vector and the value of a row.
macro_rules! values {
    ($with:ident) => {
        $with! {
            Game game |row| row.game,
            Ply ply |row| row.ply,
            WhiteToMove white_to_move |row| row.white_to_move,
            Castling castling |row| row.castling.bits(),
            EnPassant en_passant |row| row.en_passant,
            Halfmoves halfmoves |row| row.halfmoves,
            Fullmoves fullmoves |row| row.fullmoves,
            Move played |row| row.played,
            Result result |row| row.result,
            WhiteElo white_elo |row| row.ratings[0],
            BlackElo black_elo |row| row.ratings[1],
            Clock clock |row| row.clock,
            Eval cp |row| match row.eval {
                Some(Eval::Centipawns(cp)) => cp,
                _ => NO_EVAL,
            },
            Eval mate |row| match row.eval {
                Some(Eval::Mate(moves)) => moves,
                _ => NO_EVAL,
            },
        }
    };
}

impl PositionBatch {
    pub(super) fn with_capacity(columns: Columns, rows: usize) -> Self {
        let mut batch = Self::default();
        macro_rules! reserve {
            ($($column:ident $field:ident $value:expr,)*) => {
                $(if columns.has(Column::$column) {
                    batch.$field.reserve_exact(rows);
                })*
            };
        }
        values!(reserve);
        if columns.has(Column::Boards) {
            batch.boards.reserve_exact(12 * rows);
        }
        for (column, text) in [(Column::Fen, &mut batch.fen), (Column::Epd, &mut batch.epd)] {
            if columns.has(column) {
                text.reserve(rows);
            }
        }
        batch
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Appends rows, column by column: few enough that they stay in the cache.
    pub(super) fn extend<'r>(
        &mut self,
        columns: Columns,
        rows: impl ExactSizeIterator<Item = &'r Row> + Clone,
    ) {
        fn add<'r, T>(
            column: &mut Vec<T>,
            rows: impl Iterator<Item = &'r Row>,
            value: impl Fn(&Row) -> T,
        ) {
            column.extend(rows.map(value));
        }
        self.len += rows.len();
        if columns.has(Column::Boards) {
            let boards = &mut self.boards;
            rows.clone()
                .for_each(|row| boards.extend_from_slice(&row.boards));
        }
        macro_rules! add {
            ($($column:ident $field:ident $value:expr,)*) => {
                $(if columns.has(Column::$column) {
                    add(&mut self.$field, rows.clone(), $value);
                })*
            };
        }
        values!(add);
        if columns.has_any([Column::Fen, Column::Epd]) {
            rows.for_each(|row| self.write(columns, row));
        }
    }

    /// Appends the text of a row.
    fn write(&mut self, columns: Columns, row: &Row) {
        let position = row.position();
        if columns.has(Column::Epd) {
            self.epd.push(|out| position.append_fen_fields(out));
        }
        if columns.has(Column::Fen) {
            self.fen.push(|out| {
                position.append_fen_fields(out);
                for counter in [u32::from(row.halfmoves), row.fullmoves] {
                    out.push(b' ');
                    out.extend_from_slice(counter.to_string().as_bytes());
                }
            });
        }
    }
}

/// The code of a result: 1 White wins, 0 draw, -1 Black wins, otherwise [`UNKNOWN_RESULT`].
pub(super) fn result_code(result: Option<GameResult>) -> i8 {
    match result {
        Some(GameResult::WhiteWins) => 1,
        Some(GameResult::Draw) => 0,
        Some(GameResult::BlackWins) => -1,
        Some(GameResult::Unknown | GameResult::BothLose) | None => UNKNOWN_RESULT,
    }
}

/// A column of ASCII text. The buffers are those of an Arrow array of strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextRows {
    offsets: Vec<i32>,
    bytes: Vec<u8>,
}

impl Default for TextRows {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            bytes: Vec::new(),
        }
    }
}

impl TextRows {
    fn reserve(&mut self, rows: usize) {
        self.offsets.reserve(rows);
        // A FEN has about 60 characters.
        self.bytes.reserve(64 * rows);
    }

    /// Appends the text that `write` appends.
    fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.offsets.push(self.bytes.len() as i32);
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no texts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a row; `None` if there are fewer.
    pub fn get(&self, row: usize) -> Option<&str> {
        let bytes = self.bytes.get(item(&self.offsets, row)?)?;
        std::str::from_utf8(bytes).ok()
    }

    /// The offsets at which the texts start, and the end of the last, and the characters of all.
    pub fn into_parts(self) -> (Vec<i32>, Vec<u8>) {
        (self.offsets, self.bytes)
    }
}
