//! Locks of files that are written. Whoever writes a file holds its lock; readers need none.
//!
//! A lock belongs to an open file, not to its name. Between opening and locking, another process
//! can give the name to another file, so whoever has locked a file compares it with the file of
//! that name.

use std::{
    fs::{File, Metadata, OpenOptions, TryLockError},
    io,
    path::Path,
    thread,
    time::Duration,
};

use ign_format::error::{Error, Result};

/// Further attempts to lock a file that is locked.
const ATTEMPTS: usize = 10;
/// Time between attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// What became of an attempt to lock a file.
pub(crate) enum Lock {
    /// The file is locked until it is closed.
    Held,
    /// Another process, or another part of this one, holds the lock.
    Busy,
    /// The file system has no locks.
    Unsupported,
}

impl Lock {
    /// Locks an open file for writing, without waiting.
    ///
    /// # Errors
    /// Io.
    pub(crate) fn try_on(file: &File) -> Result<Self> {
        Self::attempt(|| file.try_lock())
    }

    fn attempt(lock: impl Fn() -> std::result::Result<(), TryLockError>) -> Result<Self> {
        loop {
            return match lock() {
                Ok(()) => Ok(Self::Held),
                Err(TryLockError::WouldBlock) => Ok(Self::Busy),
                Err(TryLockError::Error(error)) => match error.kind() {
                    io::ErrorKind::Interrupted => continue,
                    io::ErrorKind::Unsupported => Ok(Self::Unsupported),
                    _ => Err(error.into()),
                },
            };
        }
    }
}

/// What can be locked against writers.
pub(crate) trait Lockable {
    /// Locks it against writers, without waiting.
    ///
    /// # Errors
    /// Io.
    fn try_shared(&self) -> Result<Lock>;

    /// Releases the lock, if there is one.
    fn release(&self);
}

impl Lockable for File {
    fn try_shared(&self) -> Result<Lock> {
        Lock::attempt(|| self.try_lock_shared())
    }

    fn release(&self) {
        // Whoever cannot unlock a file has not locked it.
        _ = self.unlock();
    }
}

/// Opens a file with these options, and locks it where the file system has locks. The file has this
/// name when it is locked, unless another process renames it without a lock of it.
///
/// # Errors
/// Io; usage if another process is writing the file.
pub(crate) fn open_locked(path: &Path, options: &OpenOptions) -> Result<File> {
    let mut attempts = 0;
    loop {
        let file = options.open(path)?;
        match Lock::try_on(&file)? {
            Lock::Busy if attempts == ATTEMPTS => return Err(busy(path)),
            // A reader that met the end of an append holds the lock for a moment.
            Lock::Busy => {
                attempts += 1;
                thread::sleep(PAUSE);
            }
            Lock::Held | Lock::Unsupported if is_same(&file, &path.metadata()?)? => {
                return Ok(file);
            }
            // Another process has replaced the file since it was opened.
            Lock::Held | Lock::Unsupported => {}
        }
    }
}

/// Whether these are the metadata of an open file. Where files have no numbers, the lengths are
/// compared: then files of equal length pass for one.
pub(crate) fn is_same(file: &File, other: &Metadata) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let own = file.metadata()?;
        Ok((own.dev(), own.ino()) == (other.dev(), other.ino()))
    }
    #[cfg(not(unix))]
    {
        Ok(file.metadata()?.len() == other.len())
    }
}

/// The error of a file that another process writes.
pub(crate) fn busy(path: &Path) -> Error {
    Error::usage(format!("another ign process is writing {}", path.display()))
        .with_remedy("wait until it has finished")
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    fn options() -> OpenOptions {
        let mut options = File::options();
        options.read(true).write(true);
        options
    }

    #[test]
    fn one_holder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        assert!(open_locked(&path, &options()).is_err());
        fs::write(&path, b"text").unwrap();
        let held = open_locked(&path, &options()).unwrap();
        let error = open_locked(&path, &options()).unwrap_err();
        assert_eq!(error.kind(), crate::ErrorKind::Usage);
        drop(held);
        open_locked(&path, &options()).unwrap();
    }
}
