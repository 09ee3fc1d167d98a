//! `ign count`

use std::{
    io::Write,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    common::Common,
    content::Content,
    destination::Destination,
    filters::Filters,
    hints,
    json::{self, games::Counted},
    messages::{say, warn_of_rejected},
    numbers::{counted, grouped, percent},
    output::Output,
    progress::with_status,
    searched::IndexChoice,
    table::Table,
};
use ign_archive::{CountBuilder, CountRow, CountTable, Error, GameKey, KeyValue, Result};
use ign_arrow::{Format, WriteOptions, Writer, count_batch};

const EXAMPLES: &str = "\
Examples:
  ign count games.ign --by eco --limit 10
  ign count games.ign --by year,speed --sort keys
  ign count games.ign --by elo:200,result --eco B20..B99
  ign count games.ign --by white --date 2013 -o players.csv
  ign count 2013-*.ign --by tag:Annotator --json | jq .rows[0]";

/// Count games by players, openings, ratings, dates and other properties
///
/// Prints a table with a row for each combination of the values of the keys, the number of its
/// games, and their share of all games that meet the conditions; ign help find describes the
/// conditions. Only the columns that the keys and the conditions name are decoded.
///
/// The keys are: white, black, event, site, round, opening, termination, time_control, variant, and
/// tag:NAME for any tag; file, the name of the packed file; eco, or its first letters: eco:1,
/// eco:2; elo, the mean rating of both players, white_elo, black_elo, elo_diff, which is White's
/// rating minus Black's, and plies, each with the width of its bands: elo:200, plies:10;
/// date, or its first parts: month, year; result and speed. A game without a value is counted in a
/// row that has - there, and null or an empty field in files and JSON. A band is its least number
/// in files and JSON.
///
/// The keys white, black, site and the like have a row for nearly every game of some collections:
/// all rows are in memory.
///
/// Exit status: 0, or 1 if no game meets the conditions; then no file is written.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to count
    #[arg(value_name = "A.ign", required = true)]
    archives: Vec<PathBuf>,
    /// Keys, separated by commas: eco,elo:200,month
    #[arg(
        long,
        value_name = "KEYS",
        value_delimiter = ',',
        required = true,
        value_parser = key
    )]
    by: Vec<GameKey>,
    /// Order of the rows: most games first, or by the keys from the first on
    #[arg(long, value_enum, default_value_t = Order::Games)]
    sort: Order,
    /// Only the first N rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write a file of this format, if its name does not say it
    #[arg(long, value_name = "FORMAT", value_parser = ["parquet", "arrow", "csv", "jsonl"])]
    format: Option<String>,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    index: IndexChoice,
    #[command(flatten)]
    filters: Filters,
}

/// The order of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    Games,
    Keys,
}

/// A key of a list, perhaps with space around it.
fn key(text: &str) -> Result<GameKey> {
    text.trim().parse()
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Table,
    Json,
    File(Format),
}

impl Args {
    /// The form of the output: that of `--json` or `--format`, or that of the name of the file. A
    /// file without an extension is text.
    fn form(&self, path: Option<&Path>) -> Result<Form> {
        let named = self.format.as_deref().and_then(Format::of_extension);
        let extension = path.and_then(Path::extension);
        Ok(match (named, path) {
            (_, Some(path)) if self.json && Format::of_path(path).is_ok() => {
                return Err(Error::usage(
                    "--json writes JSON, and the name of the file says something else",
                )
                .with_remedy("name a .json file, or leave --json out")
                .in_file(path));
            }
            _ if self.json => Form::Json,
            (Some(format), _) => Form::File(format),
            (None, Some(_)) if extension.is_some_and(|name| name == "json") => Form::Json,
            (None, Some(path)) if extension.is_some_and(|name| name != "txt") => {
                match Format::of_path(path)? {
                    Format::Epd => {
                        return Err(Error::usage(
                            "an EPD file has positions, not numbers of games",
                        )
                        .with_remedy("name a .csv, .jsonl, .parquet or .arrow file")
                        .in_file(path));
                    }
                    format => Form::File(format),
                }
            }
            (None, _) => Form::Table,
        })
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let query = args.filters.query(common)?;
    let path = args.destination.path(|| Ok(None))?;
    let form = args.form(path.as_deref())?;
    let archives = args.index.open(&args.archives, common)?;
    // The output is opened before the work, so that an error costs no time.
    let inputs = args.archives.iter().map(PathBuf::as_path);
    let inputs = inputs.chain(args.filters.files());
    let mut out = match (&path, form) {
        (Some(path), _) => args.destination.file(path, Content::Table, inputs)?,
        (None, Form::File(format)) if !format.is_text() => Output::binary_stdout()?,
        (None, _) => Output::stdout(),
    };
    hints::of_keys(&args.by, &archives, common)?;
    let mut table = with_status(!common.quiet, |status| {
        CountBuilder::new(args.by.clone())
            .on_progress(|progress| {
                status.set(counted(progress.games, "game"));
                ControlFlow::Continue(())
            })
            .build(&archives, &query)
    })?;
    warn_of_rejected(archives.rejected_indexes(), common);
    if table.games == 0 {
        if form == Form::Json && path.is_none() {
            json::write(&mut out, &Counted::new(&table, 0))?;
            out.finish()?;
        }
        if !common.quiet {
            let what = if query.is_empty() {
                "there are no games"
            } else {
                "no game meets the conditions"
            };
            say(format_args!("{what}"));
            args.filters.say_advice(&query, &archives, common)?;
        }
        return Ok(ExitCode::FAILURE);
    }
    if args.sort == Order::Keys {
        table.sort_by_values();
    }
    let all = table.rows.len();
    let limit = args.limit.and_then(|limit| usize::try_from(limit).ok());
    let rest = table.rows.split_off(limit.unwrap_or(all).min(all));
    match form {
        Form::Table => write_text(&table, &rest, &mut out)?,
        Form::Json => json::write(&mut out, &Counted::new(&table, rest.len()))?,
        Form::File(format) => {
            let batch = count_batch(&table)?;
            let options = WriteOptions::default().threads(common.threads());
            let mut writer = Writer::new(format, out, batch.schema(), options)?;
            writer.write(&batch)?;
            out = writer.finish()?;
        }
    }
    out.finish()?;
    if let Some(path) = path.filter(|_| !common.quiet) {
        say(format_args!(
            "{}: {} of {}",
            path.display(),
            counted(table.rows.len() as u64, "row"),
            counted(table.games, "game")
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the rows as text, and how many games the rest has.
fn write_text(table: &CountTable, rest: &[CountRow], out: &mut impl Write) -> Result<()> {
    let keys = table.keys.iter().map(GameKey::name);
    let header: Vec<&str> = keys.chain([CountTable::GAMES, "share"]).collect();
    let mut text = Table::new(&header);
    for (column, key) in table.keys.iter().enumerate() {
        text = if key.band().is_some() {
            text.right(column)
        } else {
            text.left(column)
        };
    }
    for row in &table.rows {
        let values = table.keys.iter().zip(&row.values);
        let mut cells: Vec<String> = values.map(|(key, value)| cell(key, value)).collect();
        cells.push(grouped(row.games));
        cells.push(percent(row.games, table.games));
        text.row_of(&cells);
    }
    write!(out, "{text}")?;
    if !rest.is_empty() {
        let games = rest.iter().map(|row| row.games).sum();
        let rows = if rest.len() == 1 { "row" } else { "rows" };
        writeln!(
            out,
            "{} more {rows} in {}; --limit shows more",
            grouped(rest.len() as u64),
            counted(games, "game")
        )?;
    }
    Ok(())
}

/// A value as text: a band with both of its ends.
fn cell(key: &GameKey, value: &KeyValue) -> String {
    match (value, key.band()) {
        (KeyValue::Missing, _) => "-".to_owned(),
        (KeyValue::Number(first), Some(width @ 2..)) => {
            format!("{first}..{}", first.saturating_add_unsigned(width - 1))
        }
        (value, _) => value.to_string().replace(char::is_control, " "),
    }
}
