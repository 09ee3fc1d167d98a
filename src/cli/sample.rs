//! `ign sample`

use std::{num::NonZeroUsize, path::PathBuf, process::ExitCode, time::Instant};

use super::{Common, grouped, output::Output, say, seconds};
use crate::{error::Result, sample::Sample};

/// Make up games, in the shape of a Lichess dump, to try things on
///
/// The moves are legal and mostly sensible; people, ratings, dates and clocks are made up. The
/// same number and seed give the same bytes everywhere, and fewer games the beginning of more.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// How many games
    #[arg(short = 'n', long, default_value_t = 1000, value_name = "N")]
    games: u64,
    /// Another seed makes other games
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Follow each move by what the clock shows
    #[arg(long)]
    clocks: bool,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write to standard output
    #[arg(short = 'c', long, conflicts_with = "output")]
    stdout: bool,
    /// Overwrite the file if it exists
    #[arg(short, long)]
    force: bool,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let path = args
        .output
        .as_ref()
        .filter(|path| !args.stdout && path.as_os_str() != "-");
    let mut output = match path {
        None => Output::stdout(),
        Some(path) => Output::file(path, args.force)?,
    };
    let threads = NonZeroUsize::new(common.threads()).unwrap_or(NonZeroUsize::MIN);
    Sample::new(args.games, args.seed)
        .clocks(args.clocks)
        .threads(threads)
        .write(&mut output)?;
    output.finish(args.force)?;
    if let Some(path) = path.filter(|_| !common.quiet) {
        say(format_args!(
            "{}: {} games, {}",
            path.display(),
            grouped(args.games),
            seconds(start.elapsed())
        ));
    }
    Ok(ExitCode::SUCCESS)
}
