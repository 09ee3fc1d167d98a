//! `ign decode`

use std::{
    io::{self, Read as _, Write as _},
    process::ExitCode,
};

use serde_json::json;

use super::{
    Common, counted,
    notation::{NotationArgs, read_integer},
    output::Output,
    say,
};
use ign_archive::integers as prompt;
use ign_format::error::{Error, Kind, Result};

/// Turn integers back into the moves of games
///
/// Integers are decimal, hexadecimal behind 0x or in bits behind 0b. The options must be those the
/// integer was made with: an integer does not say which, nor which game it is of. With --go it is one
/// of Go, and what is printed is SGF.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Integers; `-` reads them from standard input, one a line
    #[arg(value_name = "INTEGER", default_value = "-")]
    integers: Vec<String>,
    /// How many half-moves the game has, with --coding counted
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// The game is Go; it starts as the head of an SGF record says: --go='(;SZ[9])'
    #[arg(long, value_name = "HEAD", num_args = 0..=1, require_equals = true, default_missing_value = "(;)")]
    go: Option<String>,
    #[command(flatten)]
    notation: NotationArgs,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let notation = &args.notation;
    let options = prompt::Options {
        go: args.go.clone(),
        ..notation.options()
    };
    let from_stdin = args.integers == ["-"];
    // Each with the number of its line.
    let mut integers: Vec<_> = args.integers.iter().map(|i| (1, i.clone())).collect();
    if from_stdin {
        let mut text = String::new();
        let read = io::stdin().read_to_string(&mut text);
        read.map_err(|_| Error::corrupt("not text").in_file("standard input"))?;
        let words = (1..).zip(text.lines()).flat_map(|(number, line)| {
            line.split_whitespace()
                .map(move |word| (number, word.to_string()))
        });
        integers = words.collect();
    }
    if integers.is_empty() {
        return Err(Error::usage("there is no integer"));
    }
    let mut output = Output::stdout();
    let mut plies = 0;
    for (line, integer) in &integers {
        let decoded = read_integer(integer).and_then(|integer| {
            let decoded = prompt::decode(&integer, args.plies, &options)?;
            Ok((integer, decoded))
        });
        let (integer, game) = decoded.map_err(|error| match error.kind() {
            Kind::Usage if from_stdin => {
                Error::corrupt(format!("line {line}: {error}")).in_file("standard input")
            }
            _ => error,
        })?;
        plies += game.plies as u64;
        if notation.json {
            let mut value = json!({
                if args.go.is_some() { "sgf" } else { "pgn" }: game.pgn,
                "plies": game.plies,
                "ending": game.ending.map(prompt::ending_name),
            });
            if notation.verbose {
                value["moves"] = notation.steps_json(&game.steps, &integer);
            }
            writeln!(output, "{value}")?;
            continue;
        }
        if notation.verbose {
            write!(output, "{}", notation.table(&game.steps, &integer))?;
        }
        writeln!(output, "{}", game.pgn)?;
    }
    output.finish()?;
    if !common.quiet && !notation.json {
        let thing = if args.go.is_some() {
            "move"
        } else {
            "half-move"
        };
        say(format_args!("{}", counted(plies, thing)));
    }
    Ok(ExitCode::SUCCESS)
}
