//! The optimization: steps of Adam over batches of games.
//!
//! The loss is softmax cross-entropy over the choices of each position. The learning rate warms up
//! and then decays along a cosine. Forward passes use the parameters rounded as in the format.
//!
//! Invariant: equal games, settings and seed give equal bytes at any number of threads, because a
//! batch is always split into the same shards, whose gradients are added in order.

use ign_format::{
    error::{Error, Result},
    model::{
        MoveModel,
        parameters::{FEATURE_SCORES, PARAMETERS, Shape, scale},
    },
};
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use crate::{
    adam::{Adam, in_steps, steps},
    games::Game,
    network::{self, Loss, Worker},
    random::Random,
    shared::Shared,
};

/// What determines the result of a [`Run`], besides its games.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Passes over the games.
    pub passes: f64,
    /// Games that are taken at most, after shuffling.
    pub games: usize,
    /// Games per step.
    pub batch: usize,
    /// Learning rate after the warm-up; it decays to 0 along a cosine.
    pub rate: f32,
    /// Steps of the warm-up.
    pub warm_up: f32,
    /// Learning rate of the feature tables, relative to that of the network.
    pub table_rate: f32,
    /// Weight decay of the sparse tables, relative to the learning rate; a tenth elsewhere.
    pub decay: f32,
    /// Learning rate of shared parts, relative to that of the network; 0 disables sharing.
    pub shared_rate: f32,
    /// Weight decay of the own parts of parameters that share parts, relative to the learning
    /// rate.
    pub own_decay: f32,
    /// Probability that an activation is set to zero in training.
    pub dropout: f32,
    /// Number of shards of a batch. Each has a gradient of its own, at any number of threads.
    pub shards: usize,
    /// Seed of the random number generator.
    pub seed: u64,
}

/// A training in progress. It takes 29 bytes for each parameter, 16 for each value of a shared
/// part, and 4 for each parameter and shard.
#[derive(Debug)]
pub struct Run {
    settings: Settings,
    games: Vec<Game>,
    /// The games before this one have been used in this pass.
    next: usize,
    random: Random,
    step: usize,
    pool: ThreadPool,
    shared: Shared,
    /// By parameter: whether it shares parts.
    sharing: Vec<bool>,
    /// What the learnt parts are added to; `None` for zeros.
    base: Option<Vec<f32>>,
    own: Adam,
    parts: Adam,
    /// The parameters: sums of base, own and shared parts.
    whole: Vec<f32>,
    /// The parameters as the scorer uses them: each a multiple of its quantization step.
    rounded: Vec<f32>,
    shards: Vec<Vec<f32>>,
    slopes: Vec<f32>,
    shared_slopes: Vec<f32>,
}

impl Run {
    /// A run that learns parameters from these initial values. Weight decay is towards 0.
    ///
    /// # Errors
    /// Io, if no threads can be started.
    pub fn from_values(
        settings: Settings,
        games: Vec<Game>,
        mut values: Vec<f32>,
        threads: usize,
    ) -> Result<Self> {
        let shared = Shared::new();
        let whole = values.clone();
        let mut parts = vec![0.0; shared.count];
        if settings.shared_rate > 0.0 {
            shared.split(&mut values, &mut parts);
        }
        Self::new(
            settings,
            games,
            shared,
            None,
            [whole, values, parts],
            threads,
        )
    }

    /// A run that learns what differs from a model. Weight decay is towards the model.
    ///
    /// # Errors
    /// Io, if no threads can be started.
    pub fn from_model(
        settings: Settings,
        games: Vec<Game>,
        model: &MoveModel,
        threads: usize,
    ) -> Result<Self> {
        let bytes = model.layout().into_iter().enumerate();
        let base: Vec<f32> = bytes
            .map(|(i, byte)| f32::from(byte as i8) / f32::from(scale(i)))
            .collect();
        let shared = Shared::new();
        let zeros = [vec![0.0; PARAMETERS], vec![0.0; shared.count]];
        let [own, parts] = zeros;
        let values = [base.clone(), own, parts];
        Self::new(settings, games, shared, Some(base), values, threads)
    }

    fn new(
        settings: Settings,
        mut games: Vec<Game>,
        shared: Shared,
        base: Option<Vec<f32>>,
        [whole, own, parts]: [Vec<f32>; 3],
        threads: usize,
    ) -> Result<Self> {
        let mut random = Random(settings.seed);
        random.shuffle(&mut games);
        games.truncate(settings.games);
        let sharing = if settings.shared_rate > 0.0 {
            shared.sharing(PARAMETERS)
        } else {
            vec![false; PARAMETERS]
        };
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads.clamp(1, settings.shards))
            .build()
            .map_err(Error::threads)?;
        let mut run = Self {
            games,
            next: 0,
            random,
            step: 0,
            pool,
            sharing,
            base,
            own: Adam::new(own),
            parts: Adam::new(parts),
            rounded: whole.clone(),
            whole,
            shards: vec![vec![0.0; PARAMETERS]; settings.shards],
            slopes: vec![0.0; PARAMETERS],
            shared_slopes: vec![0.0; shared.count],
            shared,
            settings,
        };
        if run.base.is_some() {
            run.round();
        }
        Ok(run)
    }

    /// Number of steps of the run.
    pub fn steps(&self) -> usize {
        let games = self.games.len() as f64 * self.settings.passes;
        (games / self.settings.batch as f64).ceil() as usize
    }

    /// Number of steps in a pass over the games.
    pub fn per_pass(&self) -> usize {
        self.games.len().div_ceil(self.settings.batch)
    }

    /// Takes the next step. Returns the loss on its games; `None` after the last step.
    pub fn step(&mut self) -> Option<Loss> {
        let settings = self.settings.clone();
        if self.step == self.steps() {
            return None;
        }
        self.step += 1;
        if self.next >= self.games.len() {
            self.random.shuffle(&mut self.games);
            self.next = 0;
        }
        let left = &self.games[self.next..];
        let batch = &left[..settings.batch.min(left.len())];
        self.next += batch.len();

        let cut: Vec<&[Game]> = batch
            .chunks(batch.len().div_ceil(settings.shards))
            .collect();
        let (rounded, shards) = (&self.rounded, &mut self.shards);
        let first_lot = self.step * settings.shards;
        let losses: Vec<Loss> = self.pool.install(|| {
            let work = shards.par_iter_mut().zip(&cut).enumerate();
            work.map(|(shard, (gradient, games))| {
                let lot = settings.seed ^ ((first_lot + shard) as u64) << 20;
                let mut worker = Worker::dropping(settings.dropout, lot);
                let mut loss = Loss::default();
                gradient.fill(0.0);
                for game in *games {
                    worker.game(rounded, game, &mut loss, Some(gradient));
                }
                loss
            })
            .collect()
        });
        let mut loss = Loss::default();
        losses.iter().for_each(|part| loss.add(part));

        let frequency = 1.0 / loss.plies as f32;
        let shards = &self.shards[..cut.len()];
        for (i, slope) in self.slopes.iter_mut().enumerate() {
            let sum: f32 = shards.iter().map(|shard| shard[i]).sum();
            *slope = sum * frequency;
        }
        self.learn(&settings);
        self.round();
        Some(loss)
    }

    /// Changes the parameters by the gradients.
    fn learn(&mut self, settings: &Settings) {
        let progress = self.step as f64 / self.steps() as f64;
        let warm = (self.step as f32 / settings.warm_up).min(1.0);
        let rate =
            settings.rate * warm * (0.5 + 0.5 * (progress * std::f64::consts::PI).cos()) as f32;
        let sharing = &self.sharing;
        self.own.step(self.step, &self.slopes, |parameter| {
            let rate = if parameter >= FEATURE_SCORES {
                rate * settings.table_rate
            } else {
                rate
            };
            let shrink = match (sharing[parameter], network::is_sparse(parameter)) {
                (true, _) if parameter >= FEATURE_SCORES => {
                    settings.own_decay / settings.table_rate
                }
                (true, _) => settings.own_decay,
                (false, true) => settings.decay,
                (false, false) => settings.decay * 0.1,
            };
            (rate, shrink)
        });
        self.whole.copy_from_slice(&self.own.values);
        if settings.shared_rate > 0.0 {
            self.shared.gather(&self.slopes, &mut self.shared_slopes);
            let how = (rate * settings.shared_rate, settings.decay * 0.1);
            self.parts.step(self.step, &self.shared_slopes, |_| how);
            self.shared.spread(&self.parts.values, &mut self.whole);
        }
        if let Some(base) = &self.base {
            let both = self.whole.iter_mut().zip(base);
            both.for_each(|(whole, base)| *whole += base);
        }
    }

    fn round(&mut self) {
        for (i, (rounded, value)) in self.rounded.iter_mut().zip(&self.whole).enumerate() {
            *rounded = in_steps(*value, scale(i));
        }
    }

    /// The parameters before rounding.
    pub fn whole(&self) -> &[f32] {
        &self.whole
    }

    /// The parameters rounded as in the format.
    pub fn rounded(&self) -> &[f32] {
        &self.rounded
    }

    /// The data of the model of this shape.
    pub fn data(&self, shape: Shape) -> Vec<u8> {
        data(shape, &self.rounded)
    }

    /// The data of the model of this shape with a part of the difference from the model that the
    /// run began with.
    pub fn partial_data(&self, shape: Shape, part: f32) -> Vec<u8> {
        let base = self.base.as_deref().unwrap_or(&self.whole);
        let both = base.iter().zip(&self.whole).enumerate();
        let values: Vec<f32> = both
            .map(|(i, (base, whole))| in_steps(base + part * (whole - base), scale(i)))
            .collect();
        data(shape, &values)
    }
}

/// The data of the model with these rounded parameters.
fn data(shape: Shape, rounded: &[f32]) -> Vec<u8> {
    [shape.write(), shape.gather(&steps(rounded, scale))].concat()
}
