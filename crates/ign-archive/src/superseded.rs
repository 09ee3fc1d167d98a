//! What is between blocks after appends: the indexes, the footers and the parity that were the last ones before,
//! and the marks of the appends.

use std::{iter, ops::Range};

use ign_format::{
    container::{frame::skippable_len, header, index::BlockEntry},
    error::{Error, Result},
};

use crate::{archive::Archive, check::frames::sealed_at};

/// The number of frames in a gap between blocks. They must be indexes, footers, frames of parity and marks of
/// appends.
///
/// # Errors
/// Io; corrupt if other bytes are there.
fn frames(archive: &Archive, gap: Range<u64>) -> Result<u64> {
    let (mut at, mut frames) = (gap.start, 0);
    if gap.start > gap.end {
        return Err(unexplained(gap.end));
    }
    while at < gap.end {
        let sealed = sealed_at(archive.source(), gap.end, at)?;
        let (kind, frame) = sealed.ok_or_else(|| unexplained(at))?;
        if !kind.is_between_blocks() {
            return Err(unexplained(at));
        }
        at += frame.len() as u64;
        frames += 1;
    }
    Ok(frames)
}

fn unexplained(at: u64) -> Error {
    Error::corrupt("the index leaves bytes of the file unexplained").at_byte(at)
}

impl Archive {
    /// The number of frames and of bytes of indexes, footers and parity that appends have superseded, and of the
    /// marks of the appends.
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
            let index_at = self.footer().index_offset;
            let blocks = self.index().blocks.iter().map(BlockEntry::bytes);
            for part in blocks.chain(iter::once(index_at..index_at)) {
                all_frames += frames(self, end..part.start)?;
                bytes += part.start.saturating_sub(end);
                end = part.end;
            }
            Ok((all_frames, bytes))
        };
        count().map_err(|e: Error| e.in_file(self.path()))
    }
}
