//! `ign info`

mod search_index;
mod text;

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{common::Common, damaged::Damaged, json, output::Output};
use ign_archive::Result;
pub use search_index::SearchIndex;

const EXAMPLES: &str = "\
Examples:
  ign info games.ign
  ign info -v games.ign | grep '^block'
  ign info --json games.ign | jq .games
  ign info --json *.ign | jq -r '[.archive, .games] | @tsv'";

/// Show the structure of an archive: frames, blocks, columns, versions
///
/// Several archives are shown one after the other. With --json, each is an object on a line of its
/// own: docs/json.md.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to read
    #[arg(value_name = "A.ign", required = true)]
    archives: Vec<PathBuf>,
    /// Show each block with its games and columns
    #[arg(short, long)]
    verbose: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "verbose")]
    json: bool,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let (archives, _) = Damaged::default().open_all(&args.archives, common)?;
    let mut out = Output::stdout();
    for (number, archive) in archives.iter().enumerate() {
        if number > 0 && !args.json {
            writeln!(out)?;
        }
        let structure = archive.structure(|number, block| {
            if args.verbose {
                text::write_block(&mut out, archive, number, block)?;
            }
            Ok(())
        })?;
        if !args.json {
            text::write(&mut out, archive, &structure)?;
            continue;
        }
        json::write(&mut out, &json::info::Info::new(archive, &structure)?)?;
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
