//! A filter for each unit: a Bloom filter, bit-sliced Bloom filters, a binary fuse filter.

use xorf::{BinaryFuse8, Filter};

use crate::{keys::PairSet, report::Pairs};

/// The places of a hash among `bits` bits: `count` of them, by double hashing.
fn places(hash: u64, bits: u64, count: u32) -> impl Iterator<Item = usize> {
    let step = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count).map(move |i| {
        let mixed = hash.wrapping_add(step.wrapping_mul(i.into()));
        ((u128::from(mixed) * u128::from(bits)) >> 64) as usize
    })
}

/// The best number of places for so many bits a pair.
fn places_for(bits_of_pair: u32) -> u32 {
    (f64::from(bits_of_pair) * std::f64::consts::LN_2).round() as u32
}

/// One Bloom filter after the other.
pub struct Bloom {
    places: u32,
    filters: Vec<Vec<u64>>,
}

impl Bloom {
    pub fn new(set: &PairSet, bits_of_pair: u32) -> Self {
        let count = places_for(bits_of_pair);
        let filter = |hashes: Vec<u64>| {
            let words = (hashes.len() * bits_of_pair as usize).div_ceil(64).max(1);
            let mut filter = vec![0; words];
            for hash in hashes {
                for place in places(hash, 64 * words as u64, count) {
                    filter[place / 64] |= 1 << (place % 64);
                }
            }
            filter
        };
        Self {
            places: count,
            filters: set.by_unit().into_iter().map(filter).collect(),
        }
    }
}

impl Pairs for Bloom {
    fn len(&self) -> u64 {
        self.filters
            .iter()
            .map(|filter| 8 * filter.len() as u64)
            .sum()
    }

    fn find(&self, hash: u64, units: &mut Vec<u32>) {
        for (unit, filter) in (0..).zip(&self.filters) {
            let mut places = places(hash, 64 * filter.len() as u64, self.places);
            if places.all(|place| filter[place / 64] >> (place % 64) & 1 == 1) {
                units.push(unit);
            }
        }
    }
}

/// Bloom filters of the same length, transposed: a row has one bit of each filter (BIGSI, COBS).
pub struct BitSliced {
    places: u32,
    rows: u64,
    words_of_row: usize,
    bits: Vec<u64>,
}

impl BitSliced {
    pub fn new(set: &PairSet, bits_of_pair: u32) -> Self {
        let count = places_for(bits_of_pair);
        let rows = (set.len() * bits_of_pair as usize).div_ceil(set.units as usize) as u64;
        let words_of_row = set.units.div_ceil(64) as usize;
        let mut bits = vec![0; rows as usize * words_of_row];
        for &(hash, unit) in &set.pairs {
            for row in places(hash, rows, count) {
                bits[row * words_of_row + unit as usize / 64] |= 1 << (unit % 64);
            }
        }
        Self {
            places: count,
            rows,
            words_of_row,
            bits,
        }
    }
}

impl Pairs for BitSliced {
    fn len(&self) -> u64 {
        8 * self.bits.len() as u64
    }

    fn find(&self, hash: u64, units: &mut Vec<u32>) {
        let mut all = vec![u64::MAX; self.words_of_row];
        for row in places(hash, self.rows, self.places) {
            let row = &self.bits[row * self.words_of_row..][..self.words_of_row];
            all.iter_mut().zip(row).for_each(|(all, row)| *all &= row);
        }
        for (first, mut word) in (0..).step_by(64).zip(all) {
            while word != 0 {
                units.push(first + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }
}

/// Binary fuse filters with fingerprints of 8 bits (the crate `xorf`).
pub struct Fuse {
    filters: Vec<BinaryFuse8>,
}

impl Fuse {
    pub fn new(set: &PairSet) -> Self {
        let filter = |hashes: Vec<u64>| BinaryFuse8::try_from(&hashes).unwrap();
        Self {
            filters: set.by_unit().into_iter().map(filter).collect(),
        }
    }
}

impl Pairs for Fuse {
    fn len(&self) -> u64 {
        // The fingerprints, and seed, segment length, its mask, and segment count.
        self.filters
            .iter()
            .map(|filter| filter.len() as u64 + 20)
            .sum()
    }

    fn find(&self, hash: u64, units: &mut Vec<u32>) {
        let all = (0..).zip(&self.filters);
        units.extend(
            all.filter(|(_, filter)| filter.contains(&hash))
                .map(|(unit, _)| unit),
        );
    }
}
