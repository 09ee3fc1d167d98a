//! Verification of an index: every byte of the file, and the archives that are beside it.

use std::{ffi::OsStr, io, path::Path, slice};

use ign_format::{
    container::frame::{self, Kind},
    error::{Error, Remedy, Result},
};

use super::{
    directory::{self, Directory, Member},
    source::Extent,
};
use crate::{
    archive::Archive,
    file_lock::{Lock, Lockable as _},
    location::Location,
    source::{Front, ReadAt, open_file, read_exact},
};

/// The bytes of magic number and length of a frame.
const FRAME_HEAD: usize = frame::SKIPPABLE_HEADER_LEN;

/// What was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifiedIndex {
    /// The number of games.
    pub games: u64,
    /// The length of the file.
    pub len: u64,
    /// The number of segments.
    pub segments: usize,
    /// The number of archives that the index belongs to.
    pub archives: usize,
    /// How many of them are in the folder of the index. Only these were compared with it.
    pub found: usize,
    /// The number of games of these archives that the index does not cover.
    pub missing: u64,
}

/// Checks every checksum of an index, and that it belongs to its archives, as far as they are in
/// the same folder.
///
/// # Errors
/// Io; unsupported if the index has another format version; corrupt if it is damaged, if an archive
/// is another one or has changed, or if bytes follow the last segment because an extension was
/// interrupted.
pub fn verify(path: impl AsRef<Path>) -> Result<VerifiedIndex> {
    let location = Location::of(path.as_ref())?;
    let name = location.name();
    let check = || {
        let file = open(&location)?;
        let len = file.size()?;
        file.will_read(slice::from_ref(&(0..len)));
        let directories = check_frames(&*file, len)?;
        let last = directories.last().cloned().unwrap_or_default();
        let (mut found, mut missing) = (0, 0);
        for (number, archive) in archives_beside(&location, &last.members)? {
            let mut belong = directories
                .iter()
                .map(|d| d.belongs_to_one(number, &archive));
            if !belong.all(|belongs| belongs) {
                return Err(Error::corrupt(format!(
                    "the index does not match {}: it was built for another archive or an earlier version",
                    archive.path().display()
                ))
                .with_remedy(Remedy::RebuildIndex));
            }
            found += 1;
            missing += archive.len() - last.members[number].games;
        }
        Ok(VerifiedIndex {
            games: last.games(),
            len,
            segments: directories.len(),
            archives: last.members.len(),
            found,
            missing,
        })
    };
    check().map_err(|e: Error| e.in_file(&name))
}

/// Opens an index, without the segment that another process is adding to it.
///
/// # Errors
/// Io; usage if a path names no regular file.
fn open(location: &Location) -> Result<Box<dyn ReadAt>> {
    let Some(path) = location.path() else {
        return location.open();
    };
    let file = open_file(path)?;
    let mut len = file.size()?;
    let read = |place: Extent| read_exact(&file, place.offset, place.len);
    let end = directory::last_end(len, read)?;
    if end != Some(len) {
        len = match (file.try_shared()?, end) {
            (Lock::Busy, Some(end)) => end,
            // Nobody adds a segment until the file is closed.
            _ => file.size()?,
        };
    }
    Ok(Box::new(Front::new(file, len)))
}

/// The segments must fill the file, and their sections fill each; all checksums must match.
fn check_frames(file: &dyn ReadAt, len: u64) -> Result<Vec<Directory>> {
    let read = |place: Extent| read_exact(file, place.offset, place.len);
    match directory::last_end(len, read)? {
        Some(end) if end < len => {
            let message = "the end of an index is missing: an extension of it was interrupted";
            return Err(Error::corrupt(message)
                .at_byte(end)
                .with_remedy(Remedy::ExtendIndex));
        }
        _ => {}
    }
    let chain = directory::chain(len, read)?;
    for (directory, Extent { offset: end, .. }) in &chain {
        let mut at = directory.start;
        while at < *end {
            let left = end - at;
            let head = read(Extent {
                offset: at,
                len: left.min(FRAME_HEAD as u64),
            })?;
            let section = frame::skippable_len(&head)
                .filter(|&len| len <= left)
                .ok_or_else(|| Error::corrupt("no section where one is expected").at_byte(at))?;
            let bytes = read(Extent {
                offset: at,
                len: section,
            })?;
            frame::open(Kind::Section, &bytes).map_err(|e| e.at_byte(at))?;
            at += section;
        }
    }
    Ok(chain.into_iter().map(|(directory, _)| directory).collect())
}

/// The archives that are in the folder of an index, by their places among the members. That of a
/// single archive may have been renamed.
///
/// # Errors
/// Those of [`Archive::open`], except that there is no such archive.
fn archives_beside(index: &Location, members: &[Member]) -> Result<Vec<(usize, Archive)>> {
    if let [_] = members
        && let Some(place) = index.archive()
        && let Some(archive) = open_if_present(&place)?
    {
        return Ok(vec![(0, archive)]);
    }
    let mut found = Vec::new();
    for (number, member) in members.iter().enumerate() {
        // A name with folders is not one that ign writes.
        let is_name = Path::new(&member.name).file_name() == Some(OsStr::new(&member.name));
        if is_name && let Some(archive) = open_if_present(&index.beside(&member.name))? {
            found.push((number, archive));
        }
    }
    Ok(found)
}

fn open_if_present(place: &Location) -> Result<Option<Archive>> {
    // A folder, or a pipe.
    if place.path().is_some_and(|path| !path.is_file()) {
        return Ok(None);
    }
    match place.open().map_err(io::Error::from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        source => {
            source?;
            Archive::at(place).map(Some)
        }
    }
}
