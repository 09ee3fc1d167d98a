//! A parity set, computed from the bytes that it protects and written after them.

use std::fs::File;

use ign_format::{
    container::{
        TextChecksum, checksum,
        parity::{Set, trailer},
    },
    error::Result,
};
use reed_solomon_simd::{
    engine::DefaultEngine,
    rate::{HighRateEncoder, RateEncoder},
};

use super::{code_error, read_data, strips};
use crate::{
    growing::write_at,
    progress::{Counters, OnProgress},
    source::ReadAt,
};

/// Writes the frames of a set to their places. The trailer comes last, after all other bytes have
/// reached the disk: until then the file ends without one.
///
/// # Errors
/// Io; cancelled.
pub(super) fn write(file: &File, set: &Set, on_progress: &mut OnProgress) -> Result<()> {
    let counters = Counters::default();
    let mut read = |bytes: u64| {
        counters.add_bytes(bytes);
        counters.report(on_progress)
    };
    let checksums = checksums(file, set, &mut read)?;
    for copy in 0..2 {
        for description in 0..set.descriptions() {
            let described = set.described(description);
            let own = &checksums[described.start as usize..described.end as usize];
            let place = set.description_frame(copy, description);
            write_at(file, place.start, &set.write_description(description, own))?;
        }
    }
    write_recovery(file, set, &mut read)?;
    file.sync_data()?;
    write_at(file, set.trailer().start, &trailer::write(set))?;
    Ok(file.sync_all()?)
}

/// The checksums of all data shards. `read` is called with the number of bytes that were read.
fn checksums(file: &File, set: &Set, mut read: impl FnMut(u64) -> Result<()>) -> Result<Vec<u64>> {
    let size = file.size()?;
    let mut shard = vec![0; set.shard_len as usize];
    let sums = (0..set.data).map(|number| {
        read_data(file, size, set.data_shard(number), 0, &mut shard)?;
        read(set.shard_len)?;
        Ok(checksum(&shard))
    });
    sums.collect()
}

/// Computes and writes the recovery shards, strip after strip. `read` is called with the number of
/// bytes that were read.
fn write_recovery(file: &File, set: &Set, mut read: impl FnMut(u64) -> Result<()>) -> Result<()> {
    let size = file.size()?;
    // The seals cover the frames from their starts.
    let mut seals = Vec::with_capacity(set.recovery as usize);
    for shard in 0..set.recovery {
        let start = set.recovery_start(shard);
        let mut seal = TextChecksum::default();
        seal.add(&start);
        seals.push(seal);
        write_at(file, set.recovery_frame(shard).start, &start)?;
    }
    let mut engine = Some(DefaultEngine::new());
    let mut work = None;
    let (data, recovery) = (set.data as usize, set.recovery as usize);
    for (from, len) in strips(set) {
        let own = engine.take().unwrap_or_default();
        let mut encoder =
            HighRateEncoder::new(data, recovery, len, own, work.take()).map_err(code_error)?;
        let mut part = vec![0; len];
        for shard in 0..set.data {
            read_data(file, size, set.data_shard(shard), from, &mut part)?;
            read(len as u64)?;
            encoder.add_original_shard(&part).map_err(code_error)?;
        }
        let encoded = encoder.encode().map_err(code_error)?;
        for ((shard, seal), part) in (0..).zip(&mut seals).zip(encoded.recovery_iter()) {
            seal.add(part);
            write_at(file, set.recovery_shard(shard).start + from, part)?;
        }
        drop(encoded);
        let (own, used) = encoder.into_parts();
        (engine, work) = (Some(own), Some(used));
    }
    for (shard, seal) in (0..).zip(seals) {
        let end = set.recovery_shard(shard).end;
        write_at(file, end, &seal.value().to_le_bytes())?;
    }
    Ok(())
}
