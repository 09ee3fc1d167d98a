//! FEN: reads starting positions and writes positions.
//!
//! Every property of a position that comes from outside is checked here, once: what is accepted
//! satisfies the invariant of [`Position`]. The text of the FEN is not kept, and it cannot be
//! restored from the position: several FENs stand for the same one.

use std::fmt;
use std::num::NonZeroU32;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{Bitboard, Color, File, Rank, Role, Setup, attacks};

use super::{pawns::forward, position::Position};

/// The start of a game: the position of a FEN and its counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Start {
    /// The position, with the side to move.
    pub position: Position,
    /// The full-move number of the first move.
    pub fullmoves: NonZeroU32,
    /// The plies since the last pawn move or capture.
    pub halfmoves: u32,
}

/// The standard starting position, move 1.
impl Default for Start {
    fn default() -> Self {
        Self {
            position: Position::default(),
            fullmoves: NonZeroU32::MIN,
            halfmoves: 0,
        }
    }
}

impl Start {
    /// Reads a FEN, X-FEN or Shredder-FEN; fields after the board may be missing.
    ///
    /// Any material is accepted. Castling rights without their king and rook, and en passant
    /// squares that no pawn attacks, are dropped: no move depends on them.
    ///
    /// ```
    /// use ign_notation::chess::Start;
    ///
    /// let start = Start::from_fen(b"8/8/8/8/8/4k3/4p3/4K3 b - - 0 60")?;
    /// assert_eq!(start.fullmoves.get(), 60);
    /// assert_eq!(start.position.fen_fields(), b"8/8/8/8/8/4k3/4p3/4K3 b - -");
    /// # Ok::<(), ign_notation::chess::FenError>(())
    /// ```
    ///
    /// # Errors
    /// [`FenError`] if the text is not a FEN, if a side has no king or several, if a pawn is on
    /// the first or last rank, if the side not to move is in check, or if the FEN has pockets or
    /// counted checks.
    pub fn from_fen(fen: &[u8]) -> Result<Start, FenError> {
        let setup = read_setup(fen)?;
        if setup.pockets.is_some() || setup.remaining_checks.is_some() {
            return Err(FenError::Variant);
        }
        Ok(Start {
            position: Position::of_setup(&setup)?,
            fullmoves: setup.fullmoves,
            halfmoves: setup.halfmoves,
        })
    }
}

/// Parses a FEN without checking the position. Castling rights and en passant squares that no move
/// depends on are dropped.
pub(super) fn read_setup(fen: &[u8]) -> Result<Setup, FenError> {
    let mut setup = Fen::from_ascii(fen).map_err(FenError::Syntax)?.into_setup();
    // Counters must be digits only, also if they exceed 32 bits.
    let mut counters = fen
        .split(|c| matches!(c, b' ' | b'_'))
        .filter(|field| !field.is_empty())
        .skip(4);
    let counts = setup.remaining_checks.is_some();
    let is_counter =
        |field: &[u8]| field.iter().all(u8::is_ascii_digit) || counts && is_counted_checks(field);
    if !counters.all(is_counter) {
        return Err(FenError::Syntax(ParseFenError::InvalidFullmoves));
    }
    setup.castling_rights = castling_rooks(&setup);
    setup.ep_square = capturable(&setup).first();
    Ok(setup)
}

/// Whether this is the field of counted checks of a FEN: `3+3` those left, `+0+0` those given.
fn is_counted_checks(field: &[u8]) -> bool {
    matches!(
        field.strip_prefix(b"+").unwrap_or(field),
        [b'0'..=b'3', b'+', b'0'..=b'3']
    )
}

impl Position {
    /// The position of a setup, by the rules of chess. Pockets and counted checks are ignored.
    pub(super) fn of_setup(setup: &Setup) -> Result<Position, FenError> {
        let board = &setup.board;
        for color in Color::ALL {
            let kings = (board.kings() & board.by_color(color)).count();
            if kings != 1 {
                return Err(FenError::Kings { color, kings });
            }
        }
        let position = Position::of_any_kings(setup)?;
        if position.leaves_check() {
            return Err(FenError::OpponentInCheck);
        }
        Ok(position)
    }

    /// [`of_setup`](Self::of_setup), whatever the kings.
    pub(super) fn of_any_kings(setup: &Setup) -> Result<Position, FenError> {
        if (setup.board.pawns() & Bitboard::BACKRANKS).any() {
            return Err(FenError::PawnOnLastRank);
        }
        Ok(Position::from_parts(
            &setup.board,
            setup.turn,
            setup.castling_rights,
            Bitboard::from_iter(setup.ep_square),
        ))
    }

    /// Reads the position of a FEN, X-FEN or Shredder-FEN.
    ///
    /// [`Start::from_fen`] returns the move number too.
    ///
    /// # Errors
    /// As [`Start::from_fen`].
    pub fn from_fen(fen: &[u8]) -> Result<Position, FenError> {
        Start::from_fen(fen).map(|start| start.position)
    }

    /// The first four fields of the FEN: board, side to move, castling rights, en passant square.
    /// A right is one of `KQkq` if the king is on the e-file and the rook in the corner, otherwise
    /// the letter of the rook's file. The square is [`en_passant`](Self::en_passant).
    pub fn fen_fields(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(90);
        self.append_fen_fields(&mut out);
        out
    }

    /// Appends [`fen_fields`](Self::fen_fields).
    pub fn append_fen_fields(&self, out: &mut Vec<u8>) {
        let white = self.by_color(Color::White);
        let mut letters = [0; 64];
        for role in Role::ALL {
            for square in self.by_role(role) {
                let letter = if white.contains(square) {
                    role.upper_char()
                } else {
                    role.char()
                };
                letters[usize::from(square)] = letter as u8;
            }
        }
        for (number, rank) in letters.chunks_exact(8).enumerate().rev() {
            let mut empty = 0;
            for &letter in rank {
                if letter == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    out.push(b'0' + empty);
                }
                empty = 0;
                out.push(letter);
            }
            if empty > 0 {
                out.push(b'0' + empty);
            }
            if number > 0 {
                out.push(b'/');
            }
        }
        out.extend_from_slice(if self.turn().is_white() {
            b" w "
        } else {
            b" b "
        });
        let before = out.len();
        for color in [Color::White, Color::Black] {
            let king = self.castling_king(color);
            let standard = king.is_some_and(|king| king.file() == File::E);
            let rooks = self.castling_rooks() & self.by_color(color);
            for rook in rooks.into_iter().rev() {
                let letter = match rook.file() {
                    File::H if standard => b'k',
                    File::A if standard => b'q',
                    file => file.char() as u8,
                };
                out.push(if color.is_white() {
                    letter.to_ascii_uppercase()
                } else {
                    letter
                });
            }
        }
        if out.len() == before {
            out.push(b'-');
        }
        out.push(b' ');
        match self.en_passant().first() {
            Some(square) => {
                out.extend([square.file().char(), square.rank().char()].map(|c| c as u8))
            }
            None => out.push(b'-'),
        }
    }
}

/// The rooks of the castling rights that have a king and a rook.
fn castling_rooks(setup: &Setup) -> Bitboard {
    let mut rooks = Bitboard::EMPTY;
    for color in Color::ALL {
        let own = setup.board.by_color(color) & color.backrank();
        let Some(king) = (own & setup.board.kings()).first() else {
            continue;
        };
        // At most one on each side of the king: castling to a side must be unambiguous.
        let named = own & setup.board.rooks() & setup.castling_rights;
        rooks |= Bitboard::from_iter(named.first().filter(|&rook| rook < king));
        rooks |= Bitboard::from_iter(named.last().filter(|&rook| rook > king));
    }
    rooks
}

/// The en passant square, if a pawn has just skipped it and an enemy pawn attacks it.
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

/// Why a FEN is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// The text is not a FEN.
    Syntax(ParseFenError),
    /// A side has no king or several.
    Kings {
        /// The side.
        color: Color,
        /// Its number of kings.
        kings: usize,
    },
    /// A pawn is on the first or the last rank.
    PawnOnLastRank,
    /// The side not to move is in check.
    OpponentInCheck,
    /// The FEN has pockets or counted checks, which the rules do not have.
    Variant,
    /// The position is impossible in the variant.
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
                f.write_str("pockets or remaining checks in fen, which the rules do not have")
            }
            FenError::NotOfVariant => f.write_str("position in fen is impossible in the variant"),
        }
    }
}

impl std::error::Error for FenError {}
