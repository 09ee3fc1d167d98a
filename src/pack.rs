//! `ign pack`

use std::{
    fmt::Display,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use super::{
    archive_file::local_name,
    common::Common,
    destination::Destination,
    interrupt,
    json::{JsonArg, written::Packed},
    messages::say,
    numbers::{counted, grouped, percent, seconds},
    output::Output,
    pack_options::{CodingArg, ModelArgs, parse_block_size},
    parity::Percent,
    progress::with_bar,
    published::Published,
    sources::InputArgs,
};
use ign_archive::{
    Error, ErrorKind, Input, NewFile, NotUnderstoodCounts, Packer, Result,
    pack::{Summary, UnfinishedArchive},
    parity::ParityBuilder,
};

const EXAMPLES: &str = "\
Examples:
  ign pack games.pgn
  ign pack lichess_2013-01.pgn.zst -o 2013-01.ign
  ign pack --coding ign -T 4 a.pgn b.pgn -o ab.ign
  ign pack tournaments                    the files of a folder, to tournaments.ign
  find . -name '*.txt' -print0 | ign pack --files-from - -0 -o all.ign
  zcat games.pgn.gz | ign pack - > games.ign";

/// Pack games into an archive
///
/// Inputs are PGN files, SGF collections of Go games, or any other text, plain or compressed (.zst,
/// .gz, .bz2; detected from the content). ign unpack restores every byte. Without -o or -c the
/// archive is written next to the input, with the extension .ign; standard input is packed to
/// standard output.
///
/// --coding selects how moves are stored. With `weighted`, a model of human play gives likely moves
/// fewer bits. Archives are smallest; reading one game decodes its group of 16, and only programs
/// with the same model can read them. With `ign`, the moves of each game are one integer in Integer
/// Game Notation, and all legal moves cost the same. Moves take almost twice the space, and games
/// without clocks are packed and unpacked about five times as fast. `ign-end` is `ign` with end
/// moves, which record that the game ended or a draw was agreed; it saves nothing and serves the
/// study of that notation. Text is restored with every coding.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    inputs: InputArgs,
    #[command(flatten)]
    destination: Destination,
    /// Coding of the moves
    #[arg(long, value_enum, default_value_t = CodingArg::Weighted)]
    coding: CodingArg,
    /// Text per block, such as 64K or 16M; larger blocks are smaller in total, smaller blocks give
    /// faster access to single games [default: 8M]
    #[arg(short = 'B', long, value_name = "SIZE", value_parser = parse_block_size, default_value_t = Packer::DEFAULT_BLOCK_SIZE, hide_default_value = true)]
    block_size: usize,
    /// zstd level for comments and other text. From 20 on, context mixing is used instead where it
    /// is smaller: games with long comments take a sixth less space, but packing and reading them
    /// (even one game) takes half a second per million bytes of comments in a block. At any level
    /// this also applies to some comments of small files, and to blocks of up to a megabyte that
    /// contain no games
    #[arg(short, long, default_value_t = 16, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: i32,
    /// Do not decode each block to compare it with the input: a tenth to a third faster, but
    /// errors of this program or of the memory are found only when unpacking
    #[arg(long)]
    no_verify: bool,
    #[command(flatten)]
    models: ModelArgs,
    #[command(flatten)]
    published: Published,
    /// Continue OUT.part, which this command has left when it was stopped: the inputs are read
    /// again, and text whose blocks are there is compared with them instead of being packed.
    /// Without such a file a new archive is started, and kept from its first block on
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    json: JsonArg,
    /// Add recovery shards for this share of the archive, so that ign recover can repair damage:
    /// 2%
    #[arg(long, value_name = "PERCENT")]
    parity: Option<Percent>,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let inputs = args.published.of_inputs(args.inputs.inputs(common)?)?;
    let total = total_len(&inputs)?;
    let (mut output, path) = open_output(args, &inputs)?;
    let name = path.display();
    if args.parity.is_some() {
        // An output that cannot be read again is refused before the work.
        output.as_file().map_err(|e| e.in_file(&path))?;
    }
    let packer = Packer::new()
        .coding(args.coding.into())
        .level(args.level)
        .verify(!args.no_verify)
        .block_size(args.block_size)
        .threads(common.threads());
    let mut packer = args.published.of_packer(args.models.apply(packer)?);
    let file = output.new_file();
    if args.resume {
        let file = file.ok_or_else(|| {
            Error::usage("--resume continues a file").with_remedy("name a regular file with -o")
        })?;
        let kept = UnfinishedArchive::of(file)?;
        if !common.quiet && !args.json.is_given() && kept.blocks() > 0 {
            say(format_args!(
                "{}: continuing after {}, {}",
                file.part_path().display(),
                counted(kept.games(), "game"),
                counted(kept.text_len(), "byte")
            ));
        }
        packer = packer.resume(kept);
    }
    let part = file.map(NewFile::part_path);
    let names = Names::of(&inputs);
    let packed = with_bar(!common.quiet, total, |on_progress| {
        packer.on_progress(on_progress).pack(inputs, output)
    });
    let failed = |error: Error| match part.as_ref().filter(|part| part.exists()) {
        // It cannot be continued with these options.
        Some(part) if args.resume && error.kind() == ErrorKind::Usage => error.in_file(part),
        Some(part) => {
            say(format_args!("{}", interrupt::kept(part)));
            error.in_file(&path)
        }
        None => error.in_file(&path),
    };
    let (mut output, summary) = packed.map_err(failed)?;
    let parity = match args.parity {
        None => None,
        Some(Percent(percent)) => {
            let add =
                |output: &mut Output| ParityBuilder::new(percent).add_to_file(output.as_file()?);
            Some(add(&mut output).map_err(failed)?)
        }
    };
    output.finish().map_err(failed)?;
    let report = Packed::new(&path, &summary, parity.as_ref(), start);
    args.json.report(common, &report, || {
        let time = seconds(start.elapsed());
        say(format_args!(
            "{name}: {} in {time}",
            described("packed", &summary)
        ));
        if let Some(parity) = parity {
            say(format_args!(
                "{name}: {}",
                super::parity::described(&parity)
            ));
        }
        for note in notes(&summary, &names) {
            say(format_args!("{name}: {note}"));
        }
    })?;
    Ok(status(name, &summary))
}

/// The exit status of an internal error.
const INTERNAL: u8 = 3;

/// The exit status of packing: that of an internal error, which is reported, if blocks are stored
/// in a simpler encoding.
pub fn status(name: impl Display, summary: &Summary) -> ExitCode {
    let Some(first) = summary.fallbacks.first else {
        return ExitCode::SUCCESS;
    };
    let (first, blocks) = (grouped(first), counted(summary.fallbacks.blocks, "block"));
    say(format_args!(
        "ign: {name}: {blocks} did not decode to the input, the first is block {first}: the archive is complete and \
         verified, and these games are stored in a simpler form. This is a defect of ign; please report it with the input"
    ));
    INTERNAL.into()
}

/// Bytes of all inputs, if they are known.
///
/// # Errors
/// As [`Input::len`].
pub fn total_len(inputs: &[Input]) -> Result<Option<u64>> {
    inputs.iter().try_fold(Some(0), |total, input| {
        Ok(input.len()?.zip(total).map(|(len, sum)| len + sum))
    })
}

/// Opens the archive that is written. Returns its name too.
fn open_output(args: &Args, inputs: &[Input]) -> Result<(Output, PathBuf)> {
    let default = || match (&args.inputs.inputs[..], inputs) {
        // The name of a folder has no extension.
        ([folder], _) if folder.is_dir() && folder.file_name().is_some() => {
            let mut name = folder.components().as_path().as_os_str().to_owned();
            name.push(".ign");
            Ok(Some(name.into()))
        }
        (_, [input]) => Ok(input.path().map(archive_name)),
        _ => Err(Error::usage("several inputs need a name for the archive")
            .with_remedy("name it with -o")),
    };
    match args.destination.path(default)? {
        None => {
            args.json.refuse_stdout()?;
            Ok((Output::binary_stdout()?, "standard output".into()))
        }
        Some(path) => {
            let files = inputs.iter().filter_map(Input::path);
            let files = files.chain(args.inputs.list()).chain(args.published.list());
            let files = files.chain(args.models.files());
            let resume = args.resume;
            let output = (args.destination).resumable_archive(&path, files, resume)?;
            Ok((output, path))
        }
    }
}

/// `games.pgn.zst` becomes `games.ign`.
fn archive_name(input: &Path) -> PathBuf {
    let mut name = local_name(input);
    for extension in Input::COMPRESSED {
        if name
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case(extension))
        {
            name.set_extension("");
        }
    }
    name.with_extension("ign")
}

/// `packed 5,000 games, 3,660,373 bytes into 176,543 bytes (35.31 bytes a game)`; `done` is the
/// first word.
pub fn described(done: &str, summary: &Summary) -> String {
    let Summary {
        games,
        text_len,
        archive_len,
        ..
    } = *summary;
    let mut line = format!(
        "{done} {}, {} into {}",
        counted(games, "game"),
        counted(text_len, "byte"),
        counted(archive_len, "byte")
    );
    if games > 0 {
        let each = archive_len as f64 / games as f64;
        line += &format!(" ({each:.2} bytes a game)");
    }
    line
}

/// How many of these games are not, or only partly, understood, and why; `None` without such games.
pub fn not_understood(counts: &NotUnderstoodCounts, games: u64) -> Option<String> {
    let total = counts.total();
    let reasons = counts
        .by_reason()
        .filter(|&(_, count)| count > 0)
        .map(|(reason, count)| format!("{} {}", reason.name(), grouped(count)));
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let verb = if total == 1 { "is" } else { "are" };
    (total > 0).then(|| {
        format!(
            "{} of {} {verb} not, or only partly, understood ({reasons})",
            grouped(total),
            counted(games, "game")
        )
    })
}

/// The names of inputs.
pub struct Names(Vec<String>);

impl Names {
    pub fn of(inputs: &[Input]) -> Self {
        let name = |input: &Input| match input.path() {
            Some(path) => path.display().to_string(),
            None => "standard input".to_owned(),
        };
        Self(inputs.iter().map(name).collect())
    }
}

/// The models of `--model` are reported if they take more than this fraction of what was written: a
/// trained model rarely saves more.
const LARGE_MODELS: u64 = 20;

/// A move model of `--model` is reported if a sample of the moves takes more than 1/100 more than
/// with the built-in one: less may be chance.
const LARGER_MOVES: u64 = 100;

/// What the user may not expect. `names` are those of the inputs.
pub fn notes(summary: &Summary, names: &Names) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(first) = summary.utf16.first {
        let first = usize::try_from(first)
            .ok()
            .and_then(|first| names.0.get(first));
        let first = first.map_or("", String::as_str);
        let which = match summary.utf16.inputs {
            1 => format!("{first} is UTF-16: it is"),
            inputs => format!(
                "{} are UTF-16, the first is {first}: they are",
                counted(inputs, "input")
            ),
        };
        notes.push(format!(
            "{which} packed as text without games; convert first: iconv -f UTF-16 -t UTF-8 OLD.pgn > NEW.pgn"
        ));
    }
    if summary.games == 0 {
        notes.push(match summary.text_len {
            0 => "no games found: there is no text".into(),
            _ => "no games found (extract .zip, .7z, .xz and similar files before packing)".into(),
        });
    }
    if summary.unread > 0 {
        notes.push(format!(
            "a block has too many tag names for its games: {} of text are not searched; pack with a smaller \
             --block-size",
            counted(summary.unread, "byte")
        ));
    }
    if summary.unused_models > 0 {
        notes.push(format!(
            "{} of --model: no game needs it",
            counted(summary.unused_models, "unused model")
        ));
    }
    if summary.models_len > summary.archive_len / LARGE_MODELS {
        notes.push(format!(
            "the models of --model take {}, {} of this: it is probably smaller with the built-in ones",
            counted(summary.models_len, "byte"),
            percent(summary.models_len, summary.archive_len)
        ));
    }
    let sample = summary.moves_sample;
    if sample.with_model > sample.with_builtin + sample.with_builtin / LARGER_MOVES {
        notes.push(format!(
            "the moves take about {} more with the move model of --model than with the built-in one: leave it out",
            percent(sample.with_model - sample.with_builtin, sample.with_builtin)
        ));
    }
    let not_understood = not_understood(&summary.not_understood, summary.games);
    let advice = "'ign list --not-understood' lists such games";
    notes.extend(not_understood.map(|note| format!("{note}; {advice}")));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archive_is_named_after_the_input() {
        assert_eq!(
            archive_name(Path::new("a/games.pgn.zst")),
            Path::new("a/games.ign")
        );
        assert_eq!(archive_name(Path::new("games.pgn")), Path::new("games.ign"));
        assert_eq!(archive_name(Path::new("games")), Path::new("games.ign"));
    }
}
