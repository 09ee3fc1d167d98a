//! `ign find`

use std::{io::Write, path::PathBuf, process::ExitCode};

use serde_json::json;

use super::{Common, counted, output::Output, say};
use ign_archive::{
    pipeline::unpack::unpack_games,
    query::{claimable, opening, signature},
    reader::Archive,
};
use ign_format::error::Result;
use ign_notation::chess::repetition::Claimable;

/// Find games by signature, by their first moves, or by draws to be claimed
///
/// A signature is where six half-moves of a game went: A the 20th, 40th and 60th, B the 31st, 51st
/// and 71st, two characters each, ?? where any square will do, or a game that was over before; a
/// castling king goes to the g- or c-file. Of a game of Go they are its 20th move and so on, White's
/// first being number 1 in a handicap game, by SGF's letters: A=qqol??. What is found are candidates:
/// different games may have the same six squares.
///
/// An opening is the moves themselves: games that begin with just these, from the usual start, in
/// this order. Only so much of each game is decoded.
///
/// --repetition and --fifty-moves play all games of chess and its variants through. Positions are the
/// same when the same player has the move, the same pieces stand on the same squares, and castling
/// rights and the right to take in passing are the same; whether a draw was claimed is of no account.
///
/// Games must have all that is asked for.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "ign find [OPTIONS] <A.ign> --signature <SIGNATURE>...\n       ign find [OPTIONS] <A.ign> --opening <MOVES>\n       ign find [OPTIONS] <A.ign> --repetition\n       ign find [OPTIONS] <A.ign> --fifty-moves",
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
    /// Games in which a position stood on the board for the third time
    #[arg(long, group = "wanted")]
    repetition: bool,
    /// Games with fifty moves of each player without a pawn's move or a capture
    #[arg(long, group = "wanted")]
    fifty_moves: bool,
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
    let threads = common.threads();
    let mut asked = Vec::new();
    if let Some(signature) = &signature {
        asked.push(archive.find_signature(signature)?);
    }
    if let Some(opening) = &opening {
        asked.push(opening::find(&archive, opening, threads)?);
    }
    if args.repetition || args.fifty_moves {
        let wanted = |seen: &Claimable| {
            (seen.repetition || !args.repetition) && (seen.fifty_moves || !args.fifty_moves)
        };
        asked.push(claimable::find(&archive, wanted, threads)?);
    }
    let mut found = asked.pop().unwrap_or_default();
    found.retain(|game| asked.iter().all(|games| games.binary_search(game).is_ok()));
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
        unpack_games(&archive, &ranges, &mut output, threads)?;
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
