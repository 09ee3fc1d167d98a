//! The command line: words to and from people.
//!
//! A command is a file with its arguments and its `run`. Data goes to standard
//! output, words to standard error. The exit status follows from the error: see
//! [`ign_format::error::Kind`].

mod decode;
mod destination;
mod duplicates;
mod encode;
mod endgame;
mod find;
mod get;
mod info;
mod interrupt;
mod list;
mod notation;
mod output;
mod pack;
mod position;
mod progress;
mod ranges;
mod sample;
mod shell;
mod stats;
mod unpack;
mod verify;

use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};

use clap::{CommandFactory, Parser, Subcommand};

use ign_format::error::{Error, Kind, Result};

/// Packs chess games into a small, indexed, verifiable archive, and gives every byte back.
#[derive(Debug, Parser)]
#[command(name = "ign", version, propagate_version = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit status: 0 done or found; 1 nothing found, or the request or the
environment is at fault; 2 damaged or unknown input; 3 a fault of ign.";

/// Options of every command.
#[derive(Debug, clap::Args)]
struct Common {
    /// Say nothing but errors
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Worker threads [default: as many as the machine runs at once]
    #[arg(short = 'T', long, global = true, value_name = "N", value_parser = parse_threads)]
    threads: Option<usize>,
}

impl Common {
    fn threads(&self) -> usize {
        self.threads
            .unwrap_or_else(ign_archive::pipeline::pack::default_threads)
    }
}

/// Reads a number of threads.
fn parse_threads(text: &str) -> std::result::Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("write a number from 1 to 1024".into()),
    }
}

/// Reads a number of games.
fn parse_count(text: &str) -> std::result::Result<u64, String> {
    let number = text.parse();
    number.map_err(|_| "write a whole number in digits".into())
}

#[derive(Debug, Subcommand)]
enum Command {
    Pack(pack::Args),
    Unpack(unpack::Args),
    Get(get::Args),
    Find(find::Args),
    List(list::Args),
    Duplicates(duplicates::Args),
    Verify(verify::Args),
    Info(info::Args),
    Sample(sample::Args),
    Stats(stats::Args),
    Encode(encode::Args),
    Decode(decode::Args),
    Position(position::Args),
    Endgame(endgame::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

/// Runs the command that the arguments name.
fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            return match error.print().and_then(|()| io::stdout().flush()) {
                _ if error.use_stderr() => 1.into(),
                Ok(()) => ExitCode::SUCCESS,
                Err(unsaid) => failed(&unsaid.into()),
            };
        }
    };
    match std::panic::catch_unwind(|| run(&cli)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => failed(&error),
        Err(_) => failed(&Error::internal(
            "a fault of ign, shown above; please report it with the input",
        )),
    }
}

/// Says why the command ends, if anybody is left to tell.
fn failed(error: &Error) -> ExitCode {
    if error.kind() != Kind::ClosedPipe {
        say(format_args!("ign: {error}"));
    }
    error.exit_code().into()
}

/// Words that command no terminal, whatever they quote.
fn clean(words: &str) -> String {
    let clean = |c: char| if c.is_control() { '?' } else { c };
    words.chars().map(clean).collect()
}

fn run(cli: &Cli) -> Result<ExitCode> {
    let common = &cli.common;
    let done = match &cli.command {
        Command::Pack(args) => pack::run(args, common),
        Command::Unpack(args) => unpack::run(args, common),
        Command::Get(args) => get::run(args, common),
        Command::Find(args) => find::run(args, common),
        Command::List(args) => list::run(args, common),
        Command::Duplicates(args) => duplicates::run(args, common),
        Command::Verify(args) => verify::run(args, common),
        Command::Info(args) => info::run(args),
        Command::Sample(args) => sample::run(args, common),
        Command::Stats(args) => stats::run(args, common),
        Command::Encode(args) => encode::run(args, common),
        Command::Decode(args) => decode::run(args, common),
        Command::Position(args) => position::run(args, common),
        Command::Endgame(args) => endgame::run(args, common),
        Command::Completions(args) => shell::completions(args, Cli::command()),
        Command::Man(args) => shell::man(args, Cli::command()),
    };
    done.map_err(|error| match error.kind() {
        Kind::Corrupt if error.block().is_some() => error.with_remedy(
            "ign verify tells which games are in it; those of other blocks can be had by number",
        ),
        _ => error,
    })
}

/// Says a line to people. Where nobody can hear it, that is no failure.
fn say(line: fmt::Arguments) {
    _ = writeln!(io::stderr(), "{}", clean(&line.to_string()));
}

/// A number with its thousands set apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of things: `1 game`, `2 games`.
fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}
