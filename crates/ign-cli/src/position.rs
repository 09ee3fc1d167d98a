//! `ign position`

use std::{io::Write, process::ExitCode, time::Instant};

use serde_json::json;

use super::{Common, counted, grouped, output::Output, progress::with_words, say, seconds};
use ign_endgame::proof::{
    ESTIMATED_MAX_BITS, ESTIMATED_MAX_PLIES, ESTIMATED_MEAN_BITS, ESTIMATED_MEAN_PLIES,
    packed::MAX_PIECES,
    search::{Limit, Limits, Outcome, Progress, shortest},
};
use ign_format::error::{Error, Result};
use ign_notation::{
    chess::{Legal, Move, Position, san},
    plain,
};

/// Find the shortest game that reaches a position, and its integer
///
/// The search goes breadth-first from the usual start and from the position back, and is exact: no
/// shorter game exists, or it is said which limit ended the search. Move counters of the FEN are
/// of no account; castling rights and a right to take in passing are.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The position
    #[arg(value_name = "FEN")]
    fen: String,
    /// The longest games to look for, in half-moves
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    plies: u32,
    /// The most positions to look at
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
    let fault = |error: &dyn std::fmt::Display| {
        Error::usage(format!("'{}' is no position of a game: {error}", args.fen))
    };
    let goal = Position::from_fen(args.fen.as_bytes()).map_err(|error| fault(&error))?;
    // No game has more pieces than the start, and a packed position has no room for them.
    if goal.occupied().count() > MAX_PIECES {
        return Err(fault(&"more than 32 pieces"));
    }
    let limits = Limits {
        plies: args.plies,
        positions: args.nodes,
        memory: u64::from(args.memory) << 20,
    };
    let start = Instant::now();
    let (outcome, positions) = with_words(!common.quiet, |words| {
        let told = |stage: Progress| {
            words.say(format!(
                "games of {} half-moves: {} forwards, {} back, {} positions",
                stage.plies,
                stage.depths.0,
                stage.depths.1,
                grouped(stage.positions)
            ));
        };
        shortest(&goal, limits, &told)
    });
    if !common.quiet {
        say(format_args!(
            "{} looked at, {}",
            counted(positions, "position"),
            seconds(start.elapsed())
        ));
    }
    let message = match &outcome {
        Outcome::Found(moves) => {
            found(moves, positions, args.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        Outcome::Never => "no game reaches this position, however long".to_string(),
        Outcome::NoneWithin(plies) => {
            format!("none within {plies} half-moves; --plies looks for longer games")
        }
        Outcome::Undecided(plies, limit) => {
            let (limit, option) = match limit {
                Limit::Positions => (counted(args.nodes, "position"), "--nodes"),
                Limit::Memory => (format!("{} MiB", grouped(args.memory.into())), "--memory"),
            };
            format!(
                "not decided: every game has {plies} half-moves or more; the limit of {limit} ended the search, {option} raises it"
            )
        }
    };
    if args.json {
        let (result, least) = match outcome {
            Outcome::Undecided(plies, _) => ("undecided", Some(plies)),
            Outcome::NoneWithin(plies) => ("none within", Some(plies + 1)),
            _ => ("never", None),
        };
        let mut out = Output::stdout();
        let value = json!({"result": result, "at_least": least, "positions": positions});
        writeln!(out, "{value:#}")?;
        out.finish()?;
    }
    say(format_args!("{message}"));
    Ok(ExitCode::FAILURE)
}

/// Tells a game, its integer, and what document 001 had estimated.
fn found(moves: &[Move], positions: u64, as_json: bool) -> Result<()> {
    let integer = plain::encode(Position::default(), moves)
        .map_err(|error| Error::internal(format!("a game found is none: {error}")))?;
    let bits = integer.significant_bits();
    let text = movetext(moves);
    let mut out = Output::stdout();
    if as_json {
        let value = json!({
            "result": "found",
            "moves": text,
            "plies": moves.len(),
            "integer": integer.to_string(),
            "bits": bits,
            "positions": positions,
        });
        writeln!(out, "{value:#}")?;
        return out.finish();
    }
    let mut row = |name: &str, value: String, note: String| {
        writeln!(
            out,
            "{}",
            format!("{name:<12}{value:>8}  {note}").trim_end()
        )
    };
    let estimate = |mean, most| format!("document 001 estimates {mean} on average, {most} at most");
    row(
        "half-moves",
        moves.len().to_string(),
        estimate(ESTIMATED_MEAN_PLIES, ESTIMATED_MAX_PLIES),
    )?;
    row(
        "bits",
        bits.to_string(),
        estimate(ESTIMATED_MEAN_BITS, ESTIMATED_MAX_BITS),
    )?;
    writeln!(out, "integer     {integer}")?;
    writeln!(out, "game        {text}")?;
    out.finish()
}

/// Moves as in a score sheet.
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
    if words.is_empty() {
        words.push("none: it is the start".into());
    }
    words.join(" ")
}
