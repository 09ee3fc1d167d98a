//! Starting positions of variants: the standard one and those of FENs (spec §4.2.1).

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, CastlingMode, Color, Position as _, PositionError, Rank, Role, Setup,
    variant::{self as theirs, VariantPosition},
};

use super::{
    board::{Board, Rules},
    crazyhouse::House,
    names::Variant,
};
use crate::chess::{
    fen::{FenError, read_setup},
    moves::DROPS,
    position::Position,
};

/// The start of a game of a variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The position.
    pub board: Board,
    /// The full-move number of the first move.
    pub fullmoves: NonZeroU32,
    /// The plies since the last pawn move or capture; 0 where the rules do not count them.
    pub halfmoves: u32,
}

/// The number of checks that win in Three-check.
const CHECKS: u8 = 3;

impl Start {
    /// The standard starting position; `None` for chess, which has [its own](crate::chess::Start).
    pub fn usual(variant: Variant) -> Option<Self> {
        let position = Position::default;
        let listed = |variant| Rules::Listed(VariantPosition::new(variant));
        let rules = match variant {
            Variant::Chess => return None,
            Variant::Crazyhouse => Rules::Crazyhouse(House {
                position: position(),
                hands: Default::default(),
                promoted: Bitboard::EMPTY,
            }),
            Variant::KingOfTheHill => Rules::KingOfTheHill(position()),
            Variant::Losers => Rules::Losers(position()),
            Variant::ThreeCheck => Rules::ThreeCheck {
                position: position(),
                left: shakmaty::ByColor {
                    black: CHECKS,
                    white: CHECKS,
                },
            },
            Variant::Atomic => listed(theirs::Variant::Atomic),
            Variant::Antichess => listed(theirs::Variant::Antichess),
            Variant::Horde => listed(theirs::Variant::Horde),
            Variant::RacingKings => listed(theirs::Variant::RacingKings),
        };
        Some(Self {
            board: Board { rules },
            fullmoves: NonZeroU32::MIN,
            halfmoves: 0,
        })
    }

    /// Reads a FEN for a variant, as [`chess::Start`](crate::chess::Start::from_fen) does for
    /// chess. Pieces in hand follow the board in brackets or as a ninth rank; `~` marks a promoted
    /// piece. Remaining checks are `3+3` after the en passant square; given checks are `+0+0` at
    /// the end.
    ///
    /// # Errors
    /// [`FenError`] if the text is not a FEN, or the position is impossible in the variant. For
    /// [`Variant::Chess`], also if the position has the kings that the laws of chess require.
    pub fn from_fen(variant: Variant, fen: &[u8]) -> Result<Self, FenError> {
        let mut setup = read_setup(fen)?;
        let fullmoves = setup.fullmoves;
        let halfmoves = match variant {
            Variant::Crazyhouse => 0,
            _ => setup.halfmoves,
        };
        if setup.pockets.is_some() && variant != Variant::Crazyhouse
            || setup.remaining_checks.is_some() && variant != Variant::ThreeCheck
        {
            return Err(FenError::Variant);
        }
        let rules = match variant {
            Variant::Chess => {
                let position = Position::of_any_kings(&setup)?;
                if position.has_regular_kings() {
                    return Err(FenError::NotOfVariant);
                }
                Rules::Kings(position)
            }
            Variant::Crazyhouse => Rules::Crazyhouse(house(&setup)?),
            Variant::KingOfTheHill => Rules::KingOfTheHill(Position::of_setup(&setup)?),
            Variant::Losers => Rules::Losers(Position::of_setup(&setup)?),
            Variant::ThreeCheck => {
                let left = setup.remaining_checks.unwrap_or_default();
                Rules::ThreeCheck {
                    position: Position::of_setup(&setup)?,
                    left: left.map(|left| u32::from(left) as u8),
                }
            }
            Variant::Atomic | Variant::Antichess | Variant::Horde | Variant::RacingKings => {
                listed(variant, &mut setup)?
            }
        };
        Ok(Self {
            board: Board { rules },
            fullmoves,
            halfmoves,
        })
    }
}

/// The Crazyhouse position of a setup.
fn house(setup: &Setup) -> Result<House, FenError> {
    let position = Position::of_setup(setup)?;
    let pockets = setup.pockets.unwrap_or_default();
    let in_hand =
        |pocket: &shakmaty::ByRole<u8>| pocket.iter().map(|&n| usize::from(n)).sum::<usize>();
    if pockets.iter().map(in_hand).sum::<usize>() + position.occupied().count() > 64
        || pockets.iter().any(|pocket| pocket.king > 0)
    {
        return Err(FenError::NotOfVariant);
    }
    let promotable = !(position.by_role(Role::Pawn) | position.by_role(Role::King));
    Ok(House {
        promoted: setup.promoted & position.occupied() & promotable,
        hands: pockets.map(|pocket| DROPS.map(|role| *pocket.get(role))),
        position,
    })
}

/// A position of a variant whose moves shakmaty generates. The checks here are those of the
/// specification; shakmaty's additional checks are ignored where it allows that.
fn listed(variant: Variant, setup: &mut Setup) -> Result<Rules, FenError> {
    let board = &setup.board;
    let kings = |color| (board.kings() & board.by_color(color)).count();
    let one_king_each = || {
        Color::ALL
            .into_iter()
            .try_for_each(|color| match kings(color) {
                1 => Ok(()),
                kings => Err(FenError::Kings { color, kings }),
            })
    };
    let on_last_ranks = board.pawns() & Bitboard::BACKRANKS;
    let theirs = match variant {
        Variant::Atomic => {
            one_king_each()?;
            theirs::Variant::Atomic
        }
        Variant::Antichess => {
            setup.castling_rights = Bitboard::EMPTY;
            theirs::Variant::Antichess
        }
        Variant::Horde => {
            if kings(Color::White) + kings(Color::Black) != 1 {
                return Err(FenError::NotOfVariant);
            }
            theirs::Variant::Horde
        }
        Variant::RacingKings => {
            one_king_each()?;
            let arrived = board.kings() & Rank::Eighth;
            if board.pawns().any() || setup.turn.is_black() && arrived.more_than_one() {
                return Err(FenError::NotOfVariant);
            }
            setup.castling_rights = Bitboard::EMPTY;
            setup.ep_square = None;
            theirs::Variant::RacingKings
        }
        _ => return Err(FenError::NotOfVariant),
    };
    let horde = if variant != Variant::Horde {
        Bitboard::EMPTY
    } else if kings(Color::White) == 0 {
        board.white() & Rank::First
    } else {
        board.black() & Rank::Eighth
    };
    if (on_last_ranks & !horde).any() {
        return Err(FenError::PawnOnLastRank);
    }
    let position = VariantPosition::from_setup(theirs, setup.clone(), CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|_| FenError::OpponentInCheck)?;
    if variant == Variant::RacingKings && position.is_check() {
        return Err(FenError::NotOfVariant);
    }
    Ok(Rules::Listed(position))
}
