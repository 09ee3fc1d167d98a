//! `ign stats`

mod side_by_side;
mod svg;
mod text;

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    archive_file::open_archive,
    common::Common,
    json,
    output::Output,
    pack_options::{CodingArg, parse_block_size},
    progress::with_bar,
    sources,
};
use ign_archive::{
    Coding, Error, Input, Packer, Result,
    location::expand,
    stats::{self, Report, Stats, StatsBuilder},
};

const EXAMPLES: &str = "\
Examples:
  ign stats games.ign
  ign stats --coding ign games.pgn.zst
  ign stats games.ign --svg figures.svg
  ign stats 2013-*.ign
  ign stats --json games.ign | jq .bytes_per_game";

/// Measure games: sizes, bits per move, probability of moves, uniqueness of signatures
///
/// The input is an archive or PGN in any form that ign pack accepts. PGN is packed for the
/// measurement, but not written; its figures equal those of its archive.
///
/// The totals of several inputs, and where their bytes go, are shown side by side; with --svg, so
/// are the drawings. With --json, each input is an object on a line of its own: docs/json.md.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives or PGN files; - is PGN on standard input
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also draw the figures, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Overwrite an existing SVG file
    #[arg(short, long, requires = "svg")]
    force: bool,
    /// Coding of the moves, for PGN [default: weighted]
    #[arg(long, value_enum)]
    coding: Option<CodingArg>,
    /// Text per block, such as 64K or 8M, for PGN
    #[arg(short = 'B', long, value_name = "SIZE", value_parser = parse_block_size)]
    block_size: Option<usize>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let inputs = named(&args.inputs)?;
    let svg = match &args.svg {
        Some(path) if path.as_os_str() == "-" => {
            return Err(Error::usage("the report is written to standard output")
                .with_remedy("name a file for the SVG"));
        }
        Some(path) => {
            let read = args.inputs.iter().map(PathBuf::as_path);
            Output::refuse_inputs(path, read)?;
            Some(Output::file(path, args.force)?)
        }
        None => None,
    };
    let mut reports = Vec::with_capacity(inputs.len());
    for (path, input) in inputs {
        let name = if args.json {
            json::name(&input.display())
        } else {
            name(&input)
        };
        reports.push(Report::new(name, gather(args, common, &path, input)?));
    }
    if let Some(mut svg) = svg {
        svg.write_all(svg::draw(&reports)?.as_bytes())?;
        svg.finish()?;
    }
    let mut out = Output::stdout();
    match (&reports[..], args.json) {
        (reports, true) => {
            for report in reports {
                writeln!(out, "{}", report.json())?;
            }
        }
        ([report], false) => text::write(report, &mut out)?,
        (reports, false) => side_by_side::write(reports, &mut out)?,
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The inputs that arguments name, with the arguments.
fn named(names: &[PathBuf]) -> Result<Vec<(PathBuf, Input)>> {
    let mut paths = Vec::with_capacity(names.len());
    for name in names {
        paths.extend(expand(name)?);
    }
    let inputs = sources::inputs(&paths)?;
    Ok(paths.into_iter().zip(inputs).collect())
}

fn gather(args: &Args, common: &Common, path: &Path, input: Input) -> Result<Stats> {
    let len = input.len()?;
    if input.is_archive()? {
        if args.coding.is_some() || args.block_size.is_some() {
            return Err(
                Error::usage("the coding and the block size of an archive are fixed")
                    .in_file(input.display())
                    .with_remedy("give --coding and --block-size with PGN only"),
            );
        }
        let archive = open_archive(path, common)?;
        return with_bar(!common.quiet, len, |on_progress| {
            StatsBuilder::new()
                .on_progress(on_progress)
                .of_archive(&archive)
        });
    }
    let packer = Packer::new()
        .coding(args.coding.map_or(Coding::Weighted, Into::into))
        // Nothing is written, and the measurement replays every game.
        .verify(false)
        .block_size(args.block_size.unwrap_or(Packer::DEFAULT_BLOCK_SIZE))
        .threads(common.threads());
    with_bar(!common.quiet, len, |on_progress| {
        stats::of_inputs([input], packer.on_progress(on_progress))
    })
}

/// The input's name, without its folder.
fn name(input: &Input) -> String {
    let path = input.display();
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
