//! The built-in move model, continued on other games.

use std::{fmt, ops::ControlFlow};

use ign_archive::{Error, ErrorKind, Input, Progress as Reading, Result};
use ign_format::{
    block::encode_model,
    model::{MoveModel, Parameters},
    models::Architecture as _,
};
use ign_notation::chess::Move;
use rustc_hash::FxHashSet;

use crate::{
    collection,
    cost::{Cost, cost},
    games::Game,
    run::{Run, Settings},
};

/// Different games that are needed at least.
const FEWEST: usize = 100;
/// The parts of the change of the parameters among which the best one is kept. After few games or
/// for games that the built-in model knows well, a part of the change predicts better than all of
/// it.
const PARTS: [f32; 5] = [0.25, 0.375, 0.5, 0.75, 1.0];
/// The zstd level of the model file.
const LEVEL: i32 = 19;

/// How far a training has come.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Progress {
    /// The games are read.
    Reading {
        /// Games so far.
        games: u64,
    },
    /// The model is trained.
    Training {
        /// Steps so far.
        step: usize,
        /// Steps of the training.
        steps: usize,
        /// Bits a ply of the games of the last step.
        bits: f64,
    },
}

type OnProgress<'p> = Box<dyn FnMut(Progress) -> ControlFlow<()> + 'p>;

/// Continues the built-in move model on games: options with chained setters, then
/// [`train`](Self::train).
///
/// Of ten games, eight train the model, one chooses how far it is changed, and one measures it. The
/// result depends on the games and the options, not on the number of threads.
pub struct Trainer<'p> {
    games: usize,
    passes: f64,
    seed: u64,
    threads: usize,
    on_progress: OnProgress<'p>,
}

impl fmt::Debug for Trainer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trainer")
            .field("games", &self.games)
            .field("passes", &self.passes)
            .field("seed", &self.seed)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

impl Default for Trainer<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> Trainer<'p> {
    /// The default of [`games`](Self::games).
    pub const GAMES: usize = 50_000;
    /// The default of [`passes`](Self::passes).
    pub const PASSES: f64 = 4.0;

    /// The default options.
    pub fn new() -> Self {
        Self {
            games: Self::GAMES,
            passes: Self::PASSES,
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            on_progress: Box::new(|_| ControlFlow::Continue(())),
        }
    }

    /// The number of games that are used; of more, a random sample. It bounds memory and time.
    #[must_use]
    pub fn games(mut self, games: usize) -> Self {
        self.games = games;
        self
    }

    /// How often each game is used, at least 0.
    #[must_use]
    pub fn passes(mut self, passes: f64) -> Self {
        self.passes = passes.max(0.0);
        self
    }

    /// The seed of the random number generator.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The number of threads. The model does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Sets a callback that is called after each step. If it returns [`Break`](ControlFlow::Break),
    /// the training ends with an error of kind [`Cancelled`](ErrorKind::Cancelled).
    #[must_use]
    pub fn on_progress(mut self, callback: impl FnMut(Progress) -> ControlFlow<()> + 'p) -> Self {
        self.on_progress = Box::new(callback);
        self
    }

    /// Trains on the games of inputs.
    ///
    /// # Errors
    /// Those of the inputs; [`Usage`](ErrorKind::Usage) if they have too few games; cancelled;
    /// internal.
    pub fn train(mut self, inputs: impl IntoIterator<Item = Input>) -> Result<Trained> {
        let on_progress = &mut self.on_progress;
        let read = |reading: Reading| {
            on_progress(Progress::Reading {
                games: reading.games,
            })
        };
        let mut read = collection::read(inputs, self.games, self.seed, self.threads, read)?;
        let used = read.games.len();
        let division = Division::new(std::mem::take(&mut read.games));
        let different = division.different();
        if different < FEWEST || division.choosing.is_empty() || division.measuring.is_empty() {
            return Err(read.too_few(different, FEWEST));
        }
        let Division {
            training,
            choosing,
            measuring,
        } = division;
        let builtin = Parameters::builtin();
        let games = training.len();
        let plies: usize = training.iter().map(|game| game.moves.len()).sum();
        let settings = self.settings(games);
        let mut run = Run::from_model(settings, training, &builtin, self.threads)?;
        let (mut step, steps) = (0, run.steps());
        while let Some(loss) = run.step() {
            step += 1;
            let bits = loss.bits();
            if (self.on_progress)(Progress::Training { step, steps, bits }).is_break() {
                return Err(Error::new(ErrorKind::Cancelled, "cancelled"));
            }
        }
        let mut best: Option<(f64, Vec<u8>)> = None;
        for part in PARTS {
            let data = run.partial_data(builtin.shape(), part);
            let total = cost(&MoveModel::read(&data)?, &choosing, self.threads)?.total;
            if best.as_ref().is_none_or(|(least, _)| total < *least) {
                best = Some((total, data));
            }
        }
        let (_, data) = best.unwrap_or_default();
        Ok(Trained {
            games: games as u64,
            plies: plies as u64,
            used: used as u64,
            found: read.found,
            unpredicted: read.unpredicted,
            too_long: read.too_long,
            before: cost(&builtin, &measuring, self.threads)?,
            after: cost(&MoveModel::read(&data)?, &measuring, self.threads)?,
            model: encode_model(Parameters::NUMBER, &data, LEVEL)?.bytes,
        })
    }

    /// The settings for a number of training games, found by experiments: `docs/train.md`.
    fn settings(&self, games: usize) -> Settings {
        // Few games need small batches, since a step changes the parameters by little.
        let batch = (games / 64).clamp(8, 64);
        let steps = games as f64 * self.passes / batch as f64;
        Settings {
            passes: self.passes,
            games: usize::MAX,
            batch,
            rate: 1e-3,
            warm_up: (steps / 20.0).clamp(1.0, 200.0) as f32,
            table_rate: 3.0,
            decay: 0.05,
            shared_rate: 0.3,
            own_decay: 1.5,
            dropout: 0.1,
            shards: 8,
            seed: self.seed,
        }
    }
}

/// The games, by what they serve.
struct Division {
    training: Vec<Game>,
    /// Which part of the change is kept.
    choosing: Vec<Game>,
    measuring: Vec<Game>,
}

impl Division {
    /// Takes one game of ten for choosing and one for measuring, all along the games, which may be
    /// sorted. Games that are equal to a training game, or to an earlier one of these, are left out
    /// there.
    fn new(games: Vec<Game>) -> Self {
        let (mut training, mut choosing, mut measuring) = (Vec::new(), Vec::new(), Vec::new());
        for (number, game) in games.into_iter().enumerate() {
            match number % 10 {
                4 => choosing.push(game),
                9 => measuring.push(game),
                _ => training.push(game),
            }
        }
        let mut known: FxHashSet<Box<[Move]>> =
            training.iter().map(|game| game.moves.clone()).collect();
        measuring.retain(|game| known.insert(game.moves.clone()));
        choosing.retain(|game| known.insert(game.moves.clone()));
        Self {
            training,
            choosing,
            measuring,
        }
    }

    /// Number of different games.
    fn different(&self) -> usize {
        let lists: FxHashSet<&[Move]> = self.training.iter().map(|game| &*game.moves).collect();
        lists.len() + self.choosing.len() + self.measuring.len()
    }
}

/// A trained model, and how well it predicts.
#[derive(Debug)]
#[non_exhaustive]
pub struct Trained {
    /// Games that it was trained on.
    pub games: u64,
    /// Plies of these games.
    pub plies: u64,
    /// Games that were used, those held out included.
    pub used: u64,
    /// Games of the inputs that could be used, of which these are a sample.
    pub found: u64,
    /// Games that were left out because the move model has no part in packing their variant, such
    /// as Atomic.
    pub unpredicted: u64,
    /// Games that were left out because they are too long.
    pub too_long: u64,
    /// What the held-out games cost with the built-in model.
    pub before: Cost,
    /// What they cost with the trained one.
    pub after: Cost,
    model: Vec<u8>,
}

impl Trained {
    /// Whether the held-out games cost less than with the built-in model.
    pub fn is_better(&self) -> bool {
        self.after.total < self.before.total
    }

    /// The model as a file, which [`ModelFile::open`](ign_archive::ModelFile::open) reads.
    pub fn model(&self) -> &[u8] {
        &self.model
    }

    /// Number of games from which on an archive is smaller with the model, which it holds twice;
    /// `None` if it never is.
    pub fn pays_from(&self) -> Option<u64> {
        let saved = (self.before.total - self.after.total) / 8.0 / self.before.games.max(1) as f64;
        let games = (2.0 * self.model.len() as f64 / saved).ceil();
        (saved > 0.0).then_some(games as u64)
    }
}
