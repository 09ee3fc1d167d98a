//! A block that has been read, with the schemas of its records.

use std::sync::Arc;

use ign_format::{
    block::decode::{Block, Records},
    error::{Error, Result},
};

use crate::archive::Archive;

/// A block that has been read. Clones share it.
#[derive(Clone)]
pub(crate) struct OpenBlock {
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// The tag list of each record.
    pub records: Arc<Records>,
    /// The record of each game, ascending.
    games: Arc<Vec<u32>>,
}

impl OpenBlock {
    /// The record of a game, counted from 0 in the block.
    pub fn record_of(&self, game: u64) -> Option<usize> {
        let record = self.games.get(usize::try_from(game).ok()?);
        record.map(|&record| record as usize)
    }

    /// The game of a record, counted from 0 in the block.
    pub fn game_of(&self, record: usize) -> Option<u64> {
        let record = u32::try_from(record).ok()?;
        self.games
            .binary_search(&record)
            .ok()
            .map(|game| game as u64)
    }

    /// Bytes in memory, about.
    fn size(&self) -> u64 {
        let records = size_of::<u64>() * self.records.len();
        (self.bytes.capacity() + 4 * self.games.capacity() + records) as u64
    }
}

impl Archive {
    /// Reads a block, unless it is [kept](Self::keep_blocks). Blocks are numbered from 0.
    ///
    /// # Errors
    /// Io; corrupt; cancelled.
    pub(crate) fn open_block(&self, number: usize) -> Result<OpenBlock> {
        self.check_cancel()?;
        let kept = self.kept_blocks();
        if let Some(block) = kept.get(number as u64) {
            return Ok(block);
        }
        let bytes = self.block_bytes(number)?;
        let records = self.in_block(number, || {
            let block = Block::open(&bytes)?;
            if block.head().games as u64 != self.blocks()[number].games {
                return Err(Error::corrupt("block and index contradict each other"));
            }
            block.records()
        })?;
        let games = records.games().map(|record| record as u32);
        let block = OpenBlock {
            games: Arc::new(games.collect()),
            bytes: Arc::new(bytes),
            records: Arc::new(records),
        };
        kept.add(number as u64, &block, block.size());
        Ok(block)
    }
}
