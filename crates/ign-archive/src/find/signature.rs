//! Signatures of an archive's games, read without the other columns.

use std::borrow::Cow;

use ign_format::{
    block::signatures::column_index,
    columns::{signatures, storage},
    container::{block_head::Head, stream::Stream},
    error::{Error, Result},
};
use ign_notation::signature::Signature;

use crate::archive::Archive;

/// The games of a block, from 0, whose signature has these squares, and the number of bytes read.
///
/// # Errors
/// Those of the source; corrupt.
pub fn find(archive: &Archive, number: usize, wanted: &Signature) -> Result<(Vec<u64>, u64)> {
    let entry = &archive.blocks()[number];
    if entry.games == 0 {
        return Ok((Vec::new(), 0));
    }
    let column = Column::open(archive, number)?;
    let mut bytes = 0;
    let found = signatures::find(wanted, column.flags(), column.head.games, |level| {
        let stream = column.streams().get(level);
        bytes += stream.map_or(0, |stream| stream.stored_len() as u64);
        column.level(level)
    })?;
    Ok((found, bytes))
}

#[cfg(feature = "duplicates")]
impl Archive {
    /// The signatures of all games of a block. Only the head of the block and these are read.
    pub(crate) fn signatures(&self, block: usize) -> Result<Vec<Signature>> {
        let entry = &self.blocks()[block];
        self.in_block(block, || match entry.games {
            0 => Ok(Vec::new()),
            _ => Column::open(self, block)?.all(),
        })
    }
}

/// The signature column of a block.
struct Column<'a> {
    archive: &'a Archive,
    head: Head,
    /// The column's index in the directory.
    place: usize,
    /// The offset of its first frame in the file.
    start: u64,
}

impl<'a> Column<'a> {
    fn open(archive: &'a Archive, number: usize) -> Result<Self> {
        let block = &archive.blocks()[number];
        let head = archive.block_head(number)?;
        let place = column_index(&head)?;
        Ok(Self {
            archive,
            start: block.offset + block.head_len + head.frames(place).start as u64,
            place,
            head,
        })
    }

    fn streams(&self) -> &[Stream] {
        &self.head.columns[self.place].streams
    }

    fn flags(&self) -> u8 {
        self.head.columns[self.place].flags
    }

    /// The stream of a level.
    fn level(&self, level: usize) -> Result<Cow<'static, [u8]>> {
        let (before, from) = self.streams().split_at(level.min(self.streams().len()));
        let stream = from
            .first()
            .ok_or_else(|| Error::corrupt("a level of signatures is missing"))?;
        let before: usize = before.iter().map(Stream::frame_len).sum();
        let at = self.start + before as u64;
        let frame = self.archive.read_at(at, stream.frame_len() as u64)?;
        Ok(Cow::Owned(storage::read(stream, &frame)?.into_owned()))
    }

    #[cfg(feature = "duplicates")]
    fn all(&self) -> Result<Vec<Signature>> {
        let streams = (0..self.streams().len())
            .map(|level| self.level(level))
            .collect::<Result<_>>()?;
        let levels = signatures::Levels::open(streams, self.flags(), self.head.games)?;
        Ok(levels.from(0).collect())
    }
}
