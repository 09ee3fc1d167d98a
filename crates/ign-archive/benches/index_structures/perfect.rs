//! A minimal perfect hash (the crate `ptr_hash`), and for each hash a fingerprint and its unit. Hashes
//! with several units have lists, which a second minimal perfect hash numbers.

use ph::fmph::GOFunction;

use crate::{
    keys::PairSet,
    packed::{self, Packed},
    report::Pairs,
};

pub struct Perfect {
    function: GOFunction,
    count: u64,
    units: u64,
    /// For each hash the fingerprint in the lower bits, above it the unit, or [`Self::units`] if there
    /// are several.
    values: Vec<u8>,
    fingerprint_bits: u32,
    value_bits: u32,
    list_function: GOFunction,
    lists: u64,
    /// The start of each list, and the end of the last.
    starts: Vec<u8>,
    start_bits: u32,
    listed: Vec<u8>,
    unit_bits: u32,
}

fn pack(values: &[u64], bits: u32) -> Vec<u8> {
    let mut out = Vec::new();
    packed::write(&mut out, values.iter().copied(), bits);
    out
}

impl Perfect {
    pub fn new(set: &PairSet, fingerprint_bits: u32) -> Self {
        let units = u64::from(set.units);
        let by_hash = || set.pairs.chunk_by(|a, b| a.0 == b.0);
        let hashes: Vec<u64> = by_hash().map(|pairs| pairs[0].0).collect();
        let all = GOFunction::from(&hashes[..]);
        let several: Vec<&[(u64, u32)]> = by_hash().filter(|pairs| pairs.len() > 1).collect();
        let hashes_of_lists: Vec<u64> = several.iter().map(|pairs| pairs[0].0).collect();
        let list_function = GOFunction::from(&hashes_of_lists[..]);

        let mut values = vec![0; hashes.len()];
        for pairs in by_hash() {
            let (hash, unit) = pairs[0];
            let value = match pairs.len() {
                1 => u64::from(unit),
                _ => units,
            };
            let fingerprint = hash & ((1 << fingerprint_bits) - 1);
            values[all.get(&hash).unwrap() as usize] = value << fingerprint_bits | fingerprint;
        }
        let mut in_order: Vec<&[(u64, u32)]> = vec![&[]; several.len()];
        for pairs in several {
            in_order[list_function.get(&pairs[0].0).unwrap() as usize] = pairs;
        }
        let (mut starts, mut listed) = (vec![0], Vec::new());
        for pairs in in_order {
            listed.extend(pairs.iter().map(|&(_, unit)| u64::from(unit)));
            starts.push(listed.len() as u64);
        }
        let unit_bits = packed::bits_for(units);
        let value_bits = fingerprint_bits + unit_bits;
        let start_bits = packed::bits_for(listed.len() as u64);
        Self {
            function: all,
            count: hashes.len() as u64,
            units,
            values: pack(&values, value_bits),
            fingerprint_bits,
            value_bits,
            list_function,
            lists: hashes_of_lists.len() as u64,
            starts: pack(&starts, start_bits),
            start_bits,
            listed: pack(&listed, unit_bits),
            unit_bits,
        }
    }
}

impl Pairs for Perfect {
    fn len(&self) -> u64 {
        let functions = (self.function.write_bytes() + self.list_function.write_bytes()) as u64;
        functions + (self.values.len() + self.starts.len() + self.listed.len()) as u64
    }

    fn find(&self, hash: u64, units: &mut Vec<u32>) {
        let values = Packed::read(&mut &self.values[..], self.count, self.value_bits).unwrap();
        let Some(at) = self.function.get(&hash) else {
            return;
        };
        let value = values.get(at);
        if (value ^ hash) & ((1 << self.fingerprint_bits) - 1) != 0 {
            return;
        }
        let unit = value >> self.fingerprint_bits;
        if unit < self.units {
            units.push(unit as u32);
            return;
        }
        let Some(list) = self.list_function.get(&hash) else {
            return;
        };
        let starts = Packed::read(&mut &self.starts[..], self.lists + 1, self.start_bits).unwrap();
        let (start, end) = (starts.get(list), starts.get(list + 1));
        let listed = Packed::read(&mut &self.listed[..], end, self.unit_bits).unwrap();
        units.extend((start..end).map(|at| listed.get(at) as u32));
    }
}
