//! `ign unpack`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use super::{Common, grouped, output::Output, progress::with_bar, ranges::GameRange, say, seconds};
use crate::{
    archive::reader::Archive,
    error::Result,
    pipeline::unpack::{unpack, unpack_games},
};

/// Give back the text of an archive, to the byte
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Archive to unpack
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Only these games: 200..300, with both ends; counted from 1
    #[arg(value_name = "RANGE")]
    range: Option<GameRange>,
    /// File to write [default: the archive's name with .pgn]
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
    let archive = Archive::open(&args.archive)?;
    let path = match &args.output {
        _ if args.stdout => None,
        Some(path) if path.as_os_str() == "-" => None,
        Some(path) => Some(path.clone()),
        None => Some(args.archive.with_extension("pgn")),
    };
    let mut output = match &path {
        None => Output::stdout(),
        Some(path) => {
            Output::refuse_inputs(path, [args.archive.as_path()])?;
            Output::file(path, args.force)?
        }
    };
    let threads = common.threads();
    if let Some(range) = args.range {
        let games = range
            .resolve(archive.index().games())
            .map_err(|e| e.in_file(&args.archive))?;
        unpack_games(&archive, &[games], &mut output, threads)?;
        output.finish(args.force)?;
        return Ok(ExitCode::SUCCESS);
    }
    let total = Some(archive.index().text_len());
    let bar = !common.quiet && path.is_some();
    let (output, written) = with_bar(bar, total, |progress| {
        let written = unpack(&archive, &mut output, threads, progress);
        written.map(|written| (output, written))
    })?;
    output.finish(args.force)?;
    if let Some(path) = path.filter(|_| !common.quiet) {
        let games = archive.index().games();
        say(format_args!(
            "{}: {} games, {} bytes, {}",
            path.display(),
            grouped(games),
            grouped(written),
            seconds(start.elapsed())
        ));
    }
    Ok(ExitCode::SUCCESS)
}
