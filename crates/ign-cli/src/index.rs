//! `ign index`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use clap::ValueEnum;

use super::{
    archive_file::open_archive,
    common::Common,
    destination::Destination,
    messages::{say, say_lines},
    numbers::{counted, grouped, seconds},
    output::Output,
    progress::with_bar,
    table::Table,
};
use ign_archive::{
    Error, Result,
    index::{self, Sections},
};

const EXAMPLES: &str = "\
Examples:
  ign index games.ign
  ign index -f games.ign               after games.ign has changed
  ign index --without positions games.ign
  ign index part1.ign part2.ign -o month.ign.idx
  ign find part1.ign part2.ign --index month.ign.idx --player \"Carlsen*\"
  ign find games.ign --position \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"";

/// Build the search index of an archive, or of several
///
/// The index is a file beside the archive, A.ign.idx. With it, ign find, ign tree and the other
/// commands that take conditions answer in milliseconds; without it they read the archive and answer
/// the same. It takes about 70 bytes a game: 56 of them for the positions of all games, the rest for
/// ratings, dates, results, time controls, players and openings.
///
/// Several archives, such as the parts of a month, can share one index. Name it with -o, and name it with
/// --index in searches of the same archives in the same order.
///
/// An index belongs to one state of its archives. If an archive has changed, the index is reported and not
/// used until it is built again.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to index
    #[arg(value_name = "A.ign", required = true)]
    archives: Vec<PathBuf>,
    /// Leave out a section; searches for what it holds read the archive
    #[arg(long, value_name = "SECTION", value_delimiter = ',')]
    without: Vec<Section>,
    #[command(flatten)]
    destination: Destination,
    /// Print the bytes of each section
    #[arg(short, long)]
    verbose: bool,
}

/// A section that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Ratings, dates, results, ECO codes, time controls, terminations, numbers of plies
    Columns,
    /// Players and their games
    Players,
    /// The tree of first moves
    Openings,
    /// All positions
    Positions,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let path = args.destination.path(|| match &args.archives[..] {
        [archive] => Ok(Some(index::path_of(archive))),
        _ => Err(
            Error::usage("one index of several archives has no default name")
                .with_remedy("name it with -o, or index each archive by itself"),
        ),
    })?;
    let open = |path| open_archive(path, common);
    let archives = args.archives.iter().map(open).collect::<Result<Vec<_>>>()?;
    let mut output = match &path {
        Some(path) => args
            .destination
            .file(path, args.archives.iter().map(PathBuf::as_path))?,
        None => Output::binary_stdout()?,
    };
    let has = |section| !args.without.contains(&section);
    let sections = Sections {
        columns: has(Section::Columns),
        players: has(Section::Players),
        openings: has(Section::Openings),
        positions: has(Section::Positions),
    };
    let total = archives.iter().map(|a| a.index().stored_len()).sum();
    let summary = with_bar(!common.quiet, Some(total), |on_progress| {
        index::build(&archives, sections, &mut output, on_progress)
    })?;
    output.finish()?;
    if !common.quiet {
        let name = path.map_or("standard output".into(), |path| path.display().to_string());
        let each = |bytes: u64| bytes as f64 / summary.games.max(1) as f64;
        if args.verbose {
            let mut table = Table::new(&["section", "bytes", "bytes a game"]);
            for &(section, bytes) in &summary.sections {
                let each = format!("{:.2}", each(bytes));
                table.row([&section, &grouped(bytes), &each]);
            }
            say_lines(table);
        }
        say(format_args!(
            "{name}: indexed {}, {} bytes ({:.2} bytes a game) in {}",
            counted(summary.games, "game"),
            grouped(summary.len),
            each(summary.len),
            seconds(start.elapsed())
        ));
    }
    Ok(ExitCode::SUCCESS)
}
