//! `ign index`

use std::{
    io::Write,
    num::NonZeroU32,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::ValueEnum;

use super::{
    archive_file::open_archive,
    common::Common,
    content::Content,
    destination::Destination,
    json::{
        self, JsonArg,
        written::{Action, Indexed, Indexing},
    },
    messages::{say, say_lines},
    numbers::{self, counted, grouped, seconds},
    output::Output,
    pack_options::parse_bytes,
    progress::with_bar,
    table::Table,
};
use ign_archive::{
    Archive, Error, ErrorKind, Result,
    index::{self, Index, IndexBuilder, IndexSections, IndexSummary},
};

const EXAMPLES: &str = "\
Examples:
  ign index games.ign
  ign index games.ign                  again, after games have been appended to games.ign
  ign index -f games.ign               after games.ign has changed in another way
  ign index --without positions games.ign
  ign index --dry-run games.ign        how large the sections would be
  ign index --plies 40 games.ign       smaller: no positions that occur only after move 20
  ign index part1.ign part2.ign -o month.ign.idx
  ign find part1.ign part2.ign --index month.ign.idx --player \"Carlsen*\"
  ign find games.ign --position \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\"";

/// Build the search index of an archive, or of several
///
/// The index is a file beside the archive, A.ign.idx. With it, ign find, ign tree and the other
/// commands that take conditions answer in milliseconds; without it they read the archive and
/// answer the same. It takes about 64 bytes a game: 42 of them for the positions of all games, the
/// rest for ratings, dates, results, time controls, endings, players, openings and material. While
/// it is built, temporary files in the folder TMPDIR, by default /tmp, take about 1.5 kilobytes a
/// game, or 60 bytes if --memory is at least 3 kilobytes a game.
///
/// With --plies the index has only the positions that occur within this number of plies of some
/// game, with all of their games. Answers stay the same: for any other position the games with more
/// plies are replayed, which takes as long as without an index, and --explain says so.
///
/// With --dry-run nothing is written. An index of at most 16 blocks in the middle of the archive is
/// built in memory and temporary files, and the sizes of the whole index are estimated from it.
///
/// Several archives, such as the parts of a month, can share one index. Name it with -o, and name
/// it with --index in searches of the same archives in the same order.
///
/// If games have been appended to the archive, or further archives follow, the index answers for
/// the games that it has, and the others are searched in the archives. The same command then
/// extends it, to the depth that it has: it adds a segment for the new games, which takes no longer
/// than an index of these alone. An index of 16 segments is built again as one, and so is one that lacks a section
/// or plies. One that has a section that --without leaves out, or more plies, is replaced only with
/// -f. If an archive has changed
/// in another way, the index is reported and not used until it is built again with -f.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to index
    #[arg(value_name = "A.ign", required = true)]
    archives: Vec<PathBuf>,
    /// Index only the positions of the first plies of games, with all of their games; searches for
    /// other positions replay the games that are longer
    #[arg(long, value_name = "PLIES")]
    plies: Option<NonZeroU32>,
    /// Memory for sorting, such as 1G, at least 16M; beyond it, temporary files are written. The
    /// program takes some 170M and about 6 bytes a game more
    #[arg(long, value_name = "SIZE", default_value = "128M", value_parser = parse_memory)]
    memory: u64,
    /// Print the sections and about how many bytes they would take, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Leave out a section; searches for what it holds read the archive
    #[arg(long, value_name = "SECTION", value_delimiter = ',')]
    without: Vec<Section>,
    #[command(flatten)]
    destination: Destination,
    /// Print the bytes of each section and of each segment
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    json: JsonArg,
}

/// A section that can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Ratings, dates, results, ECO codes, time controls, terminations, numbers of plies, endings
    Columns,
    /// Players and their games
    Players,
    /// The tree of first moves
    Openings,
    /// All positions
    Positions,
    /// Material with few pieces
    Materials,
}

/// Parses the size of the memory for sorting.
fn parse_memory(text: &str) -> std::result::Result<u64, String> {
    match parse_bytes(text)? {
        bytes if bytes < IndexBuilder::MIN_MEMORY => Err("write a size of at least 16M".into()),
        bytes => Ok(bytes),
    }
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let named = args.destination.path(|| match &args.archives[..] {
        [archive] => Ok(Some(index::path_of(archive))),
        _ => Err(
            Error::usage("one index of several archives has no default name")
                .with_remedy("name it with -o, or index each archive by itself"),
        ),
    });
    let path = if args.dry_run {
        named.unwrap_or_default()
    } else {
        named?
    };
    let archives = &args
        .archives
        .iter()
        .map(|path| open_archive(path, common))
        .collect::<Result<Vec<_>>>()?[..];
    let has = |section| !args.without.contains(&section);
    let mut sections = IndexSections::default();
    sections.columns = has(Section::Columns);
    sections.players = has(Section::Players);
    sections.openings = has(Section::Openings);
    sections.positions = has(Section::Positions);
    sections.materials = has(Section::Materials);
    let builder = || IndexBuilder::new().sections(sections).memory(args.memory);
    if args.dry_run {
        // Without the option an index keeps its depth.
        let existing = path
            .as_ref()
            .filter(|path| !args.destination.is_forced() && path.is_file())
            .and_then(|path| open(path, archives).ok());
        let depth = args.plies.or(existing.as_ref().and_then(Index::depth));
        return estimate(
            args,
            common,
            archives,
            builder().depth(depth),
            path.as_deref(),
            start,
        );
    }
    let inputs = || args.archives.iter().map(PathBuf::as_path);
    let existing = match &path {
        Some(path) if !args.destination.is_forced() && path.is_file() => {
            Output::refuse_inputs(path, inputs())?;
            Some(open(path, archives)?)
        }
        _ => None,
    };
    if existing
        .as_ref()
        .is_some_and(|index| !sections.includes(index.sections()))
    {
        let error = Error::usage("the index has a section that --without leaves out");
        let error = error.with_remedy("-f replaces the index");
        return Err(path.iter().fold(error, Error::in_file));
    }
    // Without the option an index keeps its depth.
    let depth = args.plies.or(existing.as_ref().and_then(Index::depth));
    let is_deeper = |index: &Index| match (index.depth(), depth) {
        (None, Some(_)) => true,
        (Some(own), Some(wanted)) => own > wanted,
        (_, None) => false,
    };
    if existing.as_ref().is_some_and(is_deeper) {
        let error = Error::usage("the index has positions of more plies than --plies");
        let error = error.with_remedy("-f replaces the index");
        return Err(path.iter().fold(error, Error::in_file));
    }
    let is_same = |index: &&Index| index.sections() == sections && index.depth() == depth;
    let covered = existing.as_ref().filter(is_same);
    let games: u64 = archives.iter().map(Archive::len).sum();
    let name = || {
        path.as_ref()
            .map_or("standard output".into(), |path| path.display().to_string())
    };
    let print = |action, summary: &IndexSummary| {
        json::print(&Indexing {
            indexed: Indexed::new(Path::new(&name()), action, summary),
            seconds: json::seconds(start),
        })
    };
    let (done, action, summary) = match (covered, &path) {
        (Some(index), Some(path)) if index.games() == games => {
            if args.json.is_given() {
                print(Action::Complete, &IndexSummary::default())?;
            } else if !common.quiet {
                if args.verbose {
                    say_segments(path, archives)?;
                }
                say(format_args!(
                    "{}: has all {}{}",
                    name(),
                    counted(games, "game"),
                    to_depth(depth)
                ));
            }
            return Ok(ExitCode::SUCCESS);
        }
        (Some(index), Some(path)) if index.is_extendable() => {
            let total = stored_len(archives, index.blocks());
            say_space(builder().temporary_bytes(archives, index.blocks()), common);
            let extended = with_bar(!common.quiet, Some(total), |on_progress| {
                builder().on_progress(on_progress).extend(path, archives)
            })
            .map_err(|e| unless_grown(e, archives))?;
            ("extended by", Action::Extended, extended.summary)
        }
        _ => {
            let mut output = match &path {
                Some(path) if existing.is_some() => Output::file(path, true)?,
                Some(path) => args.destination.file(path, Content::Index, inputs())?,
                None => {
                    args.json.refuse_stdout()?;
                    Output::binary_stdout()?
                }
            };
            let total = stored_len(archives, 0);
            say_space(builder().temporary_bytes(archives, 0), common);
            let summary = with_bar(!common.quiet, Some(total), |on_progress| {
                builder()
                    .depth(depth)
                    .on_progress(on_progress)
                    .build(archives, &mut output)
            })?;
            output.finish()?;
            ("indexed", Action::Built, summary)
        }
    };
    if args.json.is_given() {
        print(action, &summary)?;
    } else if !common.quiet {
        let each = |bytes: u64| bytes as f64 / summary.games.max(1) as f64;
        if args.verbose {
            say_lines(table_of(&summary));
            if let (Some(path), true) = (&path, covered.is_some()) {
                say_segments(path, archives)?;
            }
        }
        say(format_args!(
            "{}: {done} {}{}, {} bytes ({:.2} bytes a game) in {}",
            name(),
            counted(summary.games, "game"),
            to_depth(depth),
            grouped(summary.len),
            each(summary.len),
            seconds(start.elapsed())
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// What is said of the depth of an index: nothing if it has all positions.
pub fn to_depth(plies: Option<NonZeroU32>) -> String {
    plies.map_or(String::new(), |plies| {
        format!(", positions within {}", numbers::plies(plies.get().into()))
    })
}

/// The bytes of the parts of an index, with the sections that --without names.
fn table_of(summary: &IndexSummary) -> Table {
    let mut table = Table::new(&["section", "part", "bytes", "bytes a game"]).left(1);
    for &(part, bytes) in &summary.sections {
        let section = section_of(part).and_then(|section| section.to_possible_value());
        let section = section.map_or(String::new(), |section| section.get_name().to_owned());
        let each = format!("{:.2}", bytes as f64 / summary.games.max(1) as f64);
        table.row([&section, &part, &grouped(bytes), &each]);
    }
    table
}

/// The section without which an index has no such part; `None` if every index has it.
fn section_of(part: &str) -> Option<Section> {
    match part {
        "games" | "directory" => None,
        "players" => Some(Section::Players),
        "openings" => Some(Section::Openings),
        "positions" | "statistics" => Some(Section::Positions),
        "materials" => Some(Section::Materials),
        // The games in the order of the tree: the lists of positions need it without a tree, too.
        "tree_games" => Some(Section::Openings),
        _ => Some(Section::Columns),
    }
}

/// Prints about how many bytes an index would take.
fn estimate(
    args: &Args,
    common: &Common,
    archives: &[Archive],
    builder: IndexBuilder,
    path: Option<&Path>,
    start: Instant,
) -> Result<ExitCode> {
    let temporary = builder.temporary_bytes(archives, 0);
    let estimate = builder.estimate(archives)?;
    let summary = &estimate.summary;
    if args.json.is_given() {
        json::print(&Indexing {
            indexed: Indexed::new(path.unwrap_or(Path::new("")), Action::Estimated, summary),
            seconds: json::seconds(start),
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Output::stdout();
    write!(out, "{}", table_of(summary))?;
    writeln!(
        out,
        "about {} bytes ({:.2} bytes a game) for {}, estimated from {}; nothing was written",
        grouped(summary.len),
        summary.len as f64 / summary.games.max(1) as f64,
        counted(summary.games, "game"),
        grouped(estimate.sampled),
    )?;
    out.finish()?;
    say_space(temporary, common);
    Ok(ExitCode::SUCCESS)
}

/// States how many bytes temporary files need, if they are many.
fn say_space(needed: u64, common: &Common) {
    const MUCH: u64 = 1 << 30;
    if needed >= MUCH && !common.quiet {
        say(format_args!(
            "the index needs about {:.0} GB for temporary files in {}",
            needed as f64 / 1e9,
            std::env::temp_dir().display()
        ));
    }
}

/// Opens an index that may be extended.
fn open(path: &Path, archives: &[Archive]) -> Result<Index> {
    let members: Vec<&Archive> = archives.iter().collect();
    let index = Index::open(path, &members).map_err(|e| unless_grown(e, archives));
    index.map_err(|e| e.with_remedy("-f overwrites it"))
}

/// The error of an index, or that of a file that is being written, if an archive has grown since it
/// was opened: then the index may belong to the archive as it is on the disk.
pub fn unless_grown(error: Error, archives: &[Archive]) -> Error {
    let has_grown = |archive: &&Archive| {
        let now = Archive::open(archive.path());
        now.is_ok_and(|now| now.file_len() != archive.file_len())
    };
    match archives.iter().find(has_grown) {
        Some(archive) if error.kind() == ErrorKind::Corrupt => {
            let name = archive.path().display();
            Error::usage(format!("another ign process is writing {name}"))
                .with_remedy("wait until it has finished")
        }
        _ => error,
    }
}

/// The bytes of the blocks of archives, without the first ones.
fn stored_len(archives: &[Archive], without: u64) -> u64 {
    let blocks = archives.iter().flat_map(|archive| archive.blocks());
    let rest = blocks.skip(without as usize);
    rest.map(|block| block.stored_len).sum()
}

/// Prints a table of the segments of an index.
fn say_segments(path: &Path, archives: &[Archive]) -> Result<()> {
    let index = open(path, archives)?;
    let mut table = Table::new(&["segment", "games", "bytes", "bytes a game"]);
    for (number, segment) in (1..).zip(index.segments()) {
        let bytes_a_game = segment.bytes() as f64 / segment.games().max(1) as f64;
        table.row([
            &number,
            &grouped(segment.games()),
            &grouped(segment.bytes()),
            &format!("{bytes_a_game:.2}"),
        ]);
    }
    say_lines(table);
    Ok(())
}
