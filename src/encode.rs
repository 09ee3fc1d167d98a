//! `ign encode`

use std::{
    ffi::{OsStr, OsString},
    io::Write as _,
    path::Path,
    process::ExitCode,
};

use super::{
    common::Common,
    json::{
        self,
        notation::{Encoded, Residue, Signature},
    },
    messages::say,
    notation::NotationArgs,
    numbers::{counted, plies},
    output::Output,
};
use ign_archive::{
    Error, ErrorKind as Kind, Input, Result, integers,
    query::{format_a, format_b},
};

const EXAMPLES: &str = "\
Examples:
  ign encode \"1. f3 e5 2. g4 Qh4#\"
  ign encode -v --coding ign-end games.pgn
  ign encode --mod \"1. f3 e5\"
  ign get games.ign 1240 | ign encode --hex";

/// Encode the moves of games as integers
///
/// The argument is movetext, a PGN file, or - for standard input. Go games are given as SGF. Files
/// may be compressed (.zst, .gz, .bz2). The tags FEN and Variant set the starting position and the
/// rules. One integer is printed for each game, on a line of its own.
///
/// With --mod, the residue and the modulus that are common to the integers of all games with this
/// opening are printed instead: 1. f3 e5 is 195 mod 400.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Movetext, or a PGN or SGF file
    #[arg(value_name = "MOVES|FILE", default_value = "-")]
    moves: Vec<OsString>,
    /// Print the residue and the modulus of all games that begin with these moves
    #[arg(long = "mod", conflicts_with = "verbose")]
    residue: bool,
    #[command(flatten)]
    notation: NotationArgs,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let (text, file) = read_input(&args.moves)?;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let in_file = |error: Error| match &file {
        // Wrong content of a file is corrupt input; wrong movetext in an argument is a usage error.
        Some(file) if error.kind() == Kind::Usage => {
            Error::corrupt(error.to_string()).in_file(file)
        }
        Some(file) => error.in_file(file),
        None => error,
    };
    let mut output = Output::stdout();
    let summary = if args.residue {
        write_residues(args, text, &mut output)
    } else {
        write_integers(args, text, &mut output)
    };
    // The games before a wrong one are printed before the error.
    output.finish()?;
    let summary = summary.map_err(in_file)?;
    if !common.quiet && !args.notation.json {
        for line in summary {
            say(format_args!("{line}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// File name extensions, beside those of compressed files. Movetext does not end with any of them.
const EXTENSIONS: [&str; 4] = ["pgn", "sgf", "txt", "ign"];

/// The text to encode, and the name of the file that contains it.
fn read_input(moves: &[OsString]) -> Result<(Vec<u8>, Option<String>)> {
    if let [one] = moves {
        let path = Path::new(one);
        let mut known = EXTENSIONS.iter().chain(Input::COMPRESSED);
        let mut is_known = |extension: &OsStr| known.any(|known| *known == extension);
        if one == "-" || path.exists() || path.extension().is_some_and(&mut is_known) {
            let input = Input::from_name(path);
            let name = input.display().display().to_string();
            return Ok((input.text()?, Some(name)));
        }
    }
    let words = moves.iter().map(|word| word.to_string_lossy());
    Ok((words.collect::<Vec<_>>().join(" ").into_bytes(), None))
}

/// Prints the integers of the games. Returns lines that summarize them.
fn write_integers(args: &Args, text: &[u8], output: &mut Output) -> Result<Vec<String>> {
    let notation = &args.notation;
    let (mut games, mut total_plies, mut bits) = (0, 0, 0);
    let mut signature = String::new();
    integers::encode(text, &notation.options(), notation.verbose, |game| {
        games += 1;
        total_plies += game.plies as u64;
        bits += u64::from(game.integer.significant_bits());
        let (a, b) = (format_a(&game.signature), format_b(&game.signature));
        let integer = notation.format(&game.integer);
        if notation.json {
            let encoded = Encoded {
                integer,
                bits: game.integer.significant_bits().into(),
                plies: game.plies as u64,
                ending: game.ending.map(integers::ending_name),
                signature: Signature { a, b },
                moves: notation.digits(&game.steps, &game.integer),
            };
            return Ok(json::write(output, &encoded)?);
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
    let suffix = match games {
        0 => return Err(Error::usage("the text contains no game")),
        1 => signature,
        _ => format!(" in {}", counted(games, "game")),
    };
    let (bits, plies) = (counted(bits, "bit"), plies(total_plies));
    Ok(vec![format!("{bits}, {plies}{suffix}")])
}

/// Prints the residue and modulus of each line of moves. Returns explanations.
fn write_residues(args: &Args, text: &[u8], output: &mut Output) -> Result<Vec<String>> {
    let notation = &args.notation;
    let mut notes = Vec::new();
    let mut lines = 0;
    integers::residue(text, &notation.options(), |line| {
        lines += 1;
        let [residue, modulus, least] =
            [&line.residue, &line.modulus, &line.least].map(|integer| notation.format(integer));
        if notation.json {
            let plies = line.plies as u64;
            let residue = Residue {
                residue,
                modulus,
                least,
                plies,
            };
            return Ok(json::write(output, &residue)?);
        }
        writeln!(output, "{residue} mod {modulus}")?;
        if least != residue {
            notes.push(format!(
                "the least integer of such a game is {least}; smaller integers with this residue are shorter games"
            ));
        }
        Ok(())
    })?;
    if lines == 0 {
        return Err(Error::usage("the text contains no moves"));
    }
    Ok(notes)
}
