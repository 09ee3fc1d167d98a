//! Damaged bytes, computed from a parity set.

use std::{fs::File, ops::Range};

use ign_format::{
    container::{
        checksum,
        frame::Kind,
        parity::{Set, trailer},
    },
    error::{Error, Result},
};
use reed_solomon_simd::{
    engine::DefaultEngine,
    rate::{HighRateDecoder, RateDecoder},
};

use super::{code_error, encode, read_data, strips};
use crate::{
    check::frames::{read_at, sealed_at},
    growing::write_at,
    progress::OnProgress,
    source::ReadAt,
};

/// What the parity of a file repaired.
#[derive(Debug, Default)]
pub(crate) struct Repair {
    /// The bytes of the file in damaged data shards that were repaired.
    pub repaired: Vec<Range<u64>>,
    /// Number of sets whose own frames were written again.
    pub rewritten: usize,
    /// Sets that are not enough for the damage.
    pub failed: Vec<Beyond>,
}

/// A set with more damage than it can repair.
#[derive(Debug)]
pub(crate) struct Beyond {
    /// Number of damaged data shards.
    pub lost: u32,
    /// Number of whole recovery shards.
    pub left: u32,
    /// Length of a shard in bytes.
    pub shard_len: u64,
}

/// What of a set is whole.
struct State {
    /// The checksums of the data shards, as far as they are known.
    checksums: Vec<Option<u64>>,
    /// The damaged data shards.
    lost: Vec<u32>,
    /// The data shards whose checksums are lost.
    unknown: Vec<u32>,
    /// The whole recovery shards.
    recovery: Vec<u32>,
    /// The number of whole frames of the set.
    whole_frames: u64,
}

/// Repairs `out`, which is a copy of the file of `source`, by these sets of the file.
///
/// # Errors
/// Io.
pub(crate) fn repair(source: &dyn ReadAt, sets: &[Set], out: &File) -> Result<Repair> {
    let size = source.size()?;
    let mut repair = Repair::default();
    let mut sets = sets.to_vec();
    sets.sort_by_key(|set| set.at);
    for at_one_place in sets.chunk_by(|one, other| one.at == other.at) {
        let examined = at_one_place
            .iter()
            .map(|set| Ok((set, examine(source, size, set)?)))
            .collect::<Result<Vec<_>>>()?;
        // Of descriptions that contradict each other, one is that of the frames that are there.
        let best = examined
            .into_iter()
            .max_by_key(|(_, state)| state.whole_frames);
        let Some((set, mut state)) = best else {
            continue;
        };
        // A frame of the description was found, so it is elsewhere: bytes were inserted or removed.
        if state.unknown.len() == set.data as usize {
            state.lost.append(&mut state.unknown);
        }
        // Shards without checksums are computed again if that is possible, and taken as they are
        // otherwise.
        if state.lost.len() + state.unknown.len() <= state.recovery.len() {
            state.lost.append(&mut state.unknown);
            state.lost.sort_unstable();
        }
        let (lost, left) = (state.lost.len() as u32, state.recovery.len() as u32);
        let is_possible = lost <= left && (lost == 0 || restore(source, size, set, &state, out)?);
        if !is_possible {
            let shard_len = set.shard_len;
            repair.failed.push(Beyond {
                lost,
                left,
                shard_len,
            });
            continue;
        }
        repair
            .repaired
            .extend(state.lost.iter().map(|&shard| set.data_shard(shard)));
        if state.whole_frames < set.frames() {
            encode::write(out, set, &mut OnProgress::default())?;
            repair.rewritten += 1;
        }
    }
    Ok(repair)
}

/// Reads a set and the bytes that it protects.
fn examine(source: &dyn ReadAt, size: u64, set: &Set) -> Result<State> {
    let mut state = State {
        checksums: vec![None; set.data as usize],
        lost: Vec::new(),
        unknown: Vec::new(),
        recovery: Vec::new(),
        whole_frames: 0,
    };
    for copy in 0..2 {
        for description in 0..set.descriptions() {
            let place = set.description_frame(copy, description);
            let sealed = sealed_at(source, size, place.start)?;
            let read = sealed.and_then(|(kind, bytes)| {
                let is_it = kind == Kind::Parity && bytes.len() as u64 == place.end - place.start;
                Set::read_description(&bytes).ok().filter(|_| is_it)
            });
            match read {
                Some((same, number, checksums)) if same == *set && number == description => {
                    let own = set.described(description);
                    let known = checksums.into_iter().map(Some);
                    let own = own.start as usize..own.end as usize;
                    state.checksums.splice(own, known);
                    state.whole_frames += 1;
                }
                _ => {}
            }
        }
    }
    let mut shard = vec![0; set.shard_len as usize];
    for number in 0..set.data {
        read_data(source, size, set.data_shard(number), 0, &mut shard)?;
        match state.checksums[number as usize] {
            Some(known) if known == checksum(&shard) => {}
            Some(_) => state.lost.push(number),
            None => state.unknown.push(number),
        }
    }
    for number in 0..set.recovery {
        let place = set.recovery_frame(number);
        let is_whole = place.end <= size && {
            let bytes = read_at(source, size, place.start, place.end - place.start)?;
            set.read_recovery(number, &bytes).is_ok()
        };
        if is_whole {
            state.recovery.push(number);
            state.whole_frames += 1;
        }
    }
    let place = set.trailer();
    let is_whole = place.end <= size && {
        let bytes = read_at(source, size, place.start, trailer::LEN as u64)?;
        trailer::read(&bytes, set.file_end()).is_ok()
    };
    state.whole_frames += u64::from(is_whole);
    Ok(state)
}

/// Computes the lost data shards, strip after strip, and writes them. Returns whether they have
/// their checksums.
fn restore(source: &dyn ReadAt, size: u64, set: &Set, state: &State, out: &File) -> Result<bool> {
    let mut is_lost = vec![false; set.data as usize];
    state
        .lost
        .iter()
        .for_each(|&shard| is_lost[shard as usize] = true);
    let mut engine = Some(DefaultEngine::new());
    let mut work = None;
    let (data, recovery) = (set.data as usize, set.recovery as usize);
    for (from, len) in strips(set) {
        let own = engine.take().unwrap_or_default();
        let mut decoder =
            HighRateDecoder::new(data, recovery, len, own, work.take()).map_err(code_error)?;
        let mut part = vec![0; len];
        for shard in (0..set.data).filter(|&shard| !is_lost[shard as usize]) {
            read_data(source, size, set.data_shard(shard), from, &mut part)?;
            decoder
                .add_original_shard(shard as usize, &part)
                .map_err(code_error)?;
        }
        for &shard in state.recovery.iter().take(state.lost.len()) {
            let at = set.recovery_shard(shard).start + from;
            source.read_exact_at(&mut part, at)?;
            decoder
                .add_recovery_shard(shard as usize, &part)
                .map_err(code_error)?;
        }
        let decoded = decoder.decode().map_err(code_error)?;
        for &shard in &state.lost {
            let part = decoded
                .restored_original(shard as usize)
                .ok_or_else(|| Error::internal("a shard was not restored"))?;
            let held = set.data_shard(shard);
            let at = held.start + from;
            let own = held.end.saturating_sub(at).min(len as u64) as usize;
            write_at(out, at, &part[..own])?;
        }
        drop(decoded);
        let (own, used) = decoder.into_parts();
        (engine, work) = (Some(own), Some(used));
    }
    // The restored shards must have their checksums.
    let mut shard = vec![0; set.shard_len as usize];
    let out_len = out.size()?;
    let mut is_restored = true;
    for &number in &state.lost {
        read_data(out, out_len, set.data_shard(number), 0, &mut shard)?;
        let known = state.checksums[number as usize];
        is_restored &= known.is_none_or(|known| known == checksum(&shard));
    }
    if !is_restored {
        // The copy gets the bytes of the file again.
        for &number in &state.lost {
            let place = set.data_shard(number);
            let held = place.end.min(size).saturating_sub(place.start) as usize;
            read_data(source, size, place.clone(), 0, &mut shard)?;
            write_at(out, place.start, &shard[..held])?;
        }
    }
    Ok(is_restored)
}
