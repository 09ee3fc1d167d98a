//! Verification of an index: every byte of the file, and the archives that are beside it.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use ign_format::{
    container::frame::{self, Kind},
    error::{Error, Result},
};

use super::directory::{Directory, Member, Place};
use crate::{archive::Archive, source::ReadAt};

/// The bytes of magic number and length of a frame.
const FRAME_HEAD: usize = frame::SKIPPABLE_HEADER_LEN;

/// What was verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifiedIndex {
    /// The number of games.
    pub games: u64,
    /// The length of the file.
    pub len: u64,
    /// The number of archives that the index belongs to.
    pub archives: usize,
    /// How many of them are in the folder of the index. Only these were compared with it.
    pub found: usize,
}

/// Checks every checksum of an index, and that it belongs to its archives, as far as they are in the
/// same folder.
///
/// # Errors
/// Io; unsupported if the index has another format version; corrupt if it is damaged, or if an archive
/// is another one or has changed.
pub fn verify(path: impl AsRef<Path>) -> Result<VerifiedIndex> {
    let path = path.as_ref();
    let check = || {
        let file = File::open(path)?;
        let len = ReadAt::size(&file)?;
        let directory = check_frames(&file, len)?;
        let mut found = 0;
        for (member, archive) in archives_beside(path, &directory.members) {
            let archive = Archive::open(archive)?;
            if !member.is_same(&archive.member()) {
                return Err(Error::corrupt(format!(
                    "the index belongs to another archive than {}, or that has changed since",
                    archive.path().display()
                ))
                .with_remedy("build it again with ign index"));
            }
            found += 1;
        }
        Ok(VerifiedIndex {
            games: directory.games(),
            len,
            archives: directory.members.len(),
            found,
        })
    };
    check().map_err(|e: Error| e.in_file(path))
}

/// Sections, directory and end must fill the file, and their checksums must match.
fn check_frames(file: &File, len: u64) -> Result<Directory> {
    let read = |place: Place| -> Result<Vec<u8>> {
        let mut bytes = vec![0; place.len as usize];
        file.read_exact_at(&mut bytes, place.offset)?;
        Ok(bytes)
    };
    let (directory, Place { offset: end, .. }) = Directory::open(len, read)?;
    let mut at = 0;
    while at < end {
        let left = end - at;
        let head = read(Place {
            offset: at,
            len: left.min(FRAME_HEAD as u64),
        })?;
        let section = frame::skippable_len(&head).filter(|&len| len <= left);
        let section = section
            .ok_or_else(|| Error::corrupt("no section where one is expected").at_byte(at))?;
        let bytes = read(Place {
            offset: at,
            len: section,
        })?;
        frame::open(Kind::Section, &bytes).map_err(|e| e.at_byte(at))?;
        at += section;
    }
    Ok(directory)
}

/// The archives that are in the folder of an index. That of a single archive may have another name now.
fn archives_beside<'m>(path: &Path, members: &'m [Member]) -> Vec<(&'m Member, PathBuf)> {
    if let [member] = members
        && path.extension().is_some_and(|extension| extension == "idx")
        && path.with_extension("").is_file()
    {
        return vec![(member, path.with_extension(""))];
    }
    let beside = members.iter().filter_map(|member| {
        let name = Path::new(&member.name);
        // A name with folders is not one that ign writes.
        let archive = path.with_file_name(name.file_name().filter(|own| *own == name)?);
        archive.is_file().then_some((member, archive))
    });
    beside.collect()
}
