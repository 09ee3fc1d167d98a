//! The parts of a collection: consecutive games that have a segment of an index in common, or no
//! index. The index of an archive covers its first games, and an index that all archives share
//! covers the first games of all.

use std::{ops::Range, slice};

use ign_format::{
    block::{Fixed, starts::Starts},
    error::{Error, Result},
};

use super::Archives;
use crate::{
    archive::{Archive, MAX_BY_COLUMN},
    index::{Index, IndexInUse, Segment},
    opened::OpenBlock,
    progress::Counters,
};

/// Consecutive games of one or several archives.
pub(crate) struct Part<'a> {
    archives: &'a [Archive],
    /// The blocks of all these archives before those of the part.
    blocks_before: usize,
    /// The number of blocks of the part.
    blocks: usize,
    /// The first game, counted from 0 over all parts.
    pub first_game: u64,
    /// What an index has of these games.
    segment: Option<&'a Segment>,
    /// The index of all these archives; `None` if it is the one beside the archive.
    shared: Option<&'a IndexInUse>,
}

/// A block of one of the archives.
#[derive(Clone, Copy)]
pub(crate) struct LocatedBlock<'a> {
    /// The archive.
    pub archive: &'a Archive,
    /// The number of the block in the archive.
    pub block: usize,
    /// Its first game, counted from 0 over all archives.
    pub first_game: u64,
    /// The number of its games.
    pub games: u64,
}

impl LocatedBlock<'_> {
    /// Its games, counted from 0 over all archives.
    pub fn range(&self) -> Range<u64> {
        self.first_game..self.first_game + self.games
    }

    /// Counts the block as done: its games and its bytes in the archive.
    pub fn count(&self, counters: &Counters) {
        counters.add_games(self.games);
        counters.add_bytes(self.archive.blocks()[self.block].stored_len);
    }

    /// Opens the block for the moves of its games, as [announced](Self::announce_moves).
    ///
    /// # Errors
    /// As [`Archive::open_columns`].
    pub fn open_moves(&self, by_column: bool) -> Result<OpenBlock> {
        if by_column {
            self.archive.open_columns(self.block)
        } else {
            self.archive.open_block(self.block)
        }
    }

    /// Announces blocks that will be read, in this order, to their archives.
    pub fn announce(places: &[Self]) {
        Self::each_archive(places, |archive, blocks| archive.will_read(blocks));
    }

    /// Announces blocks that will be read for the moves of their games. Returns whether they are few
    /// enough to be read by columns.
    pub fn announce_moves(places: &[Self]) -> bool {
        let by_column = places.len() <= MAX_BY_COLUMN;
        if by_column {
            let others = [Fixed::Moves];
            Self::each_archive(places, |archive, blocks| {
                archive.will_read_columns(blocks, &Starts::TAGS, &others);
            });
        } else {
            Self::announce(places);
        }
        by_column
    }

    /// Passes the blocks of each archive, which follow each other.
    fn each_archive(places: &[Self], mut visit: impl FnMut(&Archive, &[usize])) {
        let same = |one: &Self, other: &Self| std::ptr::eq(one.archive, other.archive);
        for places in places.chunk_by(same) {
            let blocks: Vec<usize> = places.iter().map(|place| place.block).collect();
            visit(places[0].archive, &blocks);
        }
    }
}

impl Archives {
    /// The parts, in the order of their games. Indexes that have been rejected are not used.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let (mut parts, mut first_game) = (Vec::new(), 0);
        let shared = self.shared.as_deref();
        match shared.filter(|index| index.rejected().is_none()) {
            Some(shared) => {
                let index = shared.get(|| Ok(None));
                let all = &self.archives;
                Part::add(all, index, Some(shared), &mut first_game, &mut parts);
            }
            None => {
                for archive in &self.archives {
                    let (one, index) = (slice::from_ref(archive), archive.search_index());
                    Part::add(one, index, None, &mut first_game, &mut parts);
                }
            }
        }
        parts
    }
}

impl<'a> Part<'a> {
    /// Adds the parts of archives: one for each segment of their index, and one for the games after
    /// them. `first_game` is the first game, counted from 0 over all parts, and becomes that after
    /// them.
    fn add(
        archives: &'a [Archive],
        index: Option<&'a Index>,
        shared: Option<&'a IndexInUse>,
        first_game: &mut u64,
        parts: &mut Vec<Self>,
    ) {
        let mut blocks_before = 0;
        let mut add = |segment, blocks, games| {
            parts.push(Self {
                archives,
                blocks_before,
                blocks,
                first_game: *first_game,
                segment,
                shared,
            });
            blocks_before += blocks;
            *first_game += games;
        };
        let segments = index.map_or(&[][..], Index::segments);
        let mut blocks: usize = archives.iter().map(|a| a.blocks().len()).sum();
        let mut games: u64 = archives.iter().map(Archive::len).sum();
        for segment in segments {
            add(Some(segment), segment.blocks(), segment.games());
            blocks -= segment.blocks();
            games -= segment.games();
        }
        if games > 0 || segments.is_empty() {
            add(None, blocks, games);
        }
    }

    /// What an index has of these games, unless it has been rejected.
    pub fn segment(&self) -> Option<&'a Segment> {
        let is_rejected = match self.shared {
            Some(index) => index.rejected().is_some(),
            None => self.archives.first()?.rejected_index().is_some(),
        };
        self.segment.filter(|_| !is_rejected)
    }

    /// Stops using the index.
    pub fn reject_index(&self, error: Error) {
        match (self.shared, self.archives.first()) {
            (Some(index), _) => index.reject(error),
            (None, Some(archive)) => archive.reject_index(error),
            (None, None) => {}
        }
    }

    /// The game after the last one, counted from 0 over all parts.
    pub fn end(&self) -> u64 {
        let last = self.places().last();
        last.map_or(self.first_game, |place| place.first_game + place.games)
    }

    /// The blocks, in the order of their games.
    pub fn places(&self) -> impl Iterator<Item = LocatedBlock<'a>> {
        let entries = self.archives.iter().flat_map(|a| a.blocks());
        let before: u64 = entries.take(self.blocks_before).map(|b| b.games).sum();
        // The first game of the first archive.
        let mut next_archive = self.first_game - before;
        let blocks = self.archives.iter().flat_map(move |archive| {
            let before = next_archive;
            next_archive += archive.len();
            let blocks = archive.blocks().iter().enumerate();
            blocks.map(move |(block, entry)| LocatedBlock {
                archive,
                block,
                first_game: before + entry.first_game,
                games: entry.games,
            })
        });
        blocks.skip(self.blocks_before).take(self.blocks)
    }

    /// Starts to unpack the parameters of the move model in the background, if an archive needs
    /// them.
    pub fn preload(&self) {
        self.archives.iter().for_each(Archive::preload);
    }
}
