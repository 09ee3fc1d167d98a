//! Builds an index from archives, or a segment for some of their blocks, in bounded memory.
//!
//! ```text
//! blocks ─► examine (threads): columns, names, occurrences of positions, first moves ─► collect, in order
//!        ─► columns, players, opening tree ─► shards of positions (threads) ─► file
//! ```
//!
//! What grows with the number of games is sorted in pieces that are kept in temporary files
//! ([`spill`](super::spill), [`spool`](super::spool)). In memory are about 6 bytes a game, the
//! names of the players, 128 MiB of what is sorted or as much as the caller gives, 2 MiB of each
//! column, the opening tree, and, for each thread, the positions of a shard.

mod collect;
mod estimate;
mod examine;
mod file;

use std::{io::Write, num::NonZeroU32, ops::Range, thread};

use ign_format::{
    container::checksum,
    error::{Error, Result},
};

pub use self::estimate::IndexEstimate;
pub use self::file::IndexSummary;
use self::{collect::Collected, file::IndexFile};
use super::{
    directory::Member,
    keys::Occurrence,
    positions,
    sections::IndexSections,
    slots::{SlotBlock, Slots},
    statistics::Stored,
};
use crate::{
    archive::Archive,
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
};

/// Builds search indexes.
///
/// ```
/// use ign_archive::{Archive, Input, Packer, index::IndexBuilder};
///
/// let (bytes, _) = Packer::new().pack([Input::reader("a", &b"1. e4 e5 *\n"[..])], Vec::new())?;
/// let archives = [Archive::from_read_at(bytes, "a.ign")?];
/// let mut index = Vec::new();
/// let summary = IndexBuilder::new().build(&archives, &mut index)?;
/// assert_eq!((summary.games, summary.len), (1, index.len() as u64));
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct IndexBuilder<'p> {
    pub(super) options: IndexOptions,
    pub(super) on_progress: OnProgress<'p>,
}

/// What an index has, and how it is built.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexOptions {
    pub sections: IndexSections,
    pub depth: Option<NonZeroU32>,
    pub stored: Stored,
    /// Bytes of records that are sorted in memory.
    pub memory: u64,
}

impl Default for IndexBuilder<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> IndexBuilder<'p> {
    /// The least [memory](Self::memory) in bytes: each of the pieces that are sorted has a buffer
    /// when they are merged.
    pub const MIN_MEMORY: u64 = 16 << 20;

    /// Builds all sections.
    pub fn new() -> Self {
        let options = IndexOptions {
            sections: IndexSections::ALL,
            depth: None,
            stored: Stored::DEFAULT,
            memory: 128 << 20,
        };
        Self {
            options,
            on_progress: OnProgress::default(),
        }
    }

    /// The sections to build.
    #[must_use]
    pub fn sections(mut self, sections: IndexSections) -> Self {
        self.options.sections = sections;
        self
    }

    /// The depth of the positions: only those that occur within this number of plies of a game are
    /// indexed, each with all of its games. `None`, the default, indexes all positions. Searches
    /// for other positions replay the games that have more plies.
    #[must_use]
    pub fn depth(mut self, plies: Option<NonZeroU32>) -> Self {
        self.options.depth = plies;
        self
    }

    /// Which positions have statistics: those with at least `min_games` games, if these are on
    /// average at least `games_of_cell` for each move, month, speed and rating group. Other
    /// positions are counted when they are asked for. The default is 16,384 and 32.
    #[must_use]
    pub fn statistics(mut self, min_games: u64, games_of_cell: u64) -> Self {
        self.options.stored = Stored {
            min_games,
            games_of_cell,
        };
        self
    }

    /// The number of bytes of records that are sorted in memory before they are written to
    /// temporary files: 128 MiB by default, at least [`Self::MIN_MEMORY`]. The process takes some
    /// 170 MiB, about 6 bytes a game and the names of the players in addition.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.options.memory = bytes.max(Self::MIN_MEMORY);
        self
    }

    progress_setter!();

    /// About how many bytes of temporary files an index of all sections needs, for the games of
    /// archives after the first `blocks` blocks of all: that of the columns alone if the
    /// [memory](Self::memory) is enough for the rest.
    pub fn temporary_bytes(&self, archives: &[Archive], blocks: u64) -> u64 {
        /// First moves, games of players and of materials; and positions of the first moves, which
        /// are sorted once more.
        const OF_GAME: u64 = 340;
        const OF_COLUMNS: u64 = 60;
        let games = archives
            .iter()
            .flat_map(Archive::blocks)
            .skip(blocks as usize);
        let games: u64 = games.map(|block| block.games).sum();
        let sorted = plies_of(archives, games) * size_of::<Occurrence>() as u64 + games * OF_GAME;
        // Half of the memory is for occurrences.
        let is_enough = 2 * sorted <= self.options.memory;
        games * OF_COLUMNS + if is_enough { 0 } else { sorted }
    }

    /// Builds the index of archives and writes it, as one segment. The games of the archives are
    /// numbered one after the other. The bytes of the progress are those of archives.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there are more than 2³² games;
    /// [`Io`](crate::ErrorKind::Io), also of `out`; [`Corrupt`](crate::ErrorKind::Corrupt);
    /// [`Unsupported`](crate::ErrorKind::Unsupported); [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn build(mut self, archives: &[Archive], out: &mut dyn Write) -> Result<IndexSummary> {
        let segment = NewSegment {
            archives,
            blocks: 0..archives.iter().map(blocks_of).sum(),
            start: 0,
            options: self.options,
        };
        segment.write(out, &mut self.on_progress)
    }
}

/// The number of blocks of an archive.
pub(super) fn blocks_of(archive: &Archive) -> u64 {
    archive.blocks().len() as u64
}

/// A segment to write.
pub(super) struct NewSegment<'a> {
    pub archives: &'a [Archive],
    /// Its blocks, counted over all archives. They are the last ones.
    pub blocks: Range<u64>,
    /// The byte of the file at which it starts.
    pub start: u64,
    pub options: IndexOptions,
}

impl NewSegment<'_> {
    /// Builds the segment and writes it.
    ///
    /// # Errors
    /// As [`IndexBuilder::build`].
    pub fn write(self, out: &mut dyn Write, on_progress: &mut OnProgress) -> Result<IndexSummary> {
        let Self {
            archives,
            blocks,
            start,
            options,
        } = self;
        let IndexOptions {
            sections,
            depth,
            stored,
            memory,
        } = options;
        let mut slots = Slots::new(archives, blocks, Vec::new());
        let games = slots.games();
        if slots.groups() * u64::from(positions::GROUP) > u64::from(u32::MAX) {
            return Err(Error::usage("an index has at most 4,294,967,295 games")
                .with_remedy("build one index for each archive"));
        }
        let shard_bits = positions::shard_bits(plies_of(archives, games));
        let threads = archives.first().map_or(1, Archive::threads);
        let mut collected = Collected::new(shard_bits, memory);
        let counters = Counters::default();
        thread::scope(|scope| -> Result<()> {
            let jobs: Vec<_> = slots.blocks().iter().copied().map(Ok).collect();
            let examine = |block: SlotBlock| {
                let archive = &archives[block.member];
                archive.in_block(block.block, || {
                    examine::examine(archive, block, sections, depth, shard_bits)
                })
            };
            let blocks = slots.blocks().iter();
            for (part, block) in ordered(scope, threads, jobs.into_iter(), examine).zip(blocks) {
                collected.add(part?, block)?;
                counters.add_games(block.games);
                let entry = &archives[block.member].blocks()[block.block];
                counters.add_bytes(entry.stored_len);
                counters.report(on_progress)?;
            }
            Ok(())
        })?;
        let mut file = IndexFile::new(out, start);
        file.directory.sections = sections;
        file.directory.depth = depth;
        let members = archives.iter().map(|a| a.member(blocks_of(a)));
        file.directory.members = members.collect();
        slots.set_unplayed(std::mem::take(&mut collected.unplayed));
        collected.write(&slots, sections, stored, games, threads, &mut file)?;
        file.finish(games)
    }
}

/// The plies of `games` games of archives and a position for the start of each, about: games are
/// taken to be as long as those of all archives are on average.
fn plies_of(archives: &[Archive], games: u64) -> u64 {
    let all: u64 = archives.iter().map(Archive::len).sum();
    let plies: u64 = archives.iter().map(Archive::plies).sum();
    let share = u128::from(plies) * u128::from(games) / u128::from(all.max(1));
    share as u64 + games
}

impl Archive {
    /// What an index keeps of the first blocks of the archive to recognize it.
    pub(crate) fn member(&self, blocks: u64) -> Member {
        let covered = self.blocks().iter().take(blocks as usize);
        let (mut bytes, mut count, mut games) = (Vec::new(), 0, 0);
        for block in covered {
            for value in [
                block.offset,
                block.head_len,
                block.stored_len,
                block.text_len,
                block.games,
                block.head_checksum,
            ] {
                bytes.extend_from_slice(&value.to_le_bytes());
            }
            count += 1;
            games += block.games;
        }
        let name = self.path().file_name().unwrap_or_default();
        Member {
            name: name.to_string_lossy().into_owned(),
            blocks: count,
            games,
            identity: checksum(&bytes),
        }
    }
}
