//! Where a record's game starts, by its tags FEN and Variant (spec §4.2.1).

use std::num::NonZeroU32;

use ign_notation::chess::{
    self, Move,
    rules::{Board as _, LegalMoves as _},
    variant::{self, Variant},
};

/// Where a game starts, and by which rules it is played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// By those of chess.
    Chess(chess::Start),
    /// By those of a variant.
    Variant(Box<variant::Start>),
}

impl Default for Start {
    /// The usual start of chess.
    fn default() -> Self {
        Self::Chess(chess::Start::default())
    }
}

impl Start {
    /// Where the game starts, if its rules are those of chess.
    #[inline]
    pub fn as_chess(&self) -> Option<&chess::Start> {
        match self {
            Self::Chess(start) => Some(start),
            Self::Variant(_) => None,
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

    /// Whether White has the first move.
    #[inline]
    pub fn white_starts(&self) -> bool {
        match self {
            Self::Chess(start) => start.position.turn().is_white(),
            Self::Variant(start) => start.board.turn().is_white(),
        }
    }

    /// Plays a legal move: where the game would start that went on from there.
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

    /// The number of moves that may be played there.
    pub fn count(&self) -> u32 {
        match self {
            Self::Chess(start) => start.position.legal().count(),
            Self::Variant(start) => start.board.legal().count(),
        }
    }
}

/// Where the game starts; none when its rules are not known or do not know the
/// position, so that it has no integer.
pub fn of_tags(fen: Option<&[u8]>, variant: Option<&[u8]>) -> Option<Start> {
    let variant = variant.map_or(Some(Variant::Chess), Variant::of_name)?;
    if variant == Variant::Chess {
        return Some(Start::Chess(match fen {
            None => chess::Start::default(),
            Some(fen) => chess::Start::from_fen(fen).ok()?,
        }));
    }
    let start = match fen {
        None => variant::Start::usual(variant)?,
        Some(fen) => variant::Start::from_fen(variant, fen).ok()?,
    };
    Some(Start::Variant(Box::new(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_of_the_rules_start_a_game() {
        assert_eq!(of_tags(None, None), Some(Start::default()));
        assert_eq!(of_tags(None, Some(b"Standard")), Some(Start::default()));
        assert!(of_tags(None, Some(b"Seirawan")).is_none());
        assert!(of_tags(Some(b"8/8/8/8/8/8/8/8 w - - 0 1"), None).is_none());
        let start = of_tags(Some(b"4k3/8/8/8/8/8/8/4K2R b K - 0 17"), None).unwrap();
        assert_eq!(start.fullmoves().get(), 17);
        assert!(!start.white_starts());
        let house = of_tags(None, Some(b"Crazyhouse")).unwrap();
        assert!(house.as_chess().is_none() && house.white_starts());
        // No king is no chess, but may be Antichess.
        let bare: &[u8] = b"8/8/8/8/8/8/8/7Q w - - 0 3";
        assert!(of_tags(Some(bare), None).is_none());
        assert_eq!(of_tags(Some(bare), Some(b"Crazyhouse")), None);
        let bare = of_tags(Some(bare), Some(b"antichess")).unwrap();
        assert_eq!((bare.fullmoves().get(), bare.count()), (3, 0));
    }
}
