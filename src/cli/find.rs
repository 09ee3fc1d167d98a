//! `ign find`

use std::{io::Write, path::PathBuf, process::ExitCode};

use super::{Common, grouped, output::Output, say};
use crate::{
    archive::reader::Archive, error::Result, pipeline::unpack::unpack_games, query::signature,
};

/// Find games by signature, through the index
///
/// A signature is where six half-moves of a game went: A the 20th, 40th and 60th, B the 31st, 51st
/// and 71st, two characters each, ?? where any square will do; a castling king goes to the g- or
/// c-file. What is found are candidates: different games may have the same six squares.
#[derive(Debug, clap::Args)]
#[command(override_usage = "ign find [OPTIONS] <A.ign> --signature <SIGNATURE>...")]
pub struct Args {
    /// Archive to search
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Signature: A=e4f6??, or B=??d5c3, or both
    #[arg(long, required = true, num_args = 1.., value_name = "SIGNATURE")]
    signature: Vec<String>,
    /// Print the games instead of their numbers
    #[arg(long)]
    pgn: bool,
    /// Print only how many there are
    #[arg(long, conflicts_with = "pgn")]
    count: bool,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let wanted = signature::parse(&args.signature)?;
    let archive = Archive::open(&args.archive)?;
    let found = archive.find_signature(&wanted)?;
    let mut output = Output::stdout();
    if args.count {
        writeln!(output, "{}", found.len())?;
    } else if args.pgn {
        let ranges: Vec<_> = found.iter().map(|&game| game..game + 1).collect();
        unpack_games(&archive, &ranges, &mut output, common.threads())?;
    } else {
        for game in &found {
            writeln!(output, "{}", game + 1)?;
        }
    }
    output.finish()?;
    if !common.quiet && !args.count {
        let games = if found.len() == 1 {
            "candidate"
        } else {
            "candidates"
        };
        say(format_args!(
            "{} {games} in {} games",
            grouped(found.len() as u64),
            grouped(archive.index().games())
        ));
    }
    Ok(if found.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
