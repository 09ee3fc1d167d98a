//! `ign verify`

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use super::{
    common::Common,
    messages::say,
    numbers::{counted, grouped, seconds},
    progress::with_bar,
};
use ign_archive::{Archive, Error, ErrorKind, Result, index};

const EXAMPLES: &str = "\
Examples:
  ign verify games.ign
  ign verify games.ign.idx
  ign verify -q *.ign && echo all good";

/// Check every byte of archives
///
/// Checksums, text and indexes are checked. A file that is named .idx is checked as a search index, and
/// compared with its archives in the same folder. Each damaged block is reported with the numbers of its
/// games; all other games can still be read.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives, and search indexes, to check
    #[arg(required = true, value_name = "A.ign")]
    archives: Vec<PathBuf>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let mut worst: u8 = 0;
    for path in &args.archives {
        // All archives are checked, even after a damaged one.
        let is_index = path.extension().is_some_and(|extension| extension == "idx");
        let errors = match is_index {
            true => verify_index(path, common).err().into_iter().collect(),
            false => verify_one(path, common),
        };
        for error in errors {
            say(format_args!("ign: {error}"));
            worst = worst.max(error.exit_code());
        }
    }
    Ok(worst.into())
}

fn verify_index(path: &Path, common: &Common) -> Result<()> {
    let start = Instant::now();
    let verified = index::verify(path)?;
    if !common.quiet {
        let segments = match verified.segments {
            1 => String::new(),
            segments => format!(" in {segments} segments"),
        };
        let missing = match verified.missing {
            0 => String::new(),
            missing => format!("; not indexed are the last {}", counted(missing, "game")),
        };
        let compared = match verified.archives - verified.found {
            0 => String::new(),
            missing => format!(
                "; not compared with {} that {} not beside it",
                counted(missing as u64, "archive"),
                if missing == 1 { "is" } else { "are" }
            ),
        };
        say(format_args!(
            "{}: verified the index of {}{segments}, {} bytes in {}{missing}{compared}",
            path.display(),
            counted(verified.games, "game"),
            grouped(verified.len),
            seconds(start.elapsed())
        ));
    }
    Ok(())
}

/// The errors of an archive: one for each damaged block, otherwise the first one found.
fn verify_one(path: &Path, common: &Common) -> Vec<Error> {
    let archive = match Archive::open(path) {
        Ok(archive) => archive.with_threads(common.threads()),
        Err(error) => return vec![error],
    };
    let start = Instant::now();
    let total = Some(archive.text_len());
    let verified = with_bar(!common.quiet, total, |on_progress| {
        archive.verify_with(on_progress)
    });
    if let Err(first) = verified {
        if first.kind() != ErrorKind::Corrupt {
            return vec![first];
        }
        return match archive.damaged_blocks() {
            Ok(blocks) if !blocks.is_empty() => blocks,
            Ok(_) => vec![first],
            Err(error) => vec![first, error],
        };
    }
    if !common.quiet {
        say(format_args!(
            "{}: verified {}, {} bytes in {}",
            path.display(),
            counted(archive.len(), "game"),
            grouped(archive.text_len()),
            seconds(start.elapsed())
        ));
    }
    Vec::new()
}
