//! `ign find`

use std::{io::Write, path::PathBuf, process::ExitCode};

use serde_json::json;

use super::{Common, counted, output::Output, say};
use crate::{
    archive::reader::Archive,
    error::Result,
    pipeline::unpack::unpack_games,
    query::{opening, signature},
};

/// Find games by signature, through the index, or by their first moves
///
/// A signature is where six half-moves of a game went: A the 20th, 40th and 60th, B the 31st, 51st
/// and 71st, two characters each, ?? where any square will do; a castling king goes to the g- or
/// c-file. Of a game of Go they are its 20th move and so on, White's first being number 1 in a
/// handicap game, by SGF's letters: A=qqol??. What is found are candidates: different games may have the same six squares.
///
/// An opening is the moves themselves: games that begin with just these, from the usual start, in
/// this order. Only so much of each game is decoded. With both, games must have both.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "ign find [OPTIONS] <A.ign> --signature <SIGNATURE>...\n       ign find [OPTIONS] <A.ign> --opening <MOVES>",
    group = clap::ArgGroup::new("wanted").required(true).multiple(true)
)]
pub struct Args {
    /// Archive to search
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Signature: A=e4f6??, or B=??d5c3, or both
    #[arg(long, num_args = 1.., value_name = "SIGNATURE", group = "wanted")]
    signature: Vec<String>,
    /// First moves: "1. e4 e5 2. Nf3"
    #[arg(long, value_name = "MOVES", group = "wanted")]
    opening: Option<String>,
    /// Print the games instead of their numbers
    #[arg(long)]
    pgn: bool,
    /// Print only how many there are
    #[arg(long, conflicts_with = "pgn")]
    count: bool,
    /// Print JSON: how many, of how many, and their numbers
    #[arg(long, conflicts_with_all = ["pgn", "count"])]
    json: bool,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let signature = match &args.signature[..] {
        [] => None,
        parts => Some(signature::parse(parts)?),
    };
    let opening = args.opening.as_deref().map(opening::parse).transpose()?;
    let archive = Archive::open(&args.archive)?;
    let mut found = match &signature {
        Some(signature) => archive.find_signature(signature)?,
        None => Vec::new(),
    };
    if let Some(opening) = &opening {
        let mut begin = opening::find(&archive, opening, common.threads())?;
        if signature.is_some() {
            begin.retain(|game| found.binary_search(game).is_ok());
        }
        found = begin;
    }
    let games = archive.index().games();
    let mut output = Output::stdout();
    if args.json {
        let numbers: Vec<u64> = found.iter().map(|game| game + 1).collect();
        let value = json!({"count": found.len(), "games": games, "found": numbers});
        writeln!(output, "{value}")?;
    } else if args.count {
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
    if !common.quiet && !args.count && !args.json {
        // The same squares may be those of other moves; moves are what they are.
        let thing = if signature.is_some() {
            "candidate"
        } else {
            "game"
        };
        say(format_args!(
            "{} in {}",
            counted(found.len() as u64, thing),
            counted(games, "game"),
        ));
    }
    Ok(if found.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}
