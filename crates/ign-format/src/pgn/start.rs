//! Starting position and rules of a record's game, from its tags FEN and Variant (spec §4.2.1).

use std::{borrow::Cow, num::NonZeroU32};

use ign_notation::chess::{
    self, Move, Position,
    rules::{Board as _, LegalMoves as _},
    variant::{self, Variant},
};

/// Starting position of a game, and the rules it is played by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// Chess, including Chess960.
    Chess(chess::Start),
    /// A variant, or chess with kings that its laws do not allow.
    Variant(Box<variant::Start>),
}

impl Default for Start {
    /// The standard starting position of chess.
    fn default() -> Self {
        Self::Chess(chess::Start::default())
    }
}

impl Start {
    /// The start, if the rules are those of chess.
    #[inline]
    pub fn as_chess(&self) -> Option<&chess::Start> {
        match self {
            Self::Chess(start) => Some(start),
            Self::Variant(_) => None,
        }
    }

    /// Whether the rules have null moves: those of chess, whatever the kings.
    pub fn has_null_moves(&self) -> bool {
        match self {
            Self::Chess(_) => true,
            Self::Variant(start) => start.board.variant() == Variant::Chess,
        }
    }

    /// The number of the first move.
    #[inline]
    pub fn fullmoves(&self) -> NonZeroU32 {
        match self {
            Self::Chess(start) => start.fullmoves,
            Self::Variant(start) => start.fullmoves,
        }
    }

    /// The plies since the last pawn move or capture, as the FEN states them.
    pub fn halfmoves(&self) -> u32 {
        match self {
            Self::Chess(start) => start.halfmoves,
            Self::Variant(start) => start.halfmoves,
        }
    }

    /// Whether White moves first.
    #[inline]
    pub fn white_starts(&self) -> bool {
        match self {
            Self::Chess(start) => start.position.turn().is_white(),
            Self::Variant(start) => start.board.turn().is_white(),
        }
    }

    /// The board, side to move, castling rights and en passant square, in variants too.
    pub fn board(&self) -> Cow<'_, Position> {
        match self {
            Self::Chess(start) => Cow::Borrowed(&start.position),
            Self::Variant(start) => Cow::Owned(start.board.to_chess()),
        }
    }

    /// Plays a legal move: the start becomes that of the rest of the game.
    pub fn play(&mut self, played: Move) {
        let (white, number) = match self {
            Self::Chess(start) => {
                start.position.play(played);
                (start.position.turn().is_white(), &mut start.fullmoves)
            }
            Self::Variant(start) => {
                start.board.play(played);
                (start.board.turn().is_white(), &mut start.fullmoves)
            }
        };
        if white {
            *number = number.saturating_add(1);
        }
    }

    /// Number of legal moves in the position.
    pub fn count(&self) -> u32 {
        match self {
            Self::Chess(start) => start.position.legal().count(),
            Self::Variant(start) => start.board.legal().count(),
        }
    }
}

/// The start of a game with these tags. `None` if the variant is unknown or its rules do not allow
/// the position; such a game has no integer.
pub fn of_tags(fen: Option<&[u8]>, variant: Option<&[u8]>) -> Option<Start> {
    let variant = variant.map_or(Some(Variant::Chess), Variant::of_name)?;
    let fen = fen.and_then(standard_fen);
    let fen = fen.as_deref();
    if variant == Variant::Chess {
        let start = fen.map_or(Ok(chess::Start::default()), chess::Start::from_fen);
        if let Ok(start) = start {
            return Some(Start::Chess(start));
        }
    }
    let start = match fen {
        None => variant::Start::usual(variant)?,
        Some(fen) => variant::Start::from_fen(variant, fen).ok()?,
    };
    Some(Start::Variant(Box::new(start)))
}

/// A FEN in its standard form; `None` if it names the usual start of the game. A FEN that is
/// written in another way, such as with a capital `W`, is rare.
fn standard_fen(fen: &[u8]) -> Option<Cow<'_, [u8]>> {
    if matches!(fen, b"" | b"?" | b"startpos") {
        return None;
    }
    let is_field = |field: &&[u8]| !field.is_empty();
    let fields = || fen.split(|c| matches!(c, b' ' | b'_')).filter(is_field);
    fn standard((place, field): (usize, &[u8])) -> &[u8] {
        match (place, field) {
            (1, b"W") => b"w",
            (1, b"B") => b"b",
            (2 | 3, [0xe2, 0x80, 0x93]) => b"-",
            (4.., b"-") => b"0",
            _ => field,
        }
    }
    let is_standard = |field: (usize, &[u8])| standard(field) == field.1;
    if fields().enumerate().all(is_standard) {
        return Some(Cow::Borrowed(fen));
    }
    let fields: Vec<&[u8]> = fields().enumerate().map(standard).collect();
    Some(Cow::Owned(fields.join(&b' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_positions_that_the_rules_do_not_allow() {
        assert_eq!(of_tags(None, None), Some(Start::default()));
        for variant in ["Standard", "?", "Odds", "Freestyle Chess"] {
            let start = of_tags(None, Some(variant.as_bytes()));
            assert_eq!(start, Some(Start::default()), "{variant}");
        }
        assert!(of_tags(None, Some(b"Seirawan")).is_none());
        assert!(of_tags(Some(b"8/8/8/8/8/8/8/P7 w - - 0 1"), None).is_none());
        let start = of_tags(Some(b"4k3/8/8/8/8/8/8/4K2R b K - 0 17"), None).unwrap();
        assert_eq!(start.fullmoves().get(), 17);
        assert!(!start.white_starts());
        let house = of_tags(None, Some(b"Crazyhouse")).unwrap();
        assert!(house.as_chess().is_none() && house.white_starts());
        // FENs as people write them.
        for fen in ["", "?", "startpos"] {
            assert_eq!(of_tags(Some(fen.as_bytes()), None), Some(Start::default()));
        }
        let start = of_tags(Some("4k3/8/8/8/8/8/8/4K2R B – – - -".as_bytes()), None).unwrap();
        assert!(!start.white_starts() && start.fullmoves().get() == 1);
        // Positions without kings are possible in chess and in Antichess.
        let bare: &[u8] = b"8/8/8/8/8/8/8/7Q w - - 0 3";
        assert_eq!(of_tags(Some(bare), Some(b"Crazyhouse")), None);
        for (variant, moves) in [("antichess", 0), ("chess", 21), ("No king", 21)] {
            let bare = of_tags(Some(bare), Some(variant.as_bytes())).unwrap();
            assert!(bare.as_chess().is_none(), "{variant}");
            assert_eq!((bare.fullmoves().get(), bare.count()), (3, moves));
        }
        // In the second one, White can capture the king.
        for fen in ["4k3/8/8/8/8/8/8/3KK3 w - -", "4k3/8/8/8/4R3/8/8/4K3 w - -"] {
            assert!(
                of_tags(Some(fen.as_bytes()), None)
                    .unwrap()
                    .as_chess()
                    .is_none()
            );
        }
    }
}
