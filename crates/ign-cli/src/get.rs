//! `ign get`

use std::{path::PathBuf, process::ExitCode};

use super::{common::Common, destination::Destination, output::Output, ranges::GameRange};
use ign_archive::{Archive, Result};

const EXAMPLES: &str = "\
Examples:
  ign get games.ign 1240
  ign get games.ign 7 200..300 5000.. -o some.pgn";

/// Print games by number
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to read
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Games to print, in this order: 200, 200..300 (both included), or 200.. (to the last)
    #[arg(required = true, value_name = "GAME")]
    games: Vec<GameRange>,
    #[command(flatten)]
    destination: Destination,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let archive = Archive::open(&args.archive)?.with_threads(common.threads());
    let games = archive.len();
    let resolve = |range: &GameRange| range.resolve(games).map_err(|e| e.in_file(&args.archive));
    let ranges = args.games.iter().map(resolve).collect::<Result<Vec<_>>>()?;
    let mut output = match args.destination.path(|| Ok(None))? {
        None => Output::stdout(),
        Some(path) => args.destination.file(&path, [args.archive.as_path()])?,
    };
    for range in ranges {
        archive.write_games(&[range], &mut output)?;
    }
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
