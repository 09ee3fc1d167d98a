//! `ign recover`

use std::{
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use super::{
    common::Common,
    content::Content,
    damaged::LEFT_OUT,
    json::{JsonArg, checked::Recovery},
    messages::{printable, say},
    numbers::{counted, grouped, seconds},
    output::Output,
    progress::with_bar,
};
use ign_archive::{
    Error, ModelFile, Recoverer, Result,
    location::open_archive_file,
    recover::{Lost, Method, Recovered},
    text::games_text,
};

const EXAMPLES: &str = "\
Examples:
  ign recover bad.ign -o good.ign
  ign recover bad.ign -o good.ign --lost lost.tsv
  ign recover bad.ign -o good.ign --model club.model
  ign recover cut.ign -o good.ign --json > report.json";

/// Recover the intact parts of a damaged archive
///
/// If the archive has parity (ign pack --parity, ign parity), damage up to its bound is repaired,
/// and the new file has the bytes of the archive before it was damaged. Otherwise a new archive is
/// made: blocks are found by the index, or by a scan if it is lost, and every block that is whole
/// is verified and copied; index and footer are written again. Of a truncated archive, all blocks
/// before the cut are recovered. Of a block of which comments or other columns are damaged, but not
/// the moves, the games are packed again with all that can be decoded without these columns. A new
/// archive has no parity: ign parity adds it.
///
/// The damaged archive is not changed. Lost games, and games of which columns are lost, are
/// reported by their numbers in it.
///
/// Exit status: 0 if everything was recovered; 4 if games, or parts of games, are lost or may be; 2
/// if nothing of an archive is found; 1 for other errors.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub struct Args {
    /// Damaged archive
    #[arg(value_name = "BAD.ign")]
    archive: PathBuf,
    /// Archive to write
    #[arg(short, long, value_name = "GOOD.ign", required = true)]
    output: PathBuf,
    /// Overwrite an existing file
    #[arg(short, long)]
    force: bool,
    /// Write a line for each game of which anything is lost and whose number is known: its fields
    /// as ign list prints them, a dash for what is lost, and the names of the lost columns, or
    /// "all" for a game that is not in the new archive
    #[arg(long, value_name = "LOST.tsv")]
    lost: Option<PathBuf>,
    /// Restore this model, the file that ign pack --model was given, if both copies in the archive
    /// are damaged
    #[arg(long, value_name = "FILE")]
    model: Vec<PathBuf>,
    #[command(flatten)]
    json: JsonArg,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let start = Instant::now();
    let path = &args.archive;
    if args.output.as_os_str() == "-" {
        return Err(Error::usage(
            "what is recovered is read again, so it is not written to standard output",
        )
        .with_remedy("name a file with -o"));
    }
    let (source, name) = open_archive_file(path)?;
    let models = args
        .model
        .iter()
        .map(ModelFile::open)
        .collect::<Result<Vec<_>>>()?;
    Output::refuse_inputs(&args.output, [path.as_path()])?;
    Content::Archive.check_name(&args.output)?;
    if let Some(list) = &args.lost {
        Output::refuse_inputs(list, [path.as_path()])?;
        if *list == args.output {
            return Err(Error::usage("-o and --lost name the same file").in_file(list));
        }
    }
    let mut output = Output::file(&args.output, args.force)?;
    let recovered = with_bar(!common.quiet, None, |on_progress| {
        (models.into_iter().fold(Recoverer::new(), Recoverer::model))
            .threads(common.threads())
            .on_progress(on_progress)
            .recover(&*source, &name, output.as_file()?)
    })
    .map_err(|e| e.in_file(&args.output))?;
    let mut outputs = vec![output];
    if let Some(list) = &args.lost {
        let write = || write_lost(list, args.force, &recovered);
        outputs.push(write().map_err(|e| e.in_file(list))?);
    }
    Output::finish_all(outputs)?;
    let report = Recovery::new(&name, &args.output, &recovered, start);
    args.json.report(common, &report, || {
        for line in lines(&recovered) {
            say(format_args!("{}: {line}", name.display()));
        }
        say(format_args!(
            "{}: {}, {} bytes in {}",
            args.output.display(),
            counted(recovered.games, "game"),
            grouped(recovered.archive_len),
            seconds(start.elapsed())
        ));
    })?;
    Ok(if recovered.is_complete() {
        ExitCode::SUCCESS
    } else {
        LEFT_OUT.into()
    })
}

/// The report, a sentence a line.
fn lines(recovered: &Recovered) -> Vec<String> {
    let mut lines = recovered.notes.clone();
    match &recovered.method {
        Method::Copied => lines.push("nothing is damaged".into()),
        Method::Repaired(bytes) => {
            let len: u64 = bytes.iter().map(|bytes| bytes.end - bytes.start).sum();
            lines.push(match len {
                0 => "parity itself was damaged, and is written again".into(),
                _ => format!("repaired {} bytes by parity", grouped(len)),
            });
        }
        _ => {}
    }
    for lost in &recovered.lost {
        lines.push(match (&lost.games, lost.block) {
            (Some(games), Some(block)) => {
                let tags = if lost.known.is_empty() {
                    ""
                } else {
                    "; some of their tags are known (--lost)"
                };
                let games = games_text(games);
                format!("lost {games}, block {block}: {}{tags}", lost.reason)
            }
            (None, Some(block)) => format!("lost block {block} without games: {}", lost.reason),
            (_, None) => format!(
                "lost {} bytes at byte {}, which may have been blocks",
                grouped(lost.bytes.end - lost.bytes.start),
                lost.bytes.start
            ),
        });
    }
    for reduced in &recovered.reduced {
        let games = reduced.games.as_ref().map_or("no games".into(), games_text);
        let with = if reduced.lost_with.is_empty() {
            String::new()
        } else {
            format!(
                "; lost with them, because they depend on them: {}",
                printable(&reduced.lost_with.join(", "))
            )
        };
        lines.push(format!(
            "{games} are recovered without some columns; damaged: {}{with}",
            printable(&reduced.columns.join(", "))
        ));
    }
    lines
}

/// Writes a line for each game of which anything is lost, in the order of their numbers. The file
/// has no name yet.
fn write_lost(path: &Path, force: bool, recovered: &Recovered) -> Result<Output> {
    let mut output = BufWriter::new(Output::file(path, force)?);
    let nothing = vec!["-"; ign_archive::Archive::LIST_FIELDS.len()]
        .join("\t")
        .into_bytes();
    let lost = recovered.lost.iter().map(|lost| (lost, "all".to_owned()));
    let reduced = recovered.reduced.iter().map(|reduced| {
        let columns = [&reduced.columns[..], &reduced.lost_with].concat();
        (reduced, columns.join(", ").replace(char::is_control, " "))
    });
    let mut all: Vec<(&Lost, String)> = lost.chain(reduced).collect();
    all.sort_by_key(|(lost, _)| lost.block);
    for (lost, columns) in all {
        let games = lost.games.clone().into_iter().flatten();
        for (place, game) in games.enumerate() {
            write!(output, "{game}\t")?;
            output.write_all(lost.known.get(place).unwrap_or(&nothing))?;
            writeln!(output, "\t{columns}")?;
        }
    }
    let output = output.into_inner();
    Ok(output.map_err(std::io::IntoInnerError::into_error)?)
}
