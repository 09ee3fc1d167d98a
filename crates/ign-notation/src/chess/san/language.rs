//! The letters of pieces in several languages.

use super::figurines::figurine;

/// A language whose letters name the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// K Q R B N, and P for a pawn.
    #[default]
    English,
    /// K Q R B N.
    EnglishPieces,
    /// K D T L S.
    German,
    /// R D T F C.
    French,
    /// R D T A C: Spanish and Italian.
    Spanish,
    /// K D T L P.
    Dutch,
    /// Кр Ф Л С К.
    Russian,
}

impl Language {
    /// All languages but English.
    pub const OTHERS: [Language; 5] = [
        Language::German,
        Language::French,
        Language::Spanish,
        Language::Dutch,
        Language::Russian,
    ];

    /// Whether the pieces have their English letters.
    #[inline]
    pub fn is_english(self) -> bool {
        matches!(self, Language::English | Language::EnglishPieces)
    }

    /// The English letters of king, queen, rook, bishop, knight and pawn, each with its letter in
    /// this language.
    const fn letters(self) -> &'static [(u8, &'static str)] {
        match self {
            Language::English => &[
                (b'K', "K"),
                (b'Q', "Q"),
                (b'R', "R"),
                (b'B', "B"),
                (b'N', "N"),
                (b'P', "P"),
            ],
            Language::EnglishPieces => {
                let (pieces, _) = Language::English.letters().split_at(5);
                pieces
            }
            Language::German => &[
                (b'K', "K"),
                (b'Q', "D"),
                (b'R', "T"),
                (b'B', "L"),
                (b'N', "S"),
            ],
            Language::French => &[
                (b'K', "R"),
                (b'Q', "D"),
                (b'R', "T"),
                (b'B', "F"),
                (b'N', "C"),
            ],
            Language::Spanish => &[
                (b'K', "R"),
                (b'Q', "D"),
                (b'R', "T"),
                (b'B', "A"),
                (b'N', "C"),
            ],
            Language::Dutch => &[
                (b'K', "K"),
                (b'Q', "D"),
                (b'R', "T"),
                (b'B', "L"),
                (b'N', "P"),
            ],
            // The king is before the knight, whose letter is the first of its two.
            Language::Russian => &[
                (b'K', "Кр"),
                (b'Q', "Ф"),
                (b'R', "Л"),
                (b'B', "С"),
                (b'N', "К"),
            ],
        }
    }

    /// The English letter of the piece that a text starts with, in this language or as a figurine,
    /// and the length of its name in bytes.
    pub fn piece(self, text: &[u8]) -> Option<(u8, usize)> {
        if let Some(letter) = figurine(text) {
            return Some((letter, 3));
        }
        let mut letters = self.letters().iter();
        let (letter, name) = letters.find(|(_, name)| text.starts_with(name.as_bytes()))?;
        Some((*letter, name.len()))
    }
}
