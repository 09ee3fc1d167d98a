//! `ign unpack`

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

use super::{
    archive_file::local_name,
    common::Common,
    content::Content,
    damaged::{Damaged, status},
    destination::Destination,
    json::{self, JsonArg, written::Unpacked},
    messages::say,
    numbers::{counted, grouped, seconds},
    output::{Output, create_folder},
    progress::with_bar,
    ranges::{archives_and_range, several_archives},
};
use ign_archive::{Archive, Error, Progress, Result, SourceFile, Unpacker};

const EXAMPLES: &str = "\
Examples:
  ign unpack games.ign
  ign unpack games.ign -c | grep '^.Event' | sort | uniq -c
  ign unpack games.ign 200..300 -o some.pgn
  ign unpack 2013-*.ign -o 2013.pgn
  ign unpack games.ign --files -o games   each packed file, in its folder
  ign unpack games.ign --file may.pgn -c";

/// Restore the text of an archive
///
/// The output equals the packed text in every byte. Without -o or -c it is written next to the
/// archive, with the extension .pgn, or .sgf if the archive begins with Go games.
///
/// The texts of several archives are written one after the other, to the file of -o or with -c to
/// standard output. If a text does not end with a line end, one is written before the next text.
/// Nothing is written between the packed files of one archive: a file without a line end at its end
/// runs into the next one. --files writes each by itself.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to unpack; after a single archive, only these games: 200, 200..300 (both
    /// included), or 200.. (to the last)
    #[arg(value_name = "A.ign|RANGE", required = true)]
    inputs: Vec<PathBuf>,
    /// Write each packed file, with its folders, into the folder of -o, or next to the archive.
    /// Existing files are kept, unless -f is given. ign info lists the files
    #[arg(long, conflicts_with = "stdout")]
    files: bool,
    /// Only the packed files of this name, or with its last folders: may.pgn, 2024/may.pgn, 2024/*
    #[arg(long, value_name = "NAME")]
    file: Option<String>,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    damaged: Damaged,
    #[command(flatten)]
    json: JsonArg,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let (paths, range) = archives_and_range(&args.inputs)?;
    let (archives, is_left_out) = args.damaged.open_all(paths, common)?;
    // A pattern may name several.
    let single = match &archives[..] {
        [archive] => Some((archive, &*paths[0])),
        _ if range.is_some() => return Err(several_archives()),
        _ => None,
    };
    let files = if args.files || args.file.is_some() {
        let (archive, _) = single.ok_or_else(|| {
            Error::usage("--files and --file need a single archive").with_remedy("name one archive")
        })?;
        if range.is_some() {
            return Err(Error::usage("--files and --file write whole files")
                .with_remedy("leave out the range"));
        }
        Some(files_of(archive, args.file.as_deref())?)
    } else {
        None
    };
    if let (Some(files), Some((archive, path)), true) = (&files, single, args.files) {
        unpack_files(args, files, archive, path, common)?;
        return Ok(status(is_left_out));
    }
    let named = |thing| {
        Err(Error::usage(format!("{thing} a file name"))
            .with_remedy("name it with -o, or print the games with -c"))
    };
    let default = || match single {
        Some(_) if range.is_some() => named("a range of games needs"),
        Some(_) if files.is_some() => named("a packed file needs"),
        Some((archive, path)) => Ok(Some(path.with_extension(archive.kind()?.extension()))),
        None => named("the text of several archives needs"),
    };
    let path = args.destination.path(default)?;
    let mut output = match &path {
        None => {
            args.json.refuse_stdout()?;
            Output::stdout()
        }
        Some(path) => {
            let inputs = paths.iter().map(PathBuf::as_path);
            args.destination.file(path, Content::Text, inputs)?
        }
    };
    let mut text = Text::new(&mut output);
    let (mut count, mut file_count) = (None, None);
    if let (Some(range), Some((archive, _))) = (range, single) {
        let games = range
            .resolve(archive.len())
            .map_err(|e| e.in_file(archive.path()))?;
        count = Some(games.end() + 1 - games.start());
        archive.write_games(&[games], &mut text)?;
    } else if let (Some(files), Some((archive, _))) = (&files, single) {
        let unpacker = files.iter().fold(Unpacker::new(), |unpacker, file| {
            unpacker.sources(file.sources.clone())
        });
        unpacker.unpack(archive, &mut text)?;
        file_count = Some(files.len() as u64);
    } else {
        let bar = !common.quiet && path.is_some();
        unpack_all(&archives, bar, &mut text)?;
        let blocks = archives.iter().flat_map(Archive::blocks);
        count = Some(blocks.map(|block| block.games).sum());
    };
    let text_bytes = text.written;
    output.finish()?;
    if let Some(path) = path {
        let unpacked = Unpacked {
            output: json::name(&path),
            games: count,
            files: file_count,
            text_bytes,
            seconds: json::seconds(start),
        };
        report(args, common, &path, &unpacked)?;
    }
    Ok(status(is_left_out))
}

/// Reports what was written; a message begins with this name.
fn report(args: &Args, common: &Common, name: &Path, unpacked: &Unpacked) -> Result<()> {
    args.json.report(common, unpacked, || {
        let games = unpacked.games.map(|games| counted(games, "game"));
        let files = unpacked.files.map(|files| counted(files, "file"));
        say(format_args!(
            "{}: unpacked {}, {} bytes in {}",
            name.display(),
            games.or(files).unwrap_or_default(),
            grouped(unpacked.text_bytes),
            seconds(Duration::from_secs_f64(unpacked.seconds))
        ));
    })
}

/// Writes the texts of archives one after the other.
fn unpack_all(archives: &[Archive], bar: bool, text: &mut Text) -> Result<()> {
    let total = archives.iter().map(Archive::text_len).sum();
    with_bar(bar, Some(total), |on_progress| {
        for archive in archives {
            // If a text does not end with a line end, its last line would run into the next text.
            if text.last.is_some_and(|last| last != b'\n') && archive.text_len() > 0 {
                text.write_all(b"\n")?;
            }
            let before = text.written;
            Unpacker::new()
                .on_progress(|mut progress: Progress| {
                    progress.bytes += before;
                    on_progress(progress)
                })
                .unpack(archive, &mut *text)?;
        }
        Ok(())
    })
}

/// Text that is written, with its last byte and its length.
struct Text<'o> {
    out: &'o mut Output,
    last: Option<u8>,
    written: u64,
}

impl<'o> Text<'o> {
    fn new(out: &'o mut Output) -> Self {
        Self {
            out,
            last: None,
            written: 0,
        }
    }
}

impl Write for Text<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.out.write(bytes)?;
        self.last = bytes[..len].last().copied().or(self.last);
        self.written += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The packed files of this name, or all.
fn files_of(archive: &Archive, name: Option<&str>) -> Result<Vec<SourceFile>> {
    let Some(name) = name else {
        return Ok(archive.source_files());
    };
    let files = archive.source_files_named(name);
    if files.is_empty() {
        return Err(
            Error::usage(format!("no packed file has the name '{name}'"))
                .with_remedy("ign info lists the files; * matches any text")
                .in_file(archive.path()),
        );
    }
    Ok(files)
}

/// Renamed files that are listed.
const MOST_RENAMED: usize = 10;

/// Lists the files whose paths are not the names that the archive has.
fn report_renamed(archive: &Archive, files: &[SourceFile]) {
    let renamed = || files.iter().filter(|file| file.is_renamed);
    for file in renamed().take(MOST_RENAMED) {
        let name = String::from_utf8_lossy(&archive.sources()[file.sources.start].name);
        say(format_args!(
            "the file {name:?} of the archive is written as {}",
            file.path.display()
        ));
    }
    let more = renamed().skip(MOST_RENAMED).count();
    if more > 0 {
        say(format_args!(
            "{} more have other names than in the archive",
            counted(more as u64, "file")
        ));
    }
}

/// Writes each of these packed files.
fn unpack_files(
    args: &Args,
    files: &[SourceFile],
    archive: &Archive,
    input: &Path,
    common: &Common,
) -> Result<()> {
    let start = Instant::now();
    let next_to_archive = || Ok(Some(local_name(input).with_file_name("")));
    let folder = args.destination.path(next_to_archive)?.ok_or_else(|| {
        Error::usage("several files cannot be written to standard output")
            .with_remedy("name a folder with -o")
    })?;
    if folder.is_file() {
        return Err(Error::usage("is a file, and -o names a folder here").in_file(folder));
    }
    // Either no file is there yet, or none is written.
    let mut paths = files.iter().map(|file| folder.join(&file.path));
    if let Some(path) = paths.find(|path| path.exists())
        && !args.destination.is_forced()
    {
        return Err(Error::usage("already exists")
            .with_remedy("-f overwrites files")
            .in_file(path));
    }
    if !common.quiet {
        report_renamed(archive, files);
    }
    let written = with_bar(!common.quiet, Some(archive.text_len()), |on_progress| {
        let open = |file: &SourceFile| {
            let path = folder.join(&file.path);
            if let Some(parent) = path.parent() {
                create_folder(parent)?;
            }
            // A file that was packed has its name whatever it says.
            Output::refuse_inputs(&path, [input])?;
            Output::file(&path, args.destination.is_forced())
        };
        let unpacker = Unpacker::new().on_progress(on_progress);
        unpacker.unpack_files(archive, files, open, Output::finish)
    })?;
    let unpacked = Unpacked {
        output: json::name(if folder == Path::new("") {
            Path::new(".")
        } else {
            &folder
        }),
        games: None,
        files: Some(files.len() as u64),
        text_bytes: written,
        seconds: json::seconds(start),
    };
    report(args, common, input, &unpacked)
}
