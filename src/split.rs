//! `ign split`

use std::{
    collections::HashSet,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use super::{
    archive_file::{local_name, open_archive},
    common::Common,
    json::{
        self, JsonArg,
        written::{self, Part},
    },
    messages::say,
    numbers::{counted, grouped, seconds},
    output::{Output, create_folder},
    pack_options::parse_bytes,
    progress::with_bar,
};
use ign_archive::{
    Error, Result, Splitter,
    pack::{SplitBy, Summary},
};

/// The number of files that a warning names.
const MAX_NAMED: usize = 10;

const EXAMPLES: &str = "\
Examples:
  ign split games.ign --games 100000      games-001.ign, games-002.ign, …
  ign split games.ign --bytes 95M -o parts
  ign split games.ign --by month          games-2013-01.ign, games-2013-02.ign, …
  ign split games.ign --by event
  ign split games.ign --by elo:200        games-1600..1799.ign, games-1800..1999.ign, …
  ign split 2024.ign --by file            2024-january.ign, 2024-february.ign, …
  ign merge games-*.ign -o again.ign";

/// Split an archive into several
///
/// The archives are named after the archive, with a number or a value: games-001.ign,
/// games-2013-01.ign. In values, characters other than letters, digits and -+., become _. Games
/// without a value are in games-unknown.ign. Names that would be equal, or differ in case alone,
/// get a suffix, as in games-Open-2.ign; so does a value that is "unknown" itself. Other archives
/// whose names begin in the same way, of an earlier split for example, stay, and a warning names
/// them: ign merge games-*.ign would take them too.
///
/// At most 400 archives are written, because all are open at the same time, and systems limit the
/// number of open files. The archives have no parity: ign parity adds it to each.
///
/// They are written next to it, or into the folder of -o. All are written and synced before the
/// first one gets its name. If one of them then cannot get its name, those that have theirs are
/// removed again, except those that have replaced a file with -f: the error names them. A program
/// that is killed at that moment may leave some.
///
/// Blocks of which all games go to one archive are copied as they are; games of other blocks are
/// decoded and encoded again. Every byte of the text is in one of the archives: text between games
/// goes with the game before it. Split by --games, --bytes or file, and merged in the order in
/// which they are listed, they give the text of the archive.
///
/// --by file undoes packing of several files, ign append and ign merge: each archive unpacks to one
/// of the packed files. ign info lists them. Empty files have no archive. Parts of a file, of an
/// earlier split, that follow each other are in one archive as they are, even if they are not in
/// their order.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to split
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    #[command(flatten)]
    by: By,
    /// Write the archives into this folder, which is made if there is none
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    json: JsonArg,
}

/// How the archive is split.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct By {
    /// Archives of this many games each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Archives of at most this size, such as 500K or 95M
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    bytes: Option<u64>,
    /// An archive for each date, month or year, for each packed file, for each value of a tag, or
    /// for each band of numbers: date, month, year, file, white, event, timecontrol, elo:200,
    /// plies:20. Bands, and the other keys elo, white-elo, black-elo, elo-diff, plies, speed and
    /// eco:1, are those of ign count. Of several days of a Go game the first one counts
    #[arg(long, value_name = "TAG|KEY")]
    by: Option<SplitBy>,
}

impl By {
    fn split_by(&self) -> Result<SplitBy> {
        match self {
            Self {
                games: Some(games), ..
            } => Ok(SplitBy::Games(*games)),
            Self {
                bytes: Some(bytes), ..
            } => Ok(SplitBy::Bytes(*bytes)),
            Self { by: Some(by), .. } => Ok(by.clone()),
            _ => Err(Error::usage("give --games, --bytes or --by")),
        }
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let by = args.by.split_by()?;
    let archive = open_archive(&args.archive, common)?;
    let source = local_name(&args.archive);
    let stem = source.file_stem().unwrap_or_default();
    let folder = match &args.output {
        Some(folder) => folder.as_path(),
        None => source.parent().unwrap_or(Path::new("")),
    };
    if folder.is_file() {
        return Err(Error::usage("is a file, and -o names a folder here")
            .with_remedy("the archives are named after the archive that is split")
            .in_file(folder));
    }
    let path = |part: &str| {
        let mut name = stem.to_owned();
        name.push(format!("-{part}.ign"));
        folder.join(name)
    };
    let open = |part: &str| {
        let path = path(part);
        Output::refuse_inputs(&path, [args.archive.as_path()])?;
        if let Some(folder) = &args.output {
            create_folder(folder)?;
        }
        Output::file(&path, args.force)
    };
    let total = Some(archive.text_len());
    let split = with_bar(!common.quiet, total, |on_progress| {
        Splitter::new(by)
            .on_progress(on_progress)
            .split(&archive, open)
    })?;
    let (mut outputs, mut written) = (Vec::new(), Vec::new());
    for part in split.parts {
        outputs.push(part.out);
        written.push((path(&part.name), part.summary));
    }
    Output::finish_all(outputs)?;
    let part = |(path, summary): &(PathBuf, Summary)| Part {
        output: json::name(path),
        amounts: summary.into(),
    };
    let report = written::Split {
        archive: json::name(archive.path()),
        parts: written.iter().map(part).collect(),
        copied_blocks: split.copied_blocks,
        encoded_blocks: split.encoded_blocks,
        seconds: json::seconds(start),
    };
    args.json.report(common, &report, || {
        for (path, summary) in &written {
            say(format_args!(
                "{}: {}, {} bytes",
                path.display(),
                counted(summary.games, "game"),
                grouped(summary.archive_len)
            ));
        }
        say(format_args!(
            "{}: split into {}, {} copied, {} encoded, in {}",
            archive.path().display(),
            counted(written.len() as u64, "archive"),
            counted(split.copied_blocks, "block"),
            grouped(split.encoded_blocks),
            seconds(start.elapsed())
        ));
    })?;
    if !common.quiet {
        let others = others(folder, stem, &written, &source);
        if !others.is_empty() {
            say(format_args!(
                "warning: not of this split are {}: ign merge {} would take them too",
                some_of(&others),
                path("*").display()
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Other archives in the folder whose names begin as those that were written, in order.
fn others(
    folder: &Path,
    stem: &OsStr,
    written: &[(PathBuf, Summary)],
    source: &Path,
) -> Vec<String> {
    let mut start = stem.to_owned();
    start.push("-");
    let listed = match folder {
        empty if empty == Path::new("") => Path::new("."),
        folder => folder,
    };
    let own: HashSet<&OsStr> = written
        .iter()
        .filter_map(|(path, _)| path.file_name())
        .chain(source.file_name())
        .collect();
    let entries = fs::read_dir(listed).into_iter().flatten().flatten();
    let mut others: Vec<String> = entries
        .map(|entry| entry.file_name())
        .filter(|name| {
            let bytes = name.as_encoded_bytes();
            bytes.starts_with(start.as_encoded_bytes())
                && bytes.ends_with(b".ign")
                && !own.contains(&**name)
        })
        .map(|name| folder.join(name).display().to_string())
        .collect();
    others.sort();
    others
}

/// The first names of a list, and how many there are beside them.
fn some_of(names: &[String]) -> String {
    let (some, more) = names.split_at(names.len().min(MAX_NAMED));
    match more.len() {
        0 => some.join(", "),
        more => format!("{}, and {}", some.join(", "), counted(more as u64, "other")),
    }
}
