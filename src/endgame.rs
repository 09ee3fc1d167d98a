//! `ign endgame`

mod arguments;
mod json;
mod positions;
mod report;
mod sizes;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::ValueEnum;
use shakmaty::Color;

use super::{
    common::Common,
    json::write,
    messages::say,
    numbers::{counted, plies, seconds},
    output::Output,
    progress::with_status,
};
use arguments::{parse_fen, parse_fixed, parse_order};
use ign_archive::{Error, ErrorKind, Result};
use ign_endgame::{
    file::IntervalTable,
    intervals::{Fixed, View, raw},
    material::Material,
    numbering::Numbering,
    search::{Best, families, search},
    tables::Tables,
};
use report::Report;
use sizes::Sizes;

const EXAMPLES: &str = "\
Examples:
  ign endgame KQK
  ign endgame KQK \"8/8/8/5k2/8/8/1Q6/K7 w - -\"
  ign endgame KRK --intervals -o krk.m
  ign endgame krk.m \"8/8/8/5k2/8/8/1R6/K7 w - -\"";

/// Solve an endgame of three or four pieces, look up positions, and write compact tables
///
/// Every position gets the number of moves to mate. With --intervals, the positions are numbered in
/// many ways, and the numbering with the fewest intervals of equal values is searched; -o writes
/// its intervals as a table, in which positions can be looked up.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "ign endgame [OPTIONS] <PIECES> [FEN]...\n       ign endgame [OPTIONS] <TABLE> [FEN]...",
    after_long_help = EXAMPLES
)]
pub struct Args {
    /// White's pieces, then Black's, such as KQK, KBNK or KRKP; or a table written by -o
    #[arg(value_name = "PIECES|TABLE")]
    pieces: String,
    /// Positions to look up, instead of a summary of the endgame
    #[arg(value_name = "FEN", conflicts_with_all = ["intervals", "order", "output"])]
    fen: Vec<String>,
    /// Search for the numbering with the fewest intervals
    #[arg(long)]
    intervals: bool,
    /// Count the intervals of this order of coordinates: "BKR BKF WKR WKF WQR WQF"
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
    /// Keep these pieces on their squares and let only the others move: WK=e8,BK=a8
    #[arg(
        long,
        value_name = "PIECES",
        value_delimiter = ',',
        conflicts_with = "output"
    )]
    fix: Vec<String>,
    /// Side to move, for intervals
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// Write the table of intervals, for --order or else for the best numbering found
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write one byte for each number instead of intervals
    #[arg(long, requires = "output")]
    raw: bool,
    /// Overwrite an existing file
    #[arg(short, long, requires = "output")]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Self::White,
            Side::Black => Self::Black,
        }
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let material = match Material::parse(&args.pieces) {
        Ok(material) => material,
        Err(_) if Path::new(&args.pieces).is_file() => return look_up(args),
        Err(error) => return Err(converted(error)),
    };
    // All arguments are checked before the endgame is solved.
    let fixed = parse_fixed(&args.fix, &material)?;
    let order = args
        .order
        .as_deref()
        .map(|order| parse_order(order, &material))
        .transpose()?;
    let positions = args
        .fen
        .iter()
        .map(|fen| parse_fen(fen))
        .collect::<Result<Vec<_>>>()?;
    let output = args
        .output
        .as_deref()
        .map(|path| open(path, args.force))
        .transpose()?;

    let tables = solve(&material, common)?;
    if !positions.is_empty() {
        positions::write_moves(&positions, args.json, |position| {
            tables.value(position).map_err(converted)
        })?;
        return Ok(ExitCode::SUCCESS);
    }

    let turn = Color::from(args.side);
    let wanted = tables.main();
    let found = if let Some(numbering) = &order {
        vec![count(
            &View::new(wanted, turn, numbering, &fixed),
            numbering,
        )]
    } else if args.intervals || output.is_some() || !fixed.is_empty() {
        search_families(&tables, turn, &fixed, common)
    } else {
        Vec::new()
    };
    let best = found.iter().min_by_key(|best| best.intervals);
    // A table holds all positions, so there is none if pieces are fixed.
    let table = best
        .filter(|_| fixed.is_empty())
        .map(|best| IntervalTable::new(wanted, turn, &best.numbering));
    let sizes = table
        .as_ref()
        .map(|table| Sizes::new(wanted, table))
        .transpose()?;
    if let (Some(mut output), Some(table)) = (output, &table) {
        let bytes = if args.raw {
            raw(table.intervals())
        } else {
            table.to_bytes()
        };
        output.write_all(&bytes)?;
        output.finish()?;
    }
    let report = Report::new(&tables, turn, &fixed, &found, sizes.as_ref());
    let mut out = Output::stdout();
    if args.json {
        write(&mut out, &json::endgame(&report))?
    } else {
        report.write(&mut out)?
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn solve(material: &Material, common: &Common) -> Result<Tables> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(common.threads())
        .build_global()
        .map_err(Error::threads)?;
    let start = Instant::now();
    let tables = with_status(!common.quiet, |status| {
        let report = |solved: &Material, depth: u8| {
            status.set(format!("{solved}: {} to mate", plies(depth.into())));
        };
        Tables::solve(material, &report).map_err(converted)
    })?;
    if !common.quiet {
        let time = seconds(start.elapsed());
        say(format_args!("{material}: solved in {time}"));
    }
    Ok(tables)
}

/// The intervals of one numbering.
fn count(view: &View, numbering: &Numbering) -> Best {
    Best {
        intervals: view.count(numbering, u64::MAX),
        numbering: numbering.clone(),
        tried: 1,
        complete: true,
        legal: view.legal(),
        distinct: view.histogram().len() as u64,
    }
}

/// The best numbering of each family.
fn search_families(tables: &Tables, turn: Color, fixed: &Fixed, common: &Common) -> Vec<Best> {
    let start = Instant::now();
    let wanted = tables.main();
    let mut families = families(wanted.material());
    // Symmetries of the board would move fixed pieces.
    families
        .retain(|family| fixed.is_empty() || family.anchor.is_none() && family.relative.is_none());
    let found = with_status(!common.quiet, |status| {
        let count = families.len();
        let report = |done| status.set(format!("{done} of {count} families tried"));
        search(wanted, turn, fixed, &families, &report)
    });
    if !common.quiet {
        let tried = found.iter().map(|best| best.tried).sum();
        say(format_args!(
            "tried {} in {}",
            counted(tried, "numbering"),
            seconds(start.elapsed())
        ));
    }
    found
}

/// Answers from a table that `-o` wrote.
fn look_up(args: &Args) -> Result<ExitCode> {
    let path = Path::new(&args.pieces);
    let read = || IntervalTable::from_bytes(&fs::read(path)?).map_err(converted);
    let table = read().map_err(|e| e.in_file(path))?;
    if args.intervals || args.order.is_some() || args.output.is_some() || !args.fix.is_empty() {
        let pieces = table.material();
        return Err(Error::usage("a table can only be looked up")
            .in_file(path)
            .with_remedy(format!("name the pieces instead: ign endgame {pieces}")));
    }
    let positions = args
        .fen
        .iter()
        .map(|fen| parse_fen(fen))
        .collect::<Result<Vec<_>>>()?;
    if positions.is_empty() {
        let mut out = Output::stdout();
        if args.json {
            write(&mut out, &json::table(&table))?
        } else {
            report::write_table(&table, &mut out)?
        }
        out.finish()?;
    } else {
        positions::write_values(&positions, args.json, |position| {
            table
                .value(position)
                .map_err(|e| converted(e).in_file(path))
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn open(path: &Path, force: bool) -> Result<Output> {
    if path.as_os_str() == "-" {
        return Err(Error::usage("the summary is written to standard output")
            .with_remedy("name a file for the table"));
    }
    Output::file(path, force)
}

/// The error of an endgame as one of the command, with the same exit status.
fn converted(error: ign_endgame::Error) -> Error {
    use ign_endgame::ErrorKind as Theirs;
    let kind = match error.kind() {
        Theirs::Usage => ErrorKind::Usage,
        Theirs::Corrupt => ErrorKind::Corrupt,
        Theirs::Unsupported => ErrorKind::Unsupported,
        Theirs::Internal => ErrorKind::Internal,
    };
    let converted = Error::new(kind, error.message());
    match error.remedy() {
        Some(remedy) => converted.with_remedy(remedy),
        None => converted,
    }
}
