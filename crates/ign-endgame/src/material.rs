//! Material: the pieces of an endgame, by their common names: `KQK`, `KBNK`, `KRKP`.

use std::fmt;

use shakmaty::{Color, Piece, Role};

use super::error::{Error, Result};

/// The most pieces of an endgame, kings included.
pub const MAX_PIECES: usize = 4;

/// Index of the white king among the pieces.
pub const WHITE_KING: usize = 0;
/// Index of the black king among the pieces.
pub const BLACK_KING: usize = 1;

/// The pieces of an endgame. Their order identifies them everywhere in this crate: the white king,
/// the black king, White's other pieces from queen to pawn, then Black's.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Material(Vec<Piece>);

impl Material {
    /// The two kings and `others`, in any order.
    ///
    /// # Errors
    /// [`Usage`](super::ErrorKind::Usage) if there are more than [`MAX_PIECES`] or a third king.
    pub fn new(others: impl IntoIterator<Item = Piece>) -> Result<Self> {
        let mut others: Vec<Piece> = others.into_iter().collect();
        if others.len() + 2 > MAX_PIECES {
            return Err(Error::usage(format!(
                "an endgame has at most {MAX_PIECES} pieces, kings included"
            )));
        }
        if others.iter().any(|piece| piece.role == Role::King) {
            return Err(Error::usage("an endgame has one king on each side"));
        }
        others.sort_by_key(|piece| (piece.color.is_black(), std::cmp::Reverse(piece.role)));
        let kings = [Color::White, Color::Black].map(|color| Role::King.of(color));
        Ok(Self(kings.into_iter().chain(others).collect()))
    }

    /// Parses a name: White's pieces, then Black's, each side's king first.
    ///
    /// ```
    /// # use ign_endgame::material::Material;
    /// assert_eq!(Material::parse("knbk")?.to_string(), "KBNK");
    /// # Ok::<(), ign_endgame::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Usage`](super::ErrorKind::Usage) for anything else; the remedy shows the form.
    pub fn parse(name: &str) -> Result<Self> {
        let wrong = || {
            Error::usage(format!("'{name}' is not an endgame")).with_remedy(
                "write White's pieces and then Black's, each side's king first, at most four in all: KQK, KBNK, KRKP",
            )
        };
        let mut others = Vec::new();
        let mut kings = 0;
        for letter in name.chars() {
            let role = Some(letter)
                .filter(char::is_ascii_alphabetic)
                .and_then(Role::from_char)
                .ok_or_else(wrong)?;
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

    /// All pieces in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Whether a piece is a pawn.
    pub fn has_pawns(&self) -> bool {
        self.0.iter().any(|piece| piece.role == Role::Pawn)
    }

    /// The material with the colours exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        let others = self.0[2..].iter().map(|piece| piece.role.of(!piece.color));
        Self::new(others).expect("the number of pieces is unchanged")
    }

    /// Whether White has more pieces, or as many and at least as strong ones. This holds for one of
    /// two colour-swapped endgames, and for both if they are equal.
    pub fn favours_white(&self) -> bool {
        let side = |color| {
            let pieces = self.0.iter().filter(move |piece| piece.color == color);
            pieces.map(|piece| piece.role).collect::<Vec<_>>()
        };
        let (white, black) = (side(Color::White), side(Color::Black));
        (white.len(), &white) >= (black.len(), &black)
    }

    /// The name of a piece in formulas of document 004: `WK`, `BK`, `WQ`; of two equal pieces `WB1`
    /// and `WB2`.
    pub fn piece_name(&self, index: usize) -> String {
        let piece = self.0[index];
        let side = if piece.color.is_white() { 'W' } else { 'B' };
        let equal = |pieces: &[Piece]| pieces.iter().filter(|&&other| other == piece).count();
        let mut name = format!("{side}{}", piece.role.upper_char());
        if equal(&self.0) > 1 {
            name += &(equal(&self.0[..index]) + 1).to_string();
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
    fn parses_and_prints_names() {
        for (name, printed) in [
            ("KQK", "KQK"),
            ("kbnk", "KBNK"),
            ("KNBK", "KBNK"),
            ("KRKP", "KRKP"),
            ("KKQ", "KKQ"),
            ("KPKP", "KPKP"),
        ] {
            assert_eq!(Material::parse(name).unwrap().to_string(), printed);
        }
        for wrong in [
            "", "K", "KK", "KQ", "QKK", "KQKK", "KQRBK", "KXK", "KQKé", "KQ K",
        ] {
            let error = Material::parse(wrong).unwrap_err().to_string();
            assert!(error.contains("is not an endgame"), "{error}");
        }
    }

    #[test]
    fn one_of_two_swapped_endgames_favours_white() {
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
    fn pieces_have_the_names_of_the_document() {
        let material = Material::parse("KBBK").unwrap();
        let names: Vec<_> = (0..4).map(|index| material.piece_name(index)).collect();
        assert_eq!(names, ["WK", "BK", "WB1", "WB2"]);
    }
}
