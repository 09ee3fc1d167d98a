//! `ign list`

use std::{path::PathBuf, process::ExitCode};

use super::{
    common::Common,
    filters::Filters,
    messages::{say, say_rejected_index},
    output::Output,
    ranges::GameRange,
};
use ign_archive::{Archive, Result};

const EXAMPLES: &str = "\
Examples:
  ign list games.ign 1..20
  ign list games.ign --player \"Adams*\" --date 2013
  ign list games.ign | cut -f 7 | sort | uniq -c";

/// Print one line for each game
///
/// The fields are number, White, White's rating, Black, Black's rating, result, date, ECO code and
/// event, separated by tabs. A missing field is a dash.
///
/// With conditions, only the games that meet all of them are listed; ign help find describes the
/// conditions. Exit status: 0, or 1 if no game meets the conditions.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to read
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Only these games: 200, 200..300 (both included), or 200.. (to the last)
    #[arg(value_name = "RANGE")]
    range: Option<GameRange>,
    #[command(flatten)]
    filters: Filters,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let query = args.filters.query()?;
    let archive = Archive::open(&args.archive)?.with_threads(common.threads());
    let range = args.range.unwrap_or(GameRange::ALL).resolve(archive.len());
    let range = range.map_err(|e| e.in_file(&args.archive))?;
    let mut output = Output::stdout();
    if query.is_empty() {
        archive.list(range, &mut output)?;
        output.finish()?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut found = archive.find(&query)?;
    say_rejected_index(&archive);
    found.retain(|game| range.contains(game));
    archive.list_games(&found, &mut output)?;
    output.finish()?;
    if !found.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    if !common.quiet {
        say(format_args!("no game meets the conditions"));
        if let Some(advice) = args.filters.advice() {
            say(format_args!("{advice}"));
        }
    }
    Ok(ExitCode::FAILURE)
}
