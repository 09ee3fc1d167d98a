//! The signatures of an archive's games, read by themselves.

use std::borrow::Cow;

use ign_format::{
    block::signatures::place_of,
    columns::{
        signatures::{self, Levels},
        storage,
    },
    container::{block_head::Head, index::BlockEntry, stream::Stream},
    error::{Error, Result},
};
use ign_notation::signature::Signature;

use crate::reader::Archive;

impl Archive {
    /// Numbers of the games, counted from zero, that have these squares in their
    /// signature. Of each block no more is read than its head and what is asked for.
    ///
    /// # Errors
    /// Io, or corrupt.
    pub fn find_signature(&self, wanted: &Signature) -> Result<Vec<u64>> {
        let mut found = Vec::new();
        for (number, block) in self.index().blocks.iter().enumerate() {
            let find = || match block.games {
                0 => Ok(Vec::new()),
                _ => Column::open(self, block)?.find(wanted),
            };
            let games = find().map_err(|e| e.in_block(number as u64).in_file(self.path()))?;
            found.extend(games.into_iter().map(|game| game + block.first_game));
        }
        Ok(found)
    }

    /// The signatures of all games of a block. No more is read of it than its head and these.
    ///
    /// # Errors
    /// Io, or corrupt.
    pub fn signatures(&self, block: usize) -> Result<Vec<Signature>> {
        let entry = &self.index().blocks[block];
        let read = || match entry.games {
            0 => Ok(Vec::new()),
            _ => Column::open(self, entry)?.all(),
        };
        read().map_err(|e| e.in_block(block as u64).in_file(self.path()))
    }
}

/// The signatures of a block, read by themselves.
struct Column<'a> {
    archive: &'a Archive,
    head: Head,
    /// The column's place in the directory.
    place: usize,
    /// Where its frames start in the file.
    start: u64,
}

impl<'a> Column<'a> {
    fn open(archive: &'a Archive, block: &BlockEntry) -> Result<Self> {
        let head = Head::read(&archive.read_at(block.offset, block.head_len)?)?;
        if head.games as u64 != block.games {
            return Err(Error::corrupt("index and head of a block differ"));
        }
        let place = place_of(&head)?;
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

    fn all(&self) -> Result<Vec<Signature>> {
        let levels: Result<Vec<_>> = (0..self.streams().len()).map(|l| self.level(l)).collect();
        let levels = Levels::open(levels?, self.flags(), self.head.games)?;
        Ok(levels.from(0).collect())
    }

    fn find(&self, wanted: &Signature) -> Result<Vec<u64>> {
        signatures::find(wanted, self.flags(), self.head.games, |l| self.level(l))
    }
}
