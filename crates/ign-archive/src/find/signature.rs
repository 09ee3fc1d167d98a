//! Signatures of an archive's games, read without the other columns.

use std::borrow::Cow;

use ign_format::{
    block::signatures::column_index,
    columns::{signatures, storage},
    container::{block_head::Head, index::BlockEntry, stream::Stream},
    error::{Error, Result},
};
use ign_notation::signature::Signature;

use crate::archive::Archive;

impl Archive {
    /// The games whose signature has these squares; `None` matches any square. Of each block only the
    /// head and the levels that are asked for are read.
    ///
    /// Different games can have equal squares, so these are candidates.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt).
    pub fn find_signature(&self, wanted: &Signature) -> Result<Vec<u64>> {
        let mut found = Vec::new();
        for (number, block) in self.index().blocks.iter().enumerate() {
            let games = self.in_block(number, || match block.games {
                0 => Ok(Vec::new()),
                _ => Column::open(self, block)?.find(wanted),
            })?;
            found.extend(games.into_iter().map(|game| block.first_game + game + 1));
        }
        Ok(found)
    }

    /// The signatures of all games of a block. Only the head of the block and these are read.
    #[cfg(feature = "duplicates")]
    pub(crate) fn signatures(&self, block: usize) -> Result<Vec<Signature>> {
        let entry = &self.index().blocks[block];
        self.in_block(block, || match entry.games {
            0 => Ok(Vec::new()),
            _ => Column::open(self, entry)?.all(),
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
    fn open(archive: &'a Archive, block: &BlockEntry) -> Result<Self> {
        let head = Head::read(&archive.read_at(block.offset, block.head_len)?)?;
        if head.games as u64 != block.games {
            return Err(Error::corrupt("index and head of a block differ"));
        }
        let place = column_index(&head)?;
        Ok(Self {
            archive,
            start: block.offset + block.head_len + head.frames_offset(place) as u64,
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
        let stream = from.first();
        let stream = stream.ok_or_else(|| Error::corrupt("a level of signatures is missing"))?;
        let before: usize = before.iter().map(Stream::frame_len).sum();
        let at = self.start + before as u64;
        let frame = self.archive.read_at(at, stream.frame_len() as u64)?;
        Ok(Cow::Owned(storage::read(stream, &frame)?.into_owned()))
    }

    #[cfg(feature = "duplicates")]
    fn all(&self) -> Result<Vec<Signature>> {
        let levels: Result<Vec<_>> = (0..self.streams().len()).map(|l| self.level(l)).collect();
        let levels = signatures::Levels::open(levels?, self.flags(), self.head.games)?;
        Ok(levels.from(0).collect())
    }

    fn find(&self, wanted: &Signature) -> Result<Vec<u64>> {
        signatures::find(wanted, self.flags(), self.head.games, |l| self.level(l))
    }
}
