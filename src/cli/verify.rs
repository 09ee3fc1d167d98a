//! `ign verify`

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use super::{Common, counted, grouped, progress::with_bar, say, seconds};
use crate::{archive::reader::Archive, error::Result, query::verify::verify};

/// Check every byte of archives: checksums, text, indexes
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
        if let Err(error) = verify_one(path, common) {
            say(format_args!("ign: {error}"));
            worst = worst.max(error.exit_code());
        }
    }
    Ok(worst.into())
}

fn verify_one(path: &Path, common: &Common) -> Result<()> {
    let start = Instant::now();
    let archive = Archive::open(path)?;
    let total = Some(archive.index().text_len());
    with_bar(!common.quiet, total, |progress| {
        verify(&archive, common.threads(), progress)
    })?;
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
    Ok(())
}
