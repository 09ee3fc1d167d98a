//! The text of one move.

use std::hint::select_unpredictable;

use shakmaty::{Bitboard, CastlingSide, Role, Square};

use super::{
    chars::{file_letter, letter, rank_digit},
    naming::Naming,
};
use crate::chess::moves::Move;

/// The maximum length of a move in bytes, `Qa1xb2` or `exd8=Q`, with room for a sign.
pub const MAX_LEN: usize = 8;

/// The text of a move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct San {
    text: [u8; MAX_LEN],
    len: u8,
}

impl San {
    /// Castling to a side.
    #[inline]
    pub(in crate::chess) fn castling(side: CastlingSide) -> San {
        match side {
            CastlingSide::KingSide => San::of(b"O-O"),
            CastlingSide::QueenSide => San::of(b"O-O-O"),
        }
    }

    /// The null move.
    #[cold]
    pub(in crate::chess) fn null() -> San {
        San::of(b"--")
    }

    /// A move of a piece of this role. `rivals` are the other pieces of its kind that can move to
    /// the destination; empty for pawns.
    ///
    /// Whether a pawn or a piece moves and whether it captures are unpredictable, so optional
    /// characters are written without branches.
    #[inline]
    pub(in crate::chess) fn named(
        naming: Naming,
        role: Role,
        m: Move,
        rivals: Bitboard,
        captures: bool,
    ) -> San {
        let (from, to) = (m.from(), m.to());
        let is_pawn = role == Role::Pawn;
        let changes_file = from.file() != to.file();
        let captures = select_unpredictable(is_pawn, changes_file, captures);
        let first = select_unpredictable(is_pawn, file_letter(from), letter(role));
        let mut out = Text::default();
        out.put_if(captures | !is_pawn, first);
        if rivals.any() {
            let by_file = (rivals & Bitboard::from_file(from.file())).is_empty();
            let by_rank = (rivals & Bitboard::from_rank(from.rank())).is_empty();
            out.put_if(
                by_file || !by_rank || naming == Naming::FileOrSquare,
                file_letter(from),
            );
            out.put_if(!by_file, rank_digit(from));
        }
        out.put_if(captures, b'x');
        out.square(to);
        if let Some(role) = m.promotion() {
            out.put(b'=');
            out.put(letter(role));
        }
        out.finish()
    }

    /// A move in UCI notation; castling by its canonical squares.
    #[cold]
    pub(in crate::chess) fn squares(m: Move) -> San {
        let mut out = Text::default();
        out.square(m.from());
        out.square(m.to());
        if let Some(role) = m.promotion() {
            out.put(letter(role).to_ascii_lowercase());
        }
        out.finish()
    }

    /// A drop.
    pub(in crate::chess) fn drop(role: Role, to: Square) -> San {
        let mut out = Text::default();
        out.put(letter(role));
        out.put(b'@');
        out.square(to);
        out.finish()
    }

    /// A constant text.
    const fn of<const N: usize>(text: &[u8; N]) -> San {
        let mut out = [0; MAX_LEN];
        let mut i = 0;
        while i < N {
            out[i] = text[i];
            i += 1;
        }
        San {
            text: out,
            len: N as u8,
        }
    }

    /// The bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }

    /// The first `len` bytes of a text, at most [`MAX_LEN`].
    #[inline]
    pub fn from_start(text: &[u8], len: usize) -> San {
        let len = len.min(MAX_LEN).min(text.len());
        let word = match text.first_chunk() {
            Some(bytes) if len > 0 => u64::from_le_bytes(*bytes) & u64::MAX >> (64 - 8 * len),
            _ => {
                let mut bytes = [0; MAX_LEN];
                bytes[..len].copy_from_slice(&text[..len]);
                u64::from_le_bytes(bytes)
            }
        };
        San {
            text: word.to_le_bytes(),
            len: len as u8,
        }
    }

    /// The text followed by `+` or `#`. A text of [`MAX_LEN`] bytes is returned unchanged.
    #[inline]
    #[must_use]
    pub fn with_sign(mut self, sign: u8) -> San {
        if let Some(byte) = self.text.get_mut(usize::from(self.len)) {
            *byte = sign;
            self.len += 1;
        }
        self
    }

    /// The bytes, padded with zeros to [`MAX_LEN`].
    #[inline]
    pub fn padded(&self) -> &[u8; MAX_LEN] {
        &self.text
    }

    /// Appends the bytes to `out`.
    #[inline]
    pub fn append_to(&self, out: &mut Vec<u8>) {
        // A copy of constant length is faster than one of variable length.
        let len = out.len() + usize::from(self.len);
        out.extend_from_slice(&self.text);
        out.truncate(len);
    }
}

/// Text under construction, in one register. Bytes stored one by one in memory and loaded at once
/// would stall on store forwarding.
#[derive(Default)]
struct Text {
    bytes: u64,
    bits: u32,
}

impl Text {
    #[inline]
    fn put(&mut self, byte: u8) {
        self.put_if(true, byte);
    }

    /// Appends a byte if `is_there`, without a branch.
    #[inline]
    fn put_if(&mut self, is_there: bool, byte: u8) {
        let bits = 8 * u32::from(is_there);
        self.bytes |= u64::from(select_unpredictable(is_there, byte, 0)) << (self.bits & 63);
        self.bits += bits;
    }

    #[inline]
    fn square(&mut self, square: Square) {
        self.put(file_letter(square));
        self.put(rank_digit(square));
    }

    #[inline]
    fn finish(self) -> San {
        San {
            text: self.bytes.to_le_bytes(),
            len: (self.bits / 8) as u8,
        }
    }
}
