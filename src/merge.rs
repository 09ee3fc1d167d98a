//! `ign merge`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use super::{
    archive_file::open_archive,
    common::Common,
    content::Content,
    destination::Destination,
    json::{self, JsonArg, written::Merged},
    messages::say,
    numbers::{counted, grouped, seconds},
    output::Output,
    progress::with_bar,
    sources::warn_of_repeated,
};
use ign_archive::{Error, Merger, Result};

const EXAMPLES: &str = "\
Examples:
  ign merge january.ign february.ign -o 2024.ign
  ign merge part-*.ign -o all.ign
  ign merge grown.ign -o compact.ign     without what appends have left behind";

/// Merge archives into one
///
/// The new archive has the games of the archives, one archive after the other: ign unpack returns
/// their texts in this order. Blocks are copied as they are, at the rate of the disk. Their
/// checksums are compared, and nothing is decoded. Codings and block sizes may differ. The names of
/// the packed inputs are kept. Inputs with the same text are all kept, with a warning; ign
/// duplicates finds games that occur twice.
///
/// Parity is not copied, because it protects the bytes of one file: ign parity adds it to the new
/// archive.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to merge, in this order
    #[arg(required = true, value_name = "A.ign")]
    archives: Vec<PathBuf>,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    json: JsonArg,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let path = args.destination.path(|| {
        Err(Error::usage("the merged archive needs a name").with_remedy("name it with -o"))
    })?;
    let open = |path| open_archive(path, common);
    let archives = args.archives.iter().map(open).collect::<Result<Vec<_>>>()?;
    let (output, path) = match path {
        None => {
            args.json.refuse_stdout()?;
            (Output::binary_stdout()?, "standard output".into())
        }
        Some(path) => {
            let inputs = args.archives.iter().map(PathBuf::as_path);
            let output = args.destination.file(&path, Content::Archive, inputs)?;
            (output, path)
        }
    };
    let total = archives.iter().map(|archive| archive.blocks_len()).sum();
    let (output, summary) = with_bar(!common.quiet, Some(total), |on_progress| {
        Merger::new()
            .on_progress(on_progress)
            .merge(&archives, output)
    })
    .map_err(|e| e.in_file(&path))?;
    output.finish()?;
    let report = Merged {
        output: json::name(&path),
        archives: archives.len() as u64,
        amounts: (&summary).into(),
        seconds: json::seconds(start),
    };
    args.json.report(common, &report, || {
        say(format_args!(
            "{}: merged {}, {}, {} bytes in {}",
            path.display(),
            counted(archives.len() as u64, "archive"),
            counted(summary.games, "game"),
            grouped(summary.archive_len),
            seconds(start.elapsed())
        ));
    })?;
    warn_of_repeated(&archives, 0, common);
    Ok(ExitCode::SUCCESS)
}
