//! The file of an index in use: the segments that belong to its archives.

use std::{
    fmt,
    num::NonZeroU32,
    path::{Path, PathBuf},
    sync::Arc,
};

use ign_format::error::{Error, Remedy, Result};

use super::{
    directory::{self, Directory, END_LEN},
    sections::IndexSections,
    segment::Segment,
    source::Source,
};
use crate::{archive::Archive, location::Location, source::ReadAt};

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
        let source = Arc::new(Source::new(source, name));
        let read = |place| source.bytes(place);
        // Without an end the error is that of the last byte.
        let end = directory::last_end(len, read)?.unwrap_or(len);
        let chain = directory::chain(end, read)?;
        let all = chain.len();
        if !chain[0].0.belongs_to(archives) {
            return Err(of_others(&chain[0].0, archives));
        }
        let mut directories = Vec::new();
        for (directory, place) in chain {
            if !directory.belongs_to(archives) {
                break;
            }
            directories.push((directory, place.offset + place.len + END_LEN as u64));
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
    pub fn sections(&self) -> IndexSections {
        self.segments[0].sections()
    }

    /// The depth of its positions: the index has those that occur within this number of plies of
    /// a game; `None` for all.
    pub fn depth(&self) -> Option<NonZeroU32> {
        self.segments[0].depth()
    }

    /// The number of blocks that the index covers, counted over all archives.
    pub fn blocks(&self) -> u64 {
        self.segments.iter().map(|s| s.blocks() as u64).sum()
    }

    /// Keeps sections that were read in memory, up to this number of bytes. By default none are
    /// kept. A program that asks many questions reads and verifies each section once.
    pub fn keep_sections(&self, bytes: u64) {
        self.source.keep_sections(bytes);
    }

    /// The number of bytes that have been read from the file.
    pub fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }
}

/// The error of an index that is not one of these archives.
fn of_others(index: &Directory, archives: &[&Archive]) -> Error {
    let members = &index.members;
    if index.is_reordered(archives) {
        let names: Vec<&str> = members.iter().map(|member| &*member.name).collect();
        return Error::corrupt("the index has the archives in another order")
            .with_remedy(format!("name them in this order: {}", names.join(" ")));
    }
    let what = match members.len() {
        1 => "another archive, or the archive has changed since",
        _ => "other archives or another order of them, or one of them has changed since",
    };
    Error::corrupt(format!("the index belongs to {what}")).with_remedy(Remedy::RebuildIndex)
}
