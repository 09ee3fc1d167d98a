//! `ign sample`

use std::{num::NonZeroUsize, process::ExitCode, time::Instant};

use super::{
    common::Common,
    content::Content,
    destination::Destination,
    json::{self, JsonArg, written::Sampled},
    messages::say,
    numbers::{counted, seconds},
    output::Output,
};
use ign_archive::Result;
use ign_sample::Sample;

const EXAMPLES: &str = "\
Examples:
  ign sample -o games.pgn
  ign sample --games 5000 --seed 1 --clocks -o games.pgn
  ign sample -n 100000 | ign pack - > sample.ign";

/// Generate games in the form of a Lichess dump
///
/// Moves are drawn at random from the model of human play that also weighs moves when packing.
/// Players, ratings, dates and clocks are invented. The same options give the same bytes on every
/// machine, and fewer games are a prefix of more games.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Number of games
    #[arg(short = 'n', long, default_value_t = 1000, value_name = "N")]
    games: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Add the clock time to each move
    #[arg(long)]
    clocks: bool,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    json: JsonArg,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let path = args.destination.path(|| Ok(None))?;
    let mut output = match &path {
        None => {
            args.json.refuse_stdout()?;
            Output::stdout()
        }
        Some(path) => args.destination.file(path, Content::Games, [])?,
    };
    let threads = NonZeroUsize::new(common.threads()).unwrap_or(NonZeroUsize::MIN);
    Sample::new(args.games, args.seed)
        .clocks(args.clocks)
        .threads(threads)
        .write(&mut output)?;
    output.finish()?;
    if let Some(path) = path {
        let report = Sampled {
            output: json::name(&path),
            games: args.games,
            seconds: json::seconds(start),
        };
        args.json.report(common, &report, || {
            say(format_args!(
                "{}: wrote {} in {}",
                path.display(),
                counted(args.games, "game"),
                seconds(start.elapsed())
            ));
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
