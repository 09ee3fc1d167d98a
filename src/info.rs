//! `ign info`

mod json;
mod search_index;
mod text;
mod totals;

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{archive_file::open_archive, common::Common, output::Output};
use ign_archive::format::{block::decode::Block, error::Result};
use totals::Totals;

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
    archive.will_read_all();
    let mut totals = Totals::default();
    let mut out = Output::stdout();
    for (number, entry) in archive.index().blocks.iter().enumerate() {
        let bytes = archive.block_bytes(number)?;
        let block =
            Block::open(&bytes).map_err(|e| e.in_block(number as u64).in_file(archive.path()))?;
        totals.add(&block, entry.head_len);
        if args.verbose {
            text::write_block(&mut out, number, entry, &block, bytes.len())?;
        }
    }
    if args.json {
        writeln!(out, "{:#}", json::value(&archive, &totals)?)?
    } else {
        text::write(&mut out, &archive, &totals)?
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
