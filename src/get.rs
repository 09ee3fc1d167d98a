//! `ign get`

#![allow(
    rustdoc::bare_urls,
    reason = "the doc comments of options are their help texts"
)]

use std::{
    io::{self, IsTerminal},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
};

use super::{
    common::Common,
    content::Content,
    damaged::{Damaged, status},
    destination::Destination,
    output::Output,
    ranges::GameRange,
};
use ign_archive::{Archive, Error, GameSeparator, Query, Result, query::GameId};

const EXAMPLES: &str = "\
Examples:
  ign get games.ign 1240
  ign get games.ign https://lichess.org/j1dkb5dw
  ign get games.ign 7 200..300 5000.. -o some.pgn
  ign find games.ign --player \"Carlsen*\" | ign get games.ign -";

/// Print games by number, or by their id on a server
///
/// A game is named by its number, or by its id or address in the tag Site, Link, GameId, LichessURL
/// or GameURL. Numbers are found at once; an id is searched for in the whole archive.
///
/// Each game is printed as it was packed, with what follows it up to the next one. If a game does
/// not end with a line end, as the last one of a file may, an empty line is printed before the next
/// one. Where no game is named, as by xargs after a search that found nothing, nothing is printed.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to read
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Games to print, in this order: 200, 200..300 (both included), 200.. (to the last), or an id
    /// or address: https://lichess.org/j1dkb5dw; - reads them from standard input, separated by
    /// white space, as ign find prints them
    #[arg(value_name = "GAME")]
    games: Vec<Selection>,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    damaged: Damaged,
}

/// Games as an argument names them.
#[derive(Debug, Clone)]
enum Selection {
    Range(GameRange),
    Id(GameId),
    /// Those that standard input names.
    Stdin,
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match (text.parse(), text.parse()) {
            _ if text == "-" => Ok(Self::Stdin),
            (Ok(range), _) => Ok(Self::Range(range)),
            // A number that is none of a game is no id.
            (Err(_), Ok(id)) if text.bytes().any(|c| c.is_ascii_alphabetic()) => Ok(Self::Id(id)),
            (Err(error), _) => Err(error),
        }
    }
}

impl Selection {
    /// The games, numbered from 1.
    fn resolve(&self, archive: &Archive) -> Result<Vec<RangeInclusive<u64>>> {
        let id = match self {
            Self::Range(range) => return Ok(vec![range.resolve(archive.len())?]),
            Self::Stdin => return of_stdin(archive),
            Self::Id(id) => id,
        };
        let found = archive.find(&Query::new().id(id.clone()))?;
        if found.is_empty() {
            let message = format!("no game has the id '{}'", id.as_str());
            return Err(Error::usage(message).with_remedy(
                "write a number, a range such as 200..300, or an id in a tag of the game",
            ));
        }
        Ok(found
            .into_iter()
            .map(|game| game.get()..=game.get())
            .collect())
    }
}

/// The games that standard input names.
fn of_stdin(archive: &Archive) -> Result<Vec<RangeInclusive<u64>>> {
    let text = io::read_to_string(io::stdin())?;
    let mut ranges = Vec::new();
    for word in text.split_whitespace() {
        let invalid = |message| Error::usage(format!("'{word}': {message}"));
        match word.parse().map_err(invalid)? {
            Selection::Stdin => return Err(invalid("it is read already".to_owned())),
            games => ranges.extend(games.resolve(archive)?),
        }
    }
    Ok(ranges)
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let (archive, is_left_out) = args.damaged.open(&args.archive, common)?;
    if args.games.is_empty() && io::stdin().is_terminal() {
        return Err(Error::usage("no game is named")
            .with_remedy("name games by number or id after the archive: 5, or 1..3"));
    }
    let mut ranges = Vec::new();
    for games in &args.games {
        let place = match games {
            Selection::Stdin => Path::new("standard input"),
            _ => archive.path(),
        };
        ranges.extend(games.resolve(&archive).map_err(|e| e.in_file(place))?);
    }
    let mut output = match args.destination.path(|| Ok(None))? {
        None => Output::stdout(),
        Some(path) => args
            .destination
            .file(&path, Content::Games, [args.archive.as_path()])?,
    };
    let mut games = GameSeparator::new(&mut output);
    // Games that ascend are written together, so that a block is decoded once for all of its games.
    for ascending in ranges.chunk_by(|one, next| one.end() < next.start()) {
        archive.write_games_apart(ascending, &mut games)?;
    }
    output.finish()?;
    Ok(status(is_left_out))
}
