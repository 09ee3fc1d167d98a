//! `ign get`

#![allow(
    rustdoc::bare_urls,
    reason = "the doc comments of options are their help texts"
)]

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
};

use clap::builder::{OsStringValueParser, TypedValueParser};

use super::{
    common::Common,
    content::{Content, is_archive_name},
    damaged::{Damaged, status},
    destination::Destination,
    messages::say,
    output::Output,
    ranges::GameRange,
};
use ign_archive::{Archive, Archives, Error, GameSeparator, Query, Result, query::GameId};

const EXAMPLES: &str = "\
Examples:
  ign get games.ign 1240
  ign get games.ign https://lichess.org/j1dkb5dw
  ign get games.ign 7 200..300 5000.. -o some.pgn
  ign get 2013-01.ign:7 2013-02.ign:12..15
  ign get 2013-*.ign j1dkb5dw
  ign find games.ign --player \"Carlsen*\" | ign get games.ign -";

/// Print games by number, or by their id on a server
///
/// A game is named by its number, or by its id or address in the tag Site, Link, GameId, LichessURL
/// or GameURL. Numbers are found at once; an id is searched for in all archives that are named.
///
/// Games of several archives are named as ign find prints them: A.ign:12. After several archives, a
/// number alone counts through: the first game of the second archive follows the last of the first.
///
/// Each game is printed as it was packed, with what follows it up to the next one. If a game does
/// not end with a line end, as the last one of a file may, an empty line is printed before the next
/// one. Where no game is named, as by xargs after a search that found nothing, only a message is
/// printed, and the exit status is 0; on a terminal it is 1.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to read, or a game of an archive: A.ign:12
    #[arg(value_name = "A.ign", value_parser = OsStringValueParser::new().try_map(Selection::first))]
    archive: Selection,
    /// Games to print, in this order: 200, 200..300 (both included), 200.. (to the last), the same
    /// of another archive as A.ign:200, or an id or address: https://lichess.org/j1dkb5dw. A name that
    /// ends with .ign is a further archive; - reads all of this from standard input, separated by
    /// white space, as ign find prints it
    #[arg(value_name = "GAME", value_parser = OsStringValueParser::new().try_map(Selection::further))]
    games: Vec<Selection>,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    damaged: Damaged,
}

impl Args {
    /// What the arguments name, with standard input in place of `-`.
    fn arguments(&self) -> Result<Vec<Selection>> {
        let mut arguments = vec![self.archive.clone()];
        for argument in &self.games {
            match argument {
                Selection::Stdin => {
                    let text = io::read_to_string(io::stdin())
                        .map_err(|e| Error::from(e).in_file("standard input"))?;
                    for word in text.split_whitespace() {
                        let invalid = |message| {
                            Error::usage(format!("'{word}': {message}")).in_file("standard input")
                        };
                        match word.parse().map_err(invalid)? {
                            Selection::Stdin => return Err(invalid("it is read already".into())),
                            named => arguments.push(named),
                        }
                    }
                }
                argument => arguments.push(argument.clone()),
            }
        }
        Ok(arguments)
    }
}

/// Games, or an archive, as an argument names them.
#[derive(Debug, Clone)]
enum Selection {
    /// An archive of which further arguments name games.
    Archive(PathBuf),
    /// Games of all archives, numbered through.
    Range(GameRange),
    /// Games of one archive.
    Of(PathBuf, GameRange),
    /// The game with this id.
    Id(GameId),
    /// Those that standard input names.
    Stdin,
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if let Some(games) = Self::of_archive(text) {
            return games;
        }
        match (text.parse(), text.parse()) {
            _ if text == "-" => Ok(Self::Stdin),
            (Ok(range), _) => Ok(Self::Range(range)),
            _ if is_archive_name(text.as_ref()) => Ok(Self::Archive(text.into())),
            // A number that is none of a game is no id.
            (Err(_), Ok(id)) if text.bytes().any(|c| c.is_ascii_alphabetic()) => Ok(Self::Id(id)),
            (Err(error), _) => Err(error),
        }
    }
}

impl Selection {
    /// Reads `A.ign:12`; `None` if the text has another form, or is the name of a file.
    fn of_archive(text: &str) -> Option<std::result::Result<Self, String>> {
        let (archive, range) = text.rsplit_once(':')?;
        let is_range = !range.is_empty() && range.bytes().all(|c| c.is_ascii_digit() || c == b'.');
        if archive.is_empty() || !is_range || Path::new(text).exists() {
            return None;
        }
        Some(range.parse().map(|range| Self::Of(archive.into(), range)))
    }

    /// Reads the first argument, which is an archive whatever its name.
    fn first(argument: OsString) -> std::result::Result<Self, String> {
        let games = argument.to_str().and_then(Self::of_archive);
        games.unwrap_or_else(|| Ok(Self::Archive(argument.into())))
    }

    /// Reads a further argument.
    fn further(argument: OsString) -> std::result::Result<Self, String> {
        match argument.to_str() {
            None if is_archive_name(argument.as_ref()) => Ok(Self::Archive(argument.into())),
            _ => argument.to_string_lossy().parse(),
        }
    }

    /// The path that it names.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Archive(path) | Self::Of(path, _) => Some(path),
            Self::Range(_) | Self::Id(_) | Self::Stdin => None,
        }
    }
}

/// The archives that arguments name.
struct Named {
    /// Those of which numbers count through.
    archives: Archives,
    /// Those of single games, with the paths by which these name them.
    others: Vec<(PathBuf, Archive)>,
    is_left_out: bool,
}

/// Games of an archive, numbered from 1.
type Games = (Archive, RangeInclusive<u64>);

impl Named {
    fn open(arguments: &[Selection], damaged: Damaged, common: &Common) -> Result<Self> {
        let paths = arguments.iter().filter_map(|argument| match argument {
            Selection::Archive(path) => Some(path),
            _ => None,
        });
        let paths: Vec<&PathBuf> = paths.collect();
        let (archives, mut is_left_out) = damaged.open_all(&paths, common)?;
        let mut others: Vec<(PathBuf, Archive)> = Vec::new();
        for argument in arguments {
            let Selection::Of(path, _) = argument else {
                continue;
            };
            let is_known = |archive: &Archive| archive.path() == path;
            if archives.iter().any(is_known) || others.iter().any(|(other, _)| other == path) {
                continue;
            }
            let (archive, left_out) = damaged.open(path, common)?;
            is_left_out |= left_out;
            others.push((path.clone(), archive));
        }
        Ok(Self {
            archives: Archives::from(archives).with_threads(common.threads()),
            others,
            is_left_out,
        })
    }

    /// The games that an argument names.
    fn games(&self, argument: &Selection) -> Result<Vec<Games>> {
        let archives = self.archives.archives();
        let in_file = |error: Error| match archives {
            [archive] => error.in_file(archive.path()),
            _ => error,
        };
        match argument {
            Selection::Archive(_) | Selection::Stdin => Ok(Vec::new()),
            Selection::Of(path, range) => {
                let own = archives.iter().find(|archive| archive.path() == path);
                let other = || self.others.iter().find(|(other, _)| other == path);
                let archive = own.or_else(|| other().map(|(_, archive)| archive));
                let archive = archive.ok_or_else(|| Error::internal("an archive is not open"))?;
                let games = range
                    .resolve(archive.len())
                    .map_err(|e| e.in_file(archive.path()))?;
                Ok(vec![(archive.clone(), games)])
            }
            _ if archives.is_empty() => Err(Error::usage("the archive of the game is not named")
                .with_remedy("name it before the game, or write A.ign:12")),
            Selection::Range(range) => {
                let games = range.resolve(self.archives.len()).map_err(in_file)?;
                Ok(self.divided(games))
            }
            Selection::Id(id) => self.with_id(id).map_err(in_file),
        }
    }

    /// Games, numbered through, by archive.
    fn divided(&self, games: RangeInclusive<u64>) -> Vec<Games> {
        let mut before = 0;
        let mut divided = Vec::new();
        for archive in self.archives.archives() {
            let first = games.start().saturating_sub(before).max(1);
            let last = games.end().saturating_sub(before).min(archive.len());
            if first <= last {
                divided.push((archive.clone(), first..=last));
            }
            before += archive.len();
        }
        divided
    }

    fn with_id(&self, id: &GameId) -> Result<Vec<Games>> {
        let found = self.archives.find(&Query::new().id(id.clone()))?;
        if found.is_empty() {
            let message = format!("no game has the id '{}'", id.as_str());
            return Err(Error::usage(message).with_remedy(
                "write a number, a range such as 200..300, or an id in a tag of the game",
            ));
        }
        let games = found
            .into_iter()
            .flat_map(|game| self.divided(game.get()..=game.get()));
        Ok(games.collect())
    }
}

/// Whether another program writes to standard input. xargs does not let it.
fn is_stdin_pipe() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata("/dev/stdin").is_ok_and(|stdin| stdin.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    false
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let is_archive = |argument: &Selection| matches!(argument, Selection::Archive(_));
    let names_no_game = is_archive(&args.archive) && args.games.iter().all(is_archive);
    if names_no_game && io::stdin().is_terminal() {
        return Err(Error::usage("no game is named")
            .with_remedy("name games by number or id after the archive: 5, or 1..3"));
    }
    if names_no_game && !common.quiet {
        say(format_args!(
            "no game is named{}",
            if is_stdin_pipe() {
                "; - reads numbers from standard input: ign find A.ign ... | ign get A.ign -"
            } else {
                ", so none is printed: name games by number or id after the archive: 5, or 1..3"
            }
        ));
    }
    let arguments = args.arguments()?;
    let named = Named::open(&arguments, args.damaged, common)?;
    let mut all = Vec::new();
    for argument in &arguments {
        all.extend(named.games(argument)?);
    }
    let mut output = match args.destination.path(|| Ok(None))? {
        None => Output::stdout(),
        Some(path) => {
            let inputs = arguments.iter().filter_map(|argument| argument.path());
            args.destination.file(&path, Content::Games, inputs)?
        }
    };
    let mut out = GameSeparator::new(&mut output);
    // Games of an archive that ascend are written together, so that a block is decoded once for all
    // of its games.
    let ascend = |(one, before): &Games, (other, after): &Games| {
        one.path() == other.path() && before.end() < after.start()
    };
    for games in all.chunk_by(ascend) {
        let ranges: Vec<_> = games.iter().map(|(_, range)| range.clone()).collect();
        games[0].0.write_games_separated(&ranges, &mut out)?;
    }
    output.finish()?;
    Ok(status(named.is_left_out))
}
