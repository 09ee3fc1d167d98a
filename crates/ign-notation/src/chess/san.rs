//! Moves as people write them: Standard Algebraic Notation (spec §10).
//!
//! [`resolve`] is lenient and [`write()`] is exact: what `write` gives is the one standard form,
//! with the least disambiguation that legal rivals require, and without `+` or `#`, which belong
//! to the position after the move. `resolve` undoes `write` on every legal move.
//!
//! [`read_plain`] does both at once for the moves that everybody spells alike, which are nearly
//! all: what it reads `write` would give.
//!
//! None looks at lists of moves: they ask which pieces could have come to the destination.

use std::hint::select_unpredictable;

use shakmaty::{Bitboard, CastlingSide, File, Rank, Role, Square};

use super::legal::Legal;
use super::moves::Move;

/// Room for the longest move, `Qa1xb2` or `exd8=Q`.
pub const MAX_LEN: usize = 8;

/// Reads a move in SAN or long algebraic notation; `None` when it names no legal move, or more
/// than one.
///
/// Any number of `+` and `#` may follow. More disambiguation than needed, `-` or `x` between the
/// squares whether or not something is captured, a missing `=` before the promotion piece, and
/// zeros for castling are accepted: `Ng1f3`, `e2-e4`, `exd6`, `e8Q`, `0-0`. So are moves by their
/// squares alone, `g1f3`, `e1g1`, `e7e8q`.
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

/// The move that both its squares name, if they do; whether it is legal is not asked.
pub(super) fn move_of_squares(token: &[u8]) -> Option<Move> {
    let (squares, promotion) = token.split_at_checked(4)?;
    let played = Move::of_squares(squares)?;
    let promotion = match promotion {
        [] => return Some(played),
        [letter @ b'a'..=b'z'] => role(letter.to_ascii_uppercase())?,
        _ => return None,
    };
    (promotion != Role::Pawn).then(|| Move::new(played.from(), played.to(), Some(promotion)))
}

/// A move without the signs of check and mate behind it.
#[inline]
pub(super) fn without_signs(token: &[u8]) -> &[u8] {
    let mut token = token;
    while let [rest @ .., b'+' | b'#'] = token {
        token = rest;
    }
    token
}

/// A move read from the start of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// The move.
    pub played: Move,
    /// Bytes of its name: what [`write()`] gives for it.
    pub name_len: usize,
    /// The `+` or `#` behind the name.
    pub sign: Option<u8>,
}

impl Plain {
    /// Bytes of name and sign.
    #[inline]
    pub fn len(&self) -> usize {
        self.name_len + usize::from(self.sign.is_some())
    }

    /// Never: a move has a name.
    #[inline]
    pub fn is_empty(&self) -> bool {
        false
    }
}

/// Reads the move at the start of a text, if it is written as [`write()`] writes it, needs no
/// disambiguation, and one sign at most follows. Any other move is for [`resolve`].
#[inline]
pub fn read_plain(legal: &Legal, text: &[u8]) -> Option<Plain> {
    // All at once: the longest, `exd8=Q+`, and the byte behind it.
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

/// Whether a byte may be part of the word that names a move.
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

#[inline]
fn resolve_piece(legal: &Legal, role: Role, rest: &[u8]) -> Option<Move> {
    let (to, from) = squares(rest)?;
    let from = (legal.origins(role, to) & from).single_square()?;
    Some(Move::new(from, to, None))
}

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
    // A pawn that promotes must say to what, and no other pawn may.
    (pawns.promoting.contains(from) == promotion.is_some()).then(|| Move::new(from, to, promotion))
}

const fn promotion_role(letter: u8) -> Option<Role> {
    match letter {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        _ => None,
    }
}

/// The piece of a letter, a pawn's included.
pub(super) const fn role(letter: u8) -> Option<Role> {
    match letter {
        b'P' => Some(Role::Pawn),
        b'K' => Some(Role::King),
        _ => promotion_role(letter),
    }
}

/// Reads a square.
pub(super) fn square(text: &[u8]) -> Option<Square> {
    let &[file, rank] = text else {
        return None;
    };
    Some(Square::from_coords(file_of(file)?, rank_of(rank)?))
}

/// Reads `[file][rank][x|-]square`: the square, and the squares the origin may be.
#[inline]
pub(super) fn squares(text: &[u8]) -> Option<(Square, Bitboard)> {
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

#[inline]
fn file_of(letter: u8) -> Option<File> {
    let index = letter.wrapping_sub(b'a');
    (index < 8).then(|| File::new(u32::from(index)))
}

#[inline]
fn rank_of(digit: u8) -> Option<Rank> {
    let index = digit.wrapping_sub(b'1');
    (index < 8).then(|| Rank::new(u32::from(index)))
}

/// How moves are named.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Naming {
    /// Told from others of like pieces to the same square by the file if that will do, else the
    /// rank if that will, else both: the standard.
    #[default]
    Standard,
    /// By the file if that will do, else file and rank: as Lichess wrote until 2014.
    FileOrSquare,
    /// By both squares, as engines are told moves: `g1f3`, `e7e8q`, and no signs.
    Squares,
}

impl Naming {
    /// All of them, in the order of the layout.
    pub const ALL: [Naming; 3] = [Naming::Standard, Naming::FileOrSquare, Naming::Squares];

    /// What stands behind a move that demands this sign.
    #[inline]
    pub fn sign(self, demanded: Option<u8>) -> Option<u8> {
        demanded.filter(|_| self != Naming::Squares)
    }
}

/// Writes a legal move in standard notation, without `+` or `#`.
#[inline]
pub fn write(legal: &Legal, m: Move) -> San {
    write_with(Naming::Standard, legal, m)
}

/// Writes a legal move by this naming, without `+` or `#`.
#[inline]
pub fn write_with(naming: Naming, legal: &Legal, m: Move) -> San {
    if naming == Naming::Squares {
        return San::squares(m);
    }
    let position = legal.position();
    let (from, to) = (m.from(), m.to());
    if let Some(side) = position.castling_side(m) {
        return San::castling(side);
    }
    let role = position.role_at(from).unwrap_or(Role::Pawn);
    // Kings and pawns have no rivals: `origins` knows of none.
    let rivals = legal.origins(role, to).without(from);
    San::named(naming, role, m, rivals, position.them().contains(to))
}

/// A move in standard notation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct San {
    text: [u8; MAX_LEN],
    len: u8,
}

impl San {
    /// Castling to a side.
    #[inline]
    pub(super) fn castling(side: CastlingSide) -> San {
        match side {
            CastlingSide::KingSide => San::of(b"O-O"),
            CastlingSide::QueenSide => San::of(b"O-O-O"),
        }
    }

    /// The move of a piece of this role, told from its rivals: the other pieces like it that could
    /// go there; pawns need none.
    ///
    /// Whether a pawn or a piece moves, and whether it takes, cannot be predicted: what there is to
    /// write of it is written without a branch.
    #[inline]
    pub(super) fn named(
        naming: Naming,
        role: Role,
        m: Move,
        rivals: Bitboard,
        is_enemy: bool,
    ) -> San {
        let (from, to) = (m.from(), m.to());
        let is_pawn = role == Role::Pawn;
        let turns = from.file() != to.file();
        let takes = select_unpredictable(is_pawn, turns, is_enemy);
        let first = select_unpredictable(is_pawn, file_letter(from), letter(role));
        let mut out = Text::default();
        out.put_if(takes | !is_pawn, first);
        if rivals.any() {
            let by_file = (rivals & Bitboard::from_file(from.file())).is_empty();
            let by_rank = (rivals & Bitboard::from_rank(from.rank())).is_empty();
            out.put_if(
                by_file || !by_rank || naming == Naming::FileOrSquare,
                file_letter(from),
            );
            out.put_if(!by_file, rank_digit(from));
        }
        out.put_if(takes, b'x');
        out.square(to);
        if let Some(role) = m.promotion() {
            out.put(b'=');
            out.put(letter(role));
        }
        out.finish()
    }

    /// A move by its squares; of castling those of the canonical order.
    #[cold]
    pub(super) fn squares(m: Move) -> San {
        let mut out = Text::default();
        out.square(m.from());
        out.square(m.to());
        if let Some(role) = m.promotion() {
            out.put(letter(role).to_ascii_lowercase());
        }
        out.finish()
    }

    /// A piece put on the board.
    pub(super) fn drop(role: Role, to: Square) -> San {
        let mut out = Text::default();
        out.put(letter(role));
        out.put(b'@');
        out.square(to);
        out.finish()
    }

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

    /// Its bytes.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }

    /// The name that the first bytes of a text are, at most [`MAX_LEN`] of them.
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

    /// With the sign of check or mate behind it.
    #[inline]
    #[must_use]
    pub fn with_sign(mut self, sign: u8) -> San {
        if let Some(byte) = self.text.get_mut(usize::from(self.len)) {
            *byte = sign;
            self.len += 1;
        }
        self
    }

    /// Its bytes, and zeros up to the length of the longest move.
    #[inline]
    pub fn padded(&self) -> &[u8; MAX_LEN] {
        &self.text
    }

    /// Appends its bytes.
    #[inline]
    pub fn append_to(&self, out: &mut Vec<u8>) {
        // All eight at once, then the length: quicker than a copy of unknown length.
        let len = out.len() + usize::from(self.len);
        out.extend_from_slice(&self.text);
        out.truncate(len);
    }
}

/// Text being written, in one register: bytes stored one by one and read back
/// at once would have to wait for each other.
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

const fn letter(role: Role) -> u8 {
    b"PNBRQK"[role as usize - 1]
}

const fn file_letter(square: Square) -> u8 {
    b'a' + (square.to_u32() & 7) as u8
}

const fn rank_digit(square: Square) -> u8 {
    b'1' + (square.to_u32() >> 3) as u8
}
