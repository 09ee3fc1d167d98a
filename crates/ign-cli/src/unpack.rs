//! `ign unpack`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use super::{
    common::Common,
    destination::Destination,
    messages::say,
    numbers::{counted, grouped, seconds},
    output::Output,
    progress::with_bar,
    ranges::GameRange,
};
use ign_archive::{
    pipeline::unpack::{unpack, unpack_games},
    reader::Archive,
};
use ign_format::{
    block::{Kind, decode::Block},
    error::{Error, Result},
};

const EXAMPLES: &str = "\
Examples:
  ign unpack games.ign
  ign unpack games.ign -c | grep '^.Event' | sort | uniq -c
  ign unpack games.ign 200..300 -o some.pgn";

/// Restore the text of an archive
///
/// The output equals the packed text in every byte. Without -o or -c it is written next to the
/// archive, with the extension .pgn, or .sgf if the archive begins with Go games.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to unpack
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Only these games: 200, 200..300 (both included), or 200.. (to the last)
    #[arg(value_name = "RANGE")]
    range: Option<GameRange>,
    #[command(flatten)]
    destination: Destination,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let archive = Archive::open(&args.archive)?;
    let default = || match args.range {
        None => Ok(Some(
            args.archive
                .with_extension(first_kind(&archive)?.extension()),
        )),
        Some(_) => Err(Error::usage("a range of games needs a file name")
            .remedy("name it with -o, or print the games with -c")),
    };
    let path = args.destination.path(default)?;
    let mut output = match &path {
        None => Output::stdout(),
        Some(path) => args.destination.file(path, [args.archive.as_path()])?,
    };
    let threads = common.threads();
    let written = if let Some(range) = args.range {
        let games = range
            .resolve(archive.index().games())
            .map_err(|e| e.in_file(&args.archive))?;
        let count = counted(games.end - games.start, "game");
        unpack_games(&archive, &[games], &mut output, threads)?;
        count
    } else {
        let total = Some(archive.index().text_len());
        let bar = !common.quiet && path.is_some();
        let written = with_bar(bar, total, |progress| {
            unpack(&archive, &mut output, threads, progress)
        })?;
        let games = counted(archive.index().games(), "game");
        format!("{games}, {} bytes", grouped(written))
    };
    output.finish()?;
    if let Some(path) = path.filter(|_| !common.quiet) {
        let time = seconds(start.elapsed());
        say(format_args!(
            "{}: unpacked {written} in {time}",
            path.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// The kind of games in the first block.
fn first_kind(archive: &Archive) -> Result<Kind> {
    if archive.index().blocks.is_empty() {
        return Ok(Kind::default());
    }
    let kind = || Ok(Block::open(&archive.block_bytes(0)?)?.kind());
    kind().map_err(|e: Error| e.in_block(0).in_file(archive.path()))
}
