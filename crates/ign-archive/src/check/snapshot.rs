//! The state of an archive file to which another process may be appending.
//!
//! Bytes of an archive never change, so a length is a state: a reader that keeps to the length of a moment at which
//! the file was an archive is not affected by what is written later. While bytes are appended that is the length of
//! the archive before. Writers hold the lock of the file, so an end that is damaged without a writer is damaged.

use std::{fs::File, path::Path, thread, time::Duration};

use ign_format::error::Result;

use super::end::{Rest, last_footer};
use crate::{
    file_lock::{Lock, busy},
    source::{Front, ReadAt as _, open_file},
};

/// Attempts to find a state while another process writes. Each one that fails met a change of the file.
const ATTEMPTS: usize = 200;
/// Time between attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// Calls `read` with a file that is limited to its length of a moment at which no process wrote it, or to the length
/// of the archive that it was before another process began to write.
///
/// # Errors
/// Those of `read`; io; usage if the path names no regular file, or if another process writes the file and every
/// attempt met a change of its end.
pub(crate) fn read_snapshot<T>(
    path: &Path,
    read: impl FnOnce(Front<File>) -> Result<T>,
) -> Result<T> {
    for _ in 0..ATTEMPTS {
        let file = open_file(path)?;
        let size = file.size()?;
        let last = match last_footer(&file, size) {
            Err(error) if !error.is_data_error() => return Err(error),
            last => last.ok(),
        };
        let rest = last.as_ref().map(|last| last.rest);
        if rest == Some(Rest::Nothing) {
            return read(Front::new(file, size));
        }
        match Lock::try_shared(&file)? {
            // No process writes the file, and none begins until the end has been read.
            Lock::Held | Lock::Unsupported => {
                let locked = file.try_clone()?;
                let size = file.size()?;
                let done = read(Front::new(file, size));
                _ = locked.unlock();
                return done;
            }
            Lock::Busy => match last {
                Some(last) if matches!(last.rest, Rest::Append | Rest::Parity) => {
                    return read(Front::new(file, last.end));
                }
                _ => thread::sleep(PAUSE),
            },
        }
    }
    Err(busy(path))
}
