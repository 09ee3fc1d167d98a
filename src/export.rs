//! `ign export`

use std::{
    convert::Infallible,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::builder::PossibleValuesParser;

use super::{
    archive_file::warn_of_trailing,
    common::Common,
    content::Content,
    destination::Destination,
    filters::Filters,
    hints,
    json::{
        self, JsonArg,
        written::{Exported, Row},
    },
    limit::Limit,
    messages::{say, warn_of_rejected},
    numbers::{counted, seconds},
    opened::open,
    order::Order,
    output::Output,
    progress::{Status, with_bar, with_status},
    searched::IndexChoice,
    sources::inputs,
};
use ign_archive::{Archives, Error, Query, Result};
use ign_arrow::{
    Format, GameColumn, PositionField, PositionRecordBatches, RecordBatches, RecordBatchesInOrder,
    WriteOptions, Writer,
    arrow_array::{RecordBatch, RecordBatchReader},
    arrow_schema::ArrowError,
    error_of_arrow,
};

const EXAMPLES: &str = "\
Examples:
  ign export games.ign -o games.parquet
  ign export games.ign -o strong.csv --elo 2200.. --columns number,White,Black,moves
  ign export games.pgn.zst -o games.jsonl --columns White,tag:Annotator,comments
  ign export games.ign -o positions.parquet --positions --every-nth 4 --min-ply 10
  ign export games.ign -o ends.epd --material KRPKR --min-ply 60
  ign export 2013-*.ign -o 2013.parquet
  ign export games.ign -o best.csv --sort elo:desc --limit 1000
  ign export games.ign -c --format csv --columns Opening | sort | uniq -c";

/// Names of formats.
const FORMATS: [&str; 5] = ["parquet", "arrow", "csv", "jsonl", "epd"];

/// Write a table of the games or positions: Parquet, Arrow, CSV, JSON lines or EPD
///
/// Each row is a game; with --positions, each row is a position of a game, with the move played
/// there. The extension of the file names the format: .parquet (with zstd), .arrow or .feather
/// (Arrow IPC), .csv, .jsonl or .ndjson; .epd is a list of positions. The columns are listed in
/// docs/tables.md: number, the usual tags with types, plies, moves, clocks, evals, mates, comments,
/// signature, other_tags; on request file (the packed file), movetext, pgn, and any tag as
/// tag:NAME. Those of positions are game, ply, the squares of the pieces as twelve numbers of
/// 64 bits, move, result, ratings, clock, eval and more; on request fen and epd. Only the columns
/// that are named are decoded.
///
/// In CSV the items of lists are separated by spaces, and comments and other tags are JSON. A null
/// is an empty field.
///
/// With conditions, only games that meet all of them are written; ign help find describes them. PGN
/// files, plain or compressed, are packed into a temporary archive first. Several inputs are one
/// table: the games are numbered one input after the other. Rows are written as they are decoded.
/// The file appears when it is complete. With --sort, as ign find describes it, the rows are games
/// in this order; each block is read once for each 64 MiB of their text. Positions are not sorted.
///
/// Exit status: 0, or 1 if there are conditions and nothing meets them; then no file is written.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives or PGN files; - is standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Columns, separated by commas [default: all but file, movetext and pgn]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = trimmed)]
    columns: Vec<String>,
    /// Format, if the name of the file does not say it
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORMATS))]
    format: Option<String>,
    /// A row for each position instead of each game
    #[arg(long)]
    positions: bool,
    /// Of each game only every N-th position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every_nth: Option<u64>,
    /// Only positions after at least N plies
    #[arg(long, value_name = "N")]
    min_ply: Option<u32>,
    #[command(flatten)]
    order: Order,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    json: JsonArg,
    #[command(flatten)]
    index: IndexChoice,
    #[command(flatten)]
    filters: Filters,
}

impl Args {
    /// The format, by `--format` or the name of the file.
    fn format(&self, path: Option<&Path>) -> Result<Format> {
        let named = self.format.as_deref().and_then(Format::of_extension);
        match (named, path) {
            (Some(format), Some(path)) => match Format::of_path(path) {
                Ok(other) if other != format => Err(Error::usage(
                    "the name of the file is that of another format",
                )
                .with_remedy("leave out --format, or give the file another extension")
                .in_file(path)),
                _ => Ok(format),
            },
            (Some(format), None) => Ok(format),
            (None, Some(path)) if path.extension().is_some_and(|extension| extension == "pgn") => {
                Err(Error::usage("a table is not PGN")
                    .with_remedy("write games with ign find --pgn")
                    .in_file(path))
            }
            (None, Some(path)) => Format::of_path(path),
            (None, None) => Err(Error::usage("standard output has no extension")
                .with_remedy("name the format with --format")),
        }
    }

    /// The table that is written, and what a row is called.
    fn table(&self, format: Format) -> Result<Table> {
        let of_positions = self.positions || format == Format::Epd;
        let limits = self.every_nth.is_some() || self.min_ply.is_some();
        if limits && !of_positions {
            return Err(Error::usage("--every-nth and --min-ply choose positions")
                .with_remedy("add --positions"));
        }
        if of_positions && self.order.is_given() {
            return Err(
                Error::usage("--sort sorts games, and the rows are positions").with_remedy(
                    "leave out --sort, or sort games into an archive: ign find --sort elo -o",
                ),
            );
        }
        Ok(match (format, of_positions, &self.columns[..]) {
            (Format::Epd, _, []) => Table::Positions(PositionField::named_all(["epd"])?),
            (Format::Epd, ..) => {
                return Err(Error::usage("an EPD file has no columns")
                    .with_remedy("leave out --columns, or write another format"));
            }
            (_, true, []) => Table::Positions(PositionField::all()),
            (_, true, names) => Table::Positions(PositionField::named_all(names)?),
            (_, false, []) => Table::Games(GameColumn::all()),
            (_, false, names) => Table::Games(GameColumn::named_all(names)?),
        })
    }

    /// The rows of the table.
    ///
    /// # Errors
    /// Those of [`Archives::find`].
    fn rows(
        &self,
        table: &Table,
        archives: &Archives,
        query: &Query,
        format: Format,
        common: &Common,
    ) -> Result<Rows> {
        let encoding = format.encoding();
        if let (true, Table::Games(columns)) = (self.order.is_given(), table) {
            let found = archives.find(query)?;
            let end = self.limit.end_or_all();
            let mut games = self.order.sorted(archives, &found, end, common)?;
            self.limit.cut(&mut games);
            let rows = RecordBatchesInOrder::of(archives, games, columns, encoding)?;
            return Ok(Box::new(rows));
        }
        let first = if self.limit.is_all() {
            None
        } else {
            let mut games = archives.find_first(query, self.limit.end_or_all())?;
            self.limit.cut(&mut games);
            Some(games)
        };
        Ok(match table {
            Table::Games(columns) => {
                let scans = match &first {
                    Some(games) => archives.scans_of(games)?,
                    None => archives.scans(query)?,
                };
                Box::new(RecordBatches::of_all(scans, columns, encoding))
            }
            Table::Positions(columns) => {
                let scan = match first {
                    Some(games) => archives.positions().only(games),
                    None => archives.positions().filter(query),
                };
                let scan = scan
                    .every_nth(self.every_nth.unwrap_or(1))
                    .min_ply(self.min_ply.unwrap_or(0))
                    .batch(POSITIONS);
                Box::new(PositionRecordBatches::of(scan, columns, encoding))
            }
        })
    }
}

/// A name of a list, without the space around it.
fn trimmed(name: &str) -> std::result::Result<String, Infallible> {
    Ok(name.trim().to_owned())
}

/// Record batches with their schema.
type Rows = Box<dyn RecordBatchReader>;

/// The number of positions of a batch.
const POSITIONS: usize = 1 << 15;

/// A table with its columns.
enum Table {
    Games(Vec<GameColumn>),
    Positions(Vec<PositionField>),
}

impl Table {
    /// What a row is called.
    fn row(&self) -> &'static str {
        match self {
            Self::Games(_) => "game",
            Self::Positions(_) => "position",
        }
    }

    /// The tags that are columns because they were asked for.
    fn tags(&self) -> impl Iterator<Item = &str> {
        let columns = match self {
            Self::Games(columns) => &columns[..],
            Self::Positions(_) => &[],
        };
        let names = columns.iter().map(GameColumn::name);
        names.filter_map(|name| name.strip_prefix("tag:"))
    }

    /// The number of columns.
    fn columns(&self) -> usize {
        match self {
            Self::Games(columns) => columns.len(),
            Self::Positions(columns) => columns.len(),
        }
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let query = args.filters.query(common)?;
    let path = args.destination.path(|| {
        Err(Error::usage("where to write the table is missing")
            .with_remedy("name a file with -o, or print with -c and --format"))
    })?;
    let format = args.format(path.as_deref())?;
    let table = args.table(format)?;
    // The output is opened before the work, so that an error costs no time.
    let inputs = inputs(&args.inputs)?;
    let output = match &path {
        Some(path) => {
            let files = args.inputs.iter().map(PathBuf::as_path);
            let files = files.chain(args.filters.files());
            args.destination.file(path, Content::Table, files)?
        }
        None => {
            args.json.refuse_stdout()?;
            if format.is_text() {
                Output::stdout()
            } else {
                Output::binary_stdout()?
            }
        }
    };
    let archives: Result<Vec<_>> = with_bar(!common.quiet, None, |on_progress| {
        inputs
            .into_iter()
            .map(|input| open(input, false, common.threads(), on_progress))
            .collect()
    });
    let archives = archives?;
    archives
        .iter()
        .for_each(|archive| warn_of_trailing(archive, common));
    let archives = args.index.apply(archives, common)?;
    hints::of_tags(table.tags(), &archives, common)?;
    let mut rows = args.rows(&table, &archives, &query, format, common)?;
    let schema = rows.schema();
    // Nothing is written, not even the header of a CSV file, if there are no rows or the first
    // cannot be read.
    let first = rows.find(|batch| batch.as_ref().map_or(true, |batch| batch.num_rows() > 0));
    let first = first.transpose().map_err(error_of_arrow)?;
    warn_of_rejected(archives.rejected_indexes(), common);
    if first.is_none() {
        // Without a limit, a table of games has all that were found.
        let most = match (args.limit.is_all(), &table) {
            (true, Table::Games(_)) => 0,
            (true, Table::Positions(_)) => 1,
            (false, _) => args.limit.end_or_all(),
        };
        let found = archives.find_first(&query, most)?;
        let row = if found.is_empty() { "game" } else { "position" };
        let conditions = format!("no {row} meets the conditions");
        let skipped = args.limit.skips_all(found.len());
        if let Some(message) = skipped.or((!query.is_empty()).then_some(conditions)) {
            if !common.quiet {
                say(format_args!("{message}"));
            }
            if !common.quiet && found.is_empty() {
                args.filters.say_advice(&query, &archives, common)?;
            }
            return Ok(ExitCode::FAILURE);
        }
    }
    let rows = first.map(Ok).into_iter().chain(rows);
    let options = WriteOptions::default().threads(common.threads());
    let writer = Writer::new(format, output, schema, options)?;
    let shown = !common.quiet && path.is_some();
    let (output, written) = with_status(shown, |status| write(rows, writer, table.row(), status))?;
    output.finish()?;
    if let Some(path) = path {
        let report = Exported {
            output: json::name(&path),
            row: match table {
                Table::Games(_) => Row::Game,
                Table::Positions(_) => Row::Position,
            },
            row_count: written,
            column_count: table.columns() as u64,
            seconds: json::seconds(start),
        };
        args.json.report(common, &report, || {
            say(format_args!(
                "{}: {}, {} in {}",
                path.display(),
                counted(written, table.row()),
                counted(table.columns() as u64, "column"),
                seconds(start.elapsed())
            ));
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes all rows. Returns what they were written to, and their number.
fn write<W: Write + Send>(
    rows: impl Iterator<Item = std::result::Result<RecordBatch, ArrowError>>,
    mut writer: Writer<W>,
    row: &str,
    status: &Status,
) -> Result<(W, u64)> {
    let mut written = 0;
    for batch in rows {
        let batch = batch.map_err(error_of_arrow)?;
        writer.write(&batch)?;
        written += batch.num_rows() as u64;
        status.set(counted(written, row));
    }
    Ok((writer.finish()?, written))
}
