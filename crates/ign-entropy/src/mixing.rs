//! Steps told by several contexts at once (spec §9.4).
//!
//! What comes next often depends a little on many things: a player's next
//! thinking time on his last ones, on the time he has left, on how far the game
//! has come. One table over all of them would never fill. So each context has
//! estimates of its own, and the decision goes by their mean in the logistic
//! domain (the logarithm of the odds), with weights that follow which of them
//! has been right, after M. Mahoney's mixing of predictions in PAQ. What was known
//! beforehand can be weighed with them: a *prediction* has odds of its own for each
//! decision.
//!
//! An estimate here counts how often it was asked: the first answers move it
//! far, later ones less; less too where something is predicted. Everything is whole-number arithmetic, with the
//! logistic function as a table of 33 points.

use std::rc::Rc;

use super::adaptive::{Coder, Tree};

/// 4096 / (1 + e^(-x/2)) for x = -16, -15, … 16 (spec §9.4).
const LOGISTIC: [i32; 33] = [
    1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047, 2549, 2994, 3348,
    3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
];
/// The largest logarithm of odds, in 256ths.
const MAX: i32 = 2047;

/// The share of 4096 whose odds have this logarithm, in 256ths.
pub(super) const fn squash(odds: i32) -> i32 {
    let odds = if odds > MAX {
        MAX
    } else if odds < -MAX {
        -MAX
    } else {
        odds
    };
    let (index, within) = ((odds >> 7) + 16, odds & 127);
    let (low, high) = (LOGISTIC[index as usize], LOGISTIC[index as usize + 1]);
    (low * (128 - within) + high * within + 64) >> 7
}

/// The share of "no", of 2^16, whose odds have this logarithm, in 256ths.
pub const fn share(odds: i32) -> u32 {
    (squash(odds) << 4 | 8) as u32
}

/// The logarithm of the odds of each share of 4096: the inverse of [`squash`].
static STRETCH: [i16; 4096] = stretch();

const fn stretch() -> [i16; 4096] {
    let mut table = [MAX as i16; 4096];
    let mut share = 0;
    let mut odds = -MAX;
    while odds <= MAX {
        let reached = squash(odds);
        while share <= reached {
            table[share as usize] = odds as i16;
            share += 1;
        }
        odds += 1;
    }
    table
}

/// An estimate stops slowing down after so many answers.
const SETTLED: u32 = 250;

/// How fast estimates and weights learn.
#[derive(Debug)]
pub(super) struct Learning {
    /// How far answer number n moves an estimate: 65536 / (n + what it is worth before, in tenths).
    rates: [u32; 256],
    /// By how many bits what moves a weight is divided.
    shift: u32,
}

/// Where contexts alone tell what comes.
static ALONE: Learning = Learning::new(16, 10);
/// Where much is predicted: what else there is to learn is less.
static PREDICTED: Learning = Learning::new(30, 11);

impl Learning {
    pub(super) const fn new(worth: u32, shift: u32) -> Self {
        let mut rates = [0; 256];
        let mut n = 0;
        while n < rates.len() {
            rates[n] = 655_360 / (10 * n as u32 + worth);
            n += 1;
        }
        Self { rates, shift }
    }

    /// Moves the weight of these odds, which went into a share that was wrong by so much.
    #[inline]
    pub(super) fn weigh(&self, weight: &mut i32, odds: i32, error: i32) {
        let moved = *weight + ((odds * error + (1 << (self.shift - 1))) >> self.shift);
        *weight = moved.clamp(-HEAVIEST, HEAVIEST);
    }
}

/// By how much this share, of 4096, was wrong.
#[inline]
pub(super) fn error(share: i32, yes: bool) -> i32 {
    if yes { -share } else { 4095 - share }
}

/// The share of "no", of 2^22, and in the lowest ten bits how many answers it has
/// seen, up to [`SETTLED`].
#[derive(Clone, Copy)]
pub(super) struct Estimate(u32);

impl Estimate {
    pub(super) const NEW: Self = Self(1 << 31);

    #[inline]
    pub(super) fn odds(self) -> i32 {
        i32::from(STRETCH[(self.0 >> 20) as usize])
    }

    /// How many answers it has seen, up to [`SETTLED`].
    #[inline]
    pub(super) fn seen(self) -> u32 {
        self.0 & 1023
    }

    #[inline]
    pub(super) fn learn(&mut self, learning: &Learning, yes: bool) {
        let (share, seen) = (i64::from(self.0 >> 10), self.seen());
        let target = if yes { 0 } else { (1 << 22) - 1 };
        let rate = i64::from(learning.rates[(seen & 255) as usize]);
        let share = share + (((target - share) * rate) >> 16);
        self.0 = (share as u32) << 10 | (seen + u32::from(seen < SETTLED));
    }
}

/// Modelled bits below the leading one of a step's size.
const MODELLED: u32 = 3;
/// Sizes of so many bits and more tell their length apart.
const LONG: u32 = 15;
/// Where the estimates of a row lie: of the size's bit length, of its leading bits,
/// of the direction.
const LEADING: usize = 16;
const DIRECTION: usize = LEADING + (16 << MODELLED);
const ROW: usize = DIRECTION + 16;
/// Decisions by which a step is told: what a prediction has odds for.
pub const DECISIONS: usize = ROW;

/// A weight of one.
pub(super) const ONE: i32 = 1 << 16;
/// Weights stay between this and its opposite.
const HEAVIEST: i32 = 4 * ONE;

/// The estimates of one of the contexts.
#[derive(Clone, Default)]
struct Rows {
    /// The row of a context, from 1; 0 where it has none yet.
    numbers: Vec<u32>,
    /// Shared with the model that this one is a copy of, until it learns.
    rows: Vec<Rc<[Estimate; ROW]>>,
}

impl Rows {
    /// A context's row, a new one if need be.
    #[inline]
    fn of(&mut self, context: usize) -> &mut [Estimate; ROW] {
        if self.numbers.len() <= context {
            self.numbers.resize(context + 1, 0);
        }
        let number = &mut self.numbers[context];
        if *number == 0 {
            self.rows.push(Rc::new([Estimate::NEW; ROW]));
            *number = self.rows.len() as u32;
        }
        Rc::make_mut(&mut self.rows[*number as usize - 1])
    }
}

/// How much is made of each of the contexts, and of what is predicted.
#[derive(Clone, Copy)]
struct Weights<const N: usize> {
    contexts: [i32; N],
    prediction: i32,
}

/// Steps up or down, each predicted by `N` contexts.
#[derive(Clone)]
pub struct Steps<const N: usize> {
    rows: [Rows; N],
    weights: Box<[Weights<N>; ROW]>,
    long: Tree<6>,
    learning: &'static Learning,
}

impl<const N: usize> Default for Steps<N> {
    fn default() -> Self {
        // Together a little more than one: several that agree are surer than each.
        Self::weighing(ONE * 6 / 5, 0, &ALONE)
    }
}

impl<const N: usize> Steps<N> {
    /// Steps of which much is predicted.
    pub fn predicted() -> Self {
        Self::weighing(ONE / 20, ONE, &PREDICTED)
    }

    fn weighing(contexts: i32, prediction: i32, learning: &'static Learning) -> Self {
        let weights = Weights {
            contexts: [contexts / N as i32; N],
            prediction,
        };
        Self {
            rows: std::array::from_fn(|_| Rows::default()),
            weights: Box::new([weights; ROW]),
            long: Tree::default(),
            learning,
        }
    }

    /// Codes a step whose size is below 2^63. A context is a small number: each
    /// up to the largest takes four bytes, each used a kilobyte.
    pub fn code(&mut self, coder: &mut impl Coder, contexts: [usize; N], step: i64) -> i64 {
        self.code_by(coder, contexts, |_| 0, step)
    }

    /// Codes a step of which a prediction tells, for each of the [`DECISIONS`], the odds of "no",
    /// the logarithm in 256ths; 0 for nothing.
    pub fn code_by(
        &mut self,
        coder: &mut impl Coder,
        contexts: [usize; N],
        prediction: impl Fn(usize) -> i32,
        step: i64,
    ) -> i64 {
        let mut contexts = contexts.into_iter();
        let mut mixer = Mixer {
            prediction,
            rows: self
                .rows
                .each_mut()
                .map(|rows| rows.of(contexts.next().unwrap_or(0))),
            weights: &mut self.weights,
            learning: self.learning,
        };
        let size = step.unsigned_abs();
        let given = u64::BITS - size.leading_zeros();
        let mut node = 1;
        for i in (0..4).rev() {
            let yes = mixer.bit(coder, node, given.min(LONG) >> i & 1 == 1);
            node = node << 1 | usize::from(yes);
        }
        let class = node & 15;
        let mut length = class as u32;
        if length == LONG {
            length = self.long.code(coder, given);
        }
        if length == 0 {
            return 0;
        }
        let below = length - 1;
        let modelled = below.min(MODELLED);
        let mut node = 1;
        for i in 0..modelled {
            let index = LEADING + (class << MODELLED) + node;
            let yes = mixer.bit(coder, index, size >> (below - 1 - i) & 1 == 1);
            node = node << 1 | usize::from(yes);
        }
        let rest = below - modelled;
        let size = (node as u64) << rest | coder.uniform(size & ((1 << rest) - 1), rest);
        if mixer.bit(coder, DIRECTION + class, step < 0) {
            -(size as i64)
        } else {
            size as i64
        }
    }
}

/// The rows of the contexts of one step, and the weights of all.
struct Mixer<'a, F, const N: usize> {
    rows: [&'a mut [Estimate; ROW]; N],
    weights: &'a mut [Weights<N>; ROW],
    learning: &'static Learning,
    prediction: F,
}

impl<F: Fn(usize) -> i32, const N: usize> Mixer<'_, F, N> {
    #[inline]
    #[expect(
        clippy::needless_range_loop,
        reason = "zipped, the three rows take a third more instructions"
    )]
    fn bit(&mut self, coder: &mut impl Coder, index: usize, yes: bool) -> bool {
        let weights = &mut self.weights[index];
        let mut odds = [0; N];
        let predicted = (self.prediction)(index).clamp(-MAX, MAX);
        let mut sum = i64::from(predicted) * i64::from(weights.prediction);
        for i in 0..N {
            odds[i] = self.rows[i][index].odds();
            sum += i64::from(odds[i]) * i64::from(weights.contexts[i]);
        }
        let odds_of_all = (sum >> 16) as i32;
        let yes = coder.decide(share(odds_of_all), yes);
        let share = squash(odds_of_all);
        let error = error(share, yes);
        let learning = self.learning;
        learning.weigh(&mut weights.prediction, predicted, error);
        // Apart from what follows, these are learnt all at once.
        for i in 0..N {
            learning.weigh(&mut weights.contexts[i], odds[i], error);
        }
        for row in &mut self.rows {
            row[index].learn(self.learning, yes);
        }
        yes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::{Decoder, Encoder};
    use proptest::prelude::*;

    #[test]
    fn the_logistic_function_and_its_inverse_are_fixed() {
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
    fn weighted_odds_stay_within_32_bits() {
        const { assert!((MAX as i64 * HEAVIEST as i64 * 9) >> 16 < 1 << 31) };
        const { assert!(MAX * 4096 < i32::MAX - 512) };
    }

    #[test]
    fn what_a_context_foretells_becomes_cheap_among_others_that_do_not() {
        let mut coder = Encoder::new();
        let mut steps = Steps::<3>::default();
        let mut noise = 1u32;
        for i in 0..10_000 {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let step = i64::from(noise >> 29) - 4;
            let contexts = [(noise >> 29) as usize, i % 7, (noise >> 3) as usize % 50];
            steps.code(&mut coder, contexts, step);
        }
        let len = coder.finish().len();
        assert!(len < 300, "{len} bytes");
    }

    #[test]
    fn foreseen_steps_come_back_and_cost_little_from_the_first_on() {
        let right = |step: i64| {
            move |decision: usize| {
                // Its length is 0011, its bits behind the leading one are 01; all are sure.
                let yes = step == 5 && matches!(decision, 4 | 9 | 42);
                if yes { -9999 } else { 9999 }
            }
        };
        let mut coder = Encoder::new();
        let mut steps = Steps::<2>::predicted();
        for i in 0..40 {
            steps.code_by(
                &mut coder,
                [i, 0],
                right(5),
                if i == 30 { -700_000 } else { 5 },
            );
        }
        let bytes = coder.finish();
        let mut coder = Decoder::new(&bytes);
        let mut steps = Steps::<2>::predicted();
        for i in 0..40 {
            let step = steps.code_by(&mut coder, [i, 0], right(5), 0);
            assert_eq!(step, if i == 30 { -700_000 } else { 5 });
        }
        assert!(bytes.len() < 30, "{} bytes", bytes.len());
    }

    proptest! {
        #[test]
        fn steps_come_back(
            given in prop::collection::vec((0usize..5, 0usize..300, any::<i64>(), 0u32..64), 0..300)
        ) {
            let step = |wide: i64, shift: u32| (wide >> shift).max(-i64::MAX);
            let mut coder = Encoder::new();
            let mut steps = Steps::<2>::default();
            for &(a, b, wide, shift) in &given {
                steps.code(&mut coder, [a, b], step(wide, shift));
            }
            let bytes = coder.finish();
            let mut coder = Decoder::new(&bytes);
            let mut steps = Steps::<2>::default();
            for &(a, b, wide, shift) in &given {
                prop_assert_eq!(steps.code(&mut coder, [a, b], 0), step(wide, shift));
            }
        }
    }
}
