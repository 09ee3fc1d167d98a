//! `ign endgame`

mod report;
mod sizes;

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::ValueEnum;
use shakmaty::Color;

use super::{Common, counted, output::Output, progress::with_words, say, seconds};
use ign_endgame::{
    ErrorKind,
    file::IntervalTable,
    intervals::{View, raw},
    material::Material,
    numbering::{Numbering, coordinate_name},
    search::{Best, families, search},
    tables::Tables,
};
use ign_format::error::{Error, Kind, Result};
use ign_notation::chess::Position;
use sizes::Sizes;
use std::io::Write;

/// Solve an endgame of three or four pieces, look positions up, make its table small
///
/// Every position gets the number of moves to mate. With --intervals, the positions are numbered
/// in many ways, and that way is looked for which leaves the fewest stretches of equal values; -o
/// writes these as a table in which positions can be looked up.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "ign endgame [OPTIONS] <MATERIAL> [FEN]...\n       ign endgame [OPTIONS] <TABLE> [FEN]..."
)]
pub struct Args {
    /// White's pieces and then Black's: KQK, KBNK, KRKP; or a table written by -o
    #[arg(value_name = "MATERIAL|TABLE")]
    material: String,
    /// Positions to look up, instead of the endgame's figures
    #[arg(value_name = "FEN", conflicts_with_all = ["intervals", "order", "output"])]
    fen: Vec<String>,
    /// Look for the numbering with the fewest intervals
    #[arg(long)]
    intervals: bool,
    /// Count the intervals of this order of coordinates: "BKR BKF WKR WKF WQR WQF"
    #[arg(long, value_name = "ORDER")]
    order: Option<String>,
    /// Fix the squares of these pieces: WK=e8,BK=a8
    #[arg(
        long,
        value_name = "PIECE=SQUARE",
        value_delimiter = ',',
        conflicts_with = "output"
    )]
    fix: Vec<String>,
    /// Whose move it is, for intervals
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// Write the table of intervals, of --order or else of the best numbering found
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write a byte for each number instead of intervals
    #[arg(long, requires = "output")]
    raw: bool,
    /// Overwrite the file if it exists
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

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let material = match Material::parse(&args.material) {
        Ok(material) => material,
        Err(_) if Path::new(&args.material).is_file() => return look_up(args),
        Err(error) => return Err(from_endgame(error)),
    };
    let fixed = args.fix.iter().map(|fix| parse_fix(fix, &material));
    let fixed = fixed.collect::<Result<Vec<_>>>()?;
    check_fixed(&fixed, &material)?;
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

    // Fails only if the pool exists already, which changes no result.
    _ = rayon::ThreadPoolBuilder::new()
        .num_threads(common.threads())
        .build_global();
    let start = Instant::now();
    let tables = with_words(!common.quiet, |words| {
        let progress = |material: &Material, plies: u8| {
            words.say(format!("{material}: {plies} plies from mate"));
        };
        Tables::solve(&material, &progress).map_err(from_endgame)
    })?;
    if !common.quiet {
        say(format_args!(
            "{material}: solved, {}",
            seconds(start.elapsed())
        ));
    }
    if !positions.is_empty() {
        report::positions(&positions, args.json, |position| {
            tables.value(position).map_err(from_endgame)
        })?;
        return Ok(ExitCode::SUCCESS);
    }

    let turn = match args.side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let main = tables.main();
    let mut found: Vec<Best> = Vec::new();
    if let Some(numbering) = &order {
        let view = View::new(main, turn, numbering, &fixed);
        found.push(Best {
            intervals: view.count(numbering, u64::MAX),
            numbering: numbering.clone(),
            tried: 1,
            complete: true,
            legal: view.legal(),
            distinct: view.histogram().len() as u64,
        });
    } else if args.intervals || output.is_some() || !fixed.is_empty() {
        let start = Instant::now();
        // Folding and differences would move the fixed pieces.
        let mut families = families(&material);
        families.retain(|family| {
            fixed.is_empty() || family.anchor.is_none() && family.relative.is_none()
        });
        found = with_words(!common.quiet, |words| {
            let progress = |done| words.say(format!("{done} of {} families tried", families.len()));
            search(main, turn, &fixed, &families, &progress)
        });
        if !common.quiet {
            let tried: u64 = found.iter().map(|best| best.tried).sum();
            say(format_args!(
                "{} tried, {}",
                counted(tried, "indexing function"),
                seconds(start.elapsed())
            ));
        }
    }
    let best = found
        .iter()
        .min_by_key(|best| best.intervals)
        .filter(|_| fixed.is_empty());
    let table = best.map(|best| IntervalTable::new(main, turn, &best.numbering));
    let sizes = table
        .as_ref()
        .map(|table| Sizes::new(main, table))
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
    let report = report::Report {
        tables: &tables,
        turn,
        fixed: &fixed,
        found: &found,
        sizes: sizes.as_ref(),
    };
    report.print(args.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Answers from a table that was written before.
fn look_up(args: &Args) -> Result<ExitCode> {
    let path = Path::new(&args.material);
    let read = || IntervalTable::from_bytes(&fs::read(path)?).map_err(from_endgame);
    let table = read().map_err(|e| e.in_file(path))?;
    if args.intervals || args.order.is_some() || args.output.is_some() || !args.fix.is_empty() {
        return Err(Error::usage("a table is looked up, not searched")
            .in_file(path)
            .with_remedy(format!("name the pieces: ign endgame {}", table.material())));
    }
    let positions = args
        .fen
        .iter()
        .map(|fen| parse_fen(fen))
        .collect::<Result<Vec<_>>>()?;
    if positions.is_empty() {
        report::table(&table, args.json)?;
    } else {
        report::values(&positions, args.json, |position| {
            table
                .value(position)
                .map_err(|e| from_endgame(e).in_file(path))
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn open(path: &Path, force: bool) -> Result<Output> {
    if path.as_os_str() == "-" {
        return Err(Error::usage(
            "the figures take standard output; name a file for the table",
        ));
    }
    Output::file(path, force)
}

fn parse_fen(fen: &str) -> Result<Position> {
    Position::from_fen(fen.as_bytes())
        .map_err(|error| Error::usage(format!("'{fen}' is no position: {error}")))
}

/// The error of an endgame as one of the command, with the same exit status.
fn from_endgame(error: ign_endgame::Error) -> Error {
    let kind = match error.kind() {
        ErrorKind::Usage => Kind::Usage,
        ErrorKind::Corrupt => Kind::Corrupt,
        ErrorKind::Unsupported => Kind::Unsupported,
        ErrorKind::Internal => Kind::Internal,
    };
    let converted = Error::new(kind, error.message());
    match error.remedy() {
        Some(remedy) => converted.remedy(remedy),
        None => converted,
    }
}

/// `WK=e8`.
fn parse_fix(fix: &str, material: &Material) -> Result<(usize, u8)> {
    let wrong = || {
        let names: Vec<_> = (0..material.pieces().len())
            .map(|piece| material.piece_name(piece))
            .collect();
        Error::usage(format!("'{fix}' does not put a piece on a square"))
            .with_remedy(format!("write WK=e8; the pieces are {}", names.join(", ")))
    };
    let (name, square) = fix.split_once('=').ok_or_else(wrong)?;
    let piece = (0..material.pieces().len())
        .find(|&piece| material.piece_name(piece).eq_ignore_ascii_case(name));
    let square: shakmaty::Square = square.parse().map_err(|_| wrong())?;
    Ok((piece.ok_or_else(wrong)?, square.to_u32() as u8))
}

/// Fails if a piece is on two squares, two are on one square, or a pawn is on the first or last rank.
fn check_fixed(fixed: &[(usize, u8)], material: &Material) -> Result<()> {
    for (place, &(piece, square)) in fixed.iter().enumerate() {
        let name = material.piece_name(piece);
        for &(other, other_square) in &fixed[..place] {
            if other == piece {
                return Err(Error::usage(format!("{name} is put on two squares")));
            }
            if other_square == square {
                let other = material.piece_name(other);
                let wrong = format!("{other} and {name} are put on one square");
                return Err(Error::usage(wrong));
            }
        }
        let is_pawn = material.pieces()[piece].role == shakmaty::Role::Pawn;
        if is_pawn && matches!(square / 8, 0 | 7) {
            return Err(Error::usage(format!("{name} is a pawn on a last row")));
        }
    }
    Ok(())
}

/// Coordinates by name, all of them, the slowest first.
fn parse_order(order: &str, material: &Material) -> Result<Numbering> {
    let all = 0..2 * material.pieces().len() as u8;
    let find = |name: &str| {
        let mut all = all.clone();
        all.find(|&coordinate| coordinate_name(material, coordinate).eq_ignore_ascii_case(name))
    };
    let words = order.split([' ', ',']).filter(|word| !word.is_empty());
    let order_of = words.map(find).collect::<Option<Vec<_>>>();
    order_of
        .map(Numbering::plain)
        .filter(|numbering| numbering.suits(material.pieces()))
        .ok_or_else(|| {
            let first = Numbering::f1(material.pieces().len()).formula(material);
            Error::usage(format!("'{order}' is no order of all coordinates"))
                .with_remedy(format!("write each once, the slowest first: {first}"))
        })
}
