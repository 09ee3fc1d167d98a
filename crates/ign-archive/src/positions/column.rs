//! The columns of positions.

/// A column of a [`PositionScan`](crate::PositionScan).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PositionColumn {
    /// The number of the game.
    Game,
    /// The number of moves played before.
    Ply,
    /// Twelve bitboards.
    Boards,
    /// The side to move.
    WhiteToMove,
    /// Castling rights.
    Castling,
    /// The square on which a pawn may capture en passant.
    EnPassant,
    /// Plies since the last capture or pawn move.
    Halfmoves,
    /// The number of the next move.
    Fullmoves,
    /// The move played.
    Move,
    /// The result of the game.
    Result,
    /// White's rating.
    WhiteElo,
    /// Black's rating.
    BlackElo,
    /// The time left after the move played.
    Clock,
    /// The evaluation of the position.
    Eval,
    /// The position as FEN.
    Fen,
    /// The position as the first four fields of a FEN, which EPD has too.
    Epd,
}

impl PositionColumn {
    /// All columns, in the order of their declaration.
    pub const ALL: &'static [Self] = &[
        Self::Game,
        Self::Ply,
        Self::Boards,
        Self::WhiteToMove,
        Self::Castling,
        Self::EnPassant,
        Self::Halfmoves,
        Self::Fullmoves,
        Self::Move,
        Self::Result,
        Self::WhiteElo,
        Self::BlackElo,
        Self::Clock,
        Self::Eval,
        Self::Fen,
        Self::Epd,
    ];

    /// The name of the column, such as `white_to_move`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Ply => "ply",
            Self::Boards => "boards",
            Self::WhiteToMove => "white_to_move",
            Self::Castling => "castling",
            Self::EnPassant => "en_passant",
            Self::Halfmoves => "halfmoves",
            Self::Fullmoves => "fullmoves",
            Self::Move => "move",
            Self::Result => "result",
            Self::WhiteElo => "white_elo",
            Self::BlackElo => "black_elo",
            Self::Clock => "clock",
            Self::Eval => "eval",
            Self::Fen => "fen",
            Self::Epd => "epd",
        }
    }

    /// The columns of a scan that chooses none: those that are read from the moves and a few tags.
    /// Without `Clock` and `Eval`, for which the comments are decoded, and `Fen` and `Epd`, which
    /// take longer to write than the rest.
    pub const DEFAULT: &'static [Self] = &[
        Self::Game,
        Self::Ply,
        Self::Boards,
        Self::WhiteToMove,
        Self::Castling,
        Self::EnPassant,
        Self::Halfmoves,
        Self::Fullmoves,
        Self::Move,
        Self::Result,
        Self::WhiteElo,
        Self::BlackElo,
    ];
}

/// A set of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Columns(u32);

impl Columns {
    pub fn of(columns: impl IntoIterator<Item = PositionColumn>) -> Self {
        let bits = columns.into_iter().map(|column| 1 << column as u32);
        Self(bits.fold(0, |all, bit: u32| all | bit))
    }

    #[inline]
    pub fn has(self, column: PositionColumn) -> bool {
        self.0 >> column as u32 & 1 == 1
    }

    /// Whether one of these is in the set.
    pub fn has_any<const N: usize>(self, columns: [PositionColumn; N]) -> bool {
        columns.into_iter().any(|column| self.has(column))
    }
}
