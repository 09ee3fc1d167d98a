//! `ign get`

#![allow(
    rustdoc::bare_urls,
    reason = "the doc comments of options are their help texts"
)]

use std::{ops::RangeInclusive, path::PathBuf, process::ExitCode, str::FromStr};

use super::{
    common::Common,
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
  ign get games.ign 7 200..300 5000.. -o some.pgn";

/// Print games by number, or by their id on a server
///
/// A game is named by its number, or by its id or address in the tag Site, Link, GameId, LichessURL
/// or GameURL. Numbers are found at once; an id is searched for in the whole archive.
///
/// Each game is printed as it was packed, with what follows it up to the next one. If a game does
/// not end with a line end, as the last one of a file may, an empty line is printed before the next
/// one.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to read
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    /// Games to print, in this order: 200, 200..300 (both included), 200.. (to the last), or an id
    /// or address: https://lichess.org/j1dkb5dw
    #[arg(required = true, value_name = "GAME")]
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
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match (text.parse(), text.parse()) {
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

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let (archive, is_left_out) = args.damaged.open(&args.archive, common)?;
    let mut ranges = Vec::new();
    for games in &args.games {
        ranges.extend(
            games
                .resolve(&archive)
                .map_err(|e| e.in_file(archive.path()))?,
        );
    }
    let mut output = match args.destination.path(|| Ok(None))? {
        None => Output::stdout(),
        Some(path) => args
            .destination
            .text_file(&path, [args.archive.as_path()])?,
    };
    let mut games = GameSeparator::new(&mut output);
    for range in ranges {
        archive.write_games_apart(&[range], &mut games)?;
    }
    output.finish()?;
    Ok(status(is_left_out))
}
