//! Parity: additional bytes from which damaged bytes of an archive are computed again.
//!
//! A parity set follows the footer. The bytes before are data shards of equal length; recovery
//! shards are computed from them by a Reed–Solomon code. As many shards can be repaired as there
//! are whole recovery shards, wherever the damage is: in blocks, the index, the footer, or the
//! parity itself. Checksums of all shards show which are damaged. [`Recoverer`](crate::Recoverer)
//! repairs.
//!
//! Shards are encoded in strips, equal parts of all of them, so memory is bounded (128 MiB for an
//! archive of any size).
//!
//! | file | holds |
//! | --- | --- |
//! | `encode` | a set from the bytes that it protects |
//! | `repair` | damaged bytes from a set |

mod encode;
mod repair;

use std::{fs::File, ops::Range, path::Path};

use ign_format::{
    container::{MAX_SHARDS, SHARD_UNIT, header, index::Index, parity::Set},
    error::{Error, Result},
};
use reed_solomon_simd::Error as CodeError;

pub(crate) use repair::repair;

use crate::{
    check::{
        end::{LastFooter, Rest, last_footer},
        frames::read_at,
        verify::check_front,
    },
    file_lock::{Lock, open_locked},
    growing::cut,
    location::local_path,
    progress::{OnProgress, progress_setter},
    source::{ReadAt, check_regular},
    superseded::OtherFrames,
};

/// Shards are this long, in bytes, unless the archive is very short or very long.
const SHARD_LEN: u64 = 4096;
/// Short archives have about this many shards.
const MIN_SHARDS: u64 = 64;
/// Memory of the code, in bytes.
const MEMORY: u64 = 128 << 20;

/// A parity set that was added to an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Added {
    /// Bytes that the set protects.
    pub protected: u64,
    /// Bytes that it adds to the file; 0 if the file had this parity already.
    pub added: u64,
    /// Number of data shards.
    pub data_shards: u32,
    /// Number of recovery shards: as many damaged shards can be repaired.
    pub recovery_shards: u32,
    /// Length of a shard in bytes.
    pub shard_len: u64,
}

/// A parity set of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParitySet {
    /// The bytes of the file that it protects.
    pub protected: Range<u64>,
    /// Its own bytes in the file.
    pub bytes: Range<u64>,
    /// Number of data shards.
    pub data_shards: u32,
    /// Number of recovery shards: as many damaged shards can be repaired.
    pub recovery_shards: u32,
    /// Length of a shard in bytes.
    pub shard_len: u64,
}

impl ParitySet {
    fn of(set: &Set) -> Self {
        Self {
            protected: set.start..set.end,
            bytes: set.at..set.file_end(),
            data_shards: set.data,
            recovery_shards: set.recovery,
            shard_len: set.shard_len,
        }
    }
}

impl OtherFrames {
    /// The parity sets, in the order of the file. Those between blocks protect what is before
    /// them.
    pub fn parity_sets(&self) -> impl ExactSizeIterator<Item = ParitySet> {
        self.parity_sets.iter().map(ParitySet::of)
    }
}

/// Adds parity to archives: recovery shards for a share of the data shards.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.ign");
/// use ign_archive::{Input, Packer, parity::ParityBuilder};
///
/// let input = Input::reader("games.pgn", &b"1. e4 e5 *\n"[..]);
/// Packer::new().pack([input], std::fs::File::create(&path)?)?;
/// let added = ParityBuilder::new(2.0).add_to(&path)?;
/// assert_eq!(added.recovery_shards, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ParityBuilder<'p> {
    percent: f64,
    on_progress: OnProgress<'p>,
}

impl<'p> ParityBuilder<'p> {
    /// Recovery shards for `percent` of the data shards, at least one.
    pub fn new(percent: f64) -> Self {
        Self {
            percent,
            on_progress: OnProgress::default(),
        }
    }

    progress_setter!();

    /// As [`add_to_file`](Self::add_to_file), for the archive of this name.
    ///
    /// # Errors
    /// As [`add_to_file`](Self::add_to_file).
    pub fn add_to(self, path: impl AsRef<Path>) -> Result<Added> {
        let path = local_path(path)?;
        let added = check_regular(&path)
            .and_then(|()| open_locked(&path, File::options().read(true).write(true)))
            .and_then(|file| self.add_to_file(&file));
        added.map_err(|e| e.in_file(path))
    }

    /// Adds parity to the end of an archive. The bytes of the progress are those of the archive that
    /// were read: what the parity protects is read twice.
    ///
    /// What an earlier set protects as well is not protected again: if blocks were appended since, the
    /// new set covers only the new bytes. Bytes that earlier sets protect by fewer recovery shards are
    /// protected by the new set too, which follows the old ones.
    ///
    /// Before, all checksums of the archive are compared: parity that is computed from damaged bytes
    /// would keep the damage. Existing bytes are not changed. If writing fails, the file is cut to its
    /// old length; what an earlier call has left that was killed is removed. The file is locked until
    /// it is closed, so that nobody appends to it meanwhile.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if `percent` is not above 0 and at most 100, or if another
    /// process is writing the file; [`Io`](crate::ErrorKind::Io);
    /// [`Corrupt`](crate::ErrorKind::Corrupt) if the archive or its parity is damaged, or an append to
    /// it was interrupted; [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn add_to_file(mut self, file: &File) -> Result<Added> {
        let percent = self.percent;
        if !(percent > 0.0 && percent <= 100.0) {
            return Err(Error::usage("parity is above 0% and at most 100%"));
        }
        if let Lock::Busy = Lock::try_on(file)? {
            return Err(Error::usage("another ign process is writing this file")
                .with_remedy("wait until it has finished"));
        }
        let LastFooter {
            footer,
            end: file_len,
            ..
        } = whole_end(file)?;
        let index = read_at(file, file_len, footer.index_offset, footer.index_len)?;
        let index = Index::read(&index, footer.index_offset)?;
        let sets = OtherFrames::read(file, &index, &footer, file_len)?.parity_sets;
        let end = footer.file_len;
        // A set that is enough protects from the end of another one that is enough, or from the start.
        let (mut start, mut last) = (0, None);
        while let Some(set) = (sets.iter().filter(|set| set.start == start))
            .filter(|set| set.recovery >= plan(set.start..set.end, set.at, percent).recovery)
            .max_by_key(|set| set.end)
        {
            (start, last) = (set.file_end(), Some(*set));
        }
        let enough = last.filter(|set| set.end == end);
        let set = enough.unwrap_or_else(|| plan(start..end, file_len, percent));
        let mut added = Added {
            protected: set.end - set.start,
            added: 0,
            data_shards: set.data,
            recovery_shards: set.recovery,
            shard_len: set.shard_len,
        };
        if enough.is_some() {
            return Ok(added);
        }
        let written = encode::write(file, &set, &mut self.on_progress);
        if written.is_err() {
            // The archive before is whole; the error is that of writing.
            _ = cut(file, file_len);
            _ = file.sync_all();
        }
        written?;
        added.added = set.file_end() - file_len;
        Ok(added)
    }
}

/// The end of a whole archive. A parity set after it that was not finished is removed.
///
/// # Errors
/// Io; corrupt if something is damaged, or an append was interrupted.
fn whole_end(file: &File) -> Result<LastFooter> {
    let size = file.size()?;
    header::read(&read_at(file, size, 0, size.min(header::LEN as u64))?)?;
    let last = last_footer(file, size)?;
    if matches!(last.rest, Rest::Append | Rest::Unknown) {
        return Err(last.excess(size));
    }
    check_front(file, last.end)?;
    if last.rest == Rest::Parity {
        cut(file, last.end)?;
        file.sync_all()?;
    }
    Ok(last)
}

/// The parameters of a set that protects these bytes.
fn plan(range: Range<u64>, at: u64, percent: f64) -> Set {
    let len = range.end - range.start;
    let of_count = |count: u64| len.div_ceil(count).next_multiple_of(SHARD_UNIT);
    let shard_len = of_count(MIN_SHARDS)
        .clamp(SHARD_UNIT, SHARD_LEN)
        .max(of_count(u64::from(MAX_SHARDS)));
    let data = len.div_ceil(shard_len) as u32;
    let recovery = (f64::from(data) * percent / 100.0).ceil() as u32;
    Set {
        at,
        start: range.start,
        end: range.end,
        shard_len,
        data,
        recovery: recovery.clamp(1, MAX_SHARDS),
    }
}

/// The strips of the shards of a set: where each starts in a shard, and its length in bytes.
fn strips(set: &Set) -> impl Iterator<Item = (u64, usize)> {
    let (shard_len, strip) = (set.shard_len, strip_len(set));
    let starts = (0..shard_len).step_by(strip as usize);
    starts.map(move |from| (from, strip.min(shard_len - from) as usize))
}

/// Bytes of each shard that are encoded at a time.
fn strip_len(set: &Set) -> u64 {
    let shards = u64::from(set.recovery.next_power_of_two() + set.data).next_power_of_two();
    let len = MEMORY / shards / SHARD_UNIT * SHARD_UNIT;
    len.clamp(SHARD_UNIT, set.shard_len)
}

/// Reads `len` bytes of a data shard from `from` on. What the shard or the file lacks is zeros.
fn read_data(
    source: &dyn ReadAt,
    size: u64,
    range: Range<u64>,
    from: u64,
    buffer: &mut [u8],
) -> Result<()> {
    let start = (range.start + from).min(range.end);
    let held = (range.end.min(size))
        .saturating_sub(start)
        .min(buffer.len() as u64);
    let (own, rest) = buffer.split_at_mut(held as usize);
    source.read_exact_at(own, start)?;
    rest.fill(0);
    Ok(())
}

/// The code was used in a wrong way.
fn code_error(error: CodeError) -> Error {
    Error::internal(format!("the Reed–Solomon code failed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_few_enough_and_at_least_one_is_for_recovery() {
        for len in [1, 63, 64, 351, 10_000, 4 << 20, 3 << 30, 200 << 30] {
            for percent in [0.001, 2.0, 100.0] {
                let set = plan(0..len, len, percent);
                set.check().unwrap();
                let share = f64::from(set.recovery) / f64::from(set.data);
                assert!(share >= percent / 100.0 && set.recovery >= 1);
                let shards = u64::from(set.recovery.next_power_of_two() + set.data);
                assert!(strip_len(&set) * shards.next_power_of_two() <= MEMORY);
            }
        }
    }
}
