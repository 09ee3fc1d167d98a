//! `ign list`

use std::{path::PathBuf, process::ExitCode};

use super::{
    common::Common,
    content::Content,
    damaged::{Damaged, status},
    destination::Destination,
    filters::Filters,
    json::games::ListWriter,
    limit::Limit,
    messages::{say, warn_of_rejected},
    order::Order,
    output::Output,
    ranges::{GameRange, archives_and_range, several_archives},
    searched::IndexChoice,
};
use ign_archive::{Archives, GameNumber, Result, location::message_name};

const EXAMPLES: &str = "\
Examples:
  ign list games.ign 1..20
  ign list games.ign --player \"Adams*\" --date 2013
  ign list games.ign -o games.tsv
  ign list games.ign | cut -f 7 | sort | uniq -c";

/// Print one line for each game
///
/// The fields are number, White, White's rating, Black, Black's rating, result, date, ECO code,
/// event and the packed file, separated by tabs. A missing field is a dash. If there are several
/// archives, the number follows its archive: A.ign:1240.
///
/// With --json, each game is an object on a line of its own: docs/json.md.
///
/// With conditions, only the games that meet all of them are listed; ign help find describes the
/// conditions and --sort. Exit status: 0, or 1 if no game meets the conditions, or --skip leaves
/// out all that do.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to read; after a single archive, only these games: 200, 200..300 (both included),
    /// or 200.. (to the last)
    #[arg(value_name = "A.ign|RANGE", required = true)]
    inputs: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    order: Order,
    #[command(flatten)]
    limit: Limit,
    #[command(flatten)]
    index: IndexChoice,
    #[command(flatten)]
    damaged: Damaged,
    #[command(flatten)]
    filters: Filters,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let query = args.filters.query(common)?;
    let (paths, range) = archives_and_range(&args.inputs)?;
    // The output is opened before the work, so that an error costs no time.
    let mut output = match args.destination.path(|| Ok(None))? {
        Some(path) => {
            let inputs = paths.iter().map(PathBuf::as_path);
            let inputs = inputs.chain(args.filters.files());
            args.destination.file(&path, Content::Report, inputs)?
        }
        None => Output::stdout(),
    };
    let lists_all = query.is_empty() && !args.order.is_given();
    let damaged = if lists_all {
        args.damaged.to_list()
    } else {
        args.damaged
    };
    let (archives, is_left_out) = args.index.open_whole(paths, damaged, common)?;
    // A pattern may name several.
    if range.is_some() && archives.archives().len() > 1 {
        return Err(several_archives());
    }
    let range = range
        .unwrap_or(GameRange::ALL)
        .resolve(archives.len())
        .map_err(|e| e.in_file(message_name(&paths[0])))?;
    if lists_all && args.limit.is_all() {
        match archives.archives() {
            all if args.json => {
                for archive in all {
                    let out = ListWriter::new(archive.path(), &mut output);
                    match all {
                        [_] => archive.list(range.clone(), out)?,
                        _ => archive.list(.., out)?,
                    }
                }
            }
            [archive] => archive.list(range, &mut output)?,
            _ => archives.list(&mut output)?,
        }
        output.finish()?;
        return Ok(status(is_left_out));
    }
    // Of several archives the range is all games.
    let end = args.limit.end_or_all();
    let mut found = if args.order.is_given() {
        let found = archives.find_within(&query, range, usize::MAX)?;
        args.order.sorted(&archives, &found, end, common)?
    } else {
        archives.find_within(&query, range, end)?
    };
    let skips_all = args.limit.skips_all(found.len());
    args.limit.cut(&mut found);
    warn_of_rejected(archives.rejected_indexes(), common);
    write_list(&archives, &found, args.json, &mut output)?;
    output.finish()?;
    if let Some(message) = skips_all {
        if !common.quiet {
            say(format_args!("{message}"));
        }
        return Ok(ExitCode::FAILURE);
    }
    if !found.is_empty() || query.is_empty() {
        return Ok(status(is_left_out));
    }
    if !common.quiet {
        say(format_args!("no game meets the conditions"));
        args.filters.say_advice(&query, &archives, common)?;
    }
    Ok(ExitCode::FAILURE)
}

/// Writes the lines of games in any order, or an object for each.
///
/// # Errors
/// As [`Archives::list_games`].
pub fn write_list(
    archives: &Archives,
    games: &[GameNumber],
    as_json: bool,
    out: &mut Output,
) -> Result<()> {
    if !as_json {
        return archives.list_games(games, out);
    }
    archives.list_games(games, ListWriter::of_games(archives, games, out))
}
