//! `ign verify`

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use super::{Common, counted, grouped, progress::with_bar, say, seconds};
use ign_archive::{
    query::verify::{damage, verify},
    reader::Archive,
};
use ign_format::error::{Error, Kind, Result};

/// Check every byte of archives: checksums, text, indexes
///
/// Every damaged block is named with the games it holds; those of the others can still be had.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Archives to check
    #[arg(required = true, value_name = "A.ign")]
    archives: Vec<PathBuf>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let mut worst: u8 = 0;
    for path in &args.archives {
        // One that is damaged does not keep the others from being looked at.
        for error in verify_one(path, common) {
            say(format_args!("ign: {error}"));
            worst = worst.max(error.exit_code());
        }
    }
    Ok(worst.into())
}

/// What is wrong with an archive: all its damaged blocks, or else the first thing found.
fn verify_one(path: &Path, common: &Common) -> Vec<Error> {
    let archive = match Archive::open(path) {
        Ok(archive) => archive,
        Err(error) => return vec![error],
    };
    let start = Instant::now();
    let total = Some(archive.index().text_len());
    let found = with_bar(!common.quiet, total, |progress| {
        verify(&archive, common.threads(), progress)
    });
    if let Err(first) = found {
        if first.kind() != Kind::Corrupt {
            return vec![first];
        }
        return match damage(&archive, common.threads()) {
            Ok(blocks) if !blocks.is_empty() => blocks,
            Ok(_) => vec![first],
            Err(error) => vec![first, error],
        };
    }
    if !common.quiet {
        let (games, text) = (
            counted(archive.index().games(), "game"),
            grouped(archive.index().text_len()),
        );
        say(format_args!(
            "{}: whole: {games}, {text} bytes of text, {}",
            path.display(),
            seconds(start.elapsed())
        ));
    }
    Vec::new()
}
