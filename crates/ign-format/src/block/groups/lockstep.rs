//! Plays the games of a group in lockstep and gives the frequencies of each choice.
//!
//! [`Lockstep`] is the one traversal of a group: packing, unpacking, opening search and statistics
//! differ only in how their callback makes each choice. After a few groups it allocates nothing.

use crate::{
    block::{constraints::Constraint, groups::copies::Copies},
    error::{Error, Result},
    model::{Frequencies, Scorer},
    pgn::{game_state::GameState, start::Start},
};
use ign_notation::{Game as _, signature::Signature};

/// Games of a group; the last group of a block may have fewer (spec §4.2.3).
pub const GROUP: usize = 16;

/// Games played in lockstep.
#[derive(Debug)]
pub struct Lockstep {
    scorer: Scorer,
    frequencies: Frequencies,
    states: Vec<GameState>,
    /// The known signature of each game.
    signatures: Vec<Option<Signature>>,
    /// Plies played in each of the games in progress.
    rounds: usize,
    /// The games in progress.
    going: Vec<usize>,
}

impl Lockstep {
    /// An engine for games of this style.
    ///
    /// # Panics
    /// When the model has no such style.
    pub fn new(style: u8) -> Self {
        Self {
            scorer: Scorer::new(style),
            frequencies: Frequencies::default(),
            states: Vec::with_capacity(GROUP),
            signatures: Vec::with_capacity(GROUP),
            rounds: 0,
            going: Vec::with_capacity(GROUP),
        }
    }

    /// Sets up the boards of a group, each with the game's signature if it is known. Copies are not
    /// played.
    pub(super) fn start<'s>(
        &mut self,
        games: impl Iterator<Item = (&'s Start, Option<Signature>)>,
        copies: Copies,
    ) {
        self.states.clear();
        self.signatures.clear();
        for (start, signature) in games {
            self.states.push(GameState::new(start));
            self.signatures.push(signature);
        }
        self.rounds = 0;
        self.going.clear();
        let played = (0..self.states.len()).filter(|&game| !copies.contains(game));
        self.going.extend(played);
    }

    /// Plays a round; returns whether any game is still in progress. `choose` gets the number of a
    /// game, its state and the frequencies of its choices, and returns the choice: the index of a
    /// legal move, or the number of moves for the end of the game.
    ///
    /// # Errors
    /// The errors of `choose`; corrupt when no choice agrees with a game's signature.
    pub fn round(
        &mut self,
        mut choose: impl FnMut(usize, &GameState, &Frequencies) -> Result<usize>,
    ) -> Result<bool> {
        let Self {
            scorer,
            frequencies,
            states,
            signatures,
            rounds,
            going,
        } = self;
        let plies = *rounds;
        *rounds += 1;
        let mut error = None;
        going.retain(|&game| {
            let state = &mut states[game];
            if error.is_some() {
                return false;
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
            if frequencies.moves().is_empty() {
                return false;
            }
            let choice = choose(game, state, frequencies).unwrap_or_else(|e| {
                error = Some(e);
                usize::MAX
            });
            let Some(&played) = frequencies.moves().get(choice) else {
                return false;
            };
            state.play(played);
            true
        });
        error.map_or(Ok(!going.is_empty()), Err)
    }
}
