//! Removes unfinished files when Ctrl-C ends the command.
//!
//! Files are removed when they are dropped, but a signal drops nothing.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::PathBuf,
    process,
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

use ign_archive::Result;

/// The exit status that shells report for a command ended by SIGINT.
const INTERRUPTED: i32 = 130;

static UNFINISHED: Mutex<BTreeMap<u64, Undo>> = Mutex::new(BTreeMap::new());
static HANDLER: Once = Once::new();

/// What an interrupt does to a file.
pub enum Undo {
    /// Removes it.
    Remove(PathBuf),
    /// Cuts it to this number of bytes, if it has more.
    Cut(PathBuf, u64),
}

impl Undo {
    fn run(&self) {
        // What cannot be undone stays, as it does after any other signal.
        _ = match self {
            Self::Remove(path) => fs::remove_file(path),
            Self::Cut(path, len) => File::options().write(true).open(path).and_then(|file| {
                match file.metadata()?.len() > *len {
                    true => file.set_len(*len),
                    false => Ok(()),
                }
            }),
        };
    }
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
            _ = ctrlc::set_handler(|| {
                let unfinished = unfinished();
                unfinished.values().for_each(Undo::run);
                process::exit(INTERRUPTED);
            });
        });
        // The lock keeps the handler from running between the creation of the file and its entry.
        let mut unfinished = unfinished();
        let file = open()?;
        let number = unfinished.last_key_value().map_or(0, |(last, _)| last + 1);
        unfinished.insert(number, undo(&file));
        Ok((file, Self(number)))
    }

    /// Finishes the file. No interrupt comes in between.
    ///
    /// # Errors
    /// Those of `finish`.
    pub fn finish(self, finish: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut unfinished = unfinished();
        let finished = finish();
        unfinished.remove(&self.0);
        // Another file may get the number.
        std::mem::forget(self);
        finished
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

fn unfinished() -> MutexGuard<'static, BTreeMap<u64, Undo>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
