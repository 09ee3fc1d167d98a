//! Archives that a command reads. Whoever opens one says whether its file has bytes after the archive.

use std::path::Path;

use super::{common::Common, messages::say};
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
    if let Some(warning) = archive.trailing_warning().filter(|_| !common.quiet) {
        say(format_args!("warning: {warning}"));
    }
}
