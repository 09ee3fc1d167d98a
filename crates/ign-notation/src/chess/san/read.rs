//! Reads moves leniently.

use shakmaty::{Bitboard, CastlingSide, Role, Square};

use super::{
    belongs,
    chars::{file_of, promotion_role, rank_of, role},
};
use crate::chess::{legal::Legal, moves::Move};

/// Reads a move in SAN, long algebraic notation or UCI notation; `None` if it matches no legal move
/// or several.
///
/// Accepted beyond standard SAN: any number of `+` and `#` at the end, superfluous disambiguation,
/// `-` or `x` between the squares whether or not the move captures, a missing `=` before the
/// promotion piece, and zeros for castling: `Ng1f3`, `e2-e4`, `exd6`, `e8Q`, `0-0`. UCI notation is
/// `g1f3`, `e1g1`, `e7e8q`.
#[inline]
pub fn resolve(legal: &Legal, token: &[u8]) -> Option<Move> {
    let token = without_signs(token);
    let (&first, rest) = token.split_first()?;
    match first {
        b'a'..=b'h' => resolve_pawn(legal, token)
            .or_else(|| move_of_squares(token).filter(|&played| legal.contains(played))),
        b'N' => resolve_piece(legal, Role::Knight, rest),
        b'B' => resolve_piece(legal, Role::Bishop, rest),
        b'R' => resolve_piece(legal, Role::Rook, rest),
        b'Q' => resolve_piece(legal, Role::Queen, rest),
        b'K' => {
            let (to, from) = squares(rest)?;
            let (king, steps) = legal.king_steps();
            (steps.contains(to) && from.contains(king)).then(|| Move::new(king, to, None))
        }
        b'O' | b'0' => legal.castling(match token {
            b"O-O" | b"0-0" => CastlingSide::KingSide,
            b"O-O-O" | b"0-0-0" => CastlingSide::QueenSide,
            _ => return None,
        }),
        _ => None,
    }
}

/// The length of the null move at the start of a text, `--`, `Z0`, `0000` or `@@@@`, with any
/// number of `+` and `#`; `None` if another word is there. [`resolve`] does not read null moves.
pub fn null_len(text: &[u8]) -> Option<usize> {
    let len = text.iter().position(|&c| !belongs(c));
    let token = &text[..len.unwrap_or(text.len())];
    matches!(without_signs(token), b"--" | b"Z0" | b"0000" | b"@@@@").then_some(token.len())
}

/// The move in UCI notation, such as `e7e8q`. It may be illegal.
pub(in crate::chess) fn move_of_squares(token: &[u8]) -> Option<Move> {
    let (squares, promotion) = token.split_at_checked(4)?;
    let played = Move::of_squares(squares)?;
    let promotion = match promotion {
        [] => return Some(played),
        [letter @ b'a'..=b'z'] => role(letter.to_ascii_uppercase())?,
        _ => return None,
    };
    (promotion != Role::Pawn).then(|| Move::new(played.from(), played.to(), Some(promotion)))
}

/// Strips `+` and `#` from the end of a move.
#[inline]
pub(in crate::chess) fn without_signs(token: &[u8]) -> &[u8] {
    let mut token = token;
    while let [rest @ .., b'+' | b'#'] = token {
        token = rest;
    }
    token
}

/// A move of a knight, bishop, rook or queen; `rest` follows its letter.
#[inline]
fn resolve_piece(legal: &Legal, role: Role, rest: &[u8]) -> Option<Move> {
    let (to, from) = squares(rest)?;
    let from = (legal.origins(role, to) & from).single_square()?;
    Some(Move::new(from, to, None))
}

/// A pawn move.
#[inline]
fn resolve_pawn(legal: &Legal, token: &[u8]) -> Option<Move> {
    let (token, promotion) = match token {
        [rest @ .., b'=', letter] => (rest, Some(promotion_role(*letter)?)),
        [rest @ .., letter] if letter.is_ascii_uppercase() => {
            (rest, Some(promotion_role(*letter)?))
        }
        _ => (token, None),
    };
    let pawns = legal.pawns();
    let (to, from) = squares(token)?;
    let candidates = if token.len() == 2 {
        pawns.pushers(to)
    } else {
        (pawns.pushers(to) | pawns.capturers(to)) & from
    };
    let from = candidates.single_square()?;
    // A promotion piece is required for a promotion, and forbidden otherwise.
    (pawns.promoting.contains(from) == promotion.is_some()).then(|| Move::new(from, to, promotion))
}

/// Reads `[file][rank][x|-]square`: the destination and the set of possible origins.
#[inline]
pub(in crate::chess) fn squares(text: &[u8]) -> Option<(Square, Bitboard)> {
    let [origin @ .., file, rank] = text else {
        return None;
    };
    let to = Square::from_coords(file_of(*file)?, rank_of(*rank)?);
    let origin = match origin {
        [] => return Some((to, Bitboard::FULL)),
        [rest @ .., b'x' | b'-'] => rest,
        all => all,
    };
    let from = match origin {
        [] => Bitboard::FULL,
        [one] => match file_of(*one) {
            Some(file) => Bitboard::from_file(file),
            None => Bitboard::from_rank(rank_of(*one)?),
        },
        [file, rank] => {
            Bitboard::from_square(Square::from_coords(file_of(*file)?, rank_of(*rank)?))
        }
        _ => return None,
    };
    Some((to, from))
}
