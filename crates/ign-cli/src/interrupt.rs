//! A command that is broken off by Ctrl-C leaves no unfinished file behind.

use std::{
    fs, io,
    path::PathBuf,
    process,
    sync::{Mutex, MutexGuard, Once, PoisonError},
};

use tempfile::NamedTempFile;

/// What shells give for a command that an interrupt ended.
const INTERRUPTED: i32 = 130;

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
static HANDLER: Once = Once::new();

/// Makes a file that is removed when the command is interrupted, unless it has another name by then.
///
/// # Errors
/// Those of `make`.
pub fn removes(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<NamedTempFile> {
    HANDLER.call_once(|| {
        // Where none can be set the file stays, as it does after any other signal.
        _ = ctrlc::set_handler(|| {
            for path in &*unfinished() {
                _ = fs::remove_file(path);
            }
            process::exit(INTERRUPTED);
        });
    });
    // No interrupt comes between a file and the note of it.
    let mut unfinished = unfinished();
    let file = make()?;
    unfinished.push(file.path().to_owned());
    Ok(file)
}

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
