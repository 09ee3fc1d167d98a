//! `ign unpack`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use super::{
    Common, counted, destination::Destination, grouped, output::Output, progress::with_bar,
    ranges::GameRange, say, seconds,
};
use ign_archive::{
    pipeline::unpack::{unpack, unpack_games},
    reader::Archive,
};
use ign_format::{
    block::{Kind, decode::Block},
    error::{Error, Result},
};

/// Give back the text of an archive, to the byte
///
/// Without -o or -c the file is called as the archive, with .pgn, or .sgf if its first games are of
/// Go.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Archive to unpack
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Only these games: 200..300, with both ends, 200.. or 200; counted from 1
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
            args.archive.with_extension(kind(&archive)?.extension()),
        )),
        Some(_) => Err(Error::usage("some games need a name of their own")
            .with_remedy("name it with -o, or print them with -c")),
    };
    let path = args.destination.path(default)?;
    let mut output = match &path {
        None => Output::stdout(),
        Some(path) => args.destination.file(path, [args.archive.as_path()])?,
    };
    let threads = common.threads();
    let told = if let Some(range) = args.range {
        let games = range
            .resolve(archive.index().games())
            .map_err(|e| e.in_file(&args.archive))?;
        let told = counted(games.end - games.start, "game");
        unpack_games(&archive, &[games], &mut output, threads)?;
        told
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
        say(format_args!("{}: {told}, {time}", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// Which game the archive begins with.
fn kind(archive: &Archive) -> Result<Kind> {
    if archive.index().blocks.is_empty() {
        return Ok(Kind::default());
    }
    let told = || Ok(Block::open(&archive.block_bytes(0)?)?.kind());
    told().map_err(|e: Error| e.in_block(0).in_file(archive.path()))
}
