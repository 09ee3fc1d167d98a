//! `ign find`

#![allow(
    rustdoc::broken_intra_doc_links,
    rustdoc::bare_urls,
    reason = "the doc comments of options are their help texts"
)]

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    choose::choose,
    common::Common,
    content::Content,
    damaged::{Damaged, status},
    destination::Destination,
    filters::Filters,
    json::{
        self,
        games::{Found as FoundGame, FoundCount},
    },
    limit::{Limit, at_least_one},
    list::write_list,
    messages::{say, say_lines, warn_of_rejected},
    numbers::counted,
    order::Order,
    output::Output,
    pack::{described, status as packed_status},
    pack_options::CodingArg,
    progress::with_bar,
    searched::IndexChoice,
};
use clap::ArgGroup;
use ign_archive::{Archives, Error, Finder, GameNumber, Packer, Query, Result};

const EXAMPLES: &str = "\
Examples:
  ign find games.ign --player \"Carlsen*\" --date 2013 --list
  ign find games.ign --elo 2200.. --speed blitz,rapid --result draw --count
  ign find games.ign --opening \"1. e4 e5 2. f4\" --pgn > gambits.pgn
  ign find games.ign --material KRPKR --final -o endings.ign
  ign find games.ign --id https://lichess.org/j1dkb5dw --pgn
  ign find 2013-*.ign --index 2013.idx --player \"Carlsen*\" --list
  ign find games.ign --sort elo:desc --sort date --limit 10 --list
  ign find games.ign --sample 100 --seed 1 -o some.ign
  ign find games.ign --signature A=d5g4g7 B=d2g1e4";

/// Find games by players, ratings, tags, moves and positions
///
/// Prints the numbers of the games; if there are several archives, each with its archive: A.ign:12.
/// A game matches if it meets every condition; without conditions all games match. Ranges include
/// both ends; a number alone means exactly this number. A text (a name, an event) must match the
/// whole value; the wildcard * matches any text, and neither case nor accents matter: muller finds
/// Müller. A game that lacks a tag meets no condition on it, and a rating "?" is in no range.
/// Values are understood as people write them: the date 02.01.2020, the result 1:0, the rating
/// 1500?, the time control "15 min + 10 s".
///
/// The result (--result) is that of the Result tag. If the tag is missing or does not state how the
/// game ended, it is the result at the end of the movetext. 0-0 means that both players lost.
///
/// The date of a game (--date) is its UTCDate tag, or else its Date tag. If the day or the month is
/// unknown, as in 1985.??.??, the game is in a range that has every day that may be meant: in 1985,
/// and not in 1985-02-01..1985-06-30.
///
/// With --sort, the games are in the order of their values, and --limit takes the first of them.
/// Games with equal values keep the order of the archives; those without a value are the last, also
/// with :desc. Texts are in the order of their characters, A to Z before a to z. The values come
/// from the index, or from the tags of the games; without an index, plies needs their moves. Memory
/// for all games found is 40 bytes each, and the different values; with --limit, for twice as many
/// games as wanted, and 8 bytes each for the others. Each block is read once for each 256 MiB of
/// text in the new order, or for each 1,048,576 lines of --list.
///
/// With -o or -c, the games found become a new archive, with the options with which their archive,
/// or the first of them, was packed; with --pgn, --list, --json or --count, that output is written
/// there instead. If nothing is found, no archive, games or list are written. A file name that says
/// something else, such as .csv, is an error: ign export writes tables.
///
/// JSON is described in docs/json.md. Bytes of names that are not UTF-8 are replaced by U+FFFD.
///
/// A signature (--signature) holds the destination squares of six plies: A of plies 20, 40 and 60,
/// B of plies 31, 51 and 71, two characters each. ?? matches any square and games that end earlier.
/// Castling counts as the king's move to the g- or c-file. In Go, the points are written in SGF
/// letters, A=qqol??, and White's first move in a handicap game is number 1. The results are
/// candidates, because different games can have the same signature.
///
/// An opening (--opening) matches games from the standard starting position that begin with exactly
/// these moves; a result after them is ignored. All conditions on positions must hold for one and
/// the same position of a game.
///
/// A pattern (--pattern) lists symbols with their squares, "Kg1,[Qq]d4,_e5", or all squares of
/// eight ranks from the eighth to the first, separated by /. Symbols: a piece as in a FEN; 1 to 8
/// or _ for empty squares; ? any square; ! any piece; A and a any piece of White and of Black;
/// [xyz] one of the symbols; [^xyz] none of them; * any number of squares.
///
/// A score (--like) matches a game if at most a tenth of its moves, but at least two, must be
/// inserted, removed or replaced to get the moves of the game.
///
/// --repetition and --fifty-moves find games of chess and its variants. Two positions are the
/// same if the side to move, the pieces on all squares, the castling rights and the possible en
/// passant captures are equal. It does not matter whether a draw was claimed.
///
/// Exit status: 0 if games were found, 1 if there are none, or --skip leaves out all of them.
#[derive(Debug, clap::Args)]
#[command(
    group = ArgGroup::new("form").multiple(false),
    after_long_help = EXAMPLES
)]
pub struct Args {
    /// Archives to search
    #[arg(value_name = "A.ign", required = true)]
    archives: Vec<PathBuf>,
    /// Print the games instead of their numbers
    #[arg(long, group = "form")]
    pgn: bool,
    /// Print the lines of ign list
    #[arg(long, group = "form")]
    list: bool,
    /// Print JSON: an object with archive and game on a line for each game found; with --list,
    /// also its fields; with --count, one object: the number of games found, whether --limit may
    /// have left out others, and the number of all games
    #[arg(long, conflicts_with_all = ["pgn", "coding"])]
    json: bool,
    /// Print only the number of games found
    #[arg(long, group = "form")]
    count: bool,
    #[command(flatten)]
    order: Order,
    #[command(flatten)]
    limit: Limit,
    /// Only N of the games found, chosen at random
    #[arg(long, value_name = "N", value_parser = at_least_one, conflicts_with_all = ["limit", "skip"])]
    sample: Option<usize>,
    /// Seed of the random choice
    #[arg(long, value_name = "S", default_value_t = 1, requires = "sample")]
    seed: u64,
    #[command(flatten)]
    destination: Destination,
    /// Coding of the moves in the archive that -o writes [default: that of the archive]
    #[arg(long, value_enum, conflicts_with = "form")]
    coding: Option<CodingArg>,
    #[command(flatten)]
    index: IndexChoice,
    #[command(flatten)]
    damaged: Damaged,
    #[command(flatten)]
    filters: Filters,
}

/// The games of a search.
struct Found {
    /// In ascending order, or in that of --sort.
    games: Vec<GameNumber>,
    /// The number of games that a sample was taken from.
    sampled_from: Option<usize>,
    /// Whether there are as many as `--limit` allows.
    limited: bool,
    /// What is said if `--skip` leaves out all games that were found.
    skips_all: Option<String>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let query = args.filters.query(common)?;
    let (archives, is_left_out) = args
        .index
        .open_whole(&args.archives, args.damaged, common)?;
    let path = args.destination.path(|| Ok(None))?;
    let is_text = args.pgn || args.list || args.json || args.count;
    let packs = args.destination.is_given() && !is_text;
    if args.coding.is_some() && !packs {
        return Err(
            Error::usage("--coding is for a new archive").with_remedy("name the archive with -o")
        );
    }
    // The output is opened before the search, so that an error costs no time.
    let inputs = args.archives.iter().map(PathBuf::as_path);
    let inputs = inputs.chain(args.filters.files());
    let mut output = match &path {
        Some(path) => {
            let content = match (packs, args.pgn) {
                (true, _) => Content::Archive,
                (_, true) => Content::Games,
                _ => Content::Report,
            };
            args.destination.file(path, content, inputs)?
        }
        None if packs => Output::binary_stdout()?,
        None => Output::stdout(),
    };
    let found = search(args, common, &archives, &query)?;
    let mut packed = None;
    if packs {
        if !found.games.is_empty() {
            let (written, summary) = pack(args, common, &archives, &found.games, output)?;
            written.finish()?;
            packed = Some(summary);
        }
    } else if !found.games.is_empty() || args.count || path.is_none() {
        print(args, &archives, &found, &mut output)?;
        output.finish()?;
    }
    let name = path.as_deref().unwrap_or(Path::new("standard output"));
    let name = name.display();
    if !common.quiet {
        let is_silent = (args.count || args.json) && path.is_none();
        if !is_silent {
            // A signature does not identify a game; the other conditions are exact.
            let thing = if query.has("signature") {
                "candidate"
            } else {
                "game"
            };
            say(format_args!(
                "{}",
                summary_line(&found, thing, archives.len())
            ));
        }
        if let Some(summary) = &packed {
            say(format_args!("{name}: {}", described("packed", summary)));
        }
        match &found.skips_all {
            Some(message) => say(format_args!("{message}")),
            None if found.games.is_empty() => {
                args.filters.say_advice(&query, &archives, common)?;
            }
            None => {}
        }
    }
    Ok(match packed {
        _ if found.games.is_empty() => ExitCode::FAILURE,
        Some(summary) if summary.fallbacks.blocks > 0 => packed_status(name, &summary),
        _ => status(is_left_out),
    })
}

fn search(args: &Args, common: &Common, archives: &Archives, query: &Query) -> Result<Found> {
    let end = args.limit.end();
    // The number of games does not depend on their order.
    let is_sorted = args.order.is_given() && !args.count;
    let limit = end.filter(|_| !is_sorted && !common.explain);
    let explanation = with_bar(!common.quiet, None, |on_progress| {
        let finder = Finder::new().limit(limit.unwrap_or(usize::MAX));
        finder.on_progress(on_progress).explain(archives, query)
    })?;
    if common.explain {
        say_lines(&explanation);
    }
    let mut games = explanation.found;
    let mut sampled_from = None;
    if let Some(sample) = args.sample {
        sampled_from = Some(games.len());
        games = choose(&games, sample, args.seed);
    }
    if is_sorted {
        let limit = end.unwrap_or(usize::MAX);
        games = args.order.sorted(archives, &games, limit, common)?;
    }
    warn_of_rejected(archives.rejected_indexes(), common);
    let limited = end.is_some_and(|end| end <= games.len());
    let skips_all = args.limit.skips_all(games.len());
    args.limit.cut(&mut games);
    Ok(Found {
        skips_all,
        games,
        sampled_from,
        limited,
    })
}

fn pack(
    args: &Args,
    common: &Common,
    archives: &Archives,
    games: &[GameNumber],
    output: Output,
) -> Result<(Output, ign_archive::pack::Summary)> {
    // The options are those of the first archive that has some of the games.
    let first = archives.locate(games[0])?.archive;
    let mut packer = Packer::like(&archives.archives()[first])?.threads(common.threads());
    if let Some(coding) = args.coding {
        packer = packer.coding(coding.into());
    }
    with_bar(!common.quiet, None, |on_progress| {
        packer
            .on_progress(on_progress)
            .pack_games_of(archives, games, output)
    })
}

fn print(args: &Args, archives: &Archives, found: &Found, output: &mut Output) -> Result<()> {
    let games = &found.games[..];
    if args.count && args.json {
        let count = FoundCount {
            found: games.len() as u64,
            limited: found.limited,
            games: archives.len(),
        };
        json::write(output, &count)?;
    } else if args.count {
        writeln!(output, "{}", games.len())?;
    } else if args.pgn {
        archives.write_games(games, output)?;
    } else if args.list {
        write_list(archives, games, args.json, output)?;
    } else if args.json {
        for (_, archive, games) in archives.by_archive(games)? {
            let archive = &*json::name(archive.path());
            for game in games.into_iter().map(GameNumber::get) {
                json::write(output, &FoundGame { archive, game })?;
            }
        }
    } else {
        for &game in games {
            writeln!(output, "{}", archives.name_of(game)?)?;
        }
    }
    Ok(())
}

/// `3 games in 5,000 games`, and what limited the number.
fn summary_line(found: &Found, thing: &str, all: u64) -> String {
    let count = counted(found.games.len() as u64, thing);
    let all = counted(all, "game");
    match found.sampled_from {
        Some(from) => format!(
            "{count}, chosen from {} in {all}",
            counted(from as u64, thing)
        ),
        None if found.limited => format!("{count} in {all} (--limit)"),
        None => format!("{count} in {all}"),
    }
}
