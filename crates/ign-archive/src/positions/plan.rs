//! Units of work: which games are read together, in which order, and by which of several workers.
//!
//! The units depend on the archive and on the games that are wanted alone, so that a place among
//! them can be written into a token.

use super::{
    options::{Options, Selection},
    random::Random,
};
use crate::archive::Archive;

/// Playable games of a unit: a whole number of the groups of weighted games, so that no group is
/// decoded twice; few enough that the positions of a unit take a few megabytes.
pub(super) const UNIT: usize = 512;

/// The stream of random numbers that orders units; the others order positions.
const ORDER: u64 = u64::MAX;

/// A part of a block: its playable games from number `part` × [`UNIT`] on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub place: UnitBlock,
    pub part: usize,
}

/// A block of one of the archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnitBlock {
    /// The number of the archive.
    pub archive: usize,
    /// The number of the block in its archive.
    pub block: usize,
    /// The number of games in the archives before.
    pub before: u64,
}

/// The units of a scan in order.
pub(super) fn units(archives: &[Archive], selection: &Selection, options: &Options) -> Vec<Unit> {
    let mut all = Vec::new();
    let mut before = 0;
    for (archive, opened) in archives.iter().enumerate() {
        for (block, entry) in opened.blocks().iter().enumerate() {
            let first = before + entry.first_game;
            if selection.has_any(first..first + entry.games) {
                let place = UnitBlock {
                    archive,
                    block,
                    before,
                };
                let parts = 0..(entry.games as usize).div_ceil(UNIT);
                all.extend(parts.map(|part| Unit { place, part }));
            }
        }
        before += opened.len();
    }
    // Consecutive units, so that most blocks are read by one worker.
    let (shard, shards) = options.shard;
    let end = |shard: u64| (all.len() as u128 * u128::from(shard) / u128::from(shards)) as usize;
    let mut units = all[end(shard)..end(shard + 1)].to_vec();
    if let Some(shuffle) = &options.shuffle {
        // Blocks in random order, and the units of a block one after another: a block is read once.
        let mut blocks: Vec<&[Unit]> = by_block(&units).collect();
        Random::new(shuffle.seed, ORDER).shuffle(&mut blocks);
        units = blocks.concat();
    }
    units
}

/// The units of each block.
pub(super) fn by_block(units: &[Unit]) -> impl Iterator<Item = &[Unit]> {
    units.chunk_by(|a, b| a.place == b.place)
}
