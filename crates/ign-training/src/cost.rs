//! What games cost in weighted coding: the frequencies of the coder itself, with the bytes of a
//! model.

use std::iter::Sum;

use ign_format::{
    error::{Error, Result},
    model::{Frequencies, MoveModel, Scorer, Style},
};
use ign_notation::Game as _;
use rayon::{ThreadPoolBuilder, prelude::*};

use crate::games::Game;

/// Games of a job. The sums do not depend on the number of threads, since the jobs do not.
const JOB: usize = 32;
/// Games by which the style of a block is chosen, as in packing.
const SAMPLE: usize = 48;

/// The cost of games, in bits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// Bits of the moves and of the ends of the games. Constraints by signatures are left out;
    /// they save a few more.
    pub total: f64,
    /// Plies.
    pub plies: u64,
    /// Games.
    pub games: u64,
}

impl Cost {
    /// Bits a ply, ends included; 0 without plies.
    pub fn bits(&self) -> f64 {
        self.total / self.plies.max(1) as f64
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::default(), |sum, cost| Self {
            total: sum.total + cost.total,
            plies: sum.plies + cost.plies,
            games: sum.games + cost.games,
        })
    }
}

/// The cost of games with a model, each in its style.
///
/// # Errors
/// Io, if no threads can be started.
pub fn cost(model: &MoveModel, games: &[Game], threads: usize) -> Result<Cost> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(Error::threads)?;
    let costs: Vec<Cost> = pool.install(|| {
        let jobs = games.par_chunks(JOB);
        jobs.map(|games| {
            let mut scorers: Vec<Scorer> = Style::all(model).map(Scorer::new).collect();
            let of = |game: &Game| cost_of(&mut scorers[usize::from(game.style)], game);
            games.iter().map(of).sum()
        })
        .collect()
    });
    Ok(costs.into_iter().sum())
}

/// The style of a model that gives the games of a block the least cost, by a sample of them.
pub fn style(model: &MoveModel, games: &[Game]) -> u8 {
    let every = games.len().div_ceil(SAMPLE).max(1);
    let cost = |style: Style| {
        let mut scorer = Scorer::new(style);
        let sample = games.iter().step_by(every);
        sample
            .map(|game| cost_of(&mut scorer, game))
            .sum::<Cost>()
            .total
    };
    let costs = Style::all(model).map(|style| (style.number(), cost(style)));
    let best = costs.min_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(0, |(style, _)| style)
}

fn cost_of(scorer: &mut Scorer, game: &Game) -> Cost {
    let mut frequencies = Frequencies::default();
    let mut state = game.state();
    let mut total = 0.0;
    let mut add = |frequencies: &Frequencies, frequency: u32| {
        total += (f64::from(frequencies.total()) / f64::from(frequency.max(1))).log2();
    };
    for &played in &game.moves {
        // A null move is not a choice: the format stores it elsewhere.
        if !played.is_null() {
            state.score(scorer, 0, &mut frequencies);
            if let Ok(choice) = frequencies.moves().binary_search(&played) {
                add(&frequencies, frequencies.frequencies()[choice]);
            }
        }
        state.play(played);
    }
    state.score(scorer, 0, &mut frequencies);
    if !frequencies.moves().is_empty() {
        add(&frequencies, frequencies.end());
    }
    Cost {
        total,
        plies: game.moves.len() as u64,
        games: 1,
    }
}
