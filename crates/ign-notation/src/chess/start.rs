//! Where a game starts when it does not start at the beginning: the position of a FEN.
//!
//! Everything outside text can claim about a position is checked here, once; the invariant of
//! [`Position`] holds for whatever passes. The FEN's own text is not kept: it has spellings that
//! no position remembers.

use std::fmt;
use std::num::NonZeroU32;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{Bitboard, Color, Rank, Setup, attacks};

use super::position::{Position, forward};

/// Where a FEN starts a game: the position, and the number its first move carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The position; its side to move is the FEN's.
    pub position: Position,
    /// The full-move number of the first move.
    pub fullmoves: NonZeroU32,
}

/// The standard start.
impl Default for Start {
    fn default() -> Self {
        Self {
            position: Position::default(),
            fullmoves: NonZeroU32::MIN,
        }
    }
}

impl Start {
    /// Reads a FEN, X-FEN or Shredder-FEN; fields after the board may be missing.
    ///
    /// Any material is accepted. Castling rights without their king and rook, and en passant
    /// squares where no pawn can capture, are dropped: no move depends on them.
    ///
    /// # Errors
    /// [`FenError`] when the text is no FEN, or the position breaks the invariant of
    /// [`Position`], or belongs to a variant with pockets or counted checks.
    pub fn from_fen(fen: &[u8]) -> Result<Start, FenError> {
        let setup = read_setup(fen)?;
        if setup.pockets.is_some() || setup.remaining_checks.is_some() {
            return Err(FenError::Variant);
        }
        Ok(Start {
            position: Position::of_setup(&setup)?,
            fullmoves: setup.fullmoves,
        })
    }
}

/// Reads the text of a FEN; what it says is not looked at, but rights and squares that no move
/// depends on are dropped.
pub(super) fn read_setup(fen: &[u8]) -> Result<Setup, FenError> {
    let mut setup = Fen::from_ascii(fen).map_err(FenError::Syntax)?.into_setup();
    // The counters must be digits to the end, also beyond what 32 bits hold; checks that are
    // counted have a sign between their numbers.
    let mut counters = fen
        .split(|c| matches!(c, b' ' | b'_'))
        .filter(|field| !field.is_empty())
        .skip(4);
    let counts = setup.remaining_checks.is_some();
    let is_counter = |c: &u8| c.is_ascii_digit() || counts && *c == b'+';
    if !counters.all(|field| field.iter().all(is_counter)) {
        return Err(FenError::Syntax(ParseFenError::InvalidFullmoves));
    }
    setup.castling_rights = castling_rooks(&setup);
    setup.ep_square = capturable(&setup).first();
    Ok(setup)
}

impl Position {
    /// The position of a setup, by the rules of chess; pockets and counted checks are passed over.
    pub(super) fn of_setup(setup: &Setup) -> Result<Position, FenError> {
        let board = &setup.board;
        for color in Color::ALL {
            let kings = (board.kings() & board.by_color(color)).count();
            if kings != 1 {
                return Err(FenError::Kings { color, kings });
            }
        }
        if (board.pawns() & Bitboard::BACKRANKS).any() {
            return Err(FenError::PawnOnLastRank);
        }
        let position = Position::from_parts(
            board,
            setup.turn,
            setup.castling_rights,
            Bitboard::from_iter(setup.ep_square),
        );
        if position.leaves_check() {
            return Err(FenError::OpponentInCheck);
        }
        Ok(position)
    }

    /// Reads the position of a FEN, X-FEN or Shredder-FEN.
    ///
    /// See [`Start::from_fen`], which also gives the move number.
    ///
    /// # Errors
    /// As [`Start::from_fen`].
    pub fn from_fen(fen: &[u8]) -> Result<Position, FenError> {
        Start::from_fen(fen).map(|start| start.position)
    }
}

/// The rooks that the setup's castling rights really name.
fn castling_rooks(setup: &Setup) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for color in Color::ALL {
        let own = setup.board.by_color(color) & color.backrank();
        let Some(king) = (own & setup.board.kings()).first() else {
            continue;
        };
        // At most one on each side of the king, or castling to that side would be ambiguous.
        let named = own & setup.board.rooks() & setup.castling_rights;
        rooks |= Bitboard::from_iter(named.first().filter(|&rook| rook < king));
        rooks |= Bitboard::from_iter(named.last().filter(|&rook| rook > king));
    }
    rooks
}

/// The setup's en passant square, if a pawn has just skipped it and another can capture there.
fn capturable(setup: &Setup) -> Bitboard {
    let Some(square) = setup.ep_square else {
        return Bitboard::EMPTY;
    };
    let (board, us) = (&setup.board, setup.turn);
    let skipped = Bitboard::from_square(square);
    let (came_from, pushed) = (forward(us, skipped), forward(!us, skipped));
    let skips = square.rank() == us.fold_wb(Rank::Sixth, Rank::Third)
        && (board.occupied() & (skipped | came_from)).is_empty()
        && (board.pawns() & board.by_color(!us) & pushed).any();
    let capturers = attacks::pawn_attacks(!us, square) & board.pawns() & board.by_color(us);
    if skips && capturers.any() {
        skipped
    } else {
        Bitboard::EMPTY
    }
}

/// Why a FEN gives no position to play from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// The text is not a FEN.
    Syntax(ParseFenError),
    /// A side has no king, or several.
    Kings {
        /// The side.
        color: Color,
        /// How many kings it has.
        kings: usize,
    },
    /// A pawn stands on the first or the last rank.
    PawnOnLastRank,
    /// The side not to move is in check.
    OpponentInCheck,
    /// The FEN has pockets or counts checks: another game than chess.
    Variant,
    /// The rules of the variant do not know such a position.
    NotOfVariant,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Syntax(error) => write!(f, "{error}"),
            FenError::Kings { color, kings } => {
                write!(f, "{color} has {kings} kings in fen, expected 1")
            }
            FenError::PawnOnLastRank => f.write_str("pawn on first or last rank in fen"),
            FenError::OpponentInCheck => f.write_str("side not to move is in check in fen"),
            FenError::Variant => {
                f.write_str("pockets or remaining checks in fen, which the rules know nothing of")
            }
            FenError::NotOfVariant => f.write_str("fen of no position of the variant"),
        }
    }
}

impl std::error::Error for FenError {}
