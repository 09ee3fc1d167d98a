//! Removes unfinished files when Ctrl-C ends the command.
//!
//! `tempfile` removes a file when it is dropped, but a signal drops nothing.

use std::{
    fs, io,
    path::PathBuf,
    process,
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

use tempfile::NamedTempFile;

/// The exit status that shells report for a command ended by SIGINT.
const INTERRUPTED: i32 = 130;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();

/// Creates a file that an interrupt removes, unless it has been renamed by then.
///
/// # Errors
/// Those of `create`.
pub fn removed_on_interrupt(
    create: impl FnOnce() -> io::Result<NamedTempFile>,
) -> io::Result<NamedTempFile> {
    HANDLER.call_once(|| {
        // Without a handler the file stays, as it does after any other signal.
        _ = ctrlc::set_handler(|| {
            for path in &*unfinished() {
                _ = fs::remove_file(path);
            }
            process::exit(INTERRUPTED);
        });
    });
    // The lock keeps the handler from running between the creation of the file and its entry.
    let mut unfinished = unfinished();
    let file = create()?;
    unfinished.push(file.path().to_owned());
    Ok(file)
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
