//! Reads moves in standard form without disambiguation: the fast path.

use shakmaty::{Bitboard, CastlingSide, Role, Square};

use super::{
    chars::{file_of, promotion_role, rank_of},
    text::MAX_LEN,
};
use crate::chess::{legal::Legal, moves::Move};

/// A move read at the start of a text by [`read_plain`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// The move.
    pub played: Move,
    /// The length of its SAN in bytes, without `+` or `#`.
    pub name_len: usize,
    /// The `+` or `#` after it.
    pub sign: Option<u8>,
}

impl Plain {
    /// The length in bytes, with `+` or `#`.
    #[inline]
    pub fn len(&self) -> usize {
        self.name_len + usize::from(self.sign.is_some())
    }

    /// Always false.
    #[inline]
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// Reads the move at the start of a text if it is in the standard form of [`write()`], needs no
/// disambiguation and is followed by at most one `+` or `#`. Otherwise returns `None`: use
/// [`resolve`](super::resolve).
///
/// [`write()`]: super::write()
#[inline]
pub fn read_plain(legal: &Legal, text: &[u8]) -> Option<Plain> {
    // One load of eight bytes holds the longest move, `exd8=Q+`, and the byte after it.
    let bytes = text.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [0; MAX_LEN];
        bytes[..text.len()].copy_from_slice(text);
        bytes
    });
    let word = u64::from_le_bytes(bytes);
    let byte = |i: usize| (word >> ((8 * i) & 63)) as u8;
    let square = |i: usize| {
        Some(Square::from_coords(
            file_of(byte(i))?,
            rank_of(byte(i + 1))?,
        ))
    };
    let first = byte(0);
    let (played, name_len) = match first {
        b'a'..=b'h' => {
            let pawns = legal.pawns();
            let (to, origins, len) = if byte(1) == b'x' {
                let to = square(2)?;
                let file = Bitboard::from_file(file_of(first)?);
                (to, pawns.capturers(to) & file, 4)
            } else {
                let to = square(0)?;
                (to, pawns.pushers(to), 2)
            };
            let promotes = byte(len) == b'=';
            let promotion = if promotes {
                Some(promotion_role(byte(len + 1))?)
            } else {
                None
            };
            let from = origins.single_square()?;
            if pawns.promoting.contains(from) != promotes {
                return None;
            }
            let name_len = len + 2 * usize::from(promotes);
            (Move::new(from, to, promotion), name_len)
        }
        b'O' => {
            let long = word & 0xff_ffff_ffff == u64::from_le_bytes(*b"O-O-O\0\0\0");
            if !long && word & 0xff_ffff != u64::from_le_bytes(*b"O-O\0\0\0\0\0") {
                return None;
            }
            let side = CastlingSide::from_king_side(!long);
            (legal.castling(side)?, if long { 5 } else { 3 })
        }
        _ => {
            let takes = byte(1) == b'x';
            let to = square(1 + usize::from(takes))?;
            if legal.position().them().contains(to) != takes {
                return None;
            }
            let role = match first {
                b'N' => Role::Knight,
                b'B' => Role::Bishop,
                b'R' => Role::Rook,
                b'Q' => Role::Queen,
                b'K' => Role::King,
                _ => return None,
            };
            let from = if role == Role::King {
                let (king, steps) = legal.king_steps();
                steps.contains(to).then_some(king)?
            } else {
                legal.origins(role, to).single_square()?
            };
            (Move::new(from, to, None), 3 + usize::from(takes))
        }
    };
    let sign = Some(byte(name_len)).filter(|sign| matches!(sign, b'+' | b'#'));
    let plain = Plain {
        played,
        name_len,
        sign,
    };
    (!belongs(byte(plain.len()))).then_some(plain)
}

/// Whether a byte may be part of a move in SAN.
#[inline]
pub fn belongs(byte: u8) -> bool {
    const BELONGS: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let c = byte as u8;
            table[byte] =
                c.is_ascii_alphanumeric() || matches!(c, b'+' | b'#' | b'=' | b'-' | b'@');
            byte += 1;
        }
        table
    };
    BELONGS[usize::from(byte)]
}
