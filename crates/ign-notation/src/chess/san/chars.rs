//! The characters of SAN: pieces, files, ranks, squares.

use shakmaty::{File, Rank, Role, Square};

/// The promotion piece of a letter.
pub(super) const fn promotion_role(letter: u8) -> Option<Role> {
    match letter {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        _ => None,
    }
}

/// The piece of a letter, including `P`.
pub(in crate::chess) const fn role(letter: u8) -> Option<Role> {
    match letter {
        b'P' => Some(Role::Pawn),
        b'K' => Some(Role::King),
        _ => promotion_role(letter),
    }
}

/// The square of two characters, such as `e4`.
pub(in crate::chess) fn square(text: &[u8]) -> Option<Square> {
    let &[file, rank] = text else {
        return None;
    };
    Some(Square::from_coords(file_of(file)?, rank_of(rank)?))
}

/// The file of a letter.
#[inline]
pub(super) fn file_of(letter: u8) -> Option<File> {
    let index = letter.wrapping_sub(b'a');
    (index < 8).then(|| File::new(u32::from(index)))
}

/// The rank of a digit.
#[inline]
pub(super) fn rank_of(digit: u8) -> Option<Rank> {
    let index = digit.wrapping_sub(b'1');
    (index < 8).then(|| Rank::new(u32::from(index)))
}

/// The letter of a piece.
pub(super) const fn letter(role: Role) -> u8 {
    b"PNBRQK"[role as usize - 1]
}

/// The letter of a square's file.
pub(super) const fn file_letter(square: Square) -> u8 {
    b'a' + (square.to_u32() & 7) as u8
}

/// The digit of a square's rank.
pub(super) const fn rank_digit(square: Square) -> u8 {
    b'1' + (square.to_u32() >> 3) as u8
}
