//! `ign verify`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use super::{Common, grouped, progress::with_bar, say, seconds};
use crate::{archive::reader::Archive, error::Result, query::verify::verify};

/// Check every byte of archives: checksums, text, indexes
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Archives to check
    #[arg(required = true, value_name = "A.ign")]
    archives: Vec<PathBuf>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    for path in &args.archives {
        let start = Instant::now();
        let archive = Archive::open(path)?;
        let total = Some(archive.index().text_len());
        with_bar(!common.quiet, total, |progress| {
            verify(&archive, common.threads(), progress)
        })?;
        if !common.quiet {
            let (games, text) = (
                grouped(archive.index().games()),
                grouped(archive.index().text_len()),
            );
            say(format_args!(
                "{}: whole: {games} games, {text} bytes of text, {}",
                path.display(),
                seconds(start.elapsed())
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}
