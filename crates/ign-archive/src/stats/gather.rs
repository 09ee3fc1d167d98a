//! From a collection to its figures: an archive as it is, or a text that is
//! packed for it, block by block, and not kept.

use std::{fs::File, io, path::Path, thread};

use super::{Stats, block::BlockFigures};
use crate::{
    pipeline::{
        Progress,
        ordered::ordered,
        pack::{PackOptions, pack_observed},
        source::Input,
    },
    reader::{Archive, read_exact_at},
};
use ign_format::{
    container::{footer, frame, header},
    error::{Error, Result},
};

/// Whether an input is an archive, by its first frame or, should that be damaged, its last. What is no
/// plain file is none: an archive is read from its end.
///
/// # Errors
/// Io.
pub fn is_archive(input: &Input) -> Result<bool> {
    let (Input::File(path), Some(len)) = (input, input.len()?) else {
        return Ok(false);
    };
    let read = |path: &Path| {
        let file = File::open(path)?;
        let is = |kind: frame::Kind, frame_len: usize, from_end: bool| {
            let frame_len = len.min(frame_len as u64);
            let mut bytes = vec![0; frame_len as usize];
            read_exact_at(
                &file,
                &mut bytes,
                if from_end { len - frame_len } else { 0 },
            )?;
            io::Result::Ok(frame::is_kind(&bytes, kind))
        };
        Ok(is(frame::Kind::Header, header::LEN, false)?
            || is(frame::Kind::Footer, footer::LEN, true)?)
    };
    read(path).map_err(|e: io::Error| Error::from(e).in_file(path))
}

/// The figures of an archive.
///
/// # Errors
/// Io; corrupt.
pub fn of_archive(archive: &Archive, threads: usize, progress: &Progress) -> Result<Stats> {
    let index = archive.index();
    let mut stats = Stats::default();
    thread::scope(|scope| {
        let figures = |number: usize| {
            let bytes = archive.block_bytes(number)?;
            let figures = BlockFigures::of(&bytes)
                .map_err(|e| e.in_block(number as u64).in_file(archive.path()))?;
            progress.add_input(bytes.len() as u64);
            progress.add_games(figures.games.games);
            Ok(figures)
        };
        let blocks = (0..index.blocks.len()).map(Ok);
        for figures in ordered(scope, threads, blocks, figures) {
            stats.add(&figures?);
        }
        Ok::<_, Error>(())
    })?;
    stats.space.archive_len = archive.len();
    Ok(stats)
}

/// The figures of the archive that the inputs would make with these options.
///
/// # Errors
/// Those of the inputs.
pub fn of_inputs(inputs: &[Input], options: &PackOptions, progress: &Progress) -> Result<Stats> {
    let mut stats = Stats::default();
    let (_, summary) = pack_observed(
        inputs,
        io::sink(),
        options,
        progress,
        |block| BlockFigures::of(&block.bytes),
        |figures| stats.add(&figures),
    )?;
    stats.space.archive_len = summary.archive_len;
    Ok(stats)
}
