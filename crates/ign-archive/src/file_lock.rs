//! Locks of files that are written. Whoever writes a file holds its lock; readers need none.
//!
//! A lock belongs to an open file, not to its name. Between opening and locking, another process can give
//! the name to another file, so whoever has locked a file compares it with the file of that name.

use std::{
    fs::{File, Metadata, TryLockError},
    io,
    path::Path,
};

use ign_format::error::{Error, Result};

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
    /// Locks an open file, without waiting.
    ///
    /// # Errors
    /// Io.
    pub(crate) fn try_on(file: &File) -> Result<Self> {
        loop {
            return match file.try_lock() {
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

/// Whether these are the metadata of an open file. True where the system does not tell.
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
