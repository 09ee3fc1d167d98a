//! The adaptive bit: an estimate of the probability of one binary decision
//! (spec §9.1).

/// Adaptation rates: an estimate moves 2^-n of the way to the coded bit.
const FAST: u32 = 4;
const SLOW: u32 = 7;
/// From this count on an estimate adapts at its final rate. Before, bit number
/// n moves it by 2^-(bit length of n), which is faster.
const SETTLED: u16 = (1 << (SLOW - 1)) - 1;

/// The probability of a binary decision: the mean of a fast and a slow estimate.
#[derive(Debug, Clone, Copy)]
pub struct Bit {
    /// Probability of a 0 in 2^-16, from recent bits.
    fast: u16,
    /// The same, from a longer history.
    slow: u16,
    /// Number of bits seen, up to [`SETTLED`].
    seen: u16,
}

impl Default for Bit {
    fn default() -> Self {
        Self::new()
    }
}

impl Bit {
    /// A bit with both values equally likely.
    pub const fn new() -> Self {
        Self {
            fast: 1 << 15,
            slow: 1 << 15,
            seen: 0,
        }
    }

    /// The probability of a 0 in 2^-16: from 71 to 65,465, so neither value is
    /// ever impossible.
    #[inline]
    pub(super) fn probability(self) -> u32 {
        (u32::from(self.fast) + u32::from(self.slow)) >> 1
    }

    /// Moves both estimates towards `bit`. Branchless: bits worth coding are
    /// unpredictable for the processor too.
    #[inline]
    pub(super) fn adapt(&mut self, bit: bool) {
        let mask = u16::from(bit).wrapping_neg();
        let rate = (u16::BITS - (self.seen + 1).leading_zeros()).min(SLOW);
        self.seen += u16::from(self.seen < SETTLED);
        for (estimate, rate) in [(&mut self.fast, rate.min(FAST)), (&mut self.slow, rate)] {
            // The distance to 0 (for a 1) or to 65535 (for a 0), scaled by the rate.
            let distance = (*estimate ^ !mask) >> rate;
            *estimate = estimate.wrapping_add((distance ^ mask).wrapping_sub(mask));
        }
    }
}
