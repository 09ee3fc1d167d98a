//! The search index beside an archive.

use std::{fs, num::NonZeroU32, path::PathBuf};

use ign_archive::{
    Archive, Error, Result,
    index::{self, Index},
};

/// A search index beside an archive.
pub struct SearchIndex<'a> {
    /// Its path.
    pub path: PathBuf,
    /// Its length in bytes.
    pub len: u64,
    /// The number of games that it covers, and of its segments; 0 if it is not used.
    pub games: u64,
    pub segments: usize,
    /// The depth of its positions; `None` for all, or if it is not used.
    pub depth: Option<NonZeroU32>,
    /// Why queries do not use it: it belongs to another archive, or it is damaged.
    pub rejected: Option<&'a Error>,
}

impl<'a> SearchIndex<'a> {
    /// The index beside an archive, if there is one.
    ///
    /// # Errors
    /// Io.
    pub fn beside(archive: &'a Archive) -> Result<Option<Self>> {
        let path = index::path_of(archive.path());
        if !path.exists() {
            return Ok(None);
        }
        let index = archive.search_index();
        Ok(Some(Self {
            games: index.map_or(0, Index::games),
            segments: index.map_or(0, |index| index.segments().len()),
            depth: index.and_then(Index::depth),
            len: fs::metadata(&path)?.len(),
            path,
            rejected: archive.rejected_index(),
        }))
    }
}
