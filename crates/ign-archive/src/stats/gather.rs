//! Statistics of an archive, or of the archive that a text would make.

use std::{path::Path, thread};

use super::{Stats, block::BlockFigures};
use crate::{
    Input, Packer,
    archive::Archive,
    location::Location,
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
};
use ign_format::{
    container::{footer, frame, header},
    error::{Error, Result},
    models::Models,
};

/// Whether an input is an archive, by its first frame or, if that is damaged, by its last. Only
/// regular files can be archives: an archive is read from its end. A file with the extension `.ign`
/// must be one.
///
/// # Errors
/// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) if a file with the
/// extension of archives is none, as when it is [opened](Archive::open).
pub fn is_archive(input: &Input) -> Result<bool> {
    let Some(path) = input.path() else {
        return Ok(false);
    };
    let location = Location::of(path)?;
    if location.path().is_some() && input.len()?.is_none() {
        return Ok(false);
    }
    let read = || {
        let file = location.open()?;
        let len = file.size()?;
        let is = |kind: frame::Kind, frame_len: usize, from_end: bool| {
            let frame_len = len.min(frame_len as u64);
            let mut bytes = vec![0; frame_len as usize];
            let offset = if from_end { len - frame_len } else { 0 };
            file.read_exact_at(&mut bytes, offset)?;
            Result::Ok(frame::is_kind(&bytes, kind))
        };
        Ok(is(frame::Kind::Header, header::LEN, false)?
            || is(frame::Kind::Footer, footer::LEN, true)?)
    };
    let is_archive = read().map_err(|e: Error| e.in_file(location.name()))?;
    let name = location.file_name();
    let extension = Path::new(&name).extension().unwrap_or_default();
    if !is_archive && extension.eq_ignore_ascii_case("ign") {
        return Err(header::no_archive().in_file(location.name()));
    }
    Ok(is_archive)
}

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
        |block| BlockFigures::of(&block.bytes, Models::builtin()),
        |figures| {
            stats.add(&figures);
            Ok(())
        },
    )?;
    stats.space.archive_len = summary.archive_len;
    Ok(stats)
}
