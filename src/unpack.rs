//! `ign unpack`

use std::{fs, path::PathBuf, process::ExitCode, time::Instant};

use super::{
    archive_file::local_name,
    common::Common,
    content::Content,
    damaged::{Damaged, status},
    destination::Destination,
    messages::say,
    numbers::{counted, grouped, seconds},
    output::Output,
    progress::with_bar,
    ranges::GameRange,
};
use ign_archive::{Archive, Error, Progress, Result, Unpacker};

const EXAMPLES: &str = "\
Examples:
  ign unpack games.ign
  ign unpack games.ign -c | grep '^.Event' | sort | uniq -c
  ign unpack games.ign 200..300 -o some.pgn
  ign unpack games.ign --files -o games   each packed file, in its folder";

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
    /// Write each packed file, with its folders, into the folder of -o, or next to the archive. Existing files are
    /// kept, unless -f is given. ign info lists the files
    #[arg(long, conflicts_with_all = ["range", "stdout"])]
    files: bool,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    damaged: Damaged,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let (archive, is_left_out) = args.damaged.open(&args.archive, common)?;
    if args.files {
        unpack_files(args, &archive, common)?;
        return Ok(status(is_left_out));
    }
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
        Some(path) => args
            .destination
            .file(path, Content::Text, [args.archive.as_path()])?,
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

/// Writes each packed file.
fn unpack_files(args: &Args, archive: &Archive, common: &Common) -> Result<()> {
    let start = Instant::now();
    let next_to_archive = || Ok(Some(local_name(&args.archive).with_file_name("")));
    let folder = args.destination.path(next_to_archive)?.ok_or_else(|| {
        Error::usage("several files cannot be written to standard output")
            .with_remedy("name a folder with -o")
    })?;
    if folder.is_file() {
        return Err(Error::usage("is a file, and -o names a folder here").in_file(folder));
    }
    let files = archive.source_files();
    // Either no file is there yet, or none is written.
    let mut paths = files.iter().map(|file| folder.join(&file.path));
    if let Some(path) = paths.find(|path| path.exists())
        && !args.destination.is_forced()
    {
        return Err(Error::usage("already exists")
            .with_remedy("-f overwrites files")
            .in_file(path));
    }
    let written = with_bar(!common.quiet, Some(archive.text_len()), |on_progress| {
        let mut written = 0;
        for file in &files {
            let path = folder.join(&file.path);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|e| Error::from(e).in_file(parent))?;
            }
            // A file that was packed has its name whatever it says.
            Output::refuse_inputs(&path, [args.archive.as_path()])?;
            let mut output = Output::file(&path, args.destination.is_forced())?;
            let before = written;
            written += Unpacker::new()
                .sources(file.sources.clone())
                .on_progress(|mut progress: Progress| {
                    progress.bytes += before;
                    on_progress(progress)
                })
                .unpack(archive, &mut output)?;
            output.finish()?;
        }
        Ok::<_, Error>(written)
    })?;
    if !common.quiet {
        say(format_args!(
            "{}: unpacked {}, {} bytes in {}",
            args.archive.display(),
            counted(files.len() as u64, "file"),
            grouped(written),
            seconds(start.elapsed())
        ));
    }
    Ok(())
}
