//! What the commands print with `--json`: the types of the objects, and how they are printed.
//! `docs/json.md` is made from these types.
//!
//! Invariant: each object is a line. Its type has the same keys whatever the input is, and a key
//! has one meaning in all types. A value that does not exist is null. Bytes that are not UTF-8 are
//! replaced by U+FFFD.

pub mod checked;
pub mod games;
pub mod info;
pub mod notation;
#[cfg(test)]
mod page;
pub mod solved;
#[cfg(test)]
mod stats;
pub mod written;

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::Path,
    time::Instant,
};

use serde::Serialize;

use super::{common::Common, output::Output};
use ign_archive::{Error, NotUnderstoodCounts, Result, location::message_name};

/// `--json` of commands that otherwise report on standard error.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct JsonArg {
    /// Print JSON to standard output instead of messages to standard error; errors and warnings
    /// stay there
    #[arg(long)]
    json: bool,
}

impl JsonArg {
    /// Whether the option was given.
    pub fn is_given(self) -> bool {
        self.json
    }

    /// Refuses the report if standard output gets what the command writes.
    ///
    /// # Errors
    /// Usage.
    pub fn refuse_stdout(self) -> Result<()> {
        if self.json {
            Err(stdout_is_taken())
        } else {
            Ok(())
        }
    }

    /// Prints the report as JSON, or without the option as messages, unless `--quiet` was given.
    ///
    /// # Errors
    /// Io.
    pub fn report(
        self,
        common: &Common,
        report: &impl Serialize,
        say: impl FnOnce(),
    ) -> Result<()> {
        if self.json {
            print(report)?;
        } else if !common.quiet {
            say();
        }
        Ok(())
    }
}

/// The error of `--json` where standard output gets what the command writes.
pub fn stdout_is_taken() -> Error {
    Error::usage("--json prints to standard output, where something else is written")
        .with_remedy("name a file with -o")
}

/// Prints an object to standard output.
///
/// # Errors
/// Io.
pub fn print(value: &impl Serialize) -> Result<()> {
    let mut out = Output::stdout();
    write(&mut out, value)?;
    out.finish()
}

/// Writes an object and a line end.
///
/// # Errors
/// Io.
pub fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

/// A name as JSON states it, without the secrets of addresses.
pub fn name(path: &Path) -> String {
    message_name(path).to_string_lossy().into_owned()
}

/// The seconds since a command started.
pub fn seconds(start: Instant) -> f64 {
    // Microseconds: more digits have no meaning.
    start.elapsed().as_micros() as f64 / 1e6
}

/// The numbers of games that are not, or only partly, understood, by reason.
pub type NotUnderstood = BTreeMap<String, u64>;

/// The numbers by reason, with their total as `games`.
pub fn not_understood(counts: &NotUnderstoodCounts) -> NotUnderstood {
    counts.fields().collect()
}
