//! Plays the games of a group in lockstep and gives the frequencies of each choice.
//!
//! [`Lockstep`] is the one traversal of a group: packing, unpacking, opening search and statistics
//! differ only in how their callback makes each choice. After a few groups it allocates nothing.

use crate::{
    block::{
        constraints::Constraint,
        groups::copies::Copies,
        integers::digits::{check_no_null, check_null},
    },
    error::{Error, Result},
    model::{Frequencies, Scorer, Style},
    pgn::{game_state::GameState, start::Start},
};
use ign_notation::{Game as _, chess::Move, signature::Signature};

/// Games of a group; the last group of a block may have fewer (spec §4.2.3).
pub const GROUP: usize = 16;

/// What a game needs to be played in lockstep.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'s> {
    /// Its start.
    pub start: &'s Start,
    /// Its signature, if it constrains the moves.
    pub signature: Option<Signature>,
    /// The plies of its null moves, ascending.
    pub nulls: &'s [u32],
}

/// What a game does in a round.
#[derive(Debug, Clone, Copy)]
pub enum Next<'l> {
    /// It passes with a null move, which is no choice.
    Null,
    /// A choice.
    Choice {
        /// The number of plies before it.
        ply: usize,
        /// The state of the game.
        state: &'l GameState,
        /// The frequencies of the choices.
        frequencies: &'l Frequencies,
    },
}

/// Games played in lockstep.
#[derive(Debug)]
pub struct Lockstep {
    scorer: Scorer,
    frequencies: Frequencies,
    states: Vec<GameState>,
    /// The known signature of each game.
    signatures: Vec<Option<Signature>>,
    /// The null moves of the games that are left: ply and game, the last first.
    nulls: Vec<(u32, usize)>,
    /// Plies played in each of the games in progress.
    rounds: usize,
    /// The games in progress.
    going: Vec<usize>,
}

impl Lockstep {
    /// An engine for games of this style.
    pub fn new(style: Style) -> Self {
        Self {
            scorer: Scorer::new(style),
            frequencies: Frequencies::default(),
            states: Vec::with_capacity(GROUP),
            signatures: Vec::with_capacity(GROUP),
            nulls: Vec::new(),
            rounds: 0,
            going: Vec::with_capacity(GROUP),
        }
    }

    /// Sets up the boards of a group. Copies are not played.
    pub(super) fn start<'s>(&mut self, games: impl Iterator<Item = Setup<'s>>, copies: Copies) {
        self.states.clear();
        self.signatures.clear();
        self.nulls.clear();
        for (game, setup) in games.enumerate() {
            self.states.push(GameState::new(setup.start));
            self.signatures.push(setup.signature);
            if !copies.contains(game) {
                let nulls = setup.nulls.iter();
                self.nulls.extend(nulls.map(|&ply| (ply, game)));
            }
        }
        self.nulls.sort_unstable_by(|a, b| b.cmp(a));
        self.rounds = 0;
        self.going.clear();
        let played = (0..self.states.len()).filter(|&game| !copies.contains(game));
        self.going.extend(played);
    }

    /// Plays a round; returns whether any game is still in progress. `choose` gets the number of a
    /// game and what it does, and returns the choice if it is one: the index of a legal move, or
    /// the number of moves for the end of the game.
    ///
    /// # Errors
    /// The errors of `choose`; corrupt when no choice agrees with a game's signature, and when a
    /// null move is impossible.
    pub fn round(&mut self, mut choose: impl FnMut(usize, Next) -> Result<usize>) -> Result<bool> {
        let Self {
            scorer,
            frequencies,
            states,
            signatures,
            nulls,
            rounds,
            going,
        } = self;
        let plies = *rounds;
        *rounds += 1;
        let mut error = None;
        // Bit `game` is set if the game passes.
        let mut passing = 0u32;
        while let Some((_, game)) = nulls.pop_if(|&mut (ply, _)| ply as usize == plies) {
            passing |= 1 << game;
        }
        let passing = passing;
        going.retain(|&game| {
            let state = &mut states[game];
            if error.is_some() {
                return false;
            }
            if passing >> game & 1 != 0 {
                let passed = state
                    .with_legal(|legal| check_null(legal))
                    .and_then(|()| choose(game, Next::Null));
                state.play(Move::NULL);
                error = passed.err();
                return error.is_none();
            }
            state.score(scorer, game, frequencies);
            let constraint =
                signatures[game].map_or(Constraint::None, |known| Constraint::of(&known, plies));
            if !constraint.narrow(state, frequencies) {
                error = Some(Error::corrupt(
                    "the moves of a game contradict its signature",
                ));
                return false;
            }
            let choice = if frequencies.moves().is_empty() {
                Ok(0)
            } else {
                let ply = plies;
                choose(
                    game,
                    Next::Choice {
                        ply,
                        state,
                        frequencies,
                    },
                )
            };
            let choice = choice.unwrap_or_else(|e| {
                error = Some(e);
                usize::MAX
            });
            let Some(&played) = frequencies.moves().get(choice) else {
                let has_nulls = nulls.iter().any(|&(_, other)| other == game);
                error = error.take().or(check_no_null(has_nulls).err());
                return false;
            };
            state.play(played);
            true
        });
        error.map_or(Ok(!going.is_empty()), Err)
    }
}
