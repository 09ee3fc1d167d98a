//! The state of an archive file to which another process may be appending.
//!
//! Bytes of an archive never change, except that a mark of an append becomes complete. So a length
//! is a state: a reader that keeps to the length of a moment at which the file was an archive is
//! not affected by what is written later. While bytes are appended that is the length of the
//! archive before. Writers hold the lock of the file, so an end that is damaged without a writer is
//! damaged, and whatever else is wrong may be due to a change of the file while it was read: it is
//! read again.

use std::{error::Error as _, fs::File, io, path::Path, sync::Arc, thread, time::Duration};

use ign_format::error::{Error, Result};

use super::end::{Rest, last_footer};
use crate::{
    file_lock::{Lock, Lockable, busy},
    source::{Front, ReadAt, open_file},
};

/// Attempts to find a state while another process writes. Each one that fails met a change of the
/// file.
const ATTEMPTS: usize = 200;
/// Time between attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// A file of which what another process appends is not read.
type Snapshot<F> = Front<Arc<F>>;

/// Calls `read` with a file that is limited to its length of a moment at which no process wrote it,
/// or to the length of the archive that it was before another process began to write. `read` must
/// not read bytes after the archive later. It is called again if the file was changed while it was
/// read.
///
/// # Errors
/// Those of `read`; io; usage if the path names no regular file, or if another process writes the
/// file and every attempt met a change of its end.
pub(crate) fn read_snapshot<T>(
    path: &Path,
    read: impl Fn(Snapshot<File>) -> Result<T>,
) -> Result<T> {
    attempts(path, |file| {
        let done = attempt(file, &read);
        file.release();
        done
    })
}

/// Opens a file as [`read_snapshot`] does, for reading all of its bytes at any time. If bytes
/// follow the archive that is in it, or it is none, it stays locked against writers until it is
/// closed.
///
/// # Errors
/// As [`read_snapshot`].
pub(crate) fn open_snapshot(path: &Path) -> Result<Snapshot<File>> {
    attempts(path, |file| attempt(file, &Ok))
}

fn attempts<T>(path: &Path, attempt: impl Fn(&Arc<File>) -> Result<Option<T>>) -> Result<T> {
    for _ in 0..ATTEMPTS {
        if let Some(done) = attempt(&Arc::new(open_file(path)?))? {
            return Ok(done);
        }
        thread::sleep(PAUSE);
    }
    Err(busy(path))
}

/// Reads a file once; `None` if another process is changing it. The file may be locked afterwards.
///
/// # Errors
/// Those of `read`; io.
fn attempt<F: ReadAt + Lockable, T>(
    file: &Arc<F>,
    read: &impl Fn(Snapshot<F>) -> Result<T>,
) -> Result<Option<T>> {
    let front = |len| read(Front::new(file.clone(), len));
    let size = file.size()?;
    let last = settled(last_footer(&**file, size))?;
    let last = last.map(|last| (last.end, last.rest));
    if let Some((end, Rest::Nothing)) = last
        && let Some(done) = settled(front(end))?
    {
        return Ok(Some(done));
    }
    match (file.try_shared()?, last) {
        // No process writes the file, and none begins until the lock is released.
        (Lock::Held | Lock::Unsupported, _) => {
            let size = file.size()?;
            let last = last_footer(&**file, size);
            if last.is_ok_and(|last| last.rest == Rest::Nothing) {
                file.release();
            }
            front(size).map(Some)
        }
        (Lock::Busy, Some((end, Rest::Append | Rest::Parity))) => settled(front(end)),
        (Lock::Busy, _) => Ok(None),
    }
}

/// What was read; `None` for an error that a change of the file may have caused.
fn settled<T>(read: Result<T>) -> Result<Option<T>> {
    match read {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.is_data_error() || is_cut(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the file ended before bytes that were in it.
fn is_cut(error: &Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref());
    source.is_some_and(|source: &io::Error| source.kind() == io::ErrorKind::UnexpectedEof)
}

#[cfg(test)]
mod tests;
