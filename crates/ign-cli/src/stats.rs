//! `ign stats`

mod canvas;
mod json;
mod svg;
mod text;
mod weighted;

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{
    Common,
    output::Output,
    pack::{CodingArg, parse_size},
    progress::with_bar,
};
use ign_archive::{
    pipeline::{
        pack::{DEFAULT_BLOCK_SIZE, PackOptions},
        source::Input,
    },
    reader::Archive,
    stats::{
        Stats,
        claims::{Claim, claims},
        gather,
        signatures::Uniqueness,
    },
};
use ign_format::{
    block::encode::Options,
    error::{Error, Result},
};

/// Measure games: where the bytes go, what moves cost and how likely they were, how telling
/// signatures are
///
/// Takes an archive, or PGN in any form that pack takes, which is then packed for the figures and
/// not written. Both give the same figures.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Archive or PGN; - is PGN from standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the figures, too
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Overwrite the drawing if it exists
    #[arg(short, long, requires = "svg")]
    force: bool,
    /// How moves are coded, of PGN [default: weighted]
    #[arg(long, value_enum)]
    coding: Option<CodingArg>,
    /// Text in a block, of PGN (64K, 8M, ...)
    #[arg(short = 'B', long, value_name = "SIZE", value_parser = parse_size)]
    block_size: Option<usize>,
}

/// What there is to show.
struct Report {
    /// The input, as people know it.
    name: String,
    stats: Stats,
    signatures: Uniqueness,
    claims: Vec<Claim>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let input = Input::from_name(&args.input);
    let svg = match &args.svg {
        Some(path) if path.as_os_str() == "-" => {
            return Err(Error::usage(
                "the report takes standard output; name a file for the picture",
            ));
        }
        Some(path) => {
            Output::refuse_inputs(path, [args.input.as_path()])?;
            Some(Output::file(path, args.force)?)
        }
        None => None,
    };
    let mut stats = gather(args, common, &input)?;
    let signatures = stats.signatures.count();
    let report = Report {
        name: name(&input),
        claims: match stats.games.are_all_go() {
            true => Vec::new(),
            false => claims(&stats, &signatures),
        },
        stats,
        signatures,
    };
    if let Some(mut svg) = svg {
        svg.write_all(svg::draw(&report).as_bytes())?;
        svg.finish()?;
    }
    let mut out = Output::stdout();
    if args.json {
        writeln!(out, "{:#}", json::value(&report))?;
    } else {
        text::write(&report, &mut out)?;
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn gather(args: &Args, common: &Common, input: &Input) -> Result<Stats> {
    let threads = common.threads();
    let len = input.len()?;
    if gather::is_archive(input)? {
        if args.coding.is_some() || args.block_size.is_some() {
            return Err(
                Error::usage("an archive has its coding and its blocks already")
                    .in_file(&args.input)
                    .with_remedy("leave --coding and --block-size to collections"),
            );
        }
        let archive = Archive::open(&args.input)?;
        return with_bar(!common.quiet, len, |progress| {
            gather::of_archive(&archive, threads, progress)
        });
    }
    let defaults = Options::default();
    let options = PackOptions {
        block: Options {
            coding: args.coding.map_or(defaults.coding, Into::into),
            // Nothing is written, and every game is played anyway.
            verify: false,
            ..defaults
        },
        block_size: args.block_size.unwrap_or(DEFAULT_BLOCK_SIZE),
        threads,
    };
    let inputs = [input.clone()];
    with_bar(!common.quiet, len, |progress| {
        gather::of_inputs(&inputs, &options, progress)
    })
}

fn name(input: &Input) -> String {
    match input {
        Input::Stdin => "standard input".into(),
        Input::File(path) => path.file_name().map_or_else(
            || path.display().to_string(),
            |n| n.to_string_lossy().into_owned(),
        ),
    }
}
