//! `ign pack`

use std::{path::PathBuf, process::ExitCode, time::Instant};

use clap::ValueEnum;

use super::{
    Common, counted, destination::Destination, grouped, output::Output, progress::with_bar, say,
    seconds,
};
use ign_archive::{
    pipeline::{
        pack::{BLOCK_SIZES, DEFAULT_BLOCK_SIZE, PackOptions, pack},
        source::Input,
    },
    writer::Summary,
};
use ign_format::{
    block::{Coding, encode::Options},
    error::{Error, Result},
};

/// Pack games into an archive
///
/// Inputs are PGN, plain or compressed (.zst, .gz, .bz2; what they are is told by their bytes),
/// SGF collections of games of Go, or any other text. Whatever they hold comes back to the byte.
/// Without -o or -c the archive stands beside the input and is called as it is, with .ign; that of
/// standard input goes to standard output.
///
/// Codings of moves: weighted asks a model of how people play, once for every move, and spends few
/// bits on likely ones. One game is had by decoding the 16 of its group, and only programs that have
/// the same model can read the archive. ign makes of each game one integer, which numbers the move
/// played among the legal ones; all count alike, and no model is asked. Moves take almost twice the
/// space then, and games without clocks are packed and unpacked some five times as fast. ign-end is
/// ign with a number more: that the game ended, or that a draw was agreed. It makes nothing
/// smaller; it is for those who study that notation. Whatever the coding, all text comes back.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Files to pack, one after the other; - is standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    destination: Destination,
    /// How moves are coded
    #[arg(long, value_enum, default_value_t = CodingArg::Weighted)]
    coding: CodingArg,
    /// Text in a block: larger packs tighter, smaller gives single games sooner (64K, 16M, ...) [default: 8M]
    #[arg(short = 'B', long, value_name = "SIZE", value_parser = parse_size, default_value_t = DEFAULT_BLOCK_SIZE, hide_default_value = true)]
    block_size: usize,
    /// zstd level of comments and other text; from 20 on they are told by their contexts instead, where
    /// that is shorter: games with long comments take a sixth less, but packing and reading them, a
    /// single game too, takes half a second for a million bytes of comments in a block. At any level so
    /// are some comments of small files, and blocks of up to a megabyte that hold no games
    #[arg(short, long, default_value_t = 16, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    /// Do not decode each block again to compare it with the input: a tenth to a third faster, but a
    /// fault of this program or of the memory would show only when unpacking
    #[arg(long)]
    no_verify: bool,
}

/// How moves become integers, as people ask for it.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum CodingArg {
    /// Likely moves shorter than others, by a model of how people play: smallest
    Weighted,
    /// Plain Integer Game Notation, an integer a game: quickest
    Ign,
    /// The same with end moves, which tell that the game ended or a draw was agreed: a little longer
    IgnEnd,
}

impl From<CodingArg> for Coding {
    fn from(coding: CodingArg) -> Self {
        match coding {
            CodingArg::Ign => Self::Ign,
            CodingArg::IgnEnd => Self::IgnEnd,
            CodingArg::Weighted => Self::Weighted,
        }
    }
}

/// Reads a block size.
pub(super) fn parse_size(text: &str) -> std::result::Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return Err("write a size such as 64K or 8M".into()),
    };
    let size = digits
        .parse::<usize>()
        .ok()
        .and_then(|n| n.checked_mul(unit));
    let size = size.ok_or("write a size such as 64K or 8M")?;
    if !BLOCK_SIZES.contains(&size) {
        return Err("blocks are from 4K to 64M".into());
    }
    Ok(size)
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let inputs: Vec<Input> = args
        .inputs
        .iter()
        .map(|path| Input::from_name(path))
        .collect();
    let mut total = Some(0);
    for input in &inputs {
        total = input.len()?.zip(total).map(|(len, sum)| len + sum);
    }
    let (output, name) = open_output(args, &inputs)?;
    let options = PackOptions {
        block: Options {
            coding: args.coding.into(),
            level: args.level,
            verify: !args.no_verify,
        },
        block_size: args.block_size,
        threads: common.threads(),
    };
    let (output, summary) = with_bar(!common.quiet, total, |progress| {
        pack(&inputs, output, &options, progress)
    })
    .map_err(|e| e.in_file(&name))?;
    output.finish()?;
    if !common.quiet {
        say(format_args!(
            "{name}: {}, {}",
            describe(&summary),
            seconds(start.elapsed())
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn open_output(args: &Args, inputs: &[Input]) -> Result<(Output, String)> {
    let default = || match inputs {
        [Input::Stdin] => Ok(None),
        [Input::File(path)] => Ok(Some(archive_name(path))),
        _ => Err(Error::usage("several inputs need a name for the archive")
            .with_remedy("name it with -o")),
    };
    match args.destination.path(default)? {
        None => Ok((Output::binary_stdout()?, "standard output".into())),
        Some(path) => {
            let files = inputs.iter().filter_map(|input| match input {
                Input::File(path) => Some(path.as_path()),
                Input::Stdin => None,
            });
            Ok((
                args.destination.file(&path, files)?,
                path.display().to_string(),
            ))
        }
    }
}

/// `games.pgn.zst` becomes `games.ign`.
fn archive_name(input: &std::path::Path) -> PathBuf {
    let mut name = input.to_path_buf();
    for extension in ["zst", "gz", "bz2"] {
        if name.extension().is_some_and(|e| e == extension) {
            name.set_extension("");
        }
    }
    name.with_extension("ign")
}

fn describe(summary: &Summary) -> String {
    let Summary {
        games,
        text_len,
        archive_len,
        partly_text,
        ..
    } = *summary;
    let mut line = format!(
        "{}, {} bytes of text in {} bytes",
        counted(games, "game"),
        grouped(text_len),
        grouped(archive_len)
    );
    if games > 0 {
        line += &format!(" ({:.2} a game)", archive_len as f64 / games as f64);
    }
    if games == 0 && text_len > 0 {
        line += " (no games are in it: what .zip, .7z and the like hold must be taken out first)";
    }
    if let Some(first) = partly_text.first {
        let count = grouped(partly_text.games);
        let which = if partly_text.games == 1 {
            "number"
        } else {
            "the first number"
        };
        line += &format!(
            ", {count} with moves kept as text ({which} {})",
            grouped(first + 1)
        );
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn sizes_have_units_and_bounds() {
        assert_eq!(parse_size("64K"), Ok(1 << 16));
        assert_eq!(parse_size("8MiB"), Ok(1 << 23));
        assert_eq!(parse_size("100000"), Ok(100_000));
        for wrong in [
            "",
            "K",
            "8G",
            "1",
            "65M",
            "99999999999999999999",
            "18446744073709551615K",
        ] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_archive_is_called_as_its_input() {
        assert_eq!(
            archive_name(Path::new("a/games.pgn.zst")),
            Path::new("a/games.ign")
        );
        assert_eq!(archive_name(Path::new("games.pgn")), Path::new("games.ign"));
        assert_eq!(archive_name(Path::new("games")), Path::new("games.ign"));
    }
}
