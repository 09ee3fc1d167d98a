//! Arithmetic of logistic mixing (spec §9.4), shared by [`mixing`](super::mixing)
//! and [`text_model`](super::text_model).
//!
//! Logistic mixing, from M. Mahoney's PAQ compressors, combines several
//! probabilities of the same bit. Each is *stretched* to its logit ln(p / (1 − p));
//! the weighted sum of the logits is *squashed* back to a probability by the
//! logistic function. After each bit every weight moves by its logit times the
//! coding error, which is a step of gradient descent on the code length.
//!
//! Probabilities are those of a 0. Logits are integers in 256ths, from −2047 to
//! 2047. The logistic function interpolates a table of 33 points.

/// 4096 / (1 + e^(-x/2)) for x = -16, -15, … 16 (spec §9.4).
const LOGISTIC: [i32; 33] = [
    1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348,
    3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
];
/// The largest logit.
pub(super) const MAX_LOGIT: i32 = 2047;

/// The probability with this logit, in 2^-12. Larger logits count as
/// [`MAX_LOGIT`], likewise below zero.
#[inline]
pub(super) fn squash(logit: i32) -> i32 {
    let logit = logit.clamp(-MAX_LOGIT, MAX_LOGIT);
    i32::from(SQUASH[(logit + MAX_LOGIT) as usize & (SQUASH.len() - 1)])
}

/// The probability of each logit from -[`MAX_LOGIT`]. A lookup has a shorter latency than the
/// interpolation.
static SQUASH: [i16; 4096] = {
    let mut table = [0; 4096];
    let mut logit = -MAX_LOGIT;
    while logit <= MAX_LOGIT {
        table[(logit + MAX_LOGIT) as usize] = interpolated(logit) as i16;
        logit += 1;
    }
    table
};

/// The probability with a logit of at most [`MAX_LOGIT`], by interpolation.
const fn interpolated(logit: i32) -> i32 {
    let (index, within) = ((logit >> 7) + 16, logit & 127);
    let (low, high) = (LOGISTIC[index as usize], LOGISTIC[index as usize + 1]);
    (low * (128 - within) + high * within + 64) >> 7
}

/// The probability of a 0 in 2^-16, as the binary range coder takes it, from its
/// logit in 256ths.
#[inline]
pub fn probability(logit: i32) -> u32 {
    (squash(logit) << 4 | 8) as u32
}

/// The logit of each probability in 2^-12: the inverse of [`squash`].
static STRETCH: [i16; 4096] = stretch();

const fn stretch() -> [i16; 4096] {
    let mut table = [MAX_LOGIT as i16; 4096];
    let mut probability = 0;
    let mut logit = -MAX_LOGIT;
    while logit <= MAX_LOGIT {
        let reached = interpolated(logit);
        while probability <= reached {
            table[probability as usize] = logit as i16;
            probability += 1;
        }
        logit += 1;
    }
    table
}

/// A mixing weight of 1.
pub(super) const ONE: i32 = 1 << 16;
/// The largest magnitude of a weight.
pub(super) const MAX_WEIGHT: i32 = 4 * ONE;

/// The number of bits after which the rate of an estimate stays constant.
const SETTLED: u32 = 250;

/// Learning rates of estimates and weights.
#[derive(Debug)]
pub(super) struct Learning {
    /// The rate of an estimate in 2^-16 after n bits: 65536 / (n + prior / 10).
    rates: [u32; 256],
    /// Weights learn at a rate of 2^-shift.
    shift: u32,
}

impl Learning {
    /// `prior` is the confidence in the initial estimates: it counts as a tenth
    /// of that many bits seen.
    pub(super) const fn new(prior: u32, shift: u32) -> Self {
        let mut rates = [0; 256];
        let mut n = 0;
        while n < rates.len() {
            rates[n] = 655_360 / (10 * n as u32 + prior);
            n += 1;
        }
        Self { rates, shift }
    }

    /// Adapts the weight of a logit to the [`error`] of the mix.
    #[inline]
    pub(super) fn update_weight(&self, weight: &mut i32, logit: i32, error: i32) {
        let moved = *weight + ((logit * error + (1 << (self.shift - 1))) >> self.shift);
        *weight = moved.clamp(-MAX_WEIGHT, MAX_WEIGHT);
    }
}

/// The error of a predicted probability of a 0, in 2^-12, given the coded bit.
#[inline]
pub(super) fn error(probability: i32, bit: bool) -> i32 {
    if bit {
        -probability
    } else {
        4095 - probability
    }
}

/// An adaptive probability that counts its bits: the first ones move it far,
/// later ones less.
///
/// The upper 22 bits are the probability of a 0 in 2^-22, the lower ten the
/// number of bits seen, up to [`SETTLED`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Estimate(u32);

impl Estimate {
    pub(super) const NEW: Self = Self(1 << 31);

    #[inline]
    pub(super) fn logit(self) -> i32 {
        i32::from(STRETCH[(self.0 >> 20) as usize])
    }

    /// The number of bits seen, up to [`SETTLED`].
    #[inline]
    pub(super) fn seen(self) -> u32 {
        self.0 & 1023
    }

    #[inline]
    pub(super) fn adapt(&mut self, learning: &Learning, bit: bool) {
        let (probability, seen) = (i64::from(self.0 >> 10), self.seen());
        let target = if bit { 0 } else { (1 << 22) - 1 };
        let rate = i64::from(learning.rates[(seen & 255) as usize]);
        let probability = probability + (((target - probability) * rate) >> 16);
        self.0 = (probability as u32) << 10 | (seen + u32::from(seen < SETTLED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretch_and_squash_have_fixed_values() {
        assert_eq!(
            [-9999, -2047, -128, 0, 1, 128, 9999].map(squash),
            [1, 1, 1546, 2047, 2051, 2549, 4094]
        );
        assert_eq!(
            [0, 1, 2047, 2048, 2549, 4094, 4095].map(|p| STRETCH[p]),
            [-2047, -2047, 0, 1, 128, 1984, 2047]
        );
        assert!(STRETCH.windows(2).all(|w| w[0] <= w[1]));
    }

    #[test]
    fn weighted_logits_fit_in_32_bits() {
        const { assert!((MAX_LOGIT as i64 * MAX_WEIGHT as i64 * 9) >> 16 < 1 << 31) };
        const { assert!(MAX_LOGIT * 4096 < i32::MAX - 512) };
    }
}
