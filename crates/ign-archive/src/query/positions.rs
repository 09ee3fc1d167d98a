//! Conditions on the positions of a game.

use ign_format::error::{Error, Result};
use ign_notation::chess::{Legal, Position};
use shakmaty::{Color, Role};

use super::{material::Material, pattern::BoardPattern};

/// Conditions on the positions of a game: one and the same position must meet all of them. With no
/// condition set, every game matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PositionFilter {
    /// This position: pieces, side to move, castling rights, and the en passant square if a capture
    /// there is legal. It does not matter how the game reached it.
    pub position: Option<Position>,
    /// The pieces of this position on their squares, whatever the side to move and its rights.
    pub board: Option<Position>,
    /// These pieces, wherever they are.
    pub material: Option<Material>,
    /// A board with wildcards.
    pub pattern: Option<BoardPattern>,
    /// The position must be the last of the game.
    pub last_only: bool,
}

impl PositionFilter {
    /// Whether no condition is set.
    pub fn is_empty(&self) -> bool {
        self.position.is_none()
            && self.board.is_none()
            && self.material.is_none()
            && self.pattern.is_none()
    }

    /// Whether a position meets the conditions. Whether it is the last one is for the caller to know.
    pub fn matches(&self, position: &Position) -> bool {
        self.board
            .as_ref()
            .is_none_or(|board| same_board(board, position))
            && self
                .material
                .as_ref()
                .is_none_or(|material| material.matches(position))
            && self
                .position
                .as_ref()
                .is_none_or(|wanted| same_position(wanted, position))
            && self
                .pattern
                .as_ref()
                .is_none_or(|pattern| pattern.matches(position))
    }

    /// Whether a game that is in this position can still reach one that meets the conditions.
    ///
    /// Pieces only disappear, pawns only advance and castling rights are only lost. In variants where
    /// pieces return this does not hold.
    pub fn is_reachable(&self, position: &Position) -> bool {
        let board = |wanted: &Position| is_board_reachable(wanted, position);
        self.position.as_ref().is_none_or(|wanted| {
            board(wanted) && (wanted.castling_rooks() & !position.castling_rooks()).is_empty()
        }) && self.board.as_ref().is_none_or(board)
            && self
                .material
                .as_ref()
                .is_none_or(|material| material.is_reachable(position))
    }
}

/// Reads a position from a FEN. Fields after the pieces may be missing: White is to move, nobody may
/// castle, nothing can be captured en passant. The en passant square is dropped unless a capture there
/// is legal.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) with what is wrong with the FEN.
pub fn parse_position(fen: &str) -> Result<Position> {
    let position = Position::from_fen(fen.trim().as_bytes()).map_err(|e| {
        Error::usage(format!("'{fen}' is no position: {e}"))
            .with_remedy("write a FEN: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    })?;
    Ok(normal(position))
}

/// The position without an en passant square on which no capture is legal.
pub(crate) fn normal(position: Position) -> Position {
    if position.en_passant().is_empty() || Legal::new(&position).passing().is_some() {
        return position;
    }
    position.without_en_passant()
}

fn same_board(one: &Position, other: &Position) -> bool {
    one.board_words() == other.board_words()
}

/// `wanted` is [`normal`].
fn same_position(wanted: &Position, position: &Position) -> bool {
    same_board(wanted, position)
        && wanted.turn() == position.turn()
        && wanted.castling_rooks() == position.castling_rooks()
        && (wanted.en_passant() == position.en_passant()
            || wanted.en_passant().is_empty() && normal(*position).en_passant().is_empty())
}

/// Whether the pieces of `wanted` can still arise from a position.
fn is_board_reachable(wanted: &Position, position: &Position) -> bool {
    Color::ALL.into_iter().all(|color| {
        let [ours, theirs] = [position, wanted].map(|p| p.by_color(color));
        let [pawns, wanted_pawns] = [position, wanted].map(|p| p.by_role(Role::Pawn));
        let [pawns, wanted_pawns] = [pawns & ours, wanted_pawns & theirs];
        let home = shakmaty::Bitboard::from_rank(
            color.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh),
        );
        // A pawn at home has never moved.
        (wanted_pawns & home & !pawns).is_empty()
            && pawns.count() >= wanted_pawns.count()
            && ours.count() >= theirs.count()
    })
}
