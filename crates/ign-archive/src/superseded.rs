//! What appends leave between blocks: the index and the footer that were the last ones before.

use std::ops::Range;

use ign_format::{
    container::{
        footer::{self, Footer},
        frame::{self, skippable_len},
        header,
    },
    error::{Error, Result},
};

use crate::archive::Archive;

/// The number of frames in a gap between blocks. They must be indexes, each with its footer.
///
/// # Errors
/// Io; corrupt if other bytes are there.
pub(crate) fn frames(archive: &Archive, gap: Range<u64>) -> Result<u64> {
    let (mut at, mut frames) = (gap.start, 0);
    if gap.start > gap.end {
        return Err(unexplained(gap.end));
    }
    while at < gap.end {
        let start = archive.read_at(at, 8.min(gap.end - at))?;
        let footer_at = skippable_len(&start).and_then(|len| at.checked_add(len));
        let end = footer_at.and_then(|at| at.checked_add(footer::LEN as u64));
        let (Some(footer_at), Some(end)) = (footer_at, end.filter(|&end| end <= gap.end)) else {
            return Err(unexplained(at));
        };
        let index = archive.read_at(at, footer_at - at)?;
        let footer = archive.read_at(footer_at, footer::LEN as u64)?;
        frame::open(frame::Kind::Index, &index).map_err(|_| unexplained(at))?;
        match Footer::read(&footer, end) {
            Ok(footer) if footer.index_offset == at => {}
            _ => return Err(unexplained(footer_at)),
        }
        at = end;
        frames += 2;
    }
    Ok(frames)
}

fn unexplained(at: u64) -> Error {
    Error::corrupt("the index leaves bytes of the file unexplained").at_byte(at)
}

impl Archive {
    /// The number of frames and of bytes of indexes and footers that appends have superseded.
    /// [Merging](crate::merge()) the archive alone leaves them out.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) if other bytes are in their
    /// places.
    pub fn superseded(&self) -> Result<(u64, u64)> {
        let count = || {
            let meta = self.read_at(header::LEN as u64, 8)?;
            let mut end = header::LEN as u64 + skippable_len(&meta).unwrap_or(0);
            let (mut all_frames, mut bytes) = (0, 0);
            let blocks = self.index().blocks.iter().map(|b| (b.offset, b.stored_len));
            for (offset, len) in blocks.chain([(self.footer().index_offset, 0)]) {
                all_frames += frames(self, end..offset)?;
                bytes += offset.saturating_sub(end);
                end = offset + len;
            }
            Ok((all_frames, bytes))
        };
        count().map_err(|e: Error| e.in_file(self.path()))
    }
}
