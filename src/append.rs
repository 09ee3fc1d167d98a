//! `ign append`

use std::{path::PathBuf, process::ExitCode, slice, time::Instant};

use super::{
    common::Common,
    index::unless_grown,
    interrupt::{Undo, Unfinished},
    json::{
        self, JsonArg,
        written::{Appended, Indexed},
    },
    messages::{advised, say},
    numbers::{counted, seconds},
    pack::{Names, described, notes, status, total_len},
    pack_options::{CodingArg, ModelArgs, parse_block_size},
    progress::with_bar,
    published::Published,
    sources::{InputArgs, warn_of_repeated},
};
use ign_archive::{
    Appender, Archive, Error, ErrorKind, Result,
    index::{self, IndexBuilder},
};

const EXAMPLES: &str = "\
Examples:
  ign append games.ign february.pgn
  ign append games.ign february.pgn.zst march.pgn.zst
  zcat april.pgn.gz | ign append games.ign -";

/// Append games to an archive
///
/// The games of the inputs follow those of the archive, as if all had been packed together. Bytes
/// of the archive are never written again: if the command is interrupted, or the disk is full, the
/// archive opens as it was before. Readers that have it open are not affected.
///
/// Inputs are those of ign pack. Coding, level and block size are those that the archive was packed
/// with, unless options say otherwise. ign merge appends archives to each other. An input with the
/// same text as one that is in the archive already is appended, with a warning. The games of the
/// archive are not read: ign verify finds damage.
///
/// A search index beside the archive is extended. Parity does not protect the new games: ign parity
/// adds more.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Archive to append to
    #[arg(value_name = "A.ign")]
    archive: PathBuf,
    #[command(flatten)]
    inputs: InputArgs,
    /// Coding of the moves of new games [default: that of the archive]
    #[arg(long, value_enum)]
    coding: Option<CodingArg>,
    /// Text per block, such as 64K or 16M [default: that of the archive]
    #[arg(short = 'B', long, value_name = "SIZE", value_parser = parse_block_size)]
    block_size: Option<usize>,
    /// zstd level for comments and other text, from 1 to 22, as for ign pack [default: that of the
    /// archive]
    #[arg(short, long, value_parser = clap::value_parser!(i32).range(1..=22))]
    level: Option<i32>,
    /// Do not decode each block to compare it with the input
    #[arg(long)]
    no_verify: bool,
    #[command(flatten)]
    models: ModelArgs,
    #[command(flatten)]
    published: Published,
    #[command(flatten)]
    json: JsonArg,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let inputs = args.inputs.inputs(common)?;
    for input in &inputs {
        if input.is_archive()? {
            return Err(Error::usage("is an archive, and ign append packs texts")
                .with_remedy("ign merge joins archives")
                .in_file(input.display()));
        }
    }
    let inputs = args.published.of_inputs(inputs)?;
    let total = total_len(&inputs)?;
    let (appender, unfinished) = Unfinished::new(
        || {
            Appender::open(&args.archive).map_err(|error| match error.kind() {
                ErrorKind::Io if !args.archive.exists() => {
                    error.with_remedy("ign pack makes an archive")
                }
                _ => error,
            })
        },
        |to| Undo::Append(args.archive.clone(), to.archive().end()),
    )?;
    let name = args.archive.display();
    let removed_bytes = appender.removed_len();
    let says = !common.quiet && !args.json.is_given();
    if removed_bytes > 0 && says {
        let removed = counted(removed_bytes, "byte");
        say(format_args!(
            "{name}: removed {removed} after the archive: writing them was interrupted"
        ));
    }
    let before = appender.archive().clone();
    let mut packer = appender
        .packer()?
        .verify(!args.no_verify)
        .threads(common.threads());
    if let Some(coding) = args.coding {
        packer = packer.coding(coding.into());
    }
    if let Some(level) = args.level {
        packer = packer.level(level);
    }
    if let Some(block_size) = args.block_size {
        packer = packer.block_size(block_size);
    }
    packer = args.published.of_packer(args.models.apply(packer)?);
    let names = Names::of(&inputs);
    let all = with_bar(!common.quiet, total, |on_progress| {
        appender.append(packer.on_progress(on_progress), inputs)
    })?;
    drop(unfinished);
    let mut new = all;
    new.games -= before.len();
    new.plies -= before.plies();
    new.text_len -= before.text_len();
    new.archive_len -= before.end();
    if says {
        say(format_args!(
            "{name}: {}, now {}, in {}",
            described("appended", &new),
            counted(all.games, "game"),
            seconds(start.elapsed())
        ));
        for note in notes(&new, &names) {
            say(format_args!("{name}: {note}"));
        }
    }
    // The games are in the archive: what fails from here on is reported and is no error.
    let mut search_index = None;
    match Archive::open(&args.archive) {
        Ok(archive) => {
            let known = before.sources().len();
            warn_of_repeated([&archive], known, common);
            search_index = extend_index(&archive.with_threads(common.threads()), says, common);
        }
        Err(error) => say(format_args!("warning: {}", advised(&error))),
    }
    if args.json.is_given() {
        json::print(&Appended {
            archive: json::name(&args.archive),
            amounts: (&all).into(),
            appended: (&new).into(),
            packing: (&new).into(),
            removed_bytes,
            search_index,
            seconds: json::seconds(start),
        })?;
    }
    Ok(status(name, &all))
}

/// Extends the search index beside an archive, if there is one, and says so if that is asked for.
fn extend_index(archive: &Archive, says: bool, common: &Common) -> Option<Indexed> {
    let index = index::path_of(archive.path());
    if !index.exists() {
        return None;
    }
    let archives = slice::from_ref(archive);
    let extended = with_bar(!common.quiet, None, |on_progress| {
        IndexBuilder::new()
            .on_progress(on_progress)
            .extend(&index, archives)
    });
    match extended {
        Ok(extended) => {
            if says {
                let games = counted(extended.summary.games, "game");
                let what = if extended.is_rebuilt {
                    "built again, with"
                } else {
                    "extended by"
                };
                say(format_args!("{}: {what} {games}", index.display()));
            }
            Some(Indexed::extended(&index, &extended))
        }
        Err(error) => {
            say(format_args!(
                "warning: {}; ign index -f {} builds it again",
                unless_grown(error, archives),
                archive.path().display()
            ));
            None
        }
    }
}
