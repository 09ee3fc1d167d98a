//! Messages on standard error.
//!
//! Invariant: a message contains no control characters, whatever text it quotes, so it cannot
//! send commands to the terminal.

use std::{
    fmt,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use super::{
    common::Common,
    numbers::{counted, grouped},
};
use ign_archive::{Error, ErrorKind as Kind};

/// Prints one line. A failure to print is ignored.
pub fn say(line: fmt::Arguments) {
    _ = writeln!(io::stderr(), "{}", printable(&line.to_string()));
}

/// Prints lines, a table for example.
pub fn say_lines(lines: impl fmt::Display) {
    let lines = lines.to_string();
    lines.lines().for_each(|line| say(format_args!("{line}")));
}

/// Prints an error, unless the reader of our output has gone away. Returns the exit status.
pub fn fail(error: &Error) -> ExitCode {
    if error.kind() != Kind::ClosedPipe {
        say(format_args!("ign: {error}"));
    }
    error.exit_code().into()
}

/// The error with what helps. A file that is named as an archive may hold one after other bytes.
pub fn advised(error: Error) -> Error {
    let is_named = |file: &str| {
        Path::new(file)
            .extension()
            .is_some_and(|extension| extension == "ign")
    };
    match error.file() {
        Some(file) if error.message() == NO_ARCHIVE && is_named(file) => {
            let remedy = format!(
                "ign pack makes one; if this is a damaged one, or one after other bytes, ign recover {file} -o \
                 GOOD.ign returns it"
            );
            let mut advised = Error::new(error.kind(), NO_ARCHIVE).in_file(file);
            if let Some(byte) = error.byte() {
                advised = advised.at_byte(byte);
            }
            advised.with_remedy(remedy)
        }
        _ => error,
    }
}

/// The message of a file that is no archive.
const NO_ARCHIVE: &str = "not an ign archive";

/// What the standard library says of texts that are no numbers, and what we say.
const NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "write a whole number"),
    (
        "cannot parse integer from empty string",
        "write a whole number",
    ),
    (
        "number too large to fit in target type",
        "the number is too large",
    ),
    (
        "number too small to fit in target type",
        "the number is too small",
    ),
    ("invalid float literal", "write a number"),
];

/// Prints what the argument parser returns instead of arguments: help, the version, or a usage
/// error. A usage error quotes arguments, so it is printed without colours, line by line.
pub fn print_help_or_usage(answer: &clap::Error) -> ExitCode {
    if answer.use_stderr() {
        let rendered = answer.render().to_string();
        let text = NUMBERS
            .iter()
            .fold(rendered, |text, (from, to)| text.replace(from, to));
        say_lines(text);
        return ExitCode::FAILURE;
    }
    match answer.print().and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&Error::from(error).in_file("standard output")),
    }
}

/// Says what was requested of servers and received from them.
pub fn say_traffic() {
    let traffic = ign_archive::traffic();
    if traffic.requests > 0 {
        say(format_args!(
            "{}, {} bytes received",
            counted(traffic.requests, "request"),
            grouped(traffic.bytes)
        ));
    }
}

/// The text with `?` in place of control characters.
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "?")
}

/// Says why indexes were not used, after a query.
pub fn warn_of_rejected<'e>(indexes: impl IntoIterator<Item = &'e Error>, common: &Common) {
    for error in indexes {
        if !common.quiet {
            say(format_args!("warning: {error}; searched without the index"));
        }
    }
}
