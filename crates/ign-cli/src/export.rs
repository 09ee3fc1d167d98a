//! `ign export`

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::builder::PossibleValuesParser;

use super::{
    common::Common,
    destination::Destination,
    filters::Filters,
    messages::say,
    numbers::{counted, grouped, seconds},
    opened::{open, say_rejected_index},
    output::Output,
    progress::{Status, with_bar, with_status},
};
use ign_archive::{Archive, Error, Input, Result};
use ign_arrow::{Format, GameColumn, RecordBatches, WriteOptions, Writer, error_of_arrow};

const EXAMPLES: &str = "\
Examples:
  ign export games.ign -o games.parquet
  ign export games.ign -o strong.csv --elo 2200.. --columns number,White,Black,moves
  ign export games.pgn.zst -o games.jsonl --columns White,tag:Annotator,comments
  ign export games.ign -c --format csv --columns Opening | sort | uniq -c";

/// Write a table of the games: Parquet, Arrow, CSV or JSON lines
///
/// Each row is a game. The extension of the file names the format: .parquet (with zstd), .arrow or
/// .feather (Arrow IPC), .csv, .jsonl or .ndjson. The columns are listed in docs/arrow.md: number, the
/// usual tags with types, plies, moves, clocks, evals, mates, comments, signature, other_tags; on request
/// movetext, pgn, and any tag as tag:NAME. Only the columns that are named are decoded.
///
/// In CSV the items of lists are separated by spaces, and comments and other tags are JSON. A null is an
/// empty field.
///
/// With conditions, only games that meet all of them are written; ign help find describes them. PGN
/// files, plain or compressed, are packed into a temporary archive first. Rows are written as they are
/// decoded. The file appears when it is complete.
///
/// Exit status: 0 if games were written, 1 if no game meets the conditions; then there is no file.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive or PGN file; - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Columns, separated by commas [default: all but movetext and pgn]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    /// Format, if the name of the file does not say it
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(["parquet", "arrow", "csv", "jsonl"]))]
    format: Option<String>,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    filters: Filters,
}

impl Args {
    /// The format, by `--format` or the name of the file.
    fn format(&self, path: Option<&Path>) -> Result<Format> {
        let named = self.format.as_deref().and_then(Format::of_extension);
        match (named, path) {
            (Some(format), _) => Ok(format),
            (None, Some(path)) => Format::of_path(path),
            (None, None) => Err(Error::usage("standard output has no extension")
                .with_remedy("name the format with --format")),
        }
    }

    fn columns(&self) -> Result<Vec<GameColumn>> {
        match self.columns.is_empty() {
            true => Ok(GameColumn::all()),
            false => GameColumn::named_all(&self.columns),
        }
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let query = args.filters.query()?;
    let columns = args.columns()?;
    let path = args.destination.path(|| {
        Err(Error::usage("where to write the table is missing")
            .with_remedy("name a file with -o, or print with -c and --format"))
    })?;
    let format = args.format(path.as_deref())?;
    // The output is opened before the work, so that an error costs no time.
    let output = match &path {
        Some(path) => args.destination.file(path, [args.input.as_path()])?,
        None if format.is_text() => Output::stdout(),
        None => Output::binary_stdout()?,
    };
    let input = Input::from_name(&args.input);
    // A temporary archive is removed when this goes out of scope.
    let mut scratch = Vec::new();
    let archive = with_bar(!common.quiet, None, |on_progress| {
        open(input, &mut scratch, false, common.threads(), on_progress)
    })?;
    let archive = archive.with_threads(common.threads());
    let batches = RecordBatches::of(archive.scan().filter(&query), &columns, format.encoding());
    let options = WriteOptions::default().threads(common.threads());
    let writer = Writer::new(format, output, batches.schema(), options)?;
    let shown = !common.quiet && path.is_some();
    let (output, games) = with_status(shown, |status| {
        write(batches, writer, &archive, query.is_empty(), status)
    })?;
    say_rejected_index(&archive);
    if games == 0 && !query.is_empty() {
        if !common.quiet {
            say(format_args!("no game meets the conditions"));
            args.filters.say_advice();
        }
        return Ok(ExitCode::FAILURE);
    }
    output.finish()?;
    if let Some(path) = path.filter(|_| !common.quiet) {
        say(format_args!(
            "{}: {}, {} in {}",
            path.display(),
            counted(games, "game"),
            counted(columns.len() as u64, "column"),
            seconds(start.elapsed())
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes all batches. Returns what they were written to, and the number of rows.
fn write<W: Write + Send>(
    batches: RecordBatches,
    mut writer: Writer<W>,
    archive: &Archive,
    all_games: bool,
    status: &Status,
) -> Result<(W, u64)> {
    let mut games = 0;
    for batch in batches {
        let batch = batch.map_err(error_of_arrow)?;
        writer.write(&batch)?;
        games += batch.num_rows() as u64;
        status.set(match all_games {
            true => format!("{} of {} games", grouped(games), grouped(archive.len())),
            false => format!("{} games", grouped(games)),
        });
    }
    Ok((writer.finish()?, games))
}
