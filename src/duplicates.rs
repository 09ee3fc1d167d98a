//! `ign duplicates`

mod report;

use std::{
    collections::BTreeSet,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    archive_file::warn_of_trailing,
    common::Common,
    content::{Content, is_archive_name},
    destination::Destination,
    filters::Filters,
    json::{self, games::DuplicateCount},
    messages::{printable, say, warn_of_rejected},
    numbers::{counted, grouped},
    opened::open,
    output::Output,
    progress::with_bar,
    searched::IndexChoice,
    sources::inputs,
};
use ign_archive::{
    Archive, Error, Packer, Result,
    duplicates::{DuplicateFinder, Duplicates, Prefer, Unique},
};
use report::{Report, duplicate_count};

const EXAMPLES: &str = "\
Examples:
  ign duplicates games.ign
  ign duplicates --min-plies 20 --inside a.ign b.pgn.zst
  ign duplicates games.ign --date 2013-01 --speed blitz
  ign duplicates a.pgn b.pgn -o all.pgn --removed copies.pgn
  ign duplicates a.ign b.ign --prefer clocks -o all.ign";

/// Find duplicate games in one or several collections
///
/// Two games are duplicates if they have the same starting position and the same moves, and were
/// played by the same players. Inputs are archives, PGN and SGF files, plain or compressed, in any
/// combination; texts are packed into temporary archives.
///
/// Names are compared as people compare them: case, accents, titles and the order of the words do
/// not matter, words may be missing or be abbreviated, and a missing name, ?, - or NN may be
/// anyone. Carlsen, Magnus agrees with Magnus Carlsen, Carlsen, M. and Carlsen, but not with
/// Carlsen, Henrik. From 80 plies on, equal moves make duplicates whatever the names are. Two
/// addresses of one server, such as lichess.org/j1dkb5dw, are two games even then. Dates,
/// events and results do not matter. Each game joins the first group with whose games it agrees.
///
/// Each line is a game: number of its group; keep, copy or apart; file, number in the file, plies,
/// and the fields of ign list, separated by tabs. The first game of a group is the one to keep
/// (--prefer). Groups of games apart have equal moves and are different games: all are kept, unless
/// --any-players makes them duplicates. They are counted, and listed with --apart or --json.
///
/// With --json, each game is an object on a line of its own: docs/json.md.
///
/// With -o, the text of all files is written in the order of the files, byte for byte, without the
/// duplicates and with an empty line between files; to a name that ends in .ign, as an archive. With --removed, the games left out are
/// written too.
///
/// With conditions, only games that meet all of them are compared; -o writes the others too. ign
/// help find describes the conditions.
///
/// Games whose moves are partly stored as text (such as games with illegal moves) are not compared.
/// Memory: 16 bytes per game, about 600 per game found, and some tens of megabytes; --inside
/// takes some hundred bytes per game. Exit status: 0 if duplicates were found or -o was given, 1 if
/// there are none.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives, PGN or SGF files; - is standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Equal moves make duplicates, whoever played them
    #[arg(long)]
    any_players: bool,
    /// Also find games that are the beginning of a longer game, of the same players if there is
    /// one
    #[arg(long)]
    inside: bool,
    /// Also find Go games on a rotated or mirrored board
    #[arg(long)]
    turned: bool,
    /// Ignore games with fewer plies, which are often equal by chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    min_plies: usize,
    /// Which game of a group to keep [default: annotated; with --inside: longest]
    #[arg(long, value_enum, value_name = "WHICH")]
    prefer: Option<PreferArg>,
    /// Also list groups of different games with equal moves
    #[arg(long)]
    apart: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print only how many games, duplicates and groups there are, instead of the games
    #[arg(long)]
    count: bool,
    /// With -o, write the games that are left out to this file; to an archive if it ends in .ign
    #[arg(long, value_name = "FILE")]
    removed: Option<PathBuf>,
    /// With -o, add to each game that is kept the tags, comments, glyphs and variations that only
    /// its duplicates have. These games are written in the standard form of PGN; games of which a
    /// part is not understood stay as they are
    #[arg(long)]
    combine: bool,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    index: IndexChoice,
    #[command(flatten)]
    filters: Filters,
}

/// Which game of a group is kept; of equal ones, the first in the order of the files.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum PreferArg {
    /// The one with the most comments, glyphs, variations, clocks, evaluations and tags
    Annotated,
    /// The one with the most clocks, then the most annotated one
    Clocks,
    /// The one with the most moves, then the most annotated one
    Longest,
    /// The first of the longest in the order of the files
    First,
}

impl From<PreferArg> for Prefer {
    fn from(prefer: PreferArg) -> Self {
        match prefer {
            PreferArg::Annotated => Self::Annotated,
            PreferArg::Clocks => Self::Clocks,
            PreferArg::Longest => Self::Longest,
            PreferArg::First => Self::First,
        }
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let query = args.filters.query(common)?;
    let inputs = inputs(&args.inputs)?;
    let name = |path: &PathBuf| {
        let name = json::name(path);
        if args.json { name } else { printable(&name) }
    };
    let names: Vec<String> = args.inputs.iter().map(name).collect();
    let writes = args.destination.is_given();
    // The outputs are opened before the search, so that an error costs no time.
    let outputs = open_outputs(args)?;
    let to_stdout = writes && args.destination.path(|| Ok(None))?.is_none();
    if to_stdout && args.json {
        return Err(json::stdout_is_taken());
    }
    let default = if args.inside {
        PreferArg::Longest
    } else {
        PreferArg::Annotated
    };
    let mut archives = Vec::new();
    let mut first_archive = None;
    let (archives, found) = with_bar(!common.quiet, None, |on_progress| {
        for input in inputs {
            if first_archive.is_none() && input.path().is_some() && input.is_archive()? {
                first_archive = Some(archives.len());
            }
            archives.push(open(input, writes, common.threads(), on_progress)?);
        }
        let archives = args.index.apply(archives, common)?;
        let found = DuplicateFinder::new()
            .any_players(args.any_players)
            .min_plies(args.min_plies)
            .inside(args.inside)
            .rotated(args.turned)
            .prefer(args.prefer.unwrap_or(default).into())
            .on_progress(on_progress)
            .find(&archives, &query)?;
        Ok::<_, Error>((archives, found))
    })?;
    for archive in archives.archives() {
        warn_of_trailing(archive, common);
    }
    warn_of_rejected(archives.rejected_indexes(), common);
    // The files are written before the list, because the reader of the list may stop early.
    if writes {
        check_kinds(archives.archives())?;
        // New archives are packed like the first input that is one.
        let packer = || match first_archive {
            Some(first) => Packer::like(&archives.archives()[first]),
            None => Ok(Packer::new()),
        };
        let packer = || Ok::<_, Error>(packer()?.threads(common.threads()));
        let mut unique = Unique::new(&found, &archives)?;
        if args.combine {
            unique = unique.combining(&found);
        }
        let mut written = Vec::new();
        for (what, is_archive, mut out) in outputs {
            let out = match (what, is_archive) {
                (Part::Unique, true) => unique.pack(packer()?, out)?.0,
                (Part::Removed, true) => {
                    let copies = found.copies();
                    packer()?.pack_games_of(&archives, &copies, out)?.0
                }
                (Part::Unique, false) => {
                    unique.write(&mut out)?;
                    out
                }
                (Part::Removed, false) => {
                    archives.write_games(&found.copies(), &mut out)?;
                    out
                }
            };
            written.push(out);
        }
        Output::finish_all(written)?;
    }
    let summary = summary(&found);
    if !to_stdout {
        let mut out = Output::stdout();
        match (args.count, args.json) {
            (true, true) => json::write(&mut out, &DuplicateCount::from(&found))?,
            (true, false) => {
                for line in &summary {
                    writeln!(out, "{line}")?;
                }
            }
            (false, true) => Report::new(&found, &archives, names)?.write_json(&mut out)?,
            (false, false) => {
                Report::new(&found, &archives, names)?.write_lines(&mut out, args.apart)?
            }
        }
        out.finish()?;
    }
    if !common.quiet && (to_stdout || !args.count) {
        for line in &summary {
            say(format_args!("{line}"));
        }
    }
    Ok(if found.groups.is_empty() && !writes {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// What is written to a file.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// All games without the duplicates.
    Unique,
    /// The duplicates.
    Removed,
}

/// Opens the outputs: what is written there, whether as an archive, and where.
fn open_outputs(args: &Args) -> Result<Vec<(Part, bool, Output)>> {
    let destination = &args.destination;
    if !destination.is_given() {
        if args.combine {
            return Err(Error::usage("--combine changes the games that -o writes")
                .with_remedy("name a file with -o"));
        }
        return match &args.removed {
            None => Ok(Vec::new()),
            Some(_) => Err(
                Error::usage("--removed writes the games that -o leaves out")
                    .with_remedy("name the file of the other games with -o"),
            ),
        };
    }
    let inputs = || args.inputs.iter().map(PathBuf::as_path);
    let files = || inputs().chain(args.filters.files());
    let open = |part, path: &Path| {
        let is_archive = is_archive_name(path);
        let content = if is_archive {
            Content::Archive
        } else {
            Content::Games
        };
        let out = destination.file(path, content, files())?;
        Ok::<_, Error>((part, is_archive, out))
    };
    let path = destination.path(|| Ok(None))?;
    if let (Some(path), Some(removed)) = (&path, &args.removed)
        && is_same_place(path, removed)
    {
        let error = Error::usage("the games that are kept and those left out need two files");
        return Err(error
            .with_remedy("name another file with --removed")
            .in_file(removed));
    }
    let mut outputs = vec![match &path {
        Some(path) => open(Part::Unique, path)?,
        None => (Part::Unique, false, Output::stdout()),
    }];
    if let Some(removed) = &args.removed {
        outputs.push(open(Part::Removed, removed)?);
    }
    Ok(outputs)
}

/// Whether two names are those of one file, which need not exist.
fn is_same_place(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize();
        path.canonicalize()
            .ok()
            .or_else(|| Some(folder.ok()?.join(path.file_name()?)))
    };
    one == other || whole(one).is_some_and(|one| Some(one) == whole(other))
}

/// Refuses to write chess and Go games to one file, whether or not they were compared.
fn check_kinds(archives: &[Archive]) -> Result<()> {
    let mut kinds = BTreeSet::new();
    for archive in archives {
        kinds.extend(archive.kinds()?);
    }
    match kinds.len() {
        0 | 1 => Ok(()),
        _ => Err(
            Error::usage("chess and Go games cannot be written to one file")
                .with_remedy("run ign duplicates for PGN and for SGF separately"),
        ),
    }
}

/// How many games, duplicates and groups there are.
fn summary(found: &Duplicates) -> Vec<String> {
    let games = counted(found.games, "game");
    let duplicates = duplicate_count(found);
    let mut lines = vec![match duplicates {
        0 => format!("no duplicates in {games}"),
        _ => format!(
            "{} in {}; {} of {games} remain without them",
            counted(duplicates, "duplicate"),
            counted(found.groups.len() as u64, "group"),
            grouped(found.games - duplicates),
        ),
    }];
    if !found.different.is_empty() {
        let apart: usize = found
            .different
            .iter()
            .map(|group| group.members().len())
            .sum();
        lines.push(format!(
            "apart: {} in {} with equal moves, by other players or at other addresses (--apart lists them)",
            counted(apart as u64, "game"),
            counted(found.different.len() as u64, "group"),
        ));
    }
    if found.partly_text > 0 {
        lines.push(format!(
            "not compared: {} with moves stored as text",
            counted(found.partly_text, "game")
        ));
    }
    lines
}
