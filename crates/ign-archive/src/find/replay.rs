//! Conditions of a query on the moves of a game, decided while the game is replayed.

use ign_format::{
    block::{decode::Game, moves::GameMoves},
    error::Result,
    pgn::start::Start,
};
use ign_notation::chess::{Move, Position, repetition::Watch, rules::LegalMoves};
use shakmaty::{Bitboard, Role};

use super::Draws;
use crate::query::{Bounds, Comparison, PositionFilter, Query};

/// The conditions of a query that a replay decides, and the state of the current game.
pub struct Replay<'q> {
    plies: Option<Bounds<u32>>,
    positions: Option<&'q PositionFilter>,
    like: Option<Comparison<'q>>,
    draws: Draws,
    watch: Watch,
}

impl<'q> Replay<'q> {
    /// The conditions of a query; `None` if it has none on moves.
    pub fn of(query: &'q Query) -> Option<Self> {
        let draws = Draws {
            repetition: query.repetition,
            fifty_moves: query.fifty_moves,
        };
        let replay = Self {
            plies: query.plies,
            positions: Some(&query.positions).filter(|positions| !positions.is_empty()),
            like: query.like.as_ref().map(Comparison::new),
            draws,
            watch: Watch::default(),
        };
        let is_any = replay.plies.is_some()
            || replay.positions.is_some()
            || replay.like.is_some()
            || draws != Draws::default();
        is_any.then_some(replay)
    }

    /// The names of the conditions.
    pub fn names(&self) -> String {
        let names = [
            ("plies", self.plies.is_some()),
            ("positions", self.positions.is_some()),
            ("like", self.like.is_some()),
            ("repetition", self.draws.repetition),
            ("fifty_moves", self.draws.fifty_moves),
        ];
        let set = names.iter().filter(|(_, is_set)| *is_set);
        set.map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }

    /// Whether a game without moves, or whose moves are kept as text, meets the conditions.
    pub fn matches_without_moves(&self) -> bool {
        self.positions.is_none()
            && self.like.is_none()
            && self.draws == Draws::default()
            && self.plies.is_none_or(|plies| plies.contains(&0))
    }

    /// Whether a game meets the conditions. It is replayed until that is certain.
    ///
    /// # Errors
    /// Corrupt.
    pub fn matches(&mut self, game: &mut Game) -> Result<bool> {
        self.decide(game.start, &mut game.moves)
    }

    fn decide(&mut self, start: &Start, moves: &mut GameMoves) -> Result<bool> {
        let mut state = State {
            plies: 0,
            // In variants pieces may return, or pawns may start elsewhere.
            reach: self
                .positions
                .filter(|_| start.as_chess().is_some())
                .map(|_| Reach::default()),
            met_position: self.positions.is_none(),
            failed: false,
        };
        let has_draws = self.draws != Draws::default();
        if let Some(like) = &mut self.like {
            like.restart();
        }
        moves.play_while(start, |legal, played| {
            self.see(&mut state, legal, played, has_draws);
            let is_open =
                !state.met_position || self.plies.is_some() || self.like.is_some() || has_draws;
            !state.failed && is_open
        })?;
        let draws = self.watch.finish();
        Ok(!state.failed
            && state.met_position
            && self.plies.is_none_or(|plies| plies.contains(&state.plies))
            && self.like.as_ref().is_none_or(Comparison::matches)
            && (draws.repetition || !self.draws.repetition)
            && (draws.fifty_moves || !self.draws.fifty_moves))
    }

    /// Takes the next position, and the move played there.
    #[inline]
    fn see(
        &mut self,
        state: &mut State,
        legal: &dyn LegalMoves,
        played: Option<Move>,
        has_draws: bool,
    ) {
        if let Some(filter) = self.positions
            && !state.met_position
        {
            let position = legal.board();
            if (played.is_none() || !filter.last_only) && filter.matches(&position) {
                state.met_position = true;
            } else if let Some(reach) = &mut state.reach
                && reach.has_changed(&position)
                && !filter.is_reachable(&position)
            {
                state.failed = true;
                return;
            }
        }
        if has_draws {
            self.watch.see(legal, played);
        }
        if let Some(played) = played {
            state.plies += 1;
            let too_long = |plies: Bounds<u32>| plies.max.is_some_and(|max| state.plies > max);
            state.failed |= self.plies.is_some_and(too_long);
            if let Some(like) = &mut self.like {
                state.failed |= !like.add(&legal.board(), played);
            }
        }
    }
}

/// The state of a game.
struct State {
    /// The number of plies played.
    plies: u32,
    /// When to ask whether the positions can still be reached; `None` if always.
    reach: Option<Reach>,
    met_position: bool,
    failed: bool,
}

/// What decides whether a position can be reached. Other moves than those of pawns, captures, and
/// those that lose a castling right do not change it.
#[derive(Default, PartialEq, Eq)]
struct Reach {
    pawns: Bitboard,
    pieces: usize,
    castling: Bitboard,
}

impl Reach {
    fn has_changed(&mut self, position: &Position) -> bool {
        let now = Self {
            pawns: position.by_role(Role::Pawn),
            pieces: position.occupied().count(),
            castling: position.castling_rooks(),
        };
        let has_changed = now != *self;
        *self = now;
        has_changed
    }
}
