//! `ign list`

use std::{path::PathBuf, process::ExitCode};

use super::{common::Common, output::Output, ranges::GameRange};
use ign_archive::{Archive, Result};

const EXAMPLES: &str = "\
Examples:
  ign list games.ign 1..20
  ign list games.ign | grep Adams
  ign list games.ign | cut -f 7 | sort | uniq -c";

/// Print one line for each game
///
/// The fields are number, White, White's rating, Black, Black's rating, result, date, ECO code and
/// event, separated by tabs. A missing field is a dash.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to read
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Only these games: 200, 200..300 (both included), or 200.. (to the last)
    #[arg(value_name = "RANGE")]
    range: Option<GameRange>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let archive = Archive::open(&args.archive)?.with_threads(common.threads());
    let range = args.range.unwrap_or(GameRange::ALL).resolve(archive.len());
    let range = range.map_err(|e| e.in_file(&args.archive))?;
    let mut output = Output::stdout();
    archive.list(range, &mut output)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
