//! Units of work: which games are read together, in which order, and by which of several workers.
//!
//! The units depend on the archive and on the games that are wanted alone, so that a place among them can
//! be written into a token.

use super::{
    options::{Options, Selection},
    random::Random,
};
use crate::archive::Archive;

/// Playable games of a unit: a whole number of the groups of weighted games, so that no group is decoded
/// twice; few enough that the positions of a unit take a few megabytes.
pub(super) const UNIT: usize = 512;

/// The stream of random numbers that orders units; the others order positions.
const ORDER: u64 = u64::MAX;

/// A part of a block: its playable games from number `part` × [`UNIT`] on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub block: usize,
    pub part: usize,
}

/// The units of a scan in order.
pub(super) fn units(archive: &Archive, selection: &Selection, options: &Options) -> Vec<Unit> {
    let blocks = archive.blocks_of(&selection.games).into_iter();
    let parts = blocks.flat_map(|block| {
        let entry = &archive.index().blocks[block];
        let is_wanted = selection.has_any(entry.first_game..entry.first_game + entry.games);
        let parts = (entry.games as usize).div_ceil(UNIT);
        (0..if is_wanted { parts } else { 0 }).map(move |part| Unit { block, part })
    });
    let all: Vec<Unit> = parts.collect();
    // Consecutive units, so that most blocks are read by one worker.
    let (shard, shards) = options.shard;
    let place = |shard: u64| (all.len() as u128 * u128::from(shard) / u128::from(shards)) as usize;
    let mut units = all[place(shard)..place(shard + 1)].to_vec();
    if let Some(shuffle) = &options.shuffle {
        // Blocks in random order, and the units of a block one after another: a block is read once.
        let mut blocks: Vec<&[Unit]> = units.chunk_by(|a, b| a.block == b.block).collect();
        Random::new(shuffle.seed, ORDER).shuffle(&mut blocks);
        units = blocks.concat();
    }
    units
}
