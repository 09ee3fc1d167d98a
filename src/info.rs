//! `ign info`

mod json;
mod search_index;
mod text;

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{archive_file::open_archive, common::Common, output::Output};
use ign_archive::Result;

const EXAMPLES: &str = "\
Examples:
  ign info games.ign
  ign info -v games.ign | grep '^block'
  ign info --json games.ign | jq .games";

/// Show the structure of an archive: frames, blocks, columns, versions
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to read
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Show each block with its games and columns
    #[arg(short, long)]
    verbose: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "verbose")]
    json: bool,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let archive = open_archive(&args.archive, common)?;
    let mut out = Output::stdout();
    let structure = archive.structure(|number, block| {
        if args.verbose {
            text::write_block(&mut out, &archive, number, block)?;
        }
        Ok(())
    })?;
    if args.json {
        writeln!(out, "{:#}", json::value(&archive, &structure)?)?
    } else {
        text::write(&mut out, &archive, &structure)?
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
