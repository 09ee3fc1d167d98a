//! Parity: additional bytes from which damaged bytes of an archive are computed again.
//!
//! A parity set follows the footer. The bytes before are data shards of equal length; recovery shards are
//! computed from them by a Reed–Solomon code. As many shards can be repaired as there are whole recovery
//! shards, wherever the damage is: in blocks, the index, the footer, or the parity itself. Checksums of all
//! shards show which are damaged. [`recover`](crate::recover()) repairs.
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

use std::fs::File;

use ign_format::{
    container::{MAX_SHARDS, SHARD_UNIT, frame::Kind, parity::Set},
    error::{Error, Result},
};
use reed_solomon_simd::Error as CodeError;

pub(crate) use repair::repair;

use crate::{
    check::{
        end::{last_footer, read_footer},
        frames::{START_LEN, read_at},
        scan::scan,
    },
    file_lock::Lock,
    source::ReadAt,
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

/// Adds parity to the end of an archive: recovery shards for `percent` of the data shards, at least one.
///
/// What an earlier set protects is not protected again: if blocks were appended since, the new set covers
/// only the new bytes. If all bytes are protected, but by another number of recovery shards, a new set for
/// the same bytes follows the old one.
///
/// Existing bytes are not changed. If writing fails, the file is cut to its old length; what an earlier call has
/// left that was killed is removed. The file is locked until it is closed, so that nobody appends to it meanwhile.
///
/// # Errors
/// [`Usage`](crate::ErrorKind::Usage) if `percent` is not above 0 and at most 100, or if another process is
/// writing the file;
/// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt) if the file does not end with
/// a footer or a parity set, whole or not.
pub fn add(file: &File, percent: f64) -> Result<Added> {
    if !(percent > 0.0 && percent <= 100.0) {
        return Err(Error::usage("parity is above 0% and at most 100%"));
    }
    if let Lock::Busy = Lock::try_on(file)? {
        return Err(Error::usage("another ign process is writing this file")
            .with_remedy("wait until it has finished"));
    }
    let file_len = without_unfinished(file)?;
    let (footer, _) = read_footer(file, file_len)?;
    let end = footer.file_len;
    let sets = scan(file, file_len, 0..file_len)?.sets;
    let start = match sets.iter().find(|set| set.end == end) {
        Some(same) => same.start,
        None => sets
            .iter()
            .map(Set::file_end)
            .filter(|&at| at < end)
            .max()
            .unwrap_or(0),
    };
    let set = plan(start..end, file_len, percent);
    let had = |old: &&Set| old.end == end && (old.data, old.recovery) == (set.data, set.recovery);
    let mut added = Added {
        protected: end - start,
        added: 0,
        data_shards: set.data,
        recovery_shards: set.recovery,
        shard_len: set.shard_len,
    };
    if sets.iter().find(had).is_some() {
        return Ok(added);
    }
    let written = encode::write(file, &set);
    if written.is_err() {
        // The archive before is whole; the error is that of writing.
        _ = file.set_len(file_len);
        _ = file.sync_all();
    }
    written?;
    added.added = set.file_end() - file_len;
    Ok(added)
}

/// Removes a parity set that was not finished from the end of a file. Returns the length of the file then. Other
/// bytes after the archive stay: they may be games.
///
/// # Errors
/// Io; corrupt if the file has no footer.
fn without_unfinished(file: &File) -> Result<u64> {
    let size = file.size()?;
    let end = last_footer(file, size)?.end;
    let more = read_at(file, size, end, (size - end).min(START_LEN as u64))?;
    let is_unfinished = more.len() < START_LEN || Kind::of(&more) == Some(Kind::Parity);
    if end == size || !is_unfinished {
        return Ok(size);
    }
    file.set_len(end)?;
    file.sync_all()?;
    Ok(end)
}

/// The parameters of a set that protects these bytes.
fn plan(range: std::ops::Range<u64>, at: u64, percent: f64) -> Set {
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
    range: std::ops::Range<u64>,
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
