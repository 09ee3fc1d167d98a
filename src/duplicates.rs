//! `ign duplicates`

mod report;

use std::{
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

use super::{
    archive_file::warn_of_trailing,
    common::Common,
    content::Content,
    destination::Destination,
    filters::Filters,
    messages::{printable, say, warn_of_rejected},
    numbers::{counted, grouped},
    opened::open,
    output::Output,
    progress::with_bar,
    searched::IndexChoice,
    sources::inputs,
};
use ign_archive::{
    Archive, Archives, Error, GameNumber, Result,
    duplicates::{DuplicateFinder, Duplicates, Group},
    message_name,
};
use report::{Report, duplicate_count};

const EXAMPLES: &str = "\
Examples:
  ign duplicates games.ign
  ign duplicates --min-plies 20 --inside a.ign b.pgn.zst
  ign duplicates games.ign --date 2013-01 --speed blitz
  ign duplicates a.pgn b.pgn -o all.pgn";

/// Find duplicate games in one or several collections
///
/// Two games are duplicates if they have the same starting position and the same moves. Tags,
/// comments and variations are ignored. Inputs are archives, PGN and SGF files, plain or
/// compressed, in any combination; texts are packed into temporary archives. Candidates are found
/// by keys of their moves, then the moves are compared.
///
/// Each line is a game: number of its group, file, number in the file, plies, and the fields of ign
/// list, separated by tabs. The first game of a group is the one to keep: the first one in the
/// order of the files. With -o, the text of all files is written in that order, byte for byte,
/// without the duplicates.
///
/// With conditions, only games that meet all of them are compared; -o writes the others too. ign
/// help find describes the conditions.
///
/// Games whose moves are partly stored as text (such as games with illegal moves) are not compared.
/// Memory: 16 bytes per game, about 400 per game found, and some tens of megabytes; --inside
/// doubles it. Exit status: 0 if duplicates were found or -o was given, 1 if there are none.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives, PGN or SGF files; - is standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Also find games that are the beginning of a longer game; the longer one is kept
    #[arg(long)]
    inside: bool,
    /// Also find Go games on a rotated or mirrored board
    #[arg(long)]
    turned: bool,
    /// Ignore games with fewer plies, which are often equal by chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    min_plies: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    index: IndexChoice,
    #[command(flatten)]
    filters: Filters,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let query = args.filters.query(common)?;
    let inputs = inputs(&args.inputs)?;
    let names: Vec<String> = args.inputs.iter().map(|path| name(path)).collect();
    let writes = args.destination.is_given();
    // The output is opened before the search, so that an error costs no time.
    let path = args.destination.path(|| Ok(None))?;
    let files = args.inputs.iter().map(PathBuf::as_path);
    let file = path
        .map(|path| Ok::<_, Error>((args.destination.file(&path, Content::Games, files)?, path)))
        .transpose()?;
    let to_stdout = writes && file.is_none();
    let mut archives = Vec::new();
    let (archives, found) = with_bar(!common.quiet, None, |on_progress| {
        for input in inputs {
            archives.push(open(input, writes, common.threads(), on_progress)?);
        }
        let archives = args.index.apply(archives, common)?;
        let found = DuplicateFinder::new()
            .min_plies(args.min_plies)
            .inside(args.inside)
            .rotated(args.turned)
            .on_progress(on_progress)
            .find(&archives, &query)?;
        Ok::<_, Error>((archives, found))
    })?;
    for archive in archives.archives() {
        warn_of_trailing(archive, common);
    }
    warn_of_rejected(archives.rejected_indexes(), common);
    if writes {
        check_kinds(archives.archives())?;
    }
    // The file is written before the list, because the reader of the list may stop early.
    if writes {
        let (mut out, name) = match file {
            Some((out, path)) => (out, path),
            None => (Output::stdout(), PathBuf::from("standard output")),
        };
        write_unique(&found, &archives, &mut out)
            .and_then(|()| out.finish())
            .map_err(|e| e.in_file(name))?;
    }
    if !to_stdout {
        let report = Report::new(&found, &archives, names)?;
        let mut out = Output::stdout();
        if args.json {
            report.write_json(&mut out)?
        } else {
            report.write_lines(&mut out)?
        }
        out.finish()?;
    }
    if !common.quiet {
        say_summary(&found);
    }
    Ok(if found.groups.is_empty() && !writes {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
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

fn name(input: &Path) -> String {
    printable(&message_name(input).to_string_lossy())
}

/// Writes the text of all archives without the duplicates.
fn write_unique(found: &Duplicates, archives: &Archives, out: &mut Output) -> Result<()> {
    let copies = found.groups.iter().flat_map(Group::copies);
    let mut copies: Vec<GameNumber> = copies.map(|copy| copy.game).collect();
    copies.sort_unstable();
    let copies = archives.by_archive(&copies)?;
    let mut last = None;
    for (number, archive) in archives.archives().iter().enumerate() {
        // If a text does not end with a line end, its last line would run into the next text.
        if last.is_some_and(|last| last != b'\n') && archive.text_len() > 0 {
            out.write_all(b"\n")?;
        }
        let own = copies.iter().find(|(archive, ..)| *archive == number);
        let own = own.map_or(&[][..], |(.., games)| games);
        last = archive.write_without(own, &mut *out)?.or(last);
    }
    Ok(())
}

fn say_summary(found: &Duplicates) {
    let games = counted(found.games, "game");
    let duplicates = duplicate_count(found);
    if duplicates == 0 {
        say(format_args!("no duplicates in {games}"));
    } else {
        say(format_args!(
            "{} in {}; {} of {games} remain without them",
            counted(duplicates, "duplicate"),
            counted(found.groups.len() as u64, "group"),
            grouped(found.games - duplicates),
        ));
    }
    if found.partly_text > 0 {
        say(format_args!(
            "not compared: {} with moves stored as text",
            counted(found.partly_text, "game")
        ));
    }
}
