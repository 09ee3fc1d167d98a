//! `ign duplicates`

use std::{io::Write, path::PathBuf, process::ExitCode};

use serde_json::{Map, Value, json};

use super::{
    Common, clean, counted,
    destination::Destination,
    grouped,
    output::{Output, Scratch},
    progress::with_bar,
    say,
};
use ign_archive::{
    pipeline::{
        Progress,
        pack::{PackOptions, pack},
        source::Input,
        unpack::unpack_without,
    },
    query::{
        duplicates::{Collection, Duplicates, Group, Options},
        list,
    },
    reader::Archive,
    stats::gather::is_archive,
};
use ign_format::{
    block::{Coding, encode},
    error::{Error, Result},
};

/// Find games that were played twice, in one collection or in several
///
/// Games are the same when they start alike and have the same moves, whatever their tags, comments
/// and variations say. Inputs are archives, PGN and SGF, plain or compressed, in any mixture; what
/// is no archive is packed into one for the time being. Games are found by keys of their moves,
/// then their moves are compared.
///
/// Each line is a game: the number of its group, file, number in it, half-moves, and what `ign list`
/// prints; tabs stand between. The first of a group is the one to keep: the first as the files were
/// named. With -o the text of all files is written, one after the other, every byte of it but the
/// games that are there again.
///
/// Games that keep some moves as text, as those with illegal moves do, are not compared. Memory: 16
/// bytes for each game, about 400 for each found, and some tens of megabytes; --inside takes twice as
/// much. Exit status: 0 when games were found or written with -o, 1 when there are none.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Archives, PGN or SGF; - is standard input
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// Also find games that are the beginning of a longer one; that is the one to keep
    #[arg(long)]
    inside: bool,
    /// Take a game of Go on a board that is turned or mirrored for the same
    #[arg(long)]
    turned: bool,
    /// Leave out games with fewer half-moves: short ones are the same by chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    min_plies: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    destination: Destination,
}

pub fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let inputs: Vec<Input> = args.inputs.iter().map(|p| Input::from_name(p)).collect();
    if inputs.iter().filter(|i| **i == Input::Stdin).count() > 1 {
        return Err(Error::usage("standard input can be read once only").with_remedy("name - once"));
    }
    let writes = args.destination.is_named();
    // What is to be written is opened first: it may be refused.
    let path = args.destination.path(|| Ok(None))?;
    let files = args.inputs.iter().map(PathBuf::as_path);
    let file = path.map(|path| Ok::<_, Error>((args.destination.file(&path, files)?, path)));
    let file = file.transpose()?;
    let to_stdout = writes && file.is_none();
    let options = Options {
        min_plies: args.min_plies,
        inside: args.inside,
        turned: args.turned,
        threads: common.threads(),
    };
    // Scratch files vanish when they go out of scope.
    let mut scratch = Vec::new();
    let mut archives = Vec::new();
    let found = with_bar(!common.quiet, None, |progress| {
        for input in &inputs {
            archives.push(open(
                input,
                &mut scratch,
                writes,
                options.threads,
                progress,
            )?);
        }
        Collection::new(&archives).duplicates(&options, progress)
    })?;
    if writes && found.kinds.len() > 1 {
        return Err(
            Error::usage("games of chess and of Go do not go into one file")
                .with_remedy("name collections of PGN and of SGF apart"),
        );
    }
    let collection = Collection::new(&archives);
    let names: Vec<String> = inputs.iter().map(name).collect();
    // The file first: whoever reads the list may stop reading.
    if writes {
        let (mut out, name) = match file {
            Some((out, path)) => (out, path),
            None => (Output::stdout(), PathBuf::from("standard output")),
        };
        write_rest(&found, &collection, &archives, &mut out, options.threads)
            .and_then(|()| out.finish())
            .map_err(|e| e.in_file(name))?;
    }
    if !to_stdout {
        let mut out = Output::stdout();
        let fields = fields(&found, &collection, &archives, options.threads)?;
        let report = Report {
            found: &found,
            collection: &collection,
            names: &names,
            fields,
        };
        match args.json {
            true => report.write_json(&mut out)?,
            false => report.write_lines(&mut out)?,
        }
        out.finish()?;
    }
    if !common.quiet {
        summarize(&found);
    }
    Ok(if found.groups.is_empty() && !writes {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// An archive, or one made of what is none; `verify` says whether its text will be asked for.
fn open(
    input: &Input,
    scratch: &mut Vec<Scratch>,
    verify: bool,
    threads: usize,
    progress: &Progress,
) -> Result<Archive> {
    if let Input::File(path) = input
        && is_archive(input)?
    {
        return Archive::open(path);
    }
    let options = PackOptions {
        block: encode::Options {
            coding: Coding::Ign,
            level: 1,
            verify,
        },
        threads,
        ..PackOptions::default()
    };
    let mut file = Scratch::new()?;
    let (mut out, _) = pack(
        std::slice::from_ref(input),
        file.writer(),
        &options,
        progress,
    )?;
    out.flush()?;
    drop(out);
    let archive = Archive::open(file.path())?;
    scratch.push(file);
    Ok(archive)
}

fn name(input: &Input) -> String {
    match input {
        Input::Stdin => "-".to_string(),
        Input::File(path) => clean(&path.to_string_lossy()),
    }
}

/// What `ign list` says of the games found, by their numbers in the collection.
fn fields(
    found: &Duplicates,
    collection: &Collection,
    archives: &[Archive],
    threads: usize,
) -> Result<Vec<(u64, Vec<u8>)>> {
    let members = found.groups.iter().flat_map(|group| &group.0);
    let mut games: Vec<u64> = members.map(|member| member.game).collect();
    games.sort_unstable();
    let mut all = Vec::with_capacity(games.len());
    for same in
        games.chunk_by(|&one, &other| collection.locate(one).0 == collection.locate(other).0)
    {
        let archive = &archives[collection.locate(same[0]).0];
        let own: Vec<u64> = same.iter().map(|&game| collection.locate(game).1).collect();
        let fields = list::fields(archive, &own, threads)?;
        all.extend(same.iter().copied().zip(fields));
    }
    Ok(all)
}

/// Writes all text but the games that are there again.
fn write_rest(
    found: &Duplicates,
    collection: &Collection,
    archives: &[Archive],
    out: &mut Output,
    threads: usize,
) -> Result<()> {
    let again = found.groups.iter().flat_map(Group::again);
    let mut again: Vec<(usize, u64)> = again.map(|m| collection.locate(m.game)).collect();
    again.sort_unstable();
    let mut last = None;
    for (number, archive) in archives.iter().enumerate() {
        // What one file ends with is not to run into what the next begins with.
        if last.is_some_and(|last| last != b'\n') && !archive.is_empty() {
            out.write_all(b"\n")?;
        }
        let own: Vec<u64> = again
            .iter()
            .filter(|(archive, _)| *archive == number)
            .map(|&(_, game)| game)
            .collect();
        last = unpack_without(archive, &own, out, threads)?.or(last);
    }
    Ok(())
}

/// What is told of the games found.
struct Report<'a> {
    found: &'a Duplicates,
    collection: &'a Collection<'a>,
    /// Of the files, as they were named.
    names: &'a [String],
    fields: Vec<(u64, Vec<u8>)>,
}

impl Report<'_> {
    fn fields(&self, game: u64) -> &[u8] {
        let place = self.fields.binary_search_by_key(&game, |(game, _)| *game);
        place.map_or(b"", |place| &self.fields[place].1)
    }

    fn write_lines(&self, out: &mut Output) -> Result<()> {
        for (number, group) in (1..).zip(&self.found.groups) {
            for member in &group.0 {
                let (file, game) = self.collection.locate(member.game);
                let (name, game) = (&self.names[file], game + 1);
                write!(out, "{number}\t{name}\t{game}\t{}\t", member.plies)?;
                out.write_all(self.fields(member.game))?;
                writeln!(out)?;
            }
        }
        Ok(())
    }

    fn write_json(&self, out: &mut Output) -> Result<()> {
        let found = self.found;
        let members = |group: &Group| -> Vec<Value> {
            let member = group.0.iter().map(|member| {
                let (file, game) = self.collection.locate(member.game);
                let fields = self.fields(member.game).split(|&c| c == b'\t');
                let fields = list::NAMES.iter().zip(fields);
                let fields = fields
                    .filter(|(_, value)| *value != b"-")
                    .map(|(name, value)| (name.to_string(), json!(String::from_utf8_lossy(value))));
                json!({
                    "file": self.names[file],
                    "game": game + 1,
                    "half_moves": member.plies,
                    "tags": fields.collect::<Map<_, _>>(),
                })
            });
            member.collect()
        };
        let groups: Vec<Value> = found.groups.iter().map(|g| json!(members(g))).collect();
        let value = json!({
            "games": found.games,
            "again": again(found),
            "not_compared": found.partly_text,
            "groups": groups,
        });
        writeln!(out, "{value}")?;
        Ok(())
    }
}

/// How many games are there again.
fn again(found: &Duplicates) -> u64 {
    let again = found.groups.iter().map(|group| group.again().len() as u64);
    again.sum()
}

fn summarize(found: &Duplicates) {
    let again = again(found);
    say(format_args!(
        "{} in {}, {} without them",
        match again {
            0 => "none again".into(),
            1 => "1 game again".into(),
            _ => format!(
                "{} games again, in {}",
                grouped(again),
                counted(found.groups.len() as u64, "group")
            ),
        },
        counted(found.games, "game"),
        grouped(found.games - again),
    ));
    if found.partly_text > 0 {
        say(format_args!(
            "not compared: {} with moves kept as text",
            counted(found.partly_text, "game")
        ));
    }
}
