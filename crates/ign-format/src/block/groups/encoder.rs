//! Encodes games into the moves column.

use crate::{
    block::{
        groups::{
            copies::Copies,
            header, lengths,
            lockstep::{GROUP, Lockstep, Next, Setup},
        },
        starts::Starts,
    },
    model::{Frequencies, MoveModel, Style},
    pgn::{game_state::GameState, start::Start},
};
use ign_entropy::frequencies::{self, Interval, IntervalLog};
use ign_notation::signature::Signature;

/// Copies are marked where they save at least this many moves; marking them costs up to 27 bits.
/// The limit is a choice of this encoder, not of the format.
const MIN_SAVED: usize = 32;
/// Number of games by which the style is chosen. The choice is the encoder's, not the format's.
const SAMPLE: usize = 48;

/// Games to encode: their starts, signatures and moves, as ordinals.
#[derive(Debug, Clone, Default)]
pub struct Played {
    pub(super) starts: Starts,
    /// The signature of each game if readers know it.
    pub(super) signatures: Vec<Option<Signature>>,
    /// The ordinal of each move in canonical order; null moves have none.
    ordinals: Vec<u16>,
    /// Where the moves of each game end in `ordinals`.
    ends: Vec<usize>,
}

impl Played {
    /// Adds a game with null moves at these plies, and the ordinals of its other moves. If
    /// `signature` is given, readers must know it too; it is not used in games with null moves.
    pub fn push(
        &mut self,
        start: &Start,
        ordinals: impl Iterator<Item = u32>,
        nulls: &[u32],
        signature: Option<Signature>,
    ) {
        self.starts.push(Some(start), true, nulls);
        self.signatures.push(signature.filter(|_| nulls.is_empty()));
        self.ordinals.extend(ordinals.map(|ordinal| ordinal as u16));
        self.ends.push(self.ordinals.len());
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn ordinals(&self, game: usize) -> &[u16] {
        let start = game.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ordinals[start..self.ends[game]]
    }

    /// The copies of a group; none where marking them does not pay.
    fn copies(&self, games: impl Iterator<Item = usize> + Clone) -> Copies {
        let (mut copies, mut saved) = (Copies::NONE, 0);
        let pairs = games.clone().zip(games.skip(1));
        for (i, (before, game)) in pairs.enumerate() {
            let is_copy = self.ordinals(before) == self.ordinals(game)
                && self.starts.nulls(before) == self.starts.nulls(game)
                && self.starts.of(before) == self.starts.of(game)
                && self.signatures[before] == self.signatures[game];
            if is_copy {
                copies.insert(i + 1);
                saved += self.ordinals(game).len();
            }
        }
        if saved < MIN_SAVED {
            Copies::NONE
        } else {
            copies
        }
    }

    /// Plays the games of a group in lockstep. `visit` gets each choice: the index of the game in
    /// the group, the number of plies before the choice, the state of the game, the frequencies of
    /// its choices, and the choice made.
    pub fn play(
        &self,
        lockstep: &mut Lockstep,
        games: impl Iterator<Item = usize> + Clone,
        visit: impl FnMut(usize, usize, &GameState, &Frequencies, usize),
    ) {
        self.play_without(Copies::NONE, lockstep, games, visit);
    }

    /// [`play`](Self::play) without the copies.
    fn play_without(
        &self,
        copies: Copies,
        lockstep: &mut Lockstep,
        games: impl Iterator<Item = usize> + Clone,
        mut visit: impl FnMut(usize, usize, &GameState, &Frequencies, usize),
    ) {
        let mut left = [&[][..]; GROUP];
        for (left, game) in left.iter_mut().zip(games.clone()) {
            *left = self.ordinals(game);
        }
        let setups = games.map(|game| Setup {
            start: self.starts.of(game).expect("every game has a start"),
            signature: self.signatures[game],
            nulls: self.starts.nulls(game),
        });
        lockstep.start(setups, copies);
        let mut choose = |game: usize, next: Next| {
            let Next::Choice {
                ply,
                state,
                frequencies,
            } = next
            else {
                return Ok(0);
            };
            let choice = match left[game].split_off_first() {
                Some(&ordinal) => usize::from(ordinal),
                None => frequencies.moves().len(),
            };
            visit(game, ply, state, frequencies, choice);
            Ok(choice)
        };
        while lockstep
            .round(&mut choose)
            .expect("games agree with their signatures")
        {}
    }

    /// Appends the stream of a group and passes the interval of each choice to `log`.
    fn encode(
        &self,
        lockstep: &mut Lockstep,
        games: impl Iterator<Item = usize> + Clone,
        out: &mut Vec<u8>,
        mut log: impl FnMut(Interval),
    ) {
        let mut encoder = frequencies::Encoder::new(out);
        let mut code = |before, frequency, total| {
            encoder.encode(before, frequency, total);
            log(Interval {
                before,
                frequency,
                total,
            });
        };
        let copies = self.copies(games.clone());
        copies.encode(games.clone().count(), &mut code);
        self.play_without(copies, lockstep, games, |_, _, _, frequencies, choice| {
            let (before, frequency) = frequencies.interval(choice);
            code(before, frequency, frequencies.total());
        });
        encoder.finish();
    }

    /// The style of a model that encodes a sample of the games in the fewest bytes; the first of
    /// equal ones.
    pub fn style(&self, model: &MoveModel) -> Style {
        self.best_style(model).1
    }

    /// The [style](Self::style), and the bytes that a sample of the games takes with it.
    pub fn best_style(&self, model: &MoveModel) -> (usize, Style) {
        let sample = SAMPLE.min(self.len());
        let game = |i: usize| i * self.len() / sample;
        let cost = |style: Style| {
            let mut lockstep = Lockstep::new(style.clone());
            let mut out = Vec::new();
            for first in (0..sample).step_by(GROUP) {
                let games = (first..sample.min(first + GROUP)).map(game);
                self.encode(&mut lockstep, games, &mut out, |_| ());
            }
            (out.len(), style)
        };
        let costs = Style::all(model).map(cost);
        costs
            .min_by_key(|&(len, _)| len)
            .expect("a model has a style")
    }

    /// Encodes the column with the best style of a model; empty if there are no games. The log is
    /// that of [`write_in_style`](Self::write_in_style).
    pub fn write(&self, model: &MoveModel, log: Option<&mut IntervalLog>) -> Vec<u8> {
        if self.is_empty() {
            return Vec::new();
        }
        self.write_in_style(&self.style(model), log)
    }

    /// Encodes the column with a style of a model. The intervals of all choices are added to `log`
    /// if it is given, as one stream for each group.
    pub fn write_in_style(&self, style: &Style, mut log: Option<&mut IntervalLog>) -> Vec<u8> {
        let mut lockstep = Lockstep::new(style.clone());
        let mut streams = Vec::new();
        let mut lens = Vec::new();
        for first in (0..self.len()).step_by(GROUP) {
            let start = streams.len();
            let games = first..self.len().min(first + GROUP);
            self.encode(&mut lockstep, games, &mut streams, |interval| {
                if let Some(log) = &mut log {
                    log.push(interval);
                }
            });
            if let Some(log) = &mut log {
                log.end_stream();
            }
            lens.push((streams.len() - start) as u64);
        }
        let mut out = header::write(style);
        lengths::write(&mut out, &lens);
        out.extend_from_slice(&streams);
        out
    }
}
