//! `ign split`

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
    time::Instant,
};

use super::{
    archive_file::{local_name, open_archive},
    common::Common,
    messages::say,
    numbers::{counted, grouped, seconds},
    output::Output,
    pack_options::parse_bytes,
    progress::with_bar,
};
use ign_archive::{Error, Result, SplitBy, split_with};

const EXAMPLES: &str = "\
Examples:
  ign split games.ign --games 100000      games-001.ign, games-002.ign, …
  ign split games.ign --bytes 95M -o parts
  ign split games.ign --by month          games-2013-01.ign, games-2013-02.ign, …
  ign split games.ign --by event
  ign merge games-*.ign -o again.ign";

/// Split an archive into several
///
/// The archives are named after the archive, with a number or a value: games-001.ign, games-2013-01.ign.
/// They are written next to it, or into the folder of -o. Either all of them appear or none.
///
/// Blocks of which all games go to one archive are copied as they are; games of other blocks are decoded and
/// encoded again. Every byte of the text is in one of the archives: text between games goes with the game
/// before it. Split by --games or --bytes, they merge to the text of the archive.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to split
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    #[command(flatten)]
    by: By,
    /// Write the archives into this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(short, long)]
    force: bool,
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
    /// An archive for each date, month or year, or for each value of a tag: white, event, timecontrol.
    /// Characters other than letters, digits and -+., become _ in names. At most 400 archives are written
    #[arg(long, value_name = "TAG")]
    by: Option<Value>,
}

/// A part of the date, or a tag.
#[derive(Debug, Clone)]
struct Value(SplitBy);

impl FromStr for Value {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Infallible> {
        Ok(Self(match text {
            "date" => SplitBy::Day,
            "month" => SplitBy::Month,
            "year" => SplitBy::Year,
            tag => SplitBy::Tag(tag.to_owned()),
        }))
    }
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
            Self {
                by: Some(Value(by)),
                ..
            } => Ok(by.clone()),
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
    let path = |part: &str| {
        let mut name = stem.to_owned();
        name.push(format!("-{part}.ign"));
        folder.join(name)
    };
    let open = |part: &str| {
        let path = path(part);
        Output::refuse_inputs(&path, [args.archive.as_path()])?;
        Output::file(&path, args.force)
    };
    let total = Some(archive.text_len());
    let splitting = with_bar(!common.quiet, total, |on_progress| {
        split_with(&archive, &by, open, on_progress)
    })?;
    let mut written = Vec::new();
    for part in splitting.parts {
        part.out.finish()?;
        written.push((path(&part.name), part.summary));
    }
    if !common.quiet {
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
            counted(splitting.copied_blocks, "block"),
            grouped(splitting.encoded_blocks),
            seconds(start.elapsed())
        ));
    }
    Ok(ExitCode::SUCCESS)
}
