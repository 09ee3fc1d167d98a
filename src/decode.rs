//! `ign decode`

use std::{
    io::{self, Read as _, Write as _},
    process::ExitCode,
};

use super::{
    common::Common,
    json::{self, notation::Decoded},
    messages::say,
    notation::{NotationArgs, parse_integer},
    numbers::{counted, plies},
    output::Output,
};
use ign_archive::integers;
use ign_archive::{Error, ErrorKind as Kind, Result};

const EXAMPLES: &str = "\
Examples:
  ign decode 143395
  ign decode --coding counted --rotated --plies 4 225833
  ign decode `--go='(;SZ[9])'` 73
  ign encode games.pgn | ign decode";

/// Decode integers to the moves of games
///
/// Prints PGN, or SGF with --go. An integer does not record how it was made: give the options that
/// ign encode was given.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Integers: decimal, hexadecimal after 0x, or binary after 0b; - reads standard input
    #[arg(value_name = "INTEGER", default_value = "-")]
    integers: Vec<String>,
    /// Number of plies of the game, for --coding counted
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Decode a Go game; HEAD is an SGF record with the board and the handicap: `--go='(;SZ[9])'`
    #[arg(long, value_name = "HEAD", num_args = 0..=1, require_equals = true, default_missing_value = "(;)")]
    go: Option<String>,
    #[command(flatten)]
    notation: NotationArgs,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let notation = &args.notation;
    let options = notation.options().go(args.go.clone());
    let from_stdin = args.integers == ["-"];
    let numbered = if from_stdin {
        read_stdin()?
    } else {
        args.integers.iter().map(|i| (1, i.clone())).collect()
    };
    if numbered.is_empty() {
        return Err(Error::usage("the input contains no integer"));
    }
    let mut output = Output::stdout();
    let mut total_plies = 0;
    for (line, integer) in &numbered {
        let decoded = parse_integer(integer).and_then(|integer| {
            let decoded = integers::decode(&integer, args.plies, &options)?;
            Ok((integer, decoded))
        });
        let (integer, game) = decoded.map_err(|error| match error.kind() {
            Kind::Usage if from_stdin => {
                Error::corrupt(format!("line {line}: {error}")).in_file("standard input")
            }
            _ => error,
        })?;
        total_plies += game.plies as u64;
        if notation.json {
            let (pgn, sgf) = match args.go {
                None => (Some(game.pgn), None),
                Some(_) => (None, Some(game.pgn)),
            };
            let decoded = Decoded {
                pgn,
                sgf,
                plies: game.plies as u64,
                ending: game.ending.map(integers::ending_name),
                moves: notation.digits(&game.steps, &integer),
            };
            json::write(&mut output, &decoded)?;
            continue;
        }
        if notation.verbose {
            write!(output, "{}", notation.table(&game.steps, &integer))?;
        }
        writeln!(output, "{}", game.pgn)?;
    }
    output.finish()?;
    if !common.quiet && !notation.json {
        let total = match args.go {
            Some(_) => counted(total_plies, "move"),
            None => plies(total_plies),
        };
        say(format_args!("{total}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// The words on standard input, each with the number of its line.
fn read_stdin() -> Result<Vec<(usize, String)>> {
    let mut text = String::new();
    let read = io::stdin().read_to_string(&mut text);
    read.map_err(|_| Error::corrupt("not text").in_file("standard input"))?;
    let words = (1..).zip(text.lines()).flat_map(|(number, line)| {
        line.split_whitespace()
            .map(move |word| (number, word.to_string()))
    });
    Ok(words.collect())
}
