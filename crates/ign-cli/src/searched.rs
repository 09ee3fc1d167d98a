//! The archives that a command searches, and the index that it uses.

use std::path::{Path, PathBuf};

use ign_archive::{Archive, Archives, Result};

use super::{archive_file::open_archive, common::Common};

/// The choice of an index.
#[derive(Debug, clap::Args)]
pub struct IndexChoice {
    /// Use this index, which ign index wrote for these archives in this order
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
    /// Use no index; the results are the same
    #[arg(long, conflicts_with = "index")]
    no_index: bool,
}

impl IndexChoice {
    /// Opens archives.
    ///
    /// # Errors
    /// As [`Archive::open`]; io, if the index cannot be read.
    pub fn open(&self, paths: &[impl AsRef<Path>], common: &Common) -> Result<Archives> {
        let open = |path| open_archive(path, common);
        let archives: Result<Vec<Archive>> = paths.iter().map(open).collect();
        self.apply(archives?, common)
    }

    /// Chooses the index of open archives.
    ///
    /// # Errors
    /// Io, if the index cannot be read.
    pub fn apply(&self, archives: Vec<Archive>, common: &Common) -> Result<Archives> {
        let archives: Vec<Archive> = archives
            .into_iter()
            .map(|archive| archive.with_index(!self.no_index))
            .collect();
        let archives = Archives::from(archives).with_threads(common.threads());
        match &self.index {
            Some(path) => archives.with_index(path).map_err(|e| e.in_file(path)),
            None => Ok(archives),
        }
    }
}
