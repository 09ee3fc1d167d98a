//! An open block, with the schemas of its records.

use std::{
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

use ign_format::{
    block::{
        Fixed,
        decode::{Block, Columns, Records},
    },
    container::{
        block_head::Head,
        index::{BlockEntry, mismatch},
    },
    error::Result,
    models::Models,
};

use crate::{check::frames::read_at, source::ReadAt};

/// An open block. Clones share it.
#[derive(Clone)]
pub(crate) struct OpenBlock {
    bytes: Arc<Bytes>,
    /// The tag list of each record.
    pub records: Arc<Records>,
    /// The record of each game, ascending.
    games: Arc<Vec<u32>>,
    /// The models of its archive.
    models: Models,
}

/// The bytes of a block.
enum Bytes {
    All(Vec<u8>),
    ByColumn(Box<StoredColumns>),
}

impl Bytes {
    fn block<'b>(&'b self, models: &'b Models) -> Result<Block<'b>> {
        match self {
            Self::All(bytes) => Block::open_with(bytes, models),
            Self::ByColumn(columns) => {
                Block::open_columns(&columns.head, &**columns, columns.len(), models)
            }
        }
    }
}

impl OpenBlock {
    /// Opens the bytes of a block that has this number of games, and may need one of these models.
    ///
    /// # Errors
    /// Corrupt.
    pub fn open(bytes: Vec<u8>, games: u64, models: Models) -> Result<Self> {
        Self::of(Bytes::All(bytes), games, models)
    }

    /// Opens a block whose columns are read when they are needed.
    ///
    /// # Errors
    /// Io; corrupt.
    pub fn open_columns(columns: StoredColumns, games: u64, models: Models) -> Result<Self> {
        Self::of(Bytes::ByColumn(Box::new(columns)), games, models)
    }

    fn of(bytes: Bytes, games: u64, models: Models) -> Result<Self> {
        let block = bytes.block(&models)?;
        if block.head().games as u64 != games {
            return Err(mismatch());
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
        self.bytes.block(&self.models)
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

    /// Bytes in memory, about, when all columns have been read.
    pub fn size(&self) -> u64 {
        let bytes = match &*self.bytes {
            Bytes::All(bytes) => bytes.capacity() as u64,
            Bytes::ByColumn(columns) => columns.entry.stored_len,
        };
        let records = size_of::<u64>() * self.records.len();
        bytes + (4 * self.games.capacity() + records) as u64
    }
}

/// The columns of a block in a source. Each is read when it is first needed.
pub(crate) struct StoredColumns {
    source: Arc<dyn ReadAt>,
    entry: BlockEntry,
    /// The head, whose directory has the places of the columns.
    head: Vec<u8>,
    directory: Head,
    columns: Vec<OnceLock<Vec<u8>>>,
}

impl StoredColumns {
    /// Reads the head of a block of a source, where an index lists it.
    ///
    /// # Errors
    /// Io; corrupt.
    pub fn open(source: Arc<dyn ReadAt>, entry: &BlockEntry) -> Result<Self> {
        let end = entry.offset + entry.stored_len;
        let head = read_at(&*source, end, entry.offset, entry.head_len)?;
        entry.check_head(&head)?;
        let directory = Head::read(&head)?;
        Ok(Self {
            source,
            entry: *entry,
            columns: directory.columns.iter().map(|_| OnceLock::new()).collect(),
            directory,
            head,
        })
    }

    /// Where the columns of these tags, and these others, are in the source, and the schemas of the
    /// records.
    ///
    /// # Errors
    /// Corrupt; unsupported.
    pub fn places_of(
        &self,
        models: &Models,
        tags: &[&str],
        others: &[Fixed],
    ) -> Result<Vec<Range<u64>>> {
        let block = Block::open_columns(&self.head, self, self.len(), models)?;
        let others = [Fixed::Schemas].iter().chain(others);
        let mut columns = block.tag_columns(tags);
        columns.extend(others.filter_map(|&fixed| self.directory.column_index(fixed as u8)));
        columns.sort_unstable();
        Ok(columns
            .into_iter()
            .map(|column| self.place(column))
            .collect())
    }

    /// Where a column is in the source.
    fn place(&self, column: usize) -> Range<u64> {
        let start = self.entry.offset + self.entry.head_len;
        let frames = self.directory.frames(column);
        start + frames.start as u64..start + frames.end as u64
    }

    fn len(&self) -> u64 {
        self.entry.stored_len - self.entry.head_len
    }
}

impl Columns for StoredColumns {
    fn column(&self, place: usize) -> Result<&[u8]> {
        let column = &self.columns[place];
        if let Some(bytes) = column.get() {
            return Ok(bytes);
        }
        let Range { start, end } = self.place(place);
        let bytes = read_at(&*self.source, end, start, end - start)?;
        Ok(column.get_or_init(|| bytes))
    }
}

impl fmt::Debug for StoredColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredColumns")
            .field("entry", &self.entry)
            .finish_non_exhaustive()
    }
}
