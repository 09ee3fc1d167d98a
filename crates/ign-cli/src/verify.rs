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
    parity::Percent,
    progress::with_bar,
};
use ign_archive::{
    Error, Result,
    check::{self, Depth},
    index, message_name,
};

const EXAMPLES: &str = "\
Examples:
  ign verify games.ign
  ign verify games.ign.idx
  ign verify --sample 5% big.ign
  ign verify -q *.ign && echo all good";

/// Check every byte of archives
///
/// Checksums, text and indexes are checked, and all damage is reported: each damaged block with its damaged
/// columns and the numbers of its games. All other games can still be read (--damaged), and ign recover
/// makes a new archive of them. A file that is named .idx is checked as a search index, and compared with its
/// archives in the same folder.
///
/// Exit status: 0 if everything is whole, 2 if not.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives, and search indexes, to check
    #[arg(required = true, value_name = "A.ign")]
    archives: Vec<PathBuf>,
    /// Compare the checksums of all bytes, and decode nothing
    #[arg(long)]
    quick: bool,
    /// Decode only a random sample of the blocks: 5%. The others are not read
    #[arg(long, value_name = "PERCENT", conflicts_with = "quick")]
    sample: Option<Percent>,
    /// Seed of the random choice
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    seed: u64,
}

impl Args {
    fn depth(&self) -> Depth {
        match self.sample {
            _ if self.quick => Depth::Quick,
            Some(Percent(percent)) => Depth::Sample {
                share: percent / 100.0,
                seed: self.seed,
            },
            None => Depth::Full,
        }
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let mut worst: u8 = 0;
    for path in &args.archives {
        // All archives are checked, even after a damaged one.
        let is_index = path.extension().is_some_and(|extension| extension == "idx");
        let errors = match is_index {
            true => verify_index(path, common).err().into_iter().collect(),
            false => verify_one(path, args, common),
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
            message_name(path).display(),
            counted(verified.games, "game"),
            grouped(verified.len),
            seconds(start.elapsed())
        ));
    }
    Ok(())
}

/// All damage of an archive, an error each.
fn verify_one(path: &Path, args: &Args, common: &Common) -> Vec<Error> {
    let start = Instant::now();
    let verified = with_bar(!common.quiet, None, |on_progress| {
        check::verify_with(path, args.depth(), common.threads(), on_progress)
    });
    let verified = match verified {
        Ok(verified) => verified,
        Err(error) => return vec![error],
    };
    if verified.damage.is_empty() && !common.quiet {
        let (games, bytes) = (counted(verified.games, "game"), grouped(verified.text_len));
        let what = match args.depth() {
            Depth::Quick => format!("compared the checksums of {games}"),
            Depth::Sample { .. } => format!(
                "verified {} of {} of {games}",
                grouped(verified.decoded),
                counted(verified.blocks, "block")
            ),
            _ => format!("verified {games}, {bytes} bytes"),
        };
        let time = seconds(start.elapsed());
        let name = message_name(path);
        say(format_args!("{}: {what} in {time}", name.display()));
    }
    verified
        .damage
        .into_iter()
        .map(|damage| damage.error)
        .collect()
}
