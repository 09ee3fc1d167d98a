//! `ign unpack`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use super::{
    common::Common,
    damaged::{Damaged, status},
    destination::Destination,
    messages::say,
    numbers::{counted, grouped, seconds},
    output::Output,
    progress::with_bar,
    ranges::GameRange,
};
use ign_archive::{Error, Result, Unpacker};

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
    #[command(flatten)]
    damaged: Damaged,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let (archive, is_left_out) = args.damaged.open(&args.archive, common)?;
    let default = || match args.range {
        None => Ok(Some(
            args.archive.with_extension(archive.kind()?.extension()),
        )),
        Some(_) => Err(Error::usage("a range of games needs a file name")
            .with_remedy("name it with -o, or print the games with -c")),
    };
    let path = args.destination.path(default)?;
    let mut output = match &path {
        None => Output::stdout(),
        Some(path) => args.destination.file(path, [args.archive.as_path()])?,
    };
    let written = if let Some(range) = args.range {
        let games = range
            .resolve(archive.len())
            .map_err(|e| e.in_file(archive.path()))?;
        let count = counted(games.end() + 1 - games.start(), "game");
        archive.write_games(&[games], &mut output)?;
        count
    } else {
        let total = Some(archive.text_len());
        let bar = !common.quiet && path.is_some();
        let written = with_bar(bar, total, |on_progress| {
            Unpacker::new()
                .on_progress(on_progress)
                .unpack(&archive, &mut output)
        })?;
        let whole = archive.blocks().iter().map(|block| block.games);
        let games = counted(whole.sum(), "game");
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
    Ok(status(is_left_out))
}
