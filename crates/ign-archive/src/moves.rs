//! Moves and positions of a game, as shakmaty has them.

use ign_format::{
    error::{Error, Kind, Result},
    pgn::{game_state::GameState, start::Start},
};
use ign_notation::{
    Game as _,
    chess::{Move, Position, rules::Board as _, san::Naming, variant::Board},
};
use shakmaty::{
    Bitboard, CastlingMode, EnPassantMode, File, Position as _, PositionError, Role, Square,
    variant::{Variant, VariantPosition},
};

/// The moves of the main line of a game without null moves, in order.
#[derive(Debug, Clone)]
pub struct Moves<'g> {
    /// The position of the next move.
    position: Replayed,
    rest: std::slice::Iter<'g, Move>,
}

/// A game as far as it was replayed.
#[derive(Debug, Clone)]
enum Replayed {
    /// Chess, on this project's bitboards: replaying needs no list of legal moves.
    Chess(Box<Position>),
    /// A variant.
    Variant(Box<Board>),
}

impl<'g> Moves<'g> {
    pub(crate) fn new(start: &Start, moves: &'g [Move]) -> Self {
        let position = match start {
            Start::Chess(start) => Replayed::Chess(Box::new(start.position)),
            Start::Variant(start) => Replayed::Variant(Box::new(start.board.clone())),
        };
        Self {
            position,
            rest: moves.iter(),
        }
    }

    pub(crate) fn none() -> Self {
        Self {
            position: Replayed::Chess(Box::default()),
            rest: [].iter(),
        }
    }
}

impl Iterator for Moves<'_> {
    type Item = shakmaty::Move;

    fn next(&mut self) -> Option<shakmaty::Move> {
        let &played = self.rest.next()?;
        Some(match &mut self.position {
            Replayed::Chess(position) => {
                let theirs = played.to_shakmaty(position);
                position.play(played);
                theirs
            }
            Replayed::Variant(board) => {
                let theirs = of_variant(played, |square| board.role_at(square), board.us());
                board.play(played);
                theirs
            }
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.size_hint()
    }
}

impl ExactSizeIterator for Moves<'_> {}

/// The positions of the main line of a game: the starting position, then the one after each move.
#[derive(Debug, Clone)]
pub struct Positions<'g> {
    /// The position that was returned last; before the first, the start.
    position: Option<VariantPosition>,
    is_start: bool,
    rest: std::slice::Iter<'g, Move>,
}

impl<'g> Positions<'g> {
    pub(crate) fn new(start: &Start, moves: &'g [Move]) -> Result<Self> {
        Ok(Self {
            position: Some(position_of(start)?),
            is_start: true,
            rest: moves.iter(),
        })
    }

    pub(crate) fn none() -> Self {
        Self {
            position: None,
            is_start: true,
            rest: [].iter(),
        }
    }
}

impl Iterator for Positions<'_> {
    type Item = VariantPosition;

    fn next(&mut self) -> Option<VariantPosition> {
        let position = self.position.as_mut()?;
        if !std::mem::take(&mut self.is_start) {
            let &played = self.rest.next()?;
            if played.is_null() {
                self.position = after_null_move(position);
                return self.position.clone();
            }
            position.play_unchecked(of_position(position, played));
        }
        Some(position.clone())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let start = usize::from(self.is_start && self.position.is_some());
        let len = self.rest.len() + start;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Positions<'_> {}

/// Moves in standard algebraic notation, with the signs of check and mate.
pub(crate) fn san_of(start: &Start, moves: &[Move]) -> Vec<String> {
    let mut state = GameState::new(start);
    let write = |&played: &Move| {
        let mut san = state
            .with_legal(|legal| legal.write_with(Naming::Standard, played))
            .as_bytes()
            .to_vec();
        state.play(played);
        san.extend(state.with_legal(|legal| legal.sign()));
        String::from_utf8_lossy(&san).into_owned()
    };
    moves.iter().map(write).collect()
}

/// The starting position of a game for shakmaty.
fn position_of(start: &Start) -> Result<VariantPosition> {
    let position = match start {
        Start::Chess(start) => start.position.to_shakmaty().map(VariantPosition::from),
        Start::Variant(start) => start.board.to_shakmaty(),
    };
    position.ok_or_else(|| {
        Error::new(
            Kind::Unsupported,
            "shakmaty does not accept the starting position of the game",
        )
    })
}

/// The position after a null move, with which the side to move passes; `None` in variants and if
/// the side is in check.
pub fn after_null_move(position: &VariantPosition) -> Option<VariantPosition> {
    if position.variant() != Variant::Chess || position.is_check() {
        return None;
    }
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    if setup.turn.is_black() {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.swap_turn();
    VariantPosition::from_setup(position.variant(), setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

/// A legal move of a position of shakmaty's, as shakmaty has it.
fn of_position(position: &VariantPosition, played: Move) -> shakmaty::Move {
    let board = position.board();
    of_variant(played, |square| board.role_at(square), position.us())
}

/// A legal move of a variant as shakmaty has it, by the roles of the pieces and the squares of the
/// side to move. For chess, [`Move::to_shakmaty`] does the same with the project's own positions.
fn of_variant(
    played: Move,
    role_at: impl Fn(Square) -> Option<Role>,
    us: Bitboard,
) -> shakmaty::Move {
    let (from, to) = (played.from(), played.to());
    if let Some(role) = played.dropped() {
        return shakmaty::Move::Put { role, to };
    }
    let role = role_at(from).unwrap_or(Role::Pawn);
    let capture = role_at(to);
    if role == Role::King && us.contains(to) {
        // Chess960: the destination is the square of the rook.
        return shakmaty::Move::Castle {
            king: from,
            rook: to,
        };
    }
    if role == Role::King && from.abs_diff(to) == 2 {
        // The king moves two squares: the rook is in the corner of that side.
        let file = if to > from { File::H } else { File::A };
        let rook = Square::from_coords(file, from.rank());
        return shakmaty::Move::Castle { king: from, rook };
    }
    if role == Role::Pawn && from.file() != to.file() && capture.is_none() {
        return shakmaty::Move::EnPassant { from, to };
    }
    shakmaty::Move::Normal {
        role,
        from,
        capture,
        to,
        promotion: played.promotion(),
    }
}
