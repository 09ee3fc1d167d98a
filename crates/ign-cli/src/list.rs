//! `ign list`

use std::{path::PathBuf, process::ExitCode};

use super::{Common, output::Output, ranges::GameRange};
use ign_archive::{query::list::list, reader::Archive};
use ign_format::error::Result;

/// Print a line for each game: number, White, rating, Black, rating, result, date, ECO, event
///
/// The fields are separated by tabs; a field that a game lacks is a dash.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Archive to read
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Only these games: 200..300, with both ends; counted from 1
    #[arg(value_name = "RANGE")]
    range: Option<GameRange>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let archive = Archive::open(&args.archive)?;
    let range = args
        .range
        .unwrap_or(GameRange::ALL)
        .resolve(archive.index().games());
    let range = range.map_err(|e| e.in_file(&args.archive))?;
    let mut output = Output::stdout();
    list(&archive, range, &mut output, common.threads())?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
