//! Trains the Go model (`crates/ign-format/src/go_model`) from games.
//!
//! The loss is softmax cross-entropy over the choices of each position. The optimizer is AdaGrad
//! with a linearly decreasing learning rate. The recipe and its results: `docs/go-model.md`.
//!
//! Training is reproducible: it has one thread, and the games are shuffled once with a constant
//! seed. Equal sources and options give equal bytes if floating point follows IEEE 754 and `exp`
//! rounds equally.

use std::{fs, path::PathBuf, time::Instant};

use clap::Parser;
use ign_archive::{Coding, Input, Packer};
use ign_format::{
    block::{decode::Block, go as blocks},
    error::{Error, Result},
    go_model::features::{ENTRIES, Extractor},
    sgf::parse::Played,
};
use ign_notation::{
    Game as _,
    go::{Move, Position},
};

/// Trains the Go model of ign. Every tenth game is held out; every tenth of these is evaluated.
#[derive(Parser)]
struct Args {
    /// SGF collections for training.
    #[arg(required = true, value_name = "FILE")]
    sources: Vec<PathBuf>,
    /// Passes over the games.
    #[arg(long, default_value_t = 0.9)]
    passes: f64,
    /// Train on one move in this many, drawn at random.
    #[arg(long, default_value_t = 3)]
    every: u64,
    /// Initial learning rate; it decreases linearly to a tenth.
    #[arg(long, default_value_t = 0.15)]
    rate: f32,
    /// Weight decay, multiplied by the parameter and by the probability of the choice.
    #[arg(long, default_value_t = 0.0)]
    decay: f32,
    /// Output file of the model: one signed byte per parameter, compressed with zstd, as
    /// crates/ign-format/src/go_model/v1.zst.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Minimum length of a game in moves. Shorter games are skipped.
const FEWEST_MOVES: usize = 6;
/// Maximum board size in lines. Games on larger or non-square boards are skipped.
const MAX_LINES: u8 = 19;
/// One game in this many is held out, and one in this many of those is evaluated.
const HELD_OUT: usize = 10;
/// Stored parameters are integers in units of 1 / `UNIT` (spec §14.7.3).
const UNIT: f32 = 16.0;
/// Initial value of AdaGrad's sums of squared gradients.
const FIRST_SQUARES: f32 = 1e-2;
/// A smaller gradient is rounded at random to 0 or to this size, without bias. Most choices have a
/// gradient near 0, so this saves time.
const LEAST_SLOPE: f32 = 2e-3;
/// Compression level of the model. Like the `zstd` command, it adds a checksum.
const LEVEL: i32 = 19;

/// A game: the starting position and the moves.
type Game = (Position, Vec<Move>);

/// Marsaglia's xorshift generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, (self.next() % (i as u64 + 1)) as usize);
        }
    }
}

/// Collects the main lines of a block.
#[derive(Default)]
struct Gathering {
    games: Vec<Game>,
    game: Option<Game>,
}

impl blocks::Visitor for Gathering {
    fn open(&mut self, opening: blocks::Opening) {
        let start = opening.start.filter(|start| {
            let size = start.size();
            size.rows() == size.columns() && size.rows() <= MAX_LINES
        });
        self.game = start.map(|start| (start.clone(), Vec::new()));
    }

    fn played(&mut self, played: Played) {
        if let Some((_, moves)) = self.game.as_mut().filter(|_| played.main) {
            moves.push(played.played);
        }
    }

    fn close(&mut self) -> Result<()> {
        let game = self.game.take();
        self.games
            .extend(game.filter(|(_, moves)| moves.len() >= FEWEST_MOVES));
        Ok(())
    }
}

/// Loads the games of a collection, in order.
fn load(path: &PathBuf) -> Result<Vec<Game>> {
    let mut games = Vec::new();
    let packer = Packer::new().coding(Coding::Ign).level(1).verify(false);
    packer.each_block(
        [Input::file(path)],
        |encoded| {
            let block = Block::open(encoded)?;
            let mut gathering = Gathering::default();
            if block.kind() == ign_format::block::Kind::Go {
                blocks::walk(&block, &block.records()?, &mut gathering)?;
            }
            Ok(gathering.games)
        },
        |more| {
            games.extend(more);
            Ok(())
        },
    )?;
    if games.is_empty() {
        return Err(Error::usage("contains no Go games").in_file(path));
    }
    Ok(games)
}

/// Computes the logits of the choices of a position, and returns the highest.
fn score(
    rows: &[[u32; ign_format::go_model::features::TABLES]],
    parameters: &[f32],
    scores: &mut Vec<f32>,
) -> f32 {
    scores.clear();
    let mut highest = f32::MIN;
    for row in rows {
        let mut sum = 0f32;
        for &place in row {
            sum += parameters[place as usize];
        }
        scores.push(sum);
        highest = highest.max(sum);
    }
    highest
}

/// The cross-entropy on some of the held-out games in bits per move: in total, and by intervals of
/// forty moves.
fn judge(parameters: &[f32], games: &[Game]) -> String {
    let mut extractor = Extractor::default();
    let mut scores = Vec::new();
    let mut parts = [(0.0, 0u64); 8];
    for (start, moves) in games.iter().step_by(HELD_OUT) {
        let mut position = start.clone();
        for (ply, &played) in moves.iter().enumerate() {
            let highest = score(extractor.extract(&position), parameters, &mut scores);
            let chosen = ordinal(&position, played);
            let sum: f64 = scores.iter().map(|s| f64::from(s - highest).exp()).sum();
            let bits = sum.log2() - f64::from(scores[chosen] - highest) * std::f64::consts::LOG2_E;
            let part = &mut parts[(ply / 40).min(7)];
            part.0 += bits;
            part.1 += 1;
            position.play(played);
        }
    }
    let mean = |(bits, moves): (f64, u64)| bits / moves.max(1) as f64;
    let (bits, moves) = parts.iter().fold((0.0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let parts = parts.map(|part| format!("{:.2}", mean(part))).join(" ");
    format!(
        "{:.4} bits per move over {moves} moves; by intervals of 40 moves: {parts}",
        mean((bits, moves))
    )
}

/// The index of the played move among the choices of the position.
fn ordinal(position: &Position, played: Move) -> usize {
    position.ordinal(played).expect("games have legal moves").0 as usize
}

/// The parameters, and AdaGrad's sum of squared gradients of each.
struct Learner {
    parameters: Vec<f32>,
    squares: Vec<f32>,
    extractor: Extractor,
    scores: Vec<f32>,
    random: Random,
    decay: f32,
}

impl Learner {
    /// Trains on a move. Returns its cross-entropy before the update, in bits.
    fn learn(&mut self, position: &Position, played: Move, rate: f32) -> f64 {
        let rows = self.extractor.extract(position);
        let chosen = ordinal(position, played);
        let highest = score(rows, &self.parameters, &mut self.scores);
        let mut sum = 0f32;
        for score in &mut self.scores {
            *score = (*score - highest).exp();
            sum += *score;
        }
        for (choice, (row, power)) in rows.iter().zip(&self.scores).enumerate() {
            let probability = power / sum;
            let mut slope = probability - if choice == chosen { 1.0 } else { 0.0 };
            if slope.abs() < LEAST_SLOPE {
                if self.random.unit() >= slope.abs() / LEAST_SLOPE {
                    continue;
                }
                slope = slope.signum() * LEAST_SLOPE;
            }
            for &place in row {
                let place = place as usize;
                let slope = slope + self.decay * self.parameters[place] * probability;
                self.squares[place] += slope * slope;
                self.parameters[place] -= rate * slope / self.squares[place].sqrt();
            }
        }
        -f64::from((self.scores[chosen] / sum).max(1e-30)).log2()
    }

    /// The parameters as the format stores them: integers in units of 1 / `UNIT`.
    fn rounded(&self) -> Vec<f32> {
        let round = |value: &f32| (value * UNIT).round().clamp(-127.0, 127.0);
        self.parameters.iter().map(round).collect()
    }
}

fn train(args: &Args) -> Result<()> {
    let mut games = Vec::new();
    for path in &args.sources {
        games.extend(load(path)?);
    }
    let (mut learnt, mut held_out) = (Vec::new(), Vec::new());
    for (number, game) in games.into_iter().enumerate() {
        match number % HELD_OUT {
            9 => held_out.push(game),
            _ => learnt.push(game),
        }
    }
    println!(
        "{} training games, {} held out",
        learnt.len(),
        held_out.len()
    );
    let mut learner = Learner {
        parameters: vec![0.0; ENTRIES],
        squares: vec![FIRST_SQUARES; ENTRIES],
        extractor: Extractor::default(),
        scores: Vec::new(),
        random: Random(88_172_645_463_325_252),
        decay: args.decay,
    };
    let mut order: Vec<usize> = (0..learnt.len()).collect();
    learner.random.shuffle(&mut order);
    let total = (learnt.len() as f64 * args.passes) as usize;
    let start = Instant::now();
    let (mut bits, mut moves) = (0.0, 0u64);
    for step in 0..total {
        let rate = args.rate * (1.0 - 0.9 * step as f32 / total as f32);
        let (first, played) = &learnt[order[step % learnt.len()]];
        let mut position = first.clone();
        for &played in played {
            if learner.random.next().is_multiple_of(args.every) {
                bits += learner.learn(&position, played, rate);
                moves += 1;
            }
            position.play(played);
        }
        if step % 2000 == 1999 {
            let seconds = start.elapsed().as_secs();
            println!(
                "{} games, {seconds} s: training {:.4} bits per move",
                step + 1,
                bits / moves as f64
            );
            (bits, moves) = (0.0, 0);
        }
        if step % 8000 == 7999 {
            println!("held out: {}", judge(&learner.parameters, &held_out));
        }
    }
    let rounded = learner.rounded();
    let units: Vec<f32> = rounded.iter().map(|value| value / UNIT).collect();
    println!("held out: {}", judge(&learner.parameters, &held_out));
    println!("rounded:  {}", judge(&units, &held_out));
    if let Some(path) = &args.output {
        let bytes: Vec<u8> = rounded.iter().map(|&value| value as i8 as u8).collect();
        let packed = || {
            let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
            compressor.include_checksum(true)?;
            fs::write(path, compressor.compress(&bytes)?)
        };
        packed().map_err(|e| Error::from(e).in_file(path))?;
    }
    Ok(())
}

fn main() {
    let args = Args::parse();
    if args.every == 0 {
        eprintln!("ign-train-go: --every must be at least 1");
        std::process::exit(1);
    }
    if let Err(error) = train(&args) {
        eprintln!("ign-train-go: {error}");
        std::process::exit(1);
    }
}
