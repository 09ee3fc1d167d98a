//! `ign find`

use std::{io::Write, path::PathBuf, process::ExitCode};

use serde_json::json;

use super::{common::Common, messages::say, numbers::counted, output::Output};
use ign_archive::{Archive, Draws, Result, parse_opening, parse_signature};

const EXAMPLES: &str = "\
Examples:
  ign find games.ign --signature A=d5g4g7 B=d2g1e4
  ign find games.ign --opening \"1. e4 e5 2. f4\" --count
  ign find games.ign --opening \"1. d4\" --repetition --pgn > some.pgn
  ign find go.ign --signature A=qqol??";

/// Find games by signature, opening, or claimable draws
///
/// Prints the numbers of the games. A game matches if it meets every condition.
///
/// A signature (--signature) holds the destination squares of six plies: A of plies 20, 40 and 60,
/// B of plies 31, 51 and 71, two characters each. ?? matches any square and games that end earlier.
/// Castling counts as the king's move to the g- or c-file. In Go, the points are written in SGF
/// letters, A=qqol??, and White's first move in a handicap game is number 1. The results are
/// candidates, because different games can have the same signature.
///
/// An opening (--opening) matches games from the standard starting position that begin with exactly
/// these moves. Only that part of each game is decoded.
///
/// --repetition and --fifty-moves replay all games of chess and its variants. Two positions are the
/// same if the side to move, the pieces on all squares, the castling rights and the possible en
/// passant captures are equal. It does not matter whether a draw was claimed.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "ign find [OPTIONS] <A.ign> --signature <SIGNATURE>...\n       ign find [OPTIONS] <A.ign> --opening <MOVES>\n       ign find [OPTIONS] <A.ign> --repetition\n       ign find [OPTIONS] <A.ign> --fifty-moves",
    group = clap::ArgGroup::new("condition").required(true).multiple(true),
    after_long_help = EXAMPLES
)]
pub struct Args {
    /// Archive to search
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Signature: A=e4f6??, B=??d5c3, or both
    #[arg(long, num_args = 1.., value_name = "SIGNATURE", group = "condition")]
    signature: Vec<String>,
    /// First moves: "1. e4 e5 2. Nf3"
    #[arg(long, value_name = "MOVES", group = "condition")]
    opening: Option<String>,
    /// A position occurs for the third time
    #[arg(long, group = "condition")]
    repetition: bool,
    /// Both players make 50 moves without a pawn move or a capture
    #[arg(long, group = "condition")]
    fifty_moves: bool,
    /// Print the games instead of their numbers
    #[arg(long)]
    pgn: bool,
    /// Print only the number of games found
    #[arg(long, conflicts_with = "pgn")]
    count: bool,
    /// Print JSON: the number of games found, the number of all games, the numbers of the games found
    #[arg(long, conflicts_with_all = ["pgn", "count"])]
    json: bool,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let signature = match &args.signature[..] {
        [] => None,
        parts => Some(parse_signature(parts)?),
    };
    let opening = args.opening.as_deref().map(parse_opening).transpose()?;
    let archive = Archive::open(&args.archive)?.with_threads(common.threads());
    // The games that meet each condition, in ascending order.
    let mut matches = Vec::new();
    if let Some(signature) = &signature {
        matches.push(archive.find_signature(signature)?);
    }
    if let Some(opening) = &opening {
        matches.push(archive.find_opening(opening)?);
    }
    if args.repetition || args.fifty_moves {
        matches.push(archive.find_draws(Draws {
            repetition: args.repetition,
            fifty_moves: args.fifty_moves,
        })?);
    }
    let mut found = matches.pop().unwrap_or_default();
    found.retain(|game| {
        matches
            .iter()
            .all(|games| games.binary_search(game).is_ok())
    });
    let games = archive.len();
    let mut output = Output::stdout();
    if args.json {
        let value = json!({"count": found.len(), "games": games, "found": found});
        writeln!(output, "{value}")?;
    } else if args.count {
        writeln!(output, "{}", found.len())?;
    } else if args.pgn {
        let ranges: Vec<_> = found.iter().map(|&game| game..=game).collect();
        archive.write_games(&ranges, &mut output)?;
    } else {
        for game in &found {
            writeln!(output, "{game}")?;
        }
    }
    output.finish()?;
    if !common.quiet && !args.count && !args.json {
        // A signature does not identify a game; the other conditions are exact.
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
