//! `ign sample`

use std::{num::NonZeroUsize, process::ExitCode, time::Instant};

use super::{Common, counted, destination::Destination, output::Output, parse_count, say, seconds};
use ign_format::error::Result;
use ign_sample::Sample;

/// Make up games, in the form of a Lichess dump, to try things on
///
/// The moves are drawn from the model by which weighted games are packed: as people play, by
/// chance. People, ratings, dates and clocks are made up. The same number and seed give the same bytes
/// everywhere, and fewer games the beginning of more.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many games
    #[arg(short = 'n', long, default_value_t = 1000, value_name = "N", value_parser = parse_count)]
    games: u64,
    /// Another seed makes other games
    #[arg(long, default_value_t = 1, value_name = "S", value_parser = parse_count)]
    seed: u64,
    /// Follow each move by what the clock shows
    #[arg(long)]
    clocks: bool,
    #[command(flatten)]
    destination: Destination,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let path = args.destination.path(|| Ok(None))?;
    let mut output = match &path {
        None => Output::stdout(),
        Some(path) => args.destination.file(path, [])?,
    };
    let threads = NonZeroUsize::new(common.threads()).unwrap_or(NonZeroUsize::MIN);
    Sample::new(args.games, args.seed)
        .clocks(args.clocks)
        .threads(threads)
        .write(&mut output)?;
    output.finish()?;
    if let Some(path) = path.filter(|_| !common.quiet) {
        say(format_args!(
            "{}: {}, {}",
            path.display(),
            counted(args.games, "game"),
            seconds(start.elapsed())
        ));
    }
    Ok(ExitCode::SUCCESS)
}
