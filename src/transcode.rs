//! `ign transcode`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use super::{
    archive_file::open_archive,
    common::Common,
    content::Content,
    destination::Destination,
    json::{self, JsonArg, written::Transcoded},
    messages::say,
    numbers::{counted, grouped, seconds},
    output::Output,
    pack::status,
    pack_options::CodingArg,
    progress::with_bar,
};
use ign_archive::{Error, Packer, Result};

const EXAMPLES: &str = "\
Examples:
  ign transcode games.ign --coding weighted -o small.ign
  ign transcode games.ign --coding ign -o fast.ign";

/// Change the coding of the moves of an archive
///
/// The moves are decoded and encoded again. Everything else is copied, so the text is neither
/// written nor parsed. The new archive has the same games, numbers, inputs and blocks, and is the
/// one that ign pack makes with this coding. ign pack --help describes the codings.
///
/// Parity is not copied, because it protects the bytes of one file: ign parity adds it to the new
/// archive.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to read
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Coding of the moves in the new archive
    #[arg(long, value_enum)]
    coding: CodingArg,
    #[command(flatten)]
    destination: Destination,
    /// Do not decode each new block to compare its moves
    #[arg(long)]
    no_verify: bool,
    #[command(flatten)]
    json: JsonArg,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let archive = open_archive(&args.archive, common)?;
    let unnamed =
        || Err(Error::usage("the new archive needs a name").with_remedy("name it with -o"));
    let path = args.destination.path(unnamed)?;
    let output = match &path {
        None => {
            args.json.refuse_stdout()?;
            Output::binary_stdout()?
        }
        Some(path) => {
            let inputs = [args.archive.as_path()];
            args.destination.file(path, Content::Archive, inputs)?
        }
    };
    let packer = Packer::new()
        .coding(args.coding.into())
        .verify(!args.no_verify)
        .threads(common.threads());
    let total = Some(archive.text_len());
    let (output, summary) = with_bar(!common.quiet, total, |on_progress| {
        packer.on_progress(on_progress).transcode(&archive, output)
    })?;
    output.finish()?;
    let report = Transcoded {
        archive: json::name(archive.path()),
        output: json::name(&path.unwrap_or_default()),
        amounts: (&summary).into(),
        read_bytes: archive.file_len(),
        fallback_blocks: summary.fallbacks.blocks,
        seconds: json::seconds(start),
    };
    args.json.report(common, &report, || {
        say(format_args!(
            "{}: transcoded {}, {} bytes into {} bytes in {}",
            archive.path().display(),
            counted(summary.games, "game"),
            grouped(archive.file_len()),
            grouped(summary.archive_len),
            seconds(start.elapsed())
        ));
    })?;
    Ok(status(archive.path().display(), &summary))
}
