//! Removes unfinished files when Ctrl-C, SIGTERM or SIGHUP (a closed terminal) ends the command.
//!
//! Files are removed when they are dropped, but a signal drops nothing.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

use super::messages::say;
use ign_archive::{Appender, Result};

/// Shells report this and the number of the signal for a command that a signal has ended.
const ENDED_BY: i32 = 128;

static UNFINISHED: Mutex<BTreeMap<u64, Undo>> = Mutex::new(BTreeMap::new());
static HANDLER: Once = Once::new();

/// What an interrupt does to a file.
pub enum Undo {
    /// Removes it.
    Remove(PathBuf),
    /// Removes it under its temporary name, if it has one, and leaves it under that of its part.
    Keep {
        temporary: Option<PathBuf>,
        part: PathBuf,
    },
    /// Undoes an append to an archive that ended at this byte.
    Append(PathBuf, u64),
}

impl Undo {
    fn run(&self) {
        // What cannot be undone stays, as it does after any other signal.
        match self {
            Self::Remove(path) => _ = fs::remove_file(path),
            Self::Keep { temporary, part } => {
                _ = temporary.as_ref().map(fs::remove_file);
                if part.exists() {
                    say(format_args!("ign: stopped; {}", kept(part)));
                }
            }
            Self::Append(path, start) => {
                if Appender::undo(path, *start).is_ok_and(|stays| stays) {
                    let archive = path.display();
                    say(format_args!("ign: stopped; {archive} has the new games"));
                }
            }
        }
    }
}

/// How to go on with what a stopped command has kept.
pub fn kept(part: &Path) -> String {
    format!(
        "{} keeps the blocks that are whole: the same command with --resume continues",
        part.display()
    )
}

/// An unfinished file. When it is dropped, an interrupt does nothing to it any more.
pub struct Unfinished(u64);

impl Unfinished {
    /// Creates or opens a file, and says what an interrupt does to it from then on.
    ///
    /// # Errors
    /// Those of `open`.
    pub fn new<F>(
        open: impl FnOnce() -> Result<F>,
        undo: impl FnOnce(&F) -> Undo,
    ) -> Result<(F, Self)> {
        HANDLER.call_once(|| {
            // Without a handler the file stays, as it does after any other signal.
            _ = on_signal(|signal| {
                let unfinished = unfinished();
                unfinished.values().for_each(Undo::run);
                process::exit(ENDED_BY + signal);
            });
        });
        // The lock keeps the handler from running between the creation of the file and its entry.
        let mut unfinished = unfinished();
        let file = open()?;
        let number = unfinished.last_key_value().map_or(0, |(last, _)| last + 1);
        unfinished.insert(number, undo(&file));
        Ok((file, Self(number)))
    }

    /// Finishes files. No interrupt comes in between.
    ///
    /// # Errors
    /// Those of `finish`.
    pub fn finish_all(all: Vec<Self>, finish: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut unfinished = unfinished();
        let finished = finish();
        for file in all {
            unfinished.remove(&file.0);
            // Another file may get the number.
            std::mem::forget(file);
        }
        finished
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// Calls `end` with the number of the first signal that ends the command.
///
/// A signal that was ignored when the command started stays ignored: `nohup` asks for that.
#[cfg(unix)]
fn on_signal(end: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };
    let handled = match ignored_signals() {
        Some(ignored) => [SIGINT, SIGTERM, SIGHUP]
            .into_iter()
            .filter(|signal| ignored >> (signal - 1) & 1 == 0)
            .collect(),
        // SIGHUP may be ignored, so it keeps its action.
        None => vec![SIGINT, SIGTERM],
    };
    let mut signals = Signals::new(handled)?;
    let wait = move || signals.forever().next().into_iter().for_each(end);
    std::thread::Builder::new().spawn(wait)?;
    Ok(())
}

/// The signals that the command ignores: bit 0 is signal 1. Only Linux reports them without unsafe
/// code.
#[cfg(unix)]
fn ignored_signals() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Calls `end` with the number of SIGINT when Ctrl-C is pressed.
#[cfg(not(unix))]
fn on_signal(end: impl Fn(i32) + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(move || end(2)).map_err(io::Error::other)
}

fn unfinished() -> MutexGuard<'static, BTreeMap<u64, Undo>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
