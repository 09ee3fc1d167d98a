//! Pairs as one sorted sequence: the *bucket* of a hash times the number of units, plus the unit.

use ign_entropy::{BitReader, BitWriter, rice};
use vers_vecs::EliasFanoVec;

use crate::{
    elias_fano::{self, EliasFano},
    keys::PairSet,
    packed::{self, Packed},
    report::Pairs,
};

/// Pairs of a shard, about. The index has shards of about this many plies.
const SHARD: u64 = 1 << 16;

fn bucket(hash: u64, buckets: u64) -> u64 {
    ((u128::from(hash) * u128::from(buckets)) >> 64) as u64
}

/// The sorted values of the pairs.
fn values(set: &PairSet, buckets: u64) -> Vec<u64> {
    let value =
        |&(hash, unit): &(u64, u32)| bucket(hash, buckets) * u64::from(set.units) + u64::from(unit);
    let mut values: Vec<u64> = set.pairs.iter().map(value).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The Elias-Fano coding of the index, in shards of equally many buckets.
pub struct EliasFanoPairs {
    shards: Vec<Vec<u8>>,
    buckets: u64,
    buckets_of_shard: u64,
    units: u64,
}

impl EliasFanoPairs {
    pub fn new(set: &PairSet, buckets: u64) -> Self {
        let units = u64::from(set.units);
        let buckets_of_shard = buckets.div_ceil((set.len() as u64).div_ceil(SHARD));
        let values = values(set, buckets);
        let shards = (0..buckets.div_ceil(buckets_of_shard)).map(|shard| {
            let first = shard * buckets_of_shard * units;
            let bound = buckets_of_shard * units;
            let place = |limit| values.partition_point(|&value| value < limit);
            let inside = &values[place(first)..place(first + bound)];
            let inside: Vec<u64> = inside.iter().map(|value| value - first).collect();
            let mut out = Vec::new();
            elias_fano::write(&mut out, &inside, bound);
            out
        });
        Self {
            shards: shards.collect(),
            buckets,
            buckets_of_shard,
            units,
        }
    }
}

impl Pairs for EliasFanoPairs {
    fn len(&self) -> u64 {
        self.shards.iter().map(|shard| shard.len() as u64).sum()
    }

    fn find(&self, hash: u64, units: &mut Vec<u32>) {
        let bucket = bucket(hash, self.buckets);
        let shard = &self.shards[(bucket / self.buckets_of_shard) as usize];
        let bound = self.buckets_of_shard * self.units;
        let sequence = EliasFano::read(&mut &shard[..], bound).unwrap();
        let from = bucket % self.buckets_of_shard * self.units;
        let found = sequence.range(from, from + self.units);
        units.extend(found.map(|value| (value - from) as u32));
    }
}

/// Elias-Fano coding with an additional index, of the crate `vers-vecs`.
pub struct VersPairs {
    values: EliasFanoVec,
    buckets: u64,
    units: u64,
}

impl VersPairs {
    pub fn new(set: &PairSet, buckets: u64) -> Self {
        Self {
            values: EliasFanoVec::from_slice(&values(set, buckets)),
            buckets,
            units: u64::from(set.units),
        }
    }
}

impl Pairs for VersPairs {
    fn len(&self) -> u64 {
        self.values.heap_size() as u64
    }

    fn find(&self, hash: u64, units: &mut Vec<u32>) {
        let from = bucket(hash, self.buckets) * self.units;
        let first = self.values.rank(from) as usize;
        let found = (first..self.values.len()).map(|at| self.values.get_unchecked(at));
        let found = found.take_while(|&value| value < from + self.units);
        units.extend(found.map(|value| (value - from) as u32));
    }
}

/// Rice-coded gaps. Of every `of_sample` values the first is stored with its place.
pub struct RicePairs {
    gaps: Vec<u8>,
    parameter: u32,
    firsts: Vec<u8>,
    first_bits: u32,
    places: Vec<u8>,
    place_bits: u32,
    count: usize,
    of_sample: usize,
    buckets: u64,
    units: u64,
}

impl RicePairs {
    pub fn new(set: &PairSet, buckets: u64, of_sample: usize) -> Self {
        let values = values(set, buckets);
        let units = u64::from(set.units);
        let mean = buckets * units / values.len() as u64;
        // The mean is between two powers of two; the parameter is for the median, 0.69 times the mean.
        let parameter = (mean * 69 / 100).ilog2();
        let (mut gaps, mut firsts, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for sample in values.chunks(of_sample) {
            firsts.push(sample[0]);
            places.push(gaps.len() as u64);
            let mut writer = BitWriter::new(&mut gaps);
            for pair in sample.windows(2) {
                rice::write(&mut writer, pair[1] - pair[0], parameter);
            }
            writer.finish();
        }
        let pack = |values: &[u64]| {
            let bits = packed::bits_for(values.iter().copied().max().unwrap_or(0));
            let mut out = Vec::new();
            packed::write(&mut out, values.iter().copied(), bits);
            (out, bits)
        };
        places.push(gaps.len() as u64);
        let ((firsts, first_bits), (places, place_bits)) = (pack(&firsts), pack(&places));
        Self {
            gaps,
            parameter,
            firsts,
            first_bits,
            places,
            place_bits,
            count: values.len(),
            of_sample,
            buckets,
            units,
        }
    }
}

impl Pairs for RicePairs {
    fn len(&self) -> u64 {
        (self.gaps.len() + self.firsts.len() + self.places.len()) as u64
    }

    fn find(&self, hash: u64, units: &mut Vec<u32>) {
        let from = bucket(hash, self.buckets) * self.units;
        let to = from + self.units;
        let samples = self.count.div_ceil(self.of_sample) as u64;
        let firsts = Packed::read(&mut &self.firsts[..], samples, self.first_bits).unwrap();
        let places = Packed::read(&mut &self.places[..], samples + 1, self.place_bits).unwrap();
        let (mut low, mut high) = (0, samples);
        while low < high {
            let middle = low.midpoint(high);
            match firsts.get(middle) <= from {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        for sample in low.saturating_sub(1)..samples {
            let mut value = firsts.get(sample);
            if value >= to {
                break;
            }
            let [start, end] = [sample, sample + 1].map(|at| places.get(at) as usize);
            let mut reader = BitReader::new(&self.gaps[start..end]);
            let values = self
                .of_sample
                .min(self.count - sample as usize * self.of_sample);
            for at in 0..values {
                if (from..to).contains(&value) {
                    units.push((value - from) as u32);
                }
                if at + 1 < values {
                    value += rice::read(&mut reader, self.parameter, u64::MAX >> 8).unwrap();
                }
                if value >= to {
                    break;
                }
            }
        }
    }
}
