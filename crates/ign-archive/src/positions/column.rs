//! The columns of positions.

/// Declares the columns: for each its documentation and its name.
macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident $name:literal,)*) => {
        /// A column of a [`PositionScan`](crate::PositionScan).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum PositionColumn {
            $($(#[$doc])* $column,)*
        }

        impl PositionColumn {
            /// All columns, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$column),*];

            /// The name of the column, such as `white_to_move`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$column => $name,)*
                }
            }
        }
    };
}

columns! {
    /// The number of the game.
    Game "game",
    /// The number of moves played before.
    Ply "ply",
    /// Twelve bitboards.
    Boards "boards",
    /// The side to move.
    WhiteToMove "white_to_move",
    /// Castling rights.
    Castling "castling",
    /// The square on which a pawn may capture en passant.
    EnPassant "en_passant",
    /// Plies since the last capture or pawn move.
    Halfmoves "halfmoves",
    /// The number of the next move.
    Fullmoves "fullmoves",
    /// The move played.
    Move "move",
    /// The result of the game.
    Result "result",
    /// White's rating.
    WhiteElo "white_elo",
    /// Black's rating.
    BlackElo "black_elo",
    /// The time left after the move played.
    Clock "clock",
    /// The evaluation of the position.
    Eval "eval",
    /// The position as FEN.
    Fen "fen",
    /// The position as the first four fields of a FEN, which EPD has too.
    Epd "epd",
}

impl PositionColumn {
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
