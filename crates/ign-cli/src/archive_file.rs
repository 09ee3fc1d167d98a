//! Archives that a command reads. Whoever opens one says whether its file has bytes after the archive.

use std::path::Path;

use super::{common::Common, messages::say, numbers::counted};
use ign_archive::{Archive, Result};

/// Opens an archive, and warns of bytes after it.
///
/// # Errors
/// As [`Archive::open`].
pub fn open_archive(path: impl AsRef<Path>, common: &Common) -> Result<Archive> {
    let archive = Archive::open(path)?;
    warn_of_trailing(&archive, common);
    Ok(archive.with_threads(common.threads()))
}

/// Warns of bytes after an archive.
pub fn warn_of_trailing(archive: &Archive, common: &Common) {
    let more = archive.trailing_len();
    if more > 0 && !common.quiet {
        say(format_args!(
            "warning: {}: {} after the archive are ignored: an append is running or was interrupted, \
             or the file was cut off (ign append and ign recover remove them)",
            archive.path().display(),
            counted(more, "byte")
        ));
    }
}
