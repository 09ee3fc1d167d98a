//! Statistics of an archive, or of the archive that a text would make.

use std::thread;

use super::{Stats, block::BlockFigures};
use crate::{
    Input, Packer,
    archive::Archive,
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
};
use ign_format::{
    error::{Error, Result},
    models::Models,
};

/// Gathers the statistics of archives.
#[derive(Debug, Default)]
pub struct StatsBuilder<'p> {
    on_progress: OnProgress<'p>,
}

impl<'p> StatsBuilder<'p> {
    /// A builder without a callback.
    pub fn new() -> Self {
        Self::default()
    }

    progress_setter!();

    /// The statistics of an archive. The bytes of the progress are those of the archive.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt);
    /// [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn of_archive(mut self, archive: &Archive) -> Result<Stats> {
        let counters = Counters::default();
        let mut stats = Stats::default();
        let blocks = archive.will_read_all();
        thread::scope(|scope| {
            let figures = |number: usize| {
                let bytes = archive.block_bytes(number)?;
                let figures =
                    archive.in_block(number, || BlockFigures::of(&bytes, archive.models()))?;
                counters.add_bytes(bytes.len() as u64);
                counters.add_games(figures.games.games);
                Ok(figures)
            };
            let blocks = blocks.into_iter().map(Ok);
            for figures in ordered(scope, archive.threads(), blocks, figures) {
                stats.add(&figures?);
                counters.report(&mut self.on_progress)?;
            }
            Ok::<_, Error>(())
        })?;
        stats.space.archive_len = archive.file_len();
        Ok(stats)
    }
}

/// The statistics of the archive that a packer would make of the inputs. No archive is written.
///
/// # Errors
/// Those of the inputs, and of the packer.
pub fn of_inputs(inputs: impl IntoIterator<Item = Input>, packer: Packer) -> Result<Stats> {
    let mut stats = Stats::default();
    let summary = packer.each_block(
        inputs,
        |block| BlockFigures::of(block, Models::builtin()),
        |figures| {
            stats.add(&figures);
            Ok(())
        },
    )?;
    stats.space.archive_len = summary.archive_len;
    Ok(stats)
}
