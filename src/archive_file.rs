//! Archives that a command reads. Whoever opens one says whether its file has bytes after the
//! archive.

use std::path::{Path, PathBuf};

use super::{common::Common, messages::say};
use ign_archive::{
    Archive, Error, ErrorKind as Kind, Result,
    location::{is_address, message_name},
};

/// Opens an archive, and warns of bytes after it.
///
/// # Errors
/// As [`Archive::open`].
pub fn open_archive(path: impl AsRef<Path>, common: &Common) -> Result<Archive> {
    let path = path.as_ref();
    let archive = Archive::open(path).map_err(|e| advised_of_numbers(e, path))?;
    warn_of_trailing(&archive, common);
    Ok(archive.with_threads(common.threads()))
}

/// The error of opening an archive, with advice if its name looks like numbers of games.
pub fn advised_of_numbers(error: Error, path: &Path) -> Error {
    let is_of_number = |c: char| c.is_ascii_digit() || ".-".contains(c);
    let is_number = path.to_str().is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(is_of_number)
    });
    if error.kind() == Kind::Io && is_number {
        error.with_remedy("ign get and ign list take numbers of games: 5, or 1..3")
    } else {
        error
    }
}

/// The file whose folder and name are those of what is made of an input, if no other is given. What
/// is made of an object on a server is written into the current folder.
pub fn local_name(input: &Path) -> PathBuf {
    let name = message_name(input);
    match (is_address(&name.to_string_lossy()), name.file_name()) {
        (true, Some(file)) => file.into(),
        _ => name,
    }
}

/// Warns of bytes after an archive.
pub fn warn_of_trailing(archive: &Archive, common: &Common) {
    if let Some(warning) = archive.trailing_warning().filter(|_| !common.quiet) {
        say(format_args!("warning: {warning}"));
    }
}
