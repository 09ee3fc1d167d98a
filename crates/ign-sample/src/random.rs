//! Random numbers that are the same on every machine: a SplitMix64 generator.
//!
//! Invariant: all arithmetic is on integers of fixed width, so a seed gives the same sequence
//! everywhere. A chunk draws all its random numbers from one generator, in a fixed order.

/// The increment of SplitMix64: 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The output function of SplitMix64, a bijection that mixes all bits.
#[inline]
pub const fn mix(number: u64) -> u64 {
    let z = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Stream number `stream` of `seed`.
    pub const fn new(seed: u64, stream: u64) -> Random {
        let stream = mix(stream.wrapping_add(GOLDEN));
        Random(mix(seed.wrapping_add(GOLDEN)) ^ mix(stream.wrapping_mul(GOLDEN)))
    }

    /// The next 64 bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A number below `n`, which must not be zero.
    #[inline]
    pub const fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * n as u64) >> 32) as u32
    }

    /// True with probability `numerator / denominator`.
    #[inline]
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.below(denominator) < numerator
    }
}

/// Draws indices with given weights.
#[derive(Debug, Clone)]
pub struct Weighted {
    /// Cumulative sums of the weights.
    sums: Vec<u32>,
}

impl Weighted {
    /// The distribution with these weights, at least one of which is not zero.
    pub fn new(weights: impl IntoIterator<Item = u32>) -> Weighted {
        let sums = weights
            .into_iter()
            .scan(0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .collect();
        Weighted { sums }
    }

    /// A random index.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> usize {
        let target = random.below(self.sums.last().copied().unwrap_or(1));
        self.sums.partition_point(|&sum| sum <= target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_of_one_seed_differ() {
        let mut first: Vec<u64> = (0..1000).map(|k| Random::new(7, k).bits()).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 1000);
    }

    #[test]
    fn draws_follow_the_weights() {
        let (weighted, mut random) = (Weighted::new([1, 0, 3]), Random::new(1, 0));
        let mut drawn = [0; 3];
        for _ in 0..4000 {
            drawn[weighted.draw(&mut random)] += 1;
        }
        assert_eq!(drawn[1], 0);
        assert!((800..1200).contains(&drawn[0]), "{drawn:?}");
    }
}
