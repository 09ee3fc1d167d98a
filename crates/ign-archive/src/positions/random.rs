//! Random order. The generator is SplitMix64, written here because the order of a seed, and with it
//! what a token means, must not change with the version of a library.

/// A generator of pseudo-random numbers.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// The generator of one of the streams of a seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut first = Self(stream);
        Self(first.next() ^ seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, which is not 0. For an `n` of 32 bits the bias is below 2^-32.
    fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// Brings the values into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            let other = self.below(last as u64 + 1) as usize;
            values.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_a_seed_never_changes() {
        let mut values: Vec<u32> = (0..10).collect();
        Random::new(1, 0).shuffle(&mut values);
        assert_eq!(values, [3, 6, 4, 7, 9, 5, 2, 1, 8, 0]);
    }

    #[test]
    fn every_value_gets_to_every_place() {
        let mut seen = [[0; 6]; 6];
        for seed in 0..600 {
            let mut values = [0, 1, 2, 3, 4, 5];
            Random::new(seed, 7).shuffle(&mut values);
            (0..6).for_each(|place| seen[place][values[place]] += 1);
        }
        let counts = seen.as_flattened();
        assert!(counts.iter().all(|&count| (60..150).contains(&count)));
    }
}
