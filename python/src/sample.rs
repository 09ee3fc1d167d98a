//! Made-up games.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::PathBuf,
    sync::atomic::Ordering,
    thread,
};

use ign_sample::Sample;
use pyo3::prelude::*;

use crate::{
    arguments::{count, threads},
    failure::Result,
    interrupt::{Cancel, interruptible},
    output::Output,
};

/// Writes made-up games.
#[pyfunction]
pub fn sample(
    py: Python,
    out: PathBuf,
    games: &Bound<PyAny>,
    seed: &Bound<PyAny>,
    clocks: bool,
    threads: Option<&Bound<PyAny>>,
    overwrite: bool,
) -> Result<()> {
    let games = count("games", Some(games))?.unwrap_or_default();
    let seed = count("seed", Some(seed))?.unwrap_or_default();
    let threads = self::threads(threads)?.and_then(NonZeroUsize::new);
    interruptible(py, |cancel| {
        let mut output = Cancellable {
            output: Output::file(&out, overwrite, [])?,
            cancel,
        };
        let default = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Sample::new(games, seed)
            .clocks(clocks)
            .threads(threads.unwrap_or_else(default))
            .write(&mut output)?;
        output.output.finish()
    })
}

/// An output that fails after the work was cancelled.
struct Cancellable<'c> {
    output: Output,
    cancel: &'c Cancel,
}

impl Write for Cancellable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancel.flag().load(Ordering::Relaxed) {
            Err(io::Error::other("cancelled"))
        } else {
            self.output.write(bytes)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
