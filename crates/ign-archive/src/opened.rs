//! A block that has been read, with the schemas of its records.

use std::sync::Arc;

use ign_format::{
    block::decode::{Block, Records},
    error::{Error, Result},
    models::Models,
};

/// A block that has been read. Clones share it.
#[derive(Clone)]
pub(crate) struct OpenBlock {
    /// Its bytes.
    pub bytes: Arc<Vec<u8>>,
    /// The tag list of each record.
    pub records: Arc<Records>,
    /// The record of each game, ascending.
    games: Arc<Vec<u32>>,
    /// The models of its archive.
    models: Models,
}

impl OpenBlock {
    /// Opens the bytes of a block that has this number of games, and may need one of these models.
    ///
    /// # Errors
    /// Corrupt.
    pub fn open(bytes: Vec<u8>, games: u64, models: Models) -> Result<Self> {
        let block = Block::open_with(&bytes, &models)?;
        if block.head().games as u64 != games {
            return Err(Error::corrupt("block and index contradict each other"));
        }
        let records = block.records()?;
        let games = records.games().map(|record| record as u32);
        Ok(Self {
            games: Arc::new(games.collect()),
            bytes: Arc::new(bytes),
            records: Arc::new(records),
            models,
        })
    }

    /// The block.
    ///
    /// # Errors
    /// Corrupt; unsupported.
    pub fn block(&self) -> Result<Block<'_>> {
        Block::open_with(&self.bytes, &self.models)
    }

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
    pub fn size(&self) -> u64 {
        let records = size_of::<u64>() * self.records.len();
        (self.bytes.capacity() + 4 * self.games.capacity() + records) as u64
    }
}
