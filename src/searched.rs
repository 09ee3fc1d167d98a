//! The archives that a command searches, and the index that it uses.

use std::path::{Path, PathBuf};

use ign_archive::{Archive, Archives, Result};

use super::{common::Common, damaged::Damaged};

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
        let (archives, _) = self.open_whole(paths, Damaged::default(), common)?;
        Ok(archives)
    }

    /// Opens archives, without their damaged blocks if that is asked for. Returns whether something
    /// was left out. An index is not used then.
    ///
    /// # Errors
    /// As [`open`](Self::open) and [`Damaged::open`].
    pub fn open_whole(
        &self,
        paths: &[impl AsRef<Path>],
        damaged: Damaged,
        common: &Common,
    ) -> Result<(Archives, bool)> {
        let (archives, is_left_out) = damaged.open_all(paths, common)?;
        let archives = if damaged.is_given() {
            Archives::from(archives).with_threads(common.threads())
        } else {
            self.apply(archives, common)?
        };
        Ok((archives, is_left_out))
    }

    /// Chooses the index of open archives.
    ///
    /// # Errors
    /// Io, if the index cannot be read.
    pub fn apply(&self, archives: Vec<Archive>, common: &Common) -> Result<Archives> {
        let archives: Vec<Archive> = archives
            .into_iter()
            .map(|archive| archive.with_search_index(!self.no_index))
            .collect();
        let archives = Archives::from(archives).with_threads(common.threads());
        match &self.index {
            Some(path) => archives.with_shared_index(path),
            None => Ok(archives),
        }
    }
}
