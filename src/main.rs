//! The command `ign`.
//!
//! A command is a file with its `Args` and its `run`. Data goes to standard output, messages go to
//! standard error. The exit status follows from the kind of the error, see
//! `messages::exit_code`.

mod append;
mod archive_file;
mod choose;
mod common;
mod content;
mod count;
mod damaged;
mod decode;
mod destination;
mod drawing;
mod duplicates;
mod encode;
mod endgame;
mod export;
mod filters;
mod find;
mod get;
mod hints;
mod index;
mod info;
mod interrupt;
mod json;
mod limit;
mod list;
mod merge;
mod messages;
mod notation;
mod numbers;
mod opened;
mod order;
mod output;
mod pack;
mod pack_options;
mod parity;
mod position;
mod progress;
mod published;
mod ranges;
mod recover;
mod sample;
mod searched;
mod selftest;
mod serve;
mod shell;
mod site;
mod sources;
mod split;
mod stats;
mod table;
mod train;
mod transcode;
mod tree;
mod unpack;
mod verify;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use common::Common;
use ign_archive::{Error, ErrorKind as Kind, Result};

/// Pack chess games into a small, indexed, verifiable archive that restores every byte
#[derive(Debug, Parser)]
#[command(name = "ign", version, propagate_version = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Files that are read may be on servers: https://host/games.ign, s3://bucket/games.ign,
gs://bucket/games.ign.

Games are numbered from 1. A ply (half-move) is one move by one player.

Only index, info, encode and decode have more to print with -v (--verbose).

Exit status: 0 success, also if the reader of the output stops early; 1 nothing
found, an invalid request, or an error of the environment; 2 corrupt or
unsupported input; 3 an internal error of ign (also if blocks were stored in a
simpler form, which is reported); 4 done, but damaged games were left out
(recover, --damaged); 129, 130, 143 ended by SIGHUP, Ctrl-C, SIGTERM.";

#[derive(Debug, Subcommand)]
enum Command {
    Pack(pack::Args),
    Unpack(unpack::Args),
    Append(append::Args),
    Merge(merge::Args),
    Split(split::Args),
    Get(get::Args),
    Find(find::Args),
    List(list::Args),
    Count(count::Args),
    Export(export::Args),
    Index(index::Args),
    Duplicates(duplicates::Args),
    Transcode(transcode::Args),
    Verify(verify::Args),
    Recover(recover::Args),
    Parity(parity::Args),
    Info(info::Args),
    Train(train::Args),
    Sample(sample::Args),
    Stats(stats::Args),
    Tree(tree::Args),
    Serve(serve::Args),
    Selftest(selftest::Args),
    Site(site::Args),
    Encode(encode::Args),
    Decode(decode::Args),
    Position(position::Args),
    Endgame(endgame::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

fn main() -> ExitCode {
    #[cfg(unix)]
    handle_signals();
    handle_lack_of_memory();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return messages::print_help_or_usage(error),
    };
    let done = std::panic::catch_unwind(|| run(&cli));
    if cli.common.explain {
        messages::say_traffic();
    }
    match done {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => messages::fail(&error),
        Err(_) => messages::fail(&Error::internal(
            "internal error, shown above; please report it with the input",
        )),
    }
}

/// Without memory the standard library says so and aborts. The exit status is then that of an error
/// of the environment. A file that reaches the limit of its length (`ulimit -f`) is an error of
/// writing.
#[cfg(unix)]
fn handle_signals() {
    use signal_hook::{
        consts::{SIGABRT, SIGXFSZ},
        flag::{register, register_conditional_shutdown},
    };
    // Without the handlers the program ends by a signal.
    _ = register_conditional_shutdown(SIGABRT, 1, std::sync::Arc::new(true.into()));
    _ = register(SIGXFSZ, std::sync::Arc::default());
}

/// The bindings of zstd panic where zstd has no memory for its state. No defect of the program is
/// the cause, so the exit status is that of an error of the environment, in whatever thread it
/// happens.
fn handle_lack_of_memory() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or_default();
        if message.starts_with("zstd returned null pointer") {
            let error = Error::new(Kind::Io, "not enough memory to compress or decompress");
            _ = messages::fail(&error);
            std::process::exit(1);
        }
        report(panic);
    }));
}

fn run(cli: &Cli) -> Result<ExitCode> {
    let common = &cli.common;
    match &cli.command {
        Command::Pack(args) => pack::run(args, common),
        Command::Unpack(args) => unpack::run(args, common),
        Command::Append(args) => append::run(args, common),
        Command::Merge(args) => merge::run(args, common),
        Command::Split(args) => split::run(args, common),
        Command::Get(args) => get::run(args, common),
        Command::Find(args) => find::run(args, common),
        Command::List(args) => list::run(args, common),
        Command::Count(args) => count::run(args, common),
        Command::Export(args) => export::run(args, common),
        Command::Index(args) => index::run(args, common),
        Command::Duplicates(args) => duplicates::run(args, common),
        Command::Transcode(args) => transcode::run(args, common),
        Command::Verify(args) => verify::run(args, common),
        Command::Recover(args) => recover::run(args, common),
        Command::Parity(args) => parity::run(args, common),
        Command::Info(args) => info::run(args, common),
        Command::Train(args) => train::run(args, common),
        Command::Sample(args) => sample::run(args, common),
        Command::Stats(args) => stats::run(args, common),
        Command::Tree(args) => tree::run(args, common),
        Command::Serve(args) => serve::run(args, common),
        Command::Selftest(args) => selftest::run(args, common),
        Command::Site(args) => site::run(args, common),
        Command::Encode(args) => encode::run(args, common),
        Command::Decode(args) => decode::run(args, common),
        Command::Position(args) => position::run(args, common),
        Command::Endgame(args) => endgame::run(args, common),
        Command::Completions(args) => shell::completions(args, Cli::command()),
        Command::Man(args) => shell::man(args, Cli::command()),
    }
}
