//! `ign encode`

use std::{ffi::OsStr, io::Write as _, path::Path, process::ExitCode};

use serde_json::json;

use super::{Common, counted, notation::NotationArgs, output::Output, say};
use ign_archive::{
    integers as prompt,
    pipeline::source::Input,
    query::signature::{format_a, format_b},
};
use ign_format::error::{Error, Kind, Result};

/// Turn the moves of games into integers
///
/// Moves are given as in a score sheet, `ign encode "1. f3 e5 2. g4 Qh4#"`, or as a PGN file; `-`
/// reads standard input. Games of Go are given as SGF. Files may be compressed (.zst, .gz, .bz2).
/// Of each game one integer is printed, on a line of its own. Tags FEN and Variant say where a game
/// starts and by which rules it is played.
///
/// With --mod it is not the integer of a game that is printed but what the integers of all games
/// leave that begin so: 1. f3 e5 are 195 mod 400.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Moves, or a file of PGN or SGF
    #[arg(value_name = "MOVES|FILE", default_value = "-")]
    moves: Vec<String>,
    /// Print the residue and the modulus of games that begin so
    #[arg(long = "mod", conflicts_with = "verbose")]
    residue: bool,
    #[command(flatten)]
    notation: NotationArgs,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let (text, file) = input(&args.moves)?;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let in_file = |error: Error| match &file {
        // What a file says is no fault of the request.
        Some(file) if error.kind() == Kind::Usage => {
            Error::corrupt(error.to_string()).in_file(file)
        }
        Some(file) => error.in_file(file),
        None => error,
    };
    let mut output = Output::stdout();
    let words = match args.residue {
        true => residues(args, text, &mut output),
        false => integers(args, text, &mut output),
    };
    // The games before one that is wrong are good.
    output.finish()?;
    let words = words.map_err(in_file)?;
    if !common.quiet && !args.notation.json && !words.is_empty() {
        say(format_args!("{words}"));
    }
    Ok(ExitCode::SUCCESS)
}

/// What names of files end in; moves do not.
const EXTENSIONS: [&str; 7] = ["pgn", "sgf", "txt", "ign", "zst", "gz", "bz2"];

/// The text to encode, and the name of its file where it is from one.
fn input(moves: &[String]) -> Result<(Vec<u8>, Option<String>)> {
    if let [one] = moves {
        let path = Path::new(one);
        let is_name = |extension: &OsStr| EXTENSIONS.iter().any(|known| *known == extension);
        if one == "-" || path.exists() || path.extension().is_some_and(is_name) {
            let input = Input::from_name(path);
            let name = input.display().display().to_string();
            return Ok((input.text()?, Some(name)));
        }
    }
    Ok((moves.join(" ").into_bytes(), None))
}

/// Prints the integers of the games; gives what there is to say of them.
fn integers(args: &Args, text: &[u8], output: &mut Output) -> Result<String> {
    let notation = &args.notation;
    let (mut games, mut plies, mut bits) = (0, 0, 0);
    let mut signature = String::new();
    prompt::encode(text, &notation.options(), notation.verbose, |game| {
        games += 1;
        plies += game.plies as u64;
        bits += u64::from(game.integer.significant_bits());
        let (a, b) = (format_a(&game.signature), format_b(&game.signature));
        let integer = notation.spell(&game.integer);
        if notation.json {
            let mut value = json!({
                "integer": integer,
                "bits": game.integer.significant_bits(),
                "plies": game.plies,
                "ending": game.ending.map(prompt::ending_name),
                "signature": {"a": a, "b": b},
            });
            if notation.verbose {
                value["moves"] = notation.steps_json(&game.steps, &game.integer);
            }
            writeln!(output, "{value}")?;
            return Ok(());
        }
        if notation.verbose {
            write!(output, "{}", notation.table(&game.steps, &game.integer))?;
        }
        writeln!(output, "{integer}")?;
        if game.signature[0].is_some() {
            signature = format!(", signature A={a} B={b}");
        }
        Ok(())
    })?;
    let of_which = match games {
        0 => return Err(Error::usage("there is no game in the text")),
        1 => signature,
        _ => format!(" in {}", counted(games, "game")),
    };
    let (bits, plies) = (counted(bits, "bit"), counted(plies, "half-move"));
    Ok(format!("{bits}, {plies}{of_which}"))
}

/// Prints what the integers of games that begin so leave; gives what there is to say of it.
fn residues(args: &Args, text: &[u8], output: &mut Output) -> Result<String> {
    let notation = &args.notation;
    let mut words = Vec::new();
    let mut lines = 0;
    prompt::residue(text, &notation.options(), |line| {
        lines += 1;
        let [residue, modulus, least] = [
            &line.residue.residue(),
            line.residue.modulus(),
            line.residue.least(),
        ]
        .map(|integer| notation.spell(integer));
        if notation.json {
            let value = json!({"residue": residue, "modulus": modulus, "least": least, "plies": line.plies});
            writeln!(output, "{value}")?;
            return Ok(());
        }
        writeln!(output, "{residue} mod {modulus}")?;
        if least != residue {
            words.push(format!(
                "the least integer of such a game is {least}: a smaller one of this residue is a shorter game"
            ));
        }
        Ok(())
    })?;
    if lines == 0 {
        return Err(Error::usage("there are no moves in the text"));
    }
    Ok(words.join("\n"))
}
