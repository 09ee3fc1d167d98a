//! The men of an endgame, as people name them: `KQK`, `KBNK`, `KRKP`.

use std::fmt;

use shakmaty::{Color, Piece, Role};

use ign_format::error::{Error, Result};

/// The most men of an endgame, kings included.
pub const MAX_PIECES: usize = 4;

/// Where the white king is among the men.
pub const WHITE_KING: usize = 0;
/// Where the black king is among the men.
pub const BLACK_KING: usize = 1;

/// The men of an endgame: the white king, the black king, White's other men and Black's, each
/// from queen to pawn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Material(Vec<Piece>);

impl Material {
    /// These men besides the kings.
    ///
    /// # Errors
    /// Usage when they are too many, or a third king.
    pub fn new(others: impl IntoIterator<Item = Piece>) -> Result<Self> {
        let mut others: Vec<Piece> = others.into_iter().collect();
        if others.len() + 2 > MAX_PIECES {
            return Err(Error::usage(format!(
                "endgames have at most {MAX_PIECES} men, kings included"
            )));
        }
        if others.iter().any(|piece| piece.role == Role::King) {
            return Err(Error::usage("an endgame has one king on each side"));
        }
        others.sort_by_key(|piece| (piece.color.is_black(), std::cmp::Reverse(piece.role)));
        let kings = [Color::White, Color::Black].map(|color| Role::King.of(color));
        Ok(Self(kings.into_iter().chain(others).collect()))
    }

    /// Reads a name: White's men and then Black's, each side's king first.
    ///
    /// # Errors
    /// Usage, showing the form.
    pub fn parse(name: &str) -> Result<Self> {
        let wrong = || {
            Error::usage(format!("'{name}' is no endgame")).with_remedy(
                "write White's men and then Black's, each side's king first, at most four in all: KQK, KBNK, KRKP",
            )
        };
        let mut others = Vec::new();
        let mut kings = 0;
        for letter in name.chars() {
            let role = Some(letter).filter(char::is_ascii_alphabetic);
            let role = role.and_then(Role::from_char).ok_or_else(wrong)?;
            kings += usize::from(role == Role::King);
            match kings {
                0 => return Err(wrong()),
                _ if role == Role::King => {}
                _ => others.push(role.of(Color::from_white(kings == 1))),
            }
        }
        if kings != 2 || others.is_empty() || others.len() + 2 > MAX_PIECES {
            return Err(wrong());
        }
        Self::new(others)
    }

    /// All men, in order.
    pub fn men(&self) -> &[Piece] {
        &self.0
    }

    /// Whether there are pawns among them.
    pub fn has_pawns(&self) -> bool {
        self.0.iter().any(|piece| piece.role == Role::Pawn)
    }

    /// The same with the colours exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let others = self.0[2..].iter().map(|piece| piece.role.of(!piece.color));
        Self::new(others).expect("as many men as before")
    }

    /// Whether White has at least as much: more men, or better ones. One of an endgame and its
    /// [`swapped`](Material::swapped) is so, and both when they are the same.
    pub fn favours_white(&self) -> bool {
        let side = |color| {
            let men = self.0.iter().filter(move |piece| piece.color == color);
            men.map(|piece| piece.role).collect::<Vec<_>>()
        };
        let (white, black) = (side(Color::White), side(Color::Black));
        (white.len(), &white) >= (black.len(), &black)
    }

    /// A man's name in formulas of document 004: `WK`, `BK`, `WQ`; of two alike `WB1` and `WB2`.
    pub fn man_name(&self, man: usize) -> String {
        let piece = self.0[man];
        let side = if piece.color.is_white() { 'W' } else { 'B' };
        let alike = |men: &[Piece]| men.iter().filter(|&&other| other == piece).count();
        let mut name = format!("{side}{}", piece.role.upper_char());
        if alike(&self.0) > 1 {
            name += &(alike(&self.0[..man]) + 1).to_string();
        }
        name
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for color in [Color::White, Color::Black] {
            for piece in self.0.iter().filter(|piece| piece.color == color) {
                write!(f, "{}", piece.role.upper_char())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (name, written) in [
            ("KQK", "KQK"),
            ("kbnk", "KBNK"),
            ("KNBK", "KBNK"),
            ("KRKP", "KRKP"),
            ("KKQ", "KKQ"),
            ("KPKP", "KPKP"),
        ] {
            assert_eq!(Material::parse(name).unwrap().to_string(), written);
        }
        for wrong in [
            "", "K", "KK", "KQ", "QKK", "KQKK", "KQRBK", "KXK", "KQKé", "KQ K",
        ] {
            let error = Material::parse(wrong).unwrap_err().to_string();
            assert!(error.contains("is no endgame"), "{error}");
        }
    }

    #[test]
    fn one_of_two_mirrored_endgames_favours_white() {
        for (name, favours) in [
            ("KQK", true),
            ("KKQ", false),
            ("KQKR", true),
            ("KRKQ", false),
            ("KPKP", true),
            ("KKPP", false),
        ] {
            let material = Material::parse(name).unwrap();
            assert_eq!(material.favours_white(), favours, "{name}");
            let same = material == material.swapped();
            assert_eq!(
                material.swapped().favours_white(),
                !favours || same,
                "{name}"
            );
        }
    }

    #[test]
    fn men_have_the_names_of_the_document() {
        let material = Material::parse("KBBK").unwrap();
        let names: Vec<_> = (0..4).map(|man| material.man_name(man)).collect();
        assert_eq!(names, ["WK", "BK", "WB1", "WB2"]);
    }
}
