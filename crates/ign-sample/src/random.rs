//! Chance that is the same on every machine.
//!
//! A SplitMix64 generator: eight bytes of state, one multiplication chain a number. Invariant:
//! everything is integer arithmetic on fixed widths, so a seed says the same thing everywhere.
//! All of a chunk's choices come from one generator, in a fixed order.

/// The increment of SplitMix64, the golden ratio's fraction in 64 bits.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Scrambles a number so that neighbours have nothing in common.
#[inline]
pub const fn mix(number: u64) -> u64 {
    let z = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A seeded stream of numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of `seed` that is numbered `stream`; streams have nothing in common.
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

    /// A number below `n`, which is not zero.
    #[inline]
    pub const fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * n as u64) >> 32) as u32
    }

    /// Whether something that happens `numerator` times in `denominator` happens now.
    #[inline]
    pub const fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        self.below(denominator) < numerator
    }
}

/// Places of a list drawn by weight.
#[derive(Debug, Clone)]
pub struct Weighted {
    /// Running sums of the weights.
    sums: Vec<u32>,
}

impl Weighted {
    /// Draws places by these weights, at least one of which is not zero.
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

    /// One place.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> usize {
        let ticket = random.below(self.sums.last().copied().unwrap_or(1));
        self.sums.partition_point(|&sum| sum <= ticket)
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
    fn weights_are_kept() {
        let (weighted, mut random) = (Weighted::new([1, 0, 3]), Random::new(1, 0));
        let mut drawn = [0; 3];
        for _ in 0..4000 {
            drawn[weighted.draw(&mut random)] += 1;
        }
        assert_eq!(drawn[1], 0);
        assert!((800..1200).contains(&drawn[0]), "{drawn:?}");
    }
}
