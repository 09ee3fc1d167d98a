//! Which pairs of a hash and a unit a structure stores. A unit is a game, or a group of 16 games.

use ign_archive::index::Keys;

use crate::{
    GROUP,
    common::Common,
    corpus::{Corpus, Occurrence},
};

/// Pairs of a hash and a unit, and the positions that are stored otherwise.
pub struct PairSet {
    /// Sorted, without repetitions.
    pub pairs: Vec<(u64, u32)>,
    /// The number of units.
    pub units: u32,
    /// Games of a unit.
    pub games_of_unit: u32,
    /// Whether pairs are of structures too.
    has_structures: bool,
    /// Pairs of structures.
    of_structures: usize,
    pub common: Common,
}

/// A hash of 64 bits (the finalizer of SplitMix64).
fn mix(value: u64) -> u64 {
    let z = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn hash_of_position(keys: Keys) -> u64 {
    mix(mix(keys.structure) ^ keys.position)
}

fn hash_of_structure(keys: Keys) -> u64 {
    mix(!keys.structure)
}

impl PairSet {
    /// A pair for each position and unit.
    pub fn all_positions(corpus: &Corpus, games_of_unit: u32) -> Self {
        let pair = |o: &Occurrence| (hash_of_position(o.keys), o.game / games_of_unit);
        let pairs = corpus.occurrences.iter().map(pair).collect();
        Self::new(corpus, pairs, games_of_unit, false, Common::default())
    }

    /// The pairs of the index: structures in at most `rare` groups, otherwise positions in at most
    /// `rare` groups; other positions have lists.
    pub fn structures_and_positions(corpus: &Corpus, rare: usize) -> Self {
        let mut pairs = Vec::new();
        let mut common = Common::new(corpus);
        let mut groups = Vec::new();
        let mut of_structures = 0;
        for structure in corpus.structures() {
            groups.clear();
            groups.extend(structure.iter().map(|occurrence| occurrence.game / GROUP));
            groups.sort_unstable();
            groups.dedup();
            if groups.len() <= rare {
                let hash = hash_of_structure(structure[0].keys);
                pairs.extend(groups.iter().map(|&group| (hash, group)));
                of_structures += groups.len();
                continue;
            }
            for position in structure.chunk_by(|a, b| a.keys == b.keys) {
                groups.clear();
                groups.extend(position.iter().map(|occurrence| occurrence.game / GROUP));
                groups.dedup();
                let hash = hash_of_position(position[0].keys);
                if groups.len() <= rare {
                    pairs.extend(groups.iter().map(|&group| (hash, group)));
                } else {
                    common.add(hash, position);
                }
            }
        }
        common.finish();
        let set = Self::new(corpus, pairs, GROUP, true, common);
        Self {
            of_structures,
            ..set
        }
    }

    fn new(
        corpus: &Corpus,
        mut pairs: Vec<(u64, u32)>,
        games_of_unit: u32,
        has_structures: bool,
        common: Common,
    ) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        Self {
            pairs,
            units: corpus.games.div_ceil(games_of_unit),
            games_of_unit,
            has_structures,
            of_structures: 0,
            common,
        }
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The hashes under which the units of a position are.
    pub fn hashes(&self, keys: Keys) -> impl Iterator<Item = u64> {
        let structure = self.has_structures.then(|| hash_of_structure(keys));
        structure.into_iter().chain([hash_of_position(keys)])
    }

    /// The list of a position, if it has one.
    pub fn list(&self, keys: Keys) -> Option<&[u8]> {
        self.common.find(hash_of_position(keys))
    }

    /// The hashes of each unit.
    pub fn by_unit(&self) -> Vec<Vec<u64>> {
        let mut units = vec![Vec::new(); self.units as usize];
        for &(hash, unit) in &self.pairs {
            units[unit as usize].push(hash);
        }
        units
    }

    /// Prints the numbers of pairs.
    pub fn print(&self) {
        eprintln!(
            "{} pairs of structures, {} of positions, {} common positions in {} bytes",
            self.of_structures,
            self.len() - self.of_structures,
            self.common.count(),
            self.common.len(),
        );
    }
}
