//! The bytes of an index file, which all of its segments read.

use std::{
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use ign_format::{
    container::{
        CHECKSUM_LEN,
        frame::{self, Kind},
    },
    error::Result,
};

use crate::{
    byte_cache::ByteCache,
    source::{ReadAt, read_exact},
};

/// A range of bytes of the index file: one frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// The offset in the file.
    pub offset: u64,
    /// The length in bytes.
    pub len: u64,
}

/// The file of an index, which all of its segments read.
pub(super) struct Source {
    bytes: Box<dyn ReadAt>,
    name: PathBuf,
    /// Sections in memory.
    kept: ByteCache<Arc<Vec<u8>>>,
    /// Bytes read so far.
    read: AtomicU64,
}

impl Source {
    /// The file with these bytes. Messages call it `name`.
    pub fn new(bytes: Box<dyn ReadAt>, name: PathBuf) -> Self {
        Self {
            bytes,
            name,
            kept: ByteCache::default(),
            read: AtomicU64::new(0),
        }
    }

    /// Keeps sections in memory, up to this number of bytes.
    pub fn keep_sections(&self, bytes: u64) {
        self.kept.set_limit(bytes);
    }

    /// The path of the file, for messages.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The number of bytes that have been read.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// The bytes of a place.
    ///
    /// # Errors
    /// Io.
    pub fn bytes(&self, place: Extent) -> Result<Vec<u8>> {
        let bytes = read_exact(&*self.bytes, place.offset, place.len)?;
        self.read.fetch_add(place.len, Ordering::Relaxed);
        Ok(bytes)
    }

    /// Announces ranges of bytes that will be read, in order.
    pub fn will_read(&self, ranges: &[Range<u64>]) {
        self.bytes.will_read(ranges);
    }

    /// The payload of a section.
    ///
    /// # Errors
    /// Io; corrupt.
    pub fn section(&self, place: Extent) -> Result<Arc<Vec<u8>>> {
        if let Some(section) = self.kept.get(place.offset) {
            return Ok(section);
        }
        let mut bytes = self.bytes(place)?;
        let payload = frame::open(Kind::Section, &bytes)?.len();
        let end = bytes.len() - CHECKSUM_LEN;
        bytes.truncate(end);
        bytes.drain(..end - payload);
        let section = Arc::new(bytes);
        let bytes = section.capacity() as u64;
        self.kept.add(place.offset, &section, bytes);
        Ok(section)
    }

    /// Adds the name of the file to an error.
    pub fn in_file<R>(&self, result: Result<R>) -> Result<R> {
        result.map_err(|e| e.in_file(&self.name))
    }
}
