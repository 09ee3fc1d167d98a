//! Extends an index when blocks have been appended to its archives.
//!
//! A segment for the new blocks is written after the others. No byte of these changes, so programs
//! that have the index open are not disturbed. If the extension is interrupted, the file ends with
//! an incomplete segment: readers ignore it, and the next extension removes it.

use std::{
    fs::File,
    io::{BufWriter, IntoInnerError, Seek, SeekFrom, Write},
    path::Path,
};

use ign_format::error::Result;

use super::{
    build::{IndexBuilder, IndexOptions, IndexSummary, NewSegment, blocks_of},
    directory::MAX_SEGMENTS,
    file::Index,
};
use crate::{archive::Archive, file_lock::open_locked, new_file::NewFile, progress::OnProgress};

/// Bytes collected before each write.
const BUFFER_LEN: usize = 1 << 18;

/// What an extension wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extended {
    /// The new segment, or the whole index if it was built again. Nothing if the index had all
    /// games.
    pub summary: IndexSummary,
    /// Whether the index was built again, because it would have had too many segments.
    pub is_rebuilt: bool,
}

impl IndexBuilder<'_> {
    /// Extends the index in a file by a segment for the games of the archives after those that it
    /// covers. The new segment has the sections and the depth of the index. This takes the time and memory of an
    /// index of the new games alone. An index of 16 segments is [built again](Self::build_file) as
    /// one.
    ///
    /// The archives must be those of the index in the same order. Blocks may have been appended to
    /// the last one, and further archives may follow.
    ///
    /// The directories of the index are read, and their checksums compared. Its other sections are
    /// not: damage of them stays, and is found by [`verify`](super::verify), or when a query reads
    /// them.
    ///
    /// # Errors
    /// Those of [`build`](Self::build); [`Corrupt`](crate::ErrorKind::Corrupt) if the index is
    /// damaged or belongs to other archives; [`Unsupported`](crate::ErrorKind::Unsupported) if it
    /// has another format version; [`Usage`](crate::ErrorKind::Usage) if another program is
    /// extending it.
    pub fn extend(self, path: impl AsRef<Path>, archives: &[Archive]) -> Result<Extended> {
        let path = path.as_ref();
        self.extend_file(path, archives)
            .map_err(|e| e.in_file(path))
    }

    fn extend_file(mut self, path: &Path, archives: &[Archive]) -> Result<Extended> {
        let file = open(path)?;
        let members: Vec<&Archive> = archives.iter().collect();
        let index = Index::read(Box::new(file.try_clone()?), path.into(), &members)?;
        let mut extended = Extended {
            summary: IndexSummary::default(),
            is_rebuilt: false,
        };
        if index.games() == archives.iter().map(Archive::len).sum::<u64>() {
            return Ok(extended);
        }
        let sections = index.sections();
        match index.end() {
            Some(end) => {
                let segment = NewSegment {
                    archives,
                    blocks: index.blocks()..archives.iter().map(blocks_of).sum(),
                    start: end,
                    options: IndexOptions {
                        sections,
                        depth: index.depth(),
                        ..self.options
                    },
                };
                extended.summary = append(&file, segment, &mut self.on_progress)?;
            }
            None => {
                // The new file is locked in its place.
                let depth = index.depth();
                drop((index, file));
                let builder = self.sections(sections).depth(depth);
                extended.summary = builder.build_file(path, archives)?;
                extended.is_rebuilt = true;
            }
        }
        Ok(extended)
    }

    /// Builds the index of archives in a file, which appears, or replaces another, when it is
    /// complete.
    ///
    /// # Errors
    /// As [`build`](Self::build).
    pub fn build_file(self, path: impl AsRef<Path>, archives: &[Archive]) -> Result<IndexSummary> {
        let mut out = BufWriter::with_capacity(BUFFER_LEN, NewFile::create(path, true)?);
        let summary = self.build(archives, &mut out)?;
        out.into_inner()
            .map_err(IntoInnerError::into_error)?
            .finish()?;
        Ok(summary)
    }
}

/// Opens the index, and keeps other programs from extending it until the file is closed. On Windows
/// a lock would also keep them from reading it, so there is none.
fn open(path: &Path) -> Result<File> {
    let mut options = File::options();
    options.read(true).write(true);
    if cfg!(unix) {
        open_locked(path, &options)
    } else {
        Ok(options.open(path)?)
    }
}

/// Writes a segment at its place, where the file is cut off before. If it cannot be written, the
/// file is cut off again.
fn append(
    mut file: &File,
    segment: NewSegment,
    on_progress: &mut OnProgress,
) -> Result<IndexSummary> {
    let start = segment.start;
    file.set_len(start)?;
    file.seek(SeekFrom::Start(start))?;
    let mut out = BufWriter::with_capacity(BUFFER_LEN, file);
    let write = || {
        let summary = segment.write(&mut out, on_progress)?;
        out.flush()?;
        Ok(summary)
    };
    let written: Result<IndexSummary> = write();
    // What an error has left in the buffer is not written.
    _ = out.into_parts();
    match written {
        Ok(summary) => {
            file.sync_all()?;
            Ok(summary)
        }
        Err(error) => {
            // Readers ignore an incomplete segment that cannot be removed.
            _ = file.set_len(start);
            Err(error)
        }
    }
}

impl Index {
    /// Whether [`IndexBuilder::extend`] adds a segment for games that the index does not cover.
    /// Otherwise it builds the index again: a further segment would be one too many.
    pub fn is_extendable(&self) -> bool {
        self.end().is_some()
    }

    /// Where the next segment starts; `None` if there is no place for one.
    fn end(&self) -> Option<u64> {
        let has_room = self.segments().len() < MAX_SEGMENTS && !self.has_others;
        has_room.then_some(self.end)
    }
}
