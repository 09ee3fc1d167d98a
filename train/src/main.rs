//! Trains the move model (`crates/ign-format/src/model`) from games; subcommands train the
//! networks.
//!
//! The optimization is that of the crate `ign-training`. The recipe and its results:
//! `docs/move-model.md`. Equal sources, options and seed give equal bytes at any number of threads.

mod clocks;
mod data;
mod evals;
mod names;
mod predict;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use clap::Parser;
use data::Source;
use ign_format::{
    block::encode_model,
    model::{
        Parameters,
        packed::pack,
        parameters::{HIDDEN_BIASES, OUTPUT_BIASES, OUTPUT_WEIGHTS, PARAMETERS, Shape},
        shape::HIDDEN_UNITS,
    },
    models::Architecture as _,
};
use ign_training::{
    Run, Settings,
    games::Game,
    network::{Loss, Worker},
    random::Random,
};
use rustc_hash::FxHashSet;

/// Trains the move model of ign. The last fifth of each file is held out for evaluation.
#[derive(Parser)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Args {
    #[command(subcommand)]
    other: Option<Other>,
    /// Training files, each with its style: 0 online amateurs, 1 masters, 2 engines.
    #[arg(required = true, value_name = "STYLE=FILE")]
    sources: Vec<Source>,
    /// Passes over the games.
    #[arg(long, default_value_t = 8.0)]
    passes: f64,
    /// Games per step.
    #[arg(long, default_value_t = 256)]
    batch: usize,
    /// Learning rate after the warm-up of 200 steps; it decays to 0 along a cosine.
    #[arg(long, default_value_t = 2e-3)]
    rate: f32,
    /// Learning rate of the feature tables, relative to that of the network.
    #[arg(long, default_value_t = 3.0)]
    table_rate: f32,
    /// Weight decay of the sparse tables, relative to the learning rate; a tenth elsewhere.
    #[arg(long, default_value_t = 0.05)]
    decay: f32,
    /// Learning rate of shared parts, relative to that of the network; 0 disables sharing.
    #[arg(long, default_value_t = 0.3)]
    shared_rate: f32,
    /// Weight decay of the own parts of parameters that share parts, relative to the learning
    /// rate.
    #[arg(long, default_value_t = 1.5)]
    own_decay: f32,
    /// Dropout: probability that an activation is set to zero in training.
    #[arg(long, default_value_t = 0.1)]
    dropout: f32,
    /// Seed of the random number generator.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads. The result does not depend on it.
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Approximate number of held-out games of each source in an evaluation.
    #[arg(long, default_value_t = 600)]
    judged: usize,
    /// Maximum number of training games, taken after shuffling.
    #[arg(long)]
    games: Option<usize>,
    /// Output path of the model without extension. NAME.units holds the embeddings and the hidden
    /// biases, NAME.packed the other parameters, as in crates/ign-format/src/model.
    #[arg(long, short, value_name = "NAME")]
    output: Option<PathBuf>,
    /// Output file for the parameters before rounding, as little-endian 32-bit floats.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Initial parameters: a file written by --state.
    #[arg(long, value_name = "STATE")]
    from: Option<PathBuf>,
}

impl Args {
    fn settings(&self) -> Settings {
        Settings {
            passes: self.passes,
            games: self.games.unwrap_or(usize::MAX),
            batch: self.batch,
            rate: self.rate,
            warm_up: 200.0,
            table_rate: self.table_rate,
            decay: self.decay,
            shared_rate: self.shared_rate,
            own_decay: self.own_decay,
            dropout: self.dropout,
            shards: SHARDS,
            seed: self.seed,
        }
    }
}

/// The networks.
#[derive(clap::Subcommand)]
enum Other {
    /// Trains the clock model, which predicts thinking times.
    Clocks(predict::Args),
    /// Trains the evaluation model, which predicts engine evaluations.
    Evals(predict::Args),
    /// Trains the name model, which predicts the characters of players' names.
    Names(predict::Args),
}

/// Number of shards of a batch. Each has a gradient of its own, at any number of threads.
const SHARDS: usize = 4;

/// Initial parameters: small random weights, hidden biases of 0.4, zero elsewhere.
fn initial(seed: u64) -> Vec<f32> {
    let mut random = Random(seed);
    let mut parameters = vec![0.0; PARAMETERS];
    for weight in &mut parameters[..HIDDEN_BIASES] {
        *weight = (random.unit() - 0.5) * 0.2;
    }
    for bias in &mut parameters[HIDDEN_BIASES..][..HIDDEN_UNITS] {
        *bias = 0.4;
    }
    for weight in &mut parameters[OUTPUT_WEIGHTS..OUTPUT_BIASES] {
        *weight = (random.unit() - 0.5) * 0.1;
    }
    parameters
}

/// The loss on `games`, without dropout.
fn judge(parameters: &[f32], games: &[Game], threads: usize) -> Loss {
    let parts: Vec<_> = games.chunks(games.len().div_ceil(threads).max(1)).collect();
    let losses: Vec<Loss> = std::thread::scope(|scope| {
        let handles: Vec<_> = parts
            .into_iter()
            .map(|games| {
                scope.spawn(move || {
                    let mut loss = Loss::default();
                    let mut worker = Worker::default();
                    for game in games {
                        worker.game(parameters, game, &mut loss, None);
                    }
                    loss
                })
            })
            .collect();
        handles
            .into_iter()
            .map(|h| h.join().expect("workers do not panic"))
            .collect()
    });
    let mut total = Loss::default();
    for loss in &losses {
        total.add(loss);
    }
    total
}

fn main() {
    let args = Args::parse();
    match &args.other {
        Some(Other::Clocks(args)) => predict::run(args, clocks::TASK),
        Some(Other::Evals(args)) => predict::run(args, evals::TASK),
        Some(Other::Names(args)) => predict::run(args, names::TASK),
        None => run(&args),
    }
}

/// Trains the move model, prints the progress, and writes the files that the arguments name.
fn run(args: &Args) {
    let mut train = Vec::new();
    let mut held_out = Vec::new();
    for source in &args.sources {
        let mut games = data::load(source).unwrap_or_else(|error| fail(&error.to_string()));
        let held = data::hold_out(&mut games);
        eprintln!(
            "{}: {} training games, {} held out",
            source.path.display(),
            games.len(),
            held.len()
        );
        train.push(games);
        held_out.push(held);
    }
    let known: FxHashSet<_> = held_out.iter().flatten().map(|g| g.moves.clone()).collect();
    let games: Vec<Game> = train
        .into_iter()
        .flat_map(|games| data::without(games, &known))
        .collect();
    let plies: usize = games.iter().map(|g| g.moves.len()).sum();
    eprintln!(
        "{} games, {plies} plies; {PARAMETERS} parameters",
        games.len()
    );

    let values = match &args.from {
        Some(path) => read(path),
        None => initial(args.seed),
    };
    let mut run = Run::from_values(args.settings(), games, values, args.threads)
        .unwrap_or_else(|error| fail(&error.to_string()));
    let (steps, per_pass) = (run.steps(), run.per_pass());
    let started = Instant::now();
    let mut recent = Loss::default();
    for step in 1.. {
        let Some(loss) = run.step() else { break };
        recent.add(&loss);
        if step % (per_pass / 4).max(1) == 0 || step == steps {
            print!(
                "{:.2} passes, {:.0} s, bits per ply: training {:.4}",
                step as f64 / per_pass as f64,
                started.elapsed().as_secs_f64(),
                recent.bits()
            );
            recent = Loss::default();
            for (source, held) in args.sources.iter().zip(&held_out) {
                // Spread evenly over the held-out games.
                let stride = (held.len() / args.judged).max(1);
                let some: Vec<Game> = held.iter().step_by(stride).cloned().collect();
                let loss = judge(run.rounded(), &some, args.threads);
                print!(
                    " | {} {:.4} (ends {:.4}, top-1 accuracy {:.1} %)",
                    source
                        .path
                        .file_stem()
                        .unwrap_or_default()
                        .to_string_lossy(),
                    loss.bits(),
                    loss.ends / loss.plies as f64,
                    100.0 * loss.first as f64 / loss.plies as f64
                );
            }
            println!();
            if let Some(path) = &args.state {
                let bytes: Vec<u8> = run.whole().iter().flat_map(|p| p.to_le_bytes()).collect();
                write(path, &bytes);
            }
            if let Some(path) = &args.output {
                write_model(path, &run.data(Shape::PROGRAM));
            }
        }
    }
}

/// Writes the two files of a built-in model, and the file of a model that `ign pack --model` reads.
fn write_model(path: &Path, data: &[u8]) {
    let bytes = &data[Shape::PROGRAM.write().len()..];
    let (units, others) = bytes.split_at(Shape::PROGRAM.units_len());
    let others: Vec<i8> = others.iter().map(|&byte| byte as i8).collect();
    write(&path.with_extension("units"), units);
    write(&path.with_extension("packed"), &pack(&others));
    let model = encode_model(Parameters::NUMBER, data, 19);
    let model = model.unwrap_or_else(|error| fail(&error.to_string()));
    write(&path.with_extension("model"), &model.bytes);
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())));
}

/// Prints an error and exits with status 1.
fn fail(what: &str) -> ! {
    eprintln!("ign-train: {what}");
    std::process::exit(1);
}

/// Reads the parameters that an earlier run wrote with `--state`.
fn read(path: &Path) -> Vec<f32> {
    let bytes =
        fs::read(path).unwrap_or_else(|error| fail(&format!("{}: {error}", path.display())));
    if bytes.len() != 4 * PARAMETERS {
        fail(&format!(
            "{}: the size does not match this model's parameters",
            path.display()
        ));
    }
    let (values, _) = bytes.as_chunks();
    values
        .iter()
        .map(|&value| f32::from_le_bytes(value))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Openings and short games.
    const GAMES: [&str; 5] = [
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0",
        "1. f3 e5 2. g4 Qh4# 0-1",
        "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 1-0",
        "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Nbd7 5. cxd5 exd5 6. Nxd5 Nxd5 7. Bxd8 Bb4+ 8. Qd2 0-1",
        "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be2 e5 7. Nb3 Be7 8. O-O O-O 1/2-1/2",
    ];

    /// The state file after training on this number of threads.
    fn state(threads: &str, folder: &Path) -> Vec<u8> {
        let pgn = folder.join("games.pgn");
        let text: Vec<String> = (0..10)
            .map(|i| format!("[Event \"{i}\"]\n\n{}\n\n", GAMES[i % GAMES.len()]))
            .collect();
        fs::write(&pgn, text.concat()).expect("the games are written");
        let state = folder.join(format!("{threads}.f32"));
        let source = format!("1={}", pgn.display());
        let mut args = vec!["ign-train", &source, "--passes", "2", "--threads", threads];
        let state_name = state.display().to_string();
        args.extend(["--seed", "3", "--state", &state_name]);
        run(&Args::parse_from(args));
        fs::read(&state).expect("the state is written")
    }

    #[test]
    fn parameters_do_not_depend_on_the_number_of_threads() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let one = state("1", folder.path());
        assert_eq!(one.len(), 4 * PARAMETERS);
        let untrained: Vec<u8> = (initial(3).iter())
            .flat_map(|parameter| parameter.to_le_bytes())
            .collect();
        assert!(one != untrained);
        assert!(state("2", folder.path()) == one);
        assert!(state("3", folder.path()) == one);
    }
}
