//! `ign position`

use std::{io::Write, process::ExitCode, time::Instant};

use super::{
    common::Common,
    json::{
        self,
        notation::{self, Proof},
    },
    messages::say,
    numbers::{counted, grouped, plies, seconds},
    output::Output,
    progress::with_status,
    table::Table,
};
use ign_archive::{Error, Result};
use ign_endgame::proof::{
    ESTIMATED_MAX_BITS, ESTIMATED_MAX_PLIES, ESTIMATED_MEAN_BITS, ESTIMATED_MEAN_PLIES,
    packed::MAX_PIECES,
    search::{Limit, Limits, Outcome, Progress, shortest},
};
use ign_notation::{
    chess::{Legal, Move, Position, san},
    plain,
};

const EXAMPLES: &str = "\
Examples:
  ign position \"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\"
  ign position --plies 30 --memory 4096 --json \"$FEN\"";

/// Find the shortest game that reaches a position, and its integer
///
/// The search is breadth-first, forwards from the standard starting position and backwards from the
/// given one. It is exact: either no shorter game exists, or the limit that ended the search is
/// reported. The move counters of the FEN are ignored; castling rights and the en passant square
/// are not.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Position to reach
    #[arg(value_name = "FEN")]
    fen: String,
    /// Maximum length of a game, in plies
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    plies: u32,
    /// Maximum number of positions to search
    #[arg(long, default_value_t = 20_000_000, value_name = "N")]
    nodes: u64,
    /// Memory for positions, in MiB
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    memory: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let wrong = |error: &dyn std::fmt::Display| {
        Error::usage(format!(
            "'{}' is not a position of a game: {error}",
            args.fen
        ))
    };
    let goal = Position::from_fen(args.fen.as_bytes()).map_err(|error| wrong(&error))?;
    // A packed position has no room for more pieces.
    if goal.occupied().count() > MAX_PIECES {
        return Err(wrong(&format_args!("more than {MAX_PIECES} pieces")));
    }
    let limits = Limits {
        plies: args.plies,
        positions: args.nodes,
        memory: u64::from(args.memory) << 20,
    };
    let start = Instant::now();
    let (outcome, positions) = with_status(!common.quiet, |status| {
        let report = |stage: Progress| {
            status.set(format!(
                "games of {}: {} forwards, {} backwards, {} positions",
                plies(stage.plies.into()),
                stage.depths.0,
                stage.depths.1,
                grouped(stage.positions)
            ));
        };
        shortest(&goal, limits, &report)
    });
    if !common.quiet {
        say(format_args!(
            "searched {} in {}",
            counted(positions, "position"),
            seconds(start.elapsed())
        ));
    }
    let reason = match &outcome {
        Outcome::Found(moves) => {
            write_game(moves, positions, args.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        Outcome::Never => "no game reaches this position".to_string(),
        Outcome::NoneWithin(max) => format!(
            "no game within {}; --plies searches longer games",
            plies((*max).into())
        ),
        Outcome::Undecided(least, limit) => {
            let (limit, option) = match limit {
                Limit::Positions => (counted(args.nodes, "position"), "--nodes"),
                Limit::Memory => (format!("{} MiB", grouped(args.memory.into())), "--memory"),
            };
            format!(
                "undecided: every game has at least {}; the limit of {limit} ended the search, {option} raises it",
                plies((*least).into())
            )
        }
    };
    if args.json {
        json::print(&failure(&outcome, positions))?;
    }
    say(format_args!("{reason}"));
    Ok(ExitCode::FAILURE)
}

fn failure(outcome: &Outcome, positions: u64) -> Proof {
    let (result, at_least) = match outcome {
        Outcome::Undecided(plies, _) => (notation::Outcome::Undecided, Some(u64::from(*plies))),
        Outcome::NoneWithin(plies) => (notation::Outcome::NoneWithin, Some(u64::from(*plies) + 1)),
        _ => (notation::Outcome::Never, None),
    };
    Proof {
        result,
        movetext: None,
        plies: None,
        integer: None,
        bits: None,
        at_least,
        positions,
    }
}

/// Prints a game, its integer, and the estimates of document 001.
fn write_game(moves: &[Move], positions: u64, as_json: bool) -> Result<()> {
    let integer = plain::encode(Position::default(), moves)
        .map_err(|error| Error::internal(format!("the game found is not legal: {error}")))?;
    let bits = integer.significant_bits();
    let text = movetext(moves);
    if as_json {
        return json::print(&Proof {
            result: notation::Outcome::Found,
            movetext: Some(text),
            plies: Some(moves.len() as u64),
            integer: Some(integer.to_string()),
            bits: Some(bits.into()),
            at_least: None,
            positions,
        });
    }
    let mut out = Output::stdout();
    let estimated = |value: usize, mean: u32, max: u32| {
        format!("{value} (document 001 estimates {mean} on average, {max} at most)")
    };
    let mut table = Table::without_header(2).left(1);
    let plies = estimated(moves.len(), ESTIMATED_MEAN_PLIES, ESTIMATED_MAX_PLIES);
    let bits = estimated(bits as usize, ESTIMATED_MEAN_BITS, ESTIMATED_MAX_BITS);
    table.row([&"plies", &plies]);
    table.row([&"bits", &bits]);
    table.row([&"integer", &integer]);
    let game = match moves {
        [] => "no moves: this is the starting position",
        _ => &text,
    };
    table.row([&"game", &game]);
    write!(out, "{table}")?;
    out.finish()
}

/// The moves as PGN movetext.
fn movetext(moves: &[Move]) -> String {
    let mut position = Position::default();
    let mut words = Vec::new();
    for (ply, &played) in moves.iter().enumerate() {
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        }
        let mut name = san::write(&Legal::new(&position), played)
            .as_bytes()
            .to_vec();
        position.play(played);
        name.extend(Legal::new(&position).sign());
        words.push(String::from_utf8_lossy(&name).into_owned());
    }
    words.join(" ")
}
