//! `ign parity`

use std::{path::PathBuf, process::ExitCode, str::FromStr, time::Instant};

use super::{
    common::Common,
    json::{self, JsonArg, written::Protected},
    messages::say,
    numbers::{counted, grouped, seconds},
    progress::with_bar,
};
use ign_archive::{
    Result,
    parity::{Added, ParityBuilder},
};

const EXAMPLES: &str = "\
Examples:
  ign parity games.ign
  ign parity games.ign 5%";

/// Add bytes to an archive from which damage can be repaired
///
/// The archive is divided into shards, of 4096 bytes mostly, and recovery shards are added at its
/// end. ign recover repairs as many damaged shards as there are recovery shards that are whole, to
/// the original bytes. The archive stays readable throughout, and existing bytes are not changed.
/// Its checksums are compared first: a damaged archive is refused. If games were appended since
/// parity was added, only the new bytes get new parity, unless the old parity is less than PERCENT:
/// then all bytes get parity of PERCENT, and the old one stays.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive that gets the parity
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Recovery shards, as a share of the shards of the archive
    #[arg(value_name = "PERCENT", default_value = "2%")]
    percent: Percent,
    #[command(flatten)]
    json: JsonArg,
}

/// A share in percent, above 0 and at most 100: `2%`, `0.5%`, `2`.
#[derive(Debug, Clone, Copy)]
pub struct Percent(pub f64);

impl FromStr for Percent {
    type Err = &'static str;

    fn from_str(text: &str) -> std::result::Result<Self, Self::Err> {
        let number = text.strip_suffix('%').unwrap_or(text).parse::<f64>();
        match number {
            Ok(percent) if percent > 0.0 && percent <= 100.0 => Ok(Self(percent)),
            _ => Err("write a share above 0% and at most 100%, such as 2%"),
        }
    }
}

impl std::fmt::Display for Percent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}%", self.0)
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let added = with_bar(!common.quiet, None, |on_progress| {
        ParityBuilder::new(args.percent.0)
            .on_progress(on_progress)
            .add_to(&args.archive)
    })?;
    let report = Protected {
        archive: json::name(&args.archive),
        parity: (&added).into(),
        seconds: json::seconds(start),
    };
    args.json.report(common, &report, || {
        let time = seconds(start.elapsed());
        let path = args.archive.display();
        say(format_args!("{path}: {} in {time}", described(&added)));
    })?;
    Ok(ExitCode::SUCCESS)
}

/// `added 92,160 bytes of parity: any 21 of 1,046 shards of 4,096 bytes can be repaired`
pub fn described(added: &Added) -> String {
    let shards = format!(
        "any {} of {} of {} bytes can be repaired",
        grouped(added.recovery_shards.into()),
        counted(added.data_shards.into(), "shard"),
        grouped(added.shard_len)
    );
    match added.added {
        0 => format!("has this parity already: {shards}"),
        bytes => format!("added {} bytes of parity: {shards}", grouped(bytes)),
    }
}
