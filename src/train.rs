//! `ign train`

use std::{io::Write as _, ops::ControlFlow, process::ExitCode, time::Instant};

use super::{
    archive_file::open_archive,
    common::Common,
    content::Content,
    destination::Destination,
    json::{self, JsonArg, written},
    messages::say,
    numbers::{counted, grouped, percent, seconds},
    output::Output,
    progress::{Status, with_status},
    sources::InputArgs,
};
use ign_archive::{Error, Input, Result};
use ign_training::{Progress, Trained, Trainer};

const EXAMPLES: &str = "\
Examples:
  ign train crazyhouse.pgn -o crazyhouse.model
  ign pack --model crazyhouse.model crazyhouse.pgn
  ign train club/ --games 20000 --passes 2 -o club.model";

/// Train the move model on your games, for ign pack --model
///
/// Training continues from the built-in model. It helps games that differ from those that the
/// built-in model knows: a variant, one opening, one tournament of engines. Every tenth game is
/// held out and measures the model, before and after. A model that is not better is not written,
/// and the exit status is 1. With fewer than 3,000 different games the measure is a matter of
/// chance, and a warning says so; 100 are needed at least.
///
/// An archive holds the model that it was packed with, twice, which takes about 3.2 MB: it rarely
/// pays for fewer than a million games, and the last line says from how many games on. Games of
/// Atomic, Antichess, Horde and Racing Kings are left out, since the model has no part in packing
/// them, and so are games without one king on each side.
///
/// Memory stays below 500 MB with up to 200,000 games; 10,000 games take a few minutes on two
/// cores. The same games and options give the same model with any number of threads.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    #[command(flatten)]
    destination: Destination,
    /// Use at most this many games; of more, a random sample
    #[arg(short = 'n', long, value_name = "N", default_value_t = Trainer::GAMES as u64, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Passes over the games
    #[arg(long, value_name = "N", default_value_t = Trainer::PASSES, value_parser = parse_passes)]
    passes: f64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    #[command(flatten)]
    json: JsonArg,
}

/// Parses a number of passes.
fn parse_passes(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(passes) if passes > 0.0 && passes <= 1000.0 => Ok(passes),
        _ => Err("write a number above 0 and up to 1000, such as 2 or 0.5".into()),
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let inputs = args.inputs.inputs(common)?;
    let path = args.destination.path(|| {
        Err(Error::usage("the model needs a name")
            .with_remedy("name it with -o, such as club.model"))
    })?;
    // What cannot be written is refused before the work.
    let mut output = match &path {
        None => {
            args.json.refuse_stdout()?;
            Output::binary_stdout()?
        }
        Some(path) => {
            let files = inputs.iter().filter_map(Input::path);
            let files = files.chain(args.inputs.list());
            args.destination.file(path, Content::Model, files)?
        }
    };
    let path = path.unwrap_or_else(|| "standard output".into());
    let name = names(&inputs);
    let inputs: Vec<Input> = (inputs.into_iter())
        .map(|input| games_of(input, common))
        .collect::<Result<_>>()?;
    let trained = with_status(!common.quiet, |status| {
        Trainer::new()
            .games(args.games as usize)
            .passes(args.passes)
            .seed(args.seed)
            .threads(common.threads())
            .on_progress(|progress| show(status, progress))
            .train(inputs)
    })
    .map_err(|error| error.in_file(&name))?;
    if trained.is_better() {
        output
            .write_all(trained.model())
            .map_err(|e| Error::from(e).in_file(&path))?;
        output.finish()?;
    }
    let report = written::Model::new(&path, &trained, start);
    if let Some(warning) = warning(&trained).filter(|_| !common.quiet) {
        say(format_args!("warning: {}: {warning}", path.display()));
    }
    args.json.report(common, &report, || {
        for line in lines(args, &trained, start) {
            say(format_args!("{}: {line}", path.display()));
        }
    })?;
    if trained.is_better() {
        return Ok(ExitCode::SUCCESS);
    }
    Err(Error::usage(
        "nothing was written: the trained model is not better than the built-in one on the games held out",
    )
    .with_remedy("train on more games of one kind, or with more or fewer --passes")
    .in_file(&path))
}

/// The names of the inputs in a message.
fn names(inputs: &[Input]) -> String {
    match inputs {
        [] => String::new(),
        [one] => one.display().display().to_string(),
        [first, others @ ..] => format!("{} and {} more", first.display().display(), others.len()),
    }
}

/// The input, or the text of the archive that it is.
fn games_of(input: Input, common: &Common) -> Result<Input> {
    match input.path() {
        Some(path) if input.is_archive()? => {
            let archive = open_archive(path, common)?;
            let name = json::name(path);
            Ok(Input::reader(name, archive.reader()))
        }
        _ => Ok(input),
    }
}

fn show(status: &Status, progress: Progress) -> ControlFlow<()> {
    status.set(match progress {
        Progress::Reading { games } => format!("reading: {} games", grouped(games)),
        Progress::Training { step, steps, bits } => format!(
            "training: {} done, {bits:.3} bits a ply",
            percent(step as u64, steps as u64)
        ),
        _ => String::new(),
    });
    ControlFlow::Continue(())
}

/// Games that must be held out to measure a gain: fewer differ by chance.
const MEASURING: u64 = 300;
/// Every tenth game is held out to measure the model.
const MEASURED_OF: u64 = 10;

/// What is said if the model is measured with too few games.
fn warning(trained: &Trained) -> Option<String> {
    let held_out = trained.before.games;
    (held_out < MEASURING).then(|| {
        format!(
            "{} held out are too few to distinguish a gain from chance: give at least {} different games",
            counted(held_out, "game"),
            grouped(MEASURED_OF * MEASURING)
        )
    })
}

/// What is said of a model.
fn lines(args: &Args, trained: &Trained, start: Instant) -> Vec<String> {
    let used = trained.used;
    let mut lines = vec![format!(
        "trained on {}, {} plies, in {}",
        counted(trained.games, "game"),
        grouped(trained.plies),
        seconds(start.elapsed())
    )];
    if used < trained.found {
        lines.push(format!(
            "used a sample of {} of {}; --games {} uses more",
            grouped(used),
            counted(trained.found, "game"),
            4 * args.games
        ));
    }
    for (count, what) in [
        (
            trained.unpredicted,
            "of variants in which all moves have equal frequencies: the model has no part in packing them",
        ),
        (trained.too_long, "of more than 1,000 plies"),
    ] {
        if count > 0 {
            lines.push(format!("left out {} {what}", counted(count, "game")));
        }
    }
    lines.push(format!(
        "{:.4} bits a ply, {:.4} with the built-in model, in {} held out",
        trained.after.bits(),
        trained.before.bits(),
        counted(trained.before.games, "game"),
    ));
    if let Some(games) = trained.pays_from() {
        lines.push(format!(
            "an archive holds it twice, {} bytes, and is smaller with it from about {} games on",
            grouped(2 * trained.model().len() as u64),
            grouped(games)
        ));
    }
    lines
}
