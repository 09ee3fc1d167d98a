//! What is in the file of an archive beside its blocks and its last index and footer: the indexes
//! and footers that appends have left between blocks, the marks of the appends, and parity, there
//! and at the end.

use std::{iter, ops::Range};

use ign_format::{
    container::{
        footer::Footer,
        frame::{Kind, SKIPPABLE_HEADER_LEN, skippable_len},
        header,
        index::{BlockEntry, Index},
        parity::Set,
    },
    error::{Error, Result},
};

use crate::{
    archive::Archive,
    check::frames::{read_at, sealed_at},
    source::ReadAt,
};

/// Frames that are no part of the archive as it is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherFrames {
    /// The number of frames of indexes and footers that appends have superseded, and of marks of
    /// appends.
    pub superseded: u64,
    /// Their bytes.
    pub superseded_len: u64,
    pub(crate) parity_sets: Vec<Set>,
    /// The number of frames of parity.
    pub parity_frames: u64,
    /// Their bytes.
    pub parity_len: u64,
}

impl OtherFrames {
    /// The number of bytes that are protected by a parity set.
    pub fn protected_len(&self) -> u64 {
        let mut sets: Vec<_> = self.parity_sets.iter().collect();
        sets.sort_by_key(|set| set.start);
        let mut end = 0;
        let mut len = 0;
        for set in sets {
            len += set.end.saturating_sub(set.start.max(end));
            end = end.max(set.end);
        }
        len
    }

    /// Those of an archive with this index and footer, which ends with its parity at `end`. No
    /// block is read.
    ///
    /// # Errors
    /// Io; corrupt if other bytes are in their places.
    pub(crate) fn read(
        source: &dyn ReadAt,
        index: &Index,
        footer: &Footer,
        end: u64,
    ) -> Result<Self> {
        let first = header::LEN as u64;
        let meta = read_at(source, end, first, SKIPPABLE_HEADER_LEN as u64)?;
        let mut at = first + skippable_len(&meta).unwrap_or(0);
        let mut found = Self::default();
        let blocks = index.blocks.iter().map(BlockEntry::bytes);
        for part in blocks.chain(iter::once(footer.index_offset..footer.file_len)) {
            found.add(source, at..part.start)?;
            at = part.end;
        }
        // What is at the end may be damaged while the archive is whole.
        match found.add(source, at..end) {
            Err(error) if !error.is_data_error() => Err(error),
            _ => Ok(found),
        }
    }

    /// Adds the frames of a gap between blocks.
    ///
    /// # Errors
    /// Io; corrupt if other bytes are there.
    fn add(&mut self, source: &dyn ReadAt, gap: Range<u64>) -> Result<()> {
        let mut at = gap.start;
        if gap.start > gap.end {
            return Err(unexplained(gap.end));
        }
        while at < gap.end {
            let sealed = sealed_at(source, gap.end, at)?;
            let (kind, frame) = sealed.ok_or_else(|| unexplained(at))?;
            let mut len = frame.len() as u64;
            match kind {
                Kind::Index | Kind::Footer | Kind::Append => {
                    self.superseded += 1;
                    self.superseded_len += len;
                }
                Kind::Parity | Kind::Recovery | Kind::Trailer => {
                    let set = Set::read_description(&frame).map(|(set, ..)| set);
                    // The description gives the place of the other frames of the set, which are not
                    // read.
                    let whole = set
                        .ok()
                        .filter(|set| set.at == at && set.file_end() <= gap.end);
                    if let Some(set) = whole {
                        len = set.file_end() - at;
                        self.parity_frames += set.frames();
                        self.parity_sets.push(set);
                    } else {
                        self.parity_frames += 1;
                    }
                    self.parity_len += len;
                }
                _ => return Err(unexplained(at)),
            }
            at += len;
        }
        Ok(())
    }
}

fn unexplained(at: u64) -> Error {
    Error::corrupt("the index leaves bytes of the file unexplained").at_byte(at)
}

impl Archive {
    /// The frames of indexes and footers that appends have superseded, the marks of appends, and
    /// parity. [Merging](crate::Merger) the archive alone leaves all of them out.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) if other bytes are in
    /// their places.
    pub fn other_frames(&self) -> Result<OtherFrames> {
        OtherFrames::read(self.source(), self.block_table(), self.footer(), self.end())
            .map_err(|e| e.in_file(self.path()))
    }
}
