//! The file of an index in use: the segments that belong to its archives.

use std::{
    fmt,
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
    error::{Error, Remedy, Result},
};

use super::{
    directory::{self, END_LEN, Place},
    sections::Sections,
    segment::Segment,
};
use crate::{
    archive::Archive,
    kept::Kept,
    location::Location,
    source::{ReadAt, read_exact},
};

/// The search index of an archive, or of several. [`Archive`] opens and uses it by itself; this
/// type is for programs that ask what an index has.
///
/// It covers the first games of the archives, segment by segment. Games after them are searched in
/// the archives.
pub struct Index {
    source: Arc<Source>,
    segments: Vec<Segment>,
    /// Where the last of all segments ends.
    pub(super) end: u64,
    /// Whether the file has segments that do not belong to the archives.
    pub(super) has_others: bool,
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index")
            .field("segments", &self.segments)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

/// The path of the index of an archive: its own path with `.idx` added.
pub fn path_of(archive: &Path) -> PathBuf {
    let mut path = archive.as_os_str().to_owned();
    path.push(".idx");
    path.into()
}

impl Index {
    /// Opens the index of these archives, or of the first of their games. The path may be an
    /// address, as in [`Archive::open`].
    ///
    /// # Errors
    /// Io; corrupt if the file is damaged or belongs to other archives, or to these in another
    /// order; unsupported if it has another format version.
    pub fn open(path: impl AsRef<Path>, archives: &[&Archive]) -> Result<Self> {
        let location = Location::of(path.as_ref())?;
        let name = location.name();
        Self::read(location.open()?, name.clone(), archives).map_err(|e| e.in_file(name))
    }

    /// Opens an index over any source of byte ranges. Messages call it `name`.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn read(source: Box<dyn ReadAt>, name: PathBuf, archives: &[&Archive]) -> Result<Self> {
        let len = source.size()?;
        let source = Arc::new(Source {
            bytes: source,
            name,
            kept: Kept::default(),
            read: AtomicU64::new(0),
        });
        let read = |place| source.bytes(place);
        // Without an end the error is that of the last byte.
        let end = directory::last_end(len, read)?.unwrap_or(len);
        let chain = directory::chain(end, read)?;
        let (all, archives_of) = (chain.len(), chain[0].0.members.len());
        let mut directories = Vec::new();
        for (directory, place) in chain {
            if !directory.belongs_to(archives) {
                break;
            }
            directories.push((directory, place.offset + place.len + END_LEN as u64));
        }
        if directories.is_empty() {
            let what = match archives_of {
                1 => "another archive, or the archive has changed since",
                _ => "other archives or another order of them, or one of them has changed since",
            };
            return Err(Error::corrupt(format!("the index belongs to {what}"))
                .with_remedy(Remedy::RebuildIndex));
        }
        let mut segments = Vec::with_capacity(directories.len());
        let mut before = None;
        for (directory, end) in &directories {
            let segment = Segment::open(&source, directory.clone(), *end, before, archives)?;
            segments.push(segment);
            before = Some(directory);
        }
        Ok(Self {
            has_others: segments.len() < all,
            source,
            segments,
            end,
        })
    }

    /// The path of the index.
    pub fn path(&self) -> &Path {
        self.source.name()
    }

    /// The segments, in the order of their games.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The number of games that the index covers: the first ones of its archives.
    pub fn games(&self) -> u64 {
        self.segments.iter().map(Segment::games).sum()
    }

    /// What the index has.
    pub fn sections(&self) -> Sections {
        self.segments[0].sections()
    }

    /// The number of blocks that the index covers, counted over all archives.
    pub fn blocks(&self) -> u64 {
        self.segments.iter().map(|s| s.blocks() as u64).sum()
    }

    /// Keeps sections that were read in memory, up to this number of bytes. By default none are
    /// kept. A program that asks many questions reads and verifies each section once.
    pub fn keep_sections(&self, bytes: u64) {
        self.source.kept.set_limit(bytes);
    }

    /// The number of bytes that have been read from the file.
    pub fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }
}

/// The file of an index, which all of its segments read.
pub(super) struct Source {
    bytes: Box<dyn ReadAt>,
    name: PathBuf,
    /// Sections in memory.
    kept: Kept<Arc<Vec<u8>>>,
    /// Bytes read so far.
    read: AtomicU64,
}

impl Source {
    /// The path of the file, for messages.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// The number of bytes that have been read.
    pub fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    fn bytes(&self, place: Place) -> Result<Vec<u8>> {
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
    pub fn section(&self, place: Place) -> Result<Arc<Vec<u8>>> {
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
