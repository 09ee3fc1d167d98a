//! `ign verify`

use std::{
    hash::{BuildHasher, RandomState},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use super::{
    common::Common,
    json::{
        self, JsonArg,
        checked::{IndexVerified, Verified},
    },
    messages::{advised, exit_code, say},
    numbers::{counted, grouped, seconds},
    pack::not_understood,
    parity::Percent,
    progress::with_bar,
};
use ign_archive::{
    Error, ErrorKind, Remedy, Result,
    check::{Depth, Verifier},
    index,
    location::message_name,
};

const EXAMPLES: &str = "\
Examples:
  ign verify games.ign
  ign verify games.ign.idx
  ign verify --sample 5% big.ign
  ign verify -q *.ign && echo all good";

/// Check every byte of archives
///
/// Checksums and text are checked, and all damage is reported: each damaged block with its damaged
/// columns and the numbers of its games. All other games can still be read (--damaged), and ign
/// recover makes a new archive of them, or repairs the damage if the archive has parity. Search
/// indexes are checked if they are named, not with the archives beside them: a file that is named
/// .idx is compared with its archives in the same folder.
///
/// With --json, each file is an object on a line of its own, with all damage: docs/json.md. What
/// prevents the check, such as a file that does not exist, stays an error on standard error.
///
/// Exit status: 0 if everything is whole, 2 if not.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives, and search indexes, to check
    #[arg(required = true, value_name = "A.ign")]
    archives: Vec<PathBuf>,
    /// Compare the checksums of all bytes, and decode nothing: damage to the file is found, errors
    /// of the program that packed it are not
    #[arg(long)]
    quick: bool,
    /// Read and decode only a random sample of the blocks: 5%. The others are not read, and damage
    /// to them is not found
    #[arg(long, value_name = "PERCENT", conflicts_with = "quick")]
    sample: Option<Percent>,
    /// Seed of the random choice [default: another one each time, which is printed]
    #[arg(long, value_name = "S", requires = "sample")]
    seed: Option<u64>,
    #[command(flatten)]
    json: JsonArg,
}

impl Args {
    /// What is verified. Every archive gets the same seed, so that it can be repeated.
    fn depth(&self) -> Depth {
        match self.sample {
            _ if self.quick => Depth::Quick,
            Some(Percent(percent)) => Depth::Sample {
                share: percent / 100.0,
                seed: self.seed.unwrap_or_else(random_seed),
            },
            None => Depth::Full,
        }
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let mut worst: u8 = 0;
    let depth = args.depth();
    let mut damaged = Vec::new();
    for path in &args.archives {
        // All archives are checked, even after a damaged one.
        let is_index = path.extension().is_some_and(|extension| extension == "idx");
        let (errors, is_printed) = if is_index {
            verify_index(path, args.json, common)?
        } else {
            verify_one(path, depth, args.json, common)?
        };
        for error in &errors {
            worst = worst.max(exit_code(error));
            if is_printed {
                continue;
            }
            // What helps with damaged blocks is said once.
            match error.remedy() {
                None => say(format_args!("ign: {error}")),
                Some(_) => say(format_args!("ign: {}", advised(error))),
            }
        }
        let is_said = |error: &Error| !matches!(error.remedy(), None | Some(Remedy::Advice(_)));
        // Another error with a remedy of its own concerns the whole file.
        let is_recoverable = |error: &Error| {
            error.kind() == ErrorKind::Corrupt
                && (error.block().is_some() || error.remedy().is_none())
        };
        if !is_index && errors.iter().any(is_recoverable) && !errors.iter().any(is_said) {
            damaged.push(message_name(path));
        }
    }
    if !common.quiet && !args.json.is_given() && !damaged.is_empty() {
        say_remedy(&damaged);
    }
    Ok(worst.into())
}

/// What helps with damaged archives, once for all of them.
fn say_remedy(damaged: &[PathBuf]) {
    let name = match damaged {
        [one] => one.display().to_string(),
        _ => "BAD.ign".into(),
    };
    say(format_args!(
        "ign recover {name} -o GOOD.ign repairs the damage by parity, or saves the intact parts; unpack, get, list and find \
         read it with --damaged"
    ));
}

/// A seed that differs from run to run.
fn random_seed() -> u64 {
    // Short, because people copy it.
    RandomState::new().hash_one(()) >> 32
}

/// All damage of an index, an error each, and whether it was printed as JSON.
fn verify_index(path: &Path, as_json: JsonArg, common: &Common) -> Result<(Vec<Error>, bool)> {
    let start = Instant::now();
    let verified = index::verify(path);
    let is_printed = as_json.is_given() && is_known(&verified);
    if is_printed {
        json::print(&IndexVerified::new(path, verified.as_ref(), start))?;
    }
    let verified = match verified {
        Ok(verified) => verified,
        Err(error) => return Ok((vec![error], is_printed)),
    };
    if !common.quiet && !as_json.is_given() {
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
    Ok((Vec::new(), is_printed))
}

/// Whether a check ended, and with which damage. Other errors prevent the check.
fn is_known<T>(verified: &Result<T>) -> bool {
    !matches!(verified, Err(error) if error.kind() != ErrorKind::Corrupt)
}

/// All damage of an archive, an error each, and whether it was printed as JSON.
fn verify_one(
    path: &Path,
    depth: Depth,
    as_json: JsonArg,
    common: &Common,
) -> Result<(Vec<Error>, bool)> {
    let start = Instant::now();
    let mut checked = 0;
    let verified = with_bar(!common.quiet, None, |on_progress| {
        Verifier::new()
            .depth(depth)
            .threads(common.threads())
            .on_progress(|progress| {
                checked = progress.games;
                on_progress(progress)
            })
            .verify(path)
    });
    let is_printed = as_json.is_given() && is_known(&verified);
    if is_printed {
        json::print(&Verified::new(
            path,
            depth,
            verified.as_ref(),
            checked,
            start,
        ))?;
    }
    let verified = match verified {
        Ok(verified) => verified,
        Err(error) => return Ok((vec![error], is_printed)),
    };
    let is_sample = matches!(depth, Depth::Sample { .. });
    let says = !common.quiet && !as_json.is_given();
    if (verified.damage.is_empty() || is_sample) && says {
        let (games, bytes) = (counted(verified.games, "game"), grouped(verified.text_len));
        let what = match depth {
            Depth::Quick => format!("compared the checksums of {games}, all equal,"),
            Depth::Sample { seed, .. } => format!(
                "verified {} of {}, with {} of {games}, chosen by --seed {seed},",
                grouped(verified.decoded),
                counted(verified.blocks, "block"),
                grouped(checked),
            ),
            _ => format!("verified {games}, {bytes} bytes"),
        };
        let time = seconds(start.elapsed());
        let name = message_name(path);
        say(format_args!("{}: {what} in {time}", name.display()));
        if let Some(note) = not_understood(&verified.not_understood, verified.games) {
            say(format_args!("{}: {note}", name.display()));
        }
    }
    let errors = verified.damage.into_iter().map(|damage| damage.error);
    Ok((errors.collect(), is_printed))
}
