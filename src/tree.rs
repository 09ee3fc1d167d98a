//! `ign tree`

mod svg;
mod text;

use std::{
    io::{self, IsTerminal as _, Write as _},
    path::PathBuf,
    process::ExitCode,
};

use ign_archive::{
    Archives, Error, Position, Query, Result, Tree, TreeBuilder, query::OpeningPrefix,
    tree::Opening,
};
use ign_server::answer::{self, Answer, Shown};

use super::{
    common::Common,
    filters::Filters,
    messages::{say, warn_of_rejected},
    output::Output,
    progress::with_bar,
    searched::IndexChoice,
};
use text::Style;

/// Games that JSON lists by rating, and by date.
const LISTED_GAMES: usize = 4;
/// Plies of a picture if `--depth` is not given.
const PICTURE_DEPTH: u8 = 4;

const EXAMPLES: &str = "\
Examples:
  ign tree games.ign
  ign tree games.ign --opening \"1. e4 c5\" --elo 2000.. --depth 2 --moves 4
  ign tree games.ign --position \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\"
  ign tree 2013-*.ign --index 2013.idx --opening \"1. d4\"
  ign tree games.ign --svg openings.svg
  ign tree games.ign --json | jq .moves[0]";

/// Show the moves played from a position, with their results
///
/// The position is that of --position, or the one after the moves of --opening, or the standard
/// starting position. Games count however they reached it, each once, at its first occurrence. With
/// conditions, only the games that meet all of them count; ign help find describes the conditions.
/// Games of variants other than Chess960 do not count.
///
/// A line shows a move, the games in which it was played, their share of all games here, the
/// results (won by White, drawn, won by Black, in percent of the games with a result), the mean
/// rating of both players, the performance of the side that moves, and the last date. The
/// performance is the mean rating of the opponents plus 400 times the difference of wins and losses
/// per game.
///
/// --json prints an answer of the Lichess opening explorer: white, draws, black; moves with uci,
/// san, white, draws, black, averageRating, performance, game (if there is only one), opening;
/// topGames, recentGames; opening. Averages, games and names that nothing determines are null.
/// --depth does not change it.
///
/// Exit status: 0, or 1 if no game was found.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archives to search
    #[arg(value_name = "A.ign", required = true)]
    archives: Vec<PathBuf>,
    /// Maximum number of moves to show of a position
    #[arg(long, default_value_t = 12, value_name = "N")]
    moves: usize,
    /// Number of plies to show [default: 1, in the picture 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=TreeBuilder::MAX_DEPTH as i64))]
    depth: Option<u8>,
    /// Draw bars in ASCII, which is the default unless the output is a terminal
    #[arg(long)]
    ascii: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also draw the tree, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Overwrite an existing SVG file
    #[arg(short, long, requires = "svg")]
    force: bool,
    #[command(flatten)]
    index: IndexChoice,
    #[command(flatten)]
    filters: Filters,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let mut query = args.filters.query(common)?;
    let root = Root::take(&mut query)?;
    let archives = args.index.open(&args.archives, common)?;
    let svg = match &args.svg {
        Some(path) if path.as_os_str() == "-" => {
            return Err(Error::usage("the tree is written to standard output")
                .with_remedy("name a file for the SVG"));
        }
        Some(path) => {
            let inputs = args.archives.iter().map(PathBuf::as_path);
            Output::refuse_inputs(path, inputs.chain(args.filters.files()))?;
            Some(Output::file(path, args.force)?)
        }
        None => None,
    };
    let depth = args.depth.unwrap_or(1);
    let picture = args.depth.unwrap_or(PICTURE_DEPTH);
    let computed = if svg.is_some() { picture } else { depth };
    let builder = TreeBuilder::new()
        .depth(computed.into())
        .top_games(LISTED_GAMES)
        .recent_games(LISTED_GAMES);
    let mut tree = with_bar(!common.quiet, None, |on_progress| {
        let builder = builder.on_progress(on_progress);
        builder.build(&archives, &root.position, &query)
    })?;
    warn_of_rejected(archives.rejected_indexes(), common);
    tree.opening = tree.opening.or(root.opening);
    if let Some(mut svg) = svg {
        svg.write_all(svg::draw(&tree, args.moves)?.as_bytes())?;
        svg.finish()?;
    }
    let mut out = Output::stdout();
    if args.json {
        let shown = Shown {
            moves: args.moves,
            of_player: false,
            history: false,
            extended: false,
        };
        let answer = Answer::of(&tree, shown, |numbers| answer::games(&archives, numbers))?;
        out.write_all(&answer::to_json(&answer)?)?;
        writeln!(out)?;
    } else {
        let style = if io::stdout().is_terminal() && !args.ascii {
            Style::Blocks
        } else {
            Style::Ascii
        };
        text::write(&tree, depth.into(), args.moves, style, &mut out)?;
    }
    out.finish()?;
    if tree.counts.games > 0 {
        return Ok(ExitCode::SUCCESS);
    }
    explain_nothing(args, common, &query, &archives, &tree)?;
    Ok(ExitCode::FAILURE)
}

/// Says why there may be no games.
fn explain_nothing(
    args: &Args,
    common: &Common,
    query: &Query,
    archives: &Archives,
    tree: &Tree,
) -> Result<()> {
    if common.quiet {
        return Ok(());
    }
    let what = if tree.position == Position::default() {
        "no game meets the conditions"
    } else {
        "no game that meets the conditions reaches the position"
    };
    say(format_args!("{what}"));
    args.filters.say_advice(query, archives, common)
}

/// The position of the tree.
struct Root {
    position: Position,
    /// The last name of an opening on the way to it.
    opening: Option<Opening>,
}

impl Root {
    /// Takes the position, or the opening, out of the conditions. That it must be the last position
    /// of the game, or what later positions must meet, stays a condition.
    fn take(query: &mut Query) -> Result<Self> {
        let Some(&position) = query.position_condition() else {
            let root = Self::after(query.opening_condition());
            query.remove("opening");
            return Ok(root);
        };
        if query.has("opening") {
            return Err(Error::usage(
                "--position and --opening both choose the position of the tree",
            )
            .with_remedy("give one of them"));
        }
        if query.has("flipped") {
            return Err(Error::usage("--flipped: a tree has one position")
                .with_remedy("make a tree of each of both positions"));
        }
        // What else is said about positions stays a condition.
        if !query.has_modified_positions() {
            query.remove_positions();
        }
        Ok(Self {
            position,
            opening: None,
        })
    }

    fn after(opening: Option<&OpeningPrefix>) -> Self {
        let mut root = Self {
            position: Position::default(),
            opening: None,
        };
        for &played in opening.map_or(&[][..], OpeningPrefix::moves) {
            root.position.play(played);
            root.opening = Opening::of(&root.position).or(root.opening);
        }
        root
    }
}
