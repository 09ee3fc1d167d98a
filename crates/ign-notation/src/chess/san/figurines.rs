//! Figurines: the chess symbols of Unicode, ♔ to ♟, in place of the letters of pieces.

use super::plain::belongs;

/// The maximum length of a word with figurines, in letters.
const MAX_LETTERS: usize = 16;

/// A word with letters in place of its figurines.
#[derive(Debug, Clone, Copy)]
pub struct Letters {
    text: [u8; MAX_LETTERS],
    len: usize,
}

impl Letters {
    /// Reads the word at the start of a text. Returns its length in bytes and the word in letters;
    /// `None` if it is too long for a move.
    ///
    /// The symbol of a pawn has no letter, and neither have the variation selectors that may follow
    /// a symbol.
    ///
    /// ```
    /// use ign_notation::chess::san::Letters;
    ///
    /// let (len, letters) = Letters::read("♞xf3+ 5. ♕xf3".as_bytes()).unwrap();
    /// assert_eq!((len, letters.as_bytes()), (7, &b"Nxf3+"[..]));
    /// ```
    pub fn read(text: &[u8]) -> Option<(usize, Letters)> {
        let mut letters = Letters {
            text: [0; MAX_LETTERS],
            len: 0,
        };
        let mut at = 0;
        loop {
            let (letter, bytes) = match &text[at..] {
                [0xE2, 0x99, symbol @ 0x94..=0x9F, ..] => (letter_of(*symbol), 3),
                [0xEF, 0xB8, 0x8E | 0x8F, ..] if at > 0 => (0, 3),
                [byte, ..] if belongs(*byte) => (*byte, 1),
                _ => return Some((at, letters)),
            };
            if letter != 0 {
                *letters.text.get_mut(letters.len)? = letter;
                letters.len += 1;
            }
            at += bytes;
        }
    }

    /// The letters.
    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..self.len]
    }
}

/// The letter of a symbol, given its last byte; NUL for a pawn.
const fn letter_of(symbol: u8) -> u8 {
    b"KQRBN\0"[(symbol - 0x94) as usize % 6]
}

/// The letter of the piece whose figurine a text starts with.
pub(super) fn figurine(text: &[u8]) -> Option<u8> {
    match text {
        [0xE2, 0x99, symbol @ 0x94..=0x9F, ..] => Some(letter_of(*symbol)).filter(|&c| c != 0),
        _ => None,
    }
}

/// Whether a text starts with a figurine.
#[inline]
pub fn starts_with_figurine(text: &[u8]) -> bool {
    matches!(text, [0xE2, 0x99, 0x94..=0x9F, ..])
}
