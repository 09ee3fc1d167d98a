//! Signed integers predicted by several contexts at once (spec §9.4).
//!
//! A value often depends a little on many things: a thinking time on the
//! previous ones, on the time left and on the phase of the game. A single table
//! indexed by all of them would stay almost empty. [`MixedSigned`] therefore
//! keeps separate estimates for each context and combines them by logistic
//! mixing ([`logistic`](super::logistic)). A *prediction* from outside, for
//! example of a [`network`](super::network), is mixed in as one more logit for
//! each binary decision.
//!
//! An integer is coded by up to eight mixed decisions: four for its bit length, up
//! to three for the bits below its leading one, then its sign. The remaining
//! bits have equal probabilities.

use std::rc::Rc;

use super::adaptive::{BitTree, Coder};
use super::logistic::{Estimate, Learning, MAX_LOGIT, ONE, error, probability, squash};

/// Learning rates without a prediction.
static UNPREDICTED: Learning = Learning::new(16, 10);
/// Learning rates with a prediction: less is left to learn.
static PREDICTED: Learning = Learning::new(30, 11);

/// The number of modelled bits below the leading one.
const MODELLED: u32 = 3;
/// The escape for bit lengths from this on, which have a bit tree of their own.
const LONG: u32 = 15;
/// Numbering of the binary decisions: first the nodes of the bit length, then
/// for each bit length the nodes of the leading bits, then the signs.
const LEADING: usize = 16;
const SIGN: usize = LEADING + (16 << MODELLED);
/// The number of different binary decisions, each with its own estimates and weights.
pub const DECISIONS: usize = SIGN + 16;

/// The estimates of one context, for each of its values that has occurred.
#[derive(Debug, Clone, Default)]
struct ContextEstimates {
    /// For each value of the context, its index in `estimates` plus 1, or 0.
    slots: Vec<u32>,
    /// Clones of the model share them until they adapt.
    estimates: Vec<Rc<[Estimate; DECISIONS]>>,
}

impl ContextEstimates {
    /// The estimates of a value of the context, created on first use.
    #[inline]
    fn get(&mut self, value: usize) -> &mut [Estimate; DECISIONS] {
        if self.slots.len() <= value {
            self.slots.resize(value + 1, 0);
        }
        let slot = &mut self.slots[value];
        if *slot == 0 {
            self.estimates.push(Rc::new([Estimate::NEW; DECISIONS]));
            *slot = self.estimates.len() as u32;
        }
        Rc::make_mut(&mut self.estimates[*slot as usize - 1])
    }
}

/// The mixing weights of one decision.
#[derive(Debug, Clone, Copy)]
struct Weights<const N: usize> {
    contexts: [i32; N],
    prediction: i32,
}

/// Model of signed integers with `N` contexts.
///
/// ```
/// use ign_entropy::{adaptive::Encoder, mixing::MixedSigned};
///
/// let mut coder = Encoder::new();
/// let mut model = MixedSigned::<2>::default();
/// for i in 0..1000 {
///     // The first context determines the value, the second says nothing about it.
///     model.code(&mut coder, [i % 3, i / 100], (i % 3) as i64 - 1);
/// }
/// assert!(coder.finish().len() < 50);
/// ```
#[derive(Debug, Clone)]
pub struct MixedSigned<const N: usize> {
    contexts: [ContextEstimates; N],
    weights: Box<[Weights<N>; DECISIONS]>,
    long_length: BitTree<6>,
    learning: &'static Learning,
}

impl<const N: usize> Default for MixedSigned<N> {
    /// A model without predictions.
    fn default() -> Self {
        // The weights sum to more than 1: contexts that agree are more reliable than each alone.
        Self::with_weights(ONE * 6 / 5, 0, &UNPREDICTED)
    }
}

impl<const N: usize> MixedSigned<N> {
    /// A model of values that mostly have a prediction: it starts with most of
    /// the weight on the prediction.
    pub fn predicted() -> Self {
        Self::with_weights(ONE / 20, ONE, &PREDICTED)
    }

    fn with_weights(contexts: i32, prediction: i32, learning: &'static Learning) -> Self {
        let weights = Weights {
            contexts: [contexts / N as i32; N],
            prediction,
        };
        Self {
            contexts: std::array::from_fn(|_| ContextEstimates::default()),
            weights: Box::new([weights; DECISIONS]),
            long_length: BitTree::default(),
            learning,
        }
    }

    /// Codes an integer of magnitude below 2^63.
    ///
    /// The values of contexts should be small: a context takes four bytes for
    /// each value up to the largest and 640 for each that occurs.
    pub fn code(&mut self, coder: &mut impl Coder, contexts: [usize; N], value: i64) -> i64 {
        self.code_with(coder, contexts, Unpredicted, value)
    }

    /// Codes an integer like [`MixedSigned::code`], with a prediction: the logit
    /// of a 0, in 256ths, for each of the [`DECISIONS`]. A logit of 0 predicts
    /// nothing.
    pub fn code_predicted(
        &mut self,
        coder: &mut impl Coder,
        contexts: [usize; N],
        prediction: impl Fn(usize) -> i32,
        value: i64,
    ) -> i64 {
        self.code_with(coder, contexts, Predicted(prediction), value)
    }

    #[inline]
    fn code_with(
        &mut self,
        coder: &mut impl Coder,
        contexts: [usize; N],
        prediction: impl Prediction,
        value: i64,
    ) -> i64 {
        let mut contexts = contexts.into_iter();
        let mut mixer = Mixer {
            prediction,
            estimates: self
                .contexts
                .each_mut()
                .map(|context| context.get(contexts.next().unwrap_or(0))),
            weights: &mut self.weights,
            learning: self.learning,
        };
        let magnitude = value.unsigned_abs();
        let bit_length = u64::BITS - magnitude.leading_zeros();
        let class = mixer.tree(coder, 0, 4, u64::from(bit_length.min(LONG))) & 15;
        let mut length = class as u32;
        if length == LONG {
            length = self.long_length.code(coder, bit_length);
        }
        if length == 0 {
            return 0;
        }
        let below = length - 1;
        let modelled = below.min(MODELLED);
        let rest = below - modelled;
        let leading = LEADING + (class << MODELLED);
        let node = mixer.tree(coder, leading, modelled, magnitude >> rest);
        let magnitude = (node as u64) << rest | coder.uniform(magnitude & ((1 << rest) - 1), rest);
        if mixer.bit(coder, SIGN + class, value < 0) {
            -(magnitude as i64)
        } else {
            magnitude as i64
        }
    }
}

/// A prediction from outside.
trait Prediction {
    /// Whether a prediction takes so little time that those of decisions that are not coded do not
    /// matter.
    const IS_CHEAP: bool;

    /// The logit of a 0, in 256ths.
    fn logit(&self, decision: usize) -> i32;
}

/// No prediction.
struct Unpredicted;

impl Prediction for Unpredicted {
    const IS_CHEAP: bool = true;

    #[inline]
    fn logit(&self, _: usize) -> i32 {
        0
    }
}

/// The prediction of a function.
struct Predicted<F>(F);

impl<F: Fn(usize) -> i32> Prediction for Predicted<F> {
    const IS_CHEAP: bool = false;

    #[inline]
    fn logit(&self, decision: usize) -> i32 {
        (self.0)(decision).clamp(-MAX_LOGIT, MAX_LOGIT)
    }
}

/// Codes the decisions of one integer: the estimates of its contexts, the
/// weights and the prediction.
struct Mixer<'a, P, const N: usize> {
    estimates: [&'a mut [Estimate; DECISIONS]; N],
    weights: &'a mut [Weights<N>; DECISIONS],
    learning: &'static Learning,
    prediction: P,
}

/// The logits of a decision.
#[derive(Clone, Copy)]
struct Logits<const N: usize> {
    contexts: [i32; N],
    predicted: i32,
    /// Their weighted sum.
    mixed: i32,
}

impl<P: Prediction, const N: usize> Mixer<'_, P, N> {
    /// Codes the lowest `bits` bits of a number, the highest first, as decisions `first` + 1 on in
    /// heap order. Returns the last node.
    ///
    /// While a bit is decoded, the logits of both possible next decisions are computed: a decoder
    /// waits for the result of each bit, and the processor has little else to do.
    #[inline(always)]
    fn tree(&mut self, coder: &mut impl Coder, first: usize, bits: u32, number: u64) -> usize {
        let mut node = 1;
        if !P::IS_CHEAP {
            for i in (0..bits).rev() {
                let bit = self.bit(coder, first + node, number >> i & 1 == 1);
                node = node << 1 | usize::from(bit);
            }
            return node;
        }
        if bits == 0 {
            return node;
        }
        let mut logits = self.logits(first + node);
        for i in (1..bits).rev() {
            let after_0 = self.logits(first + (node << 1));
            let after_1 = self.logits(first + (node << 1 | 1));
            let bit = self.bit_with(coder, first + node, logits, number >> i & 1 == 1);
            node = node << 1 | usize::from(bit);
            logits = if bit { after_1 } else { after_0 };
        }
        let bit = self.bit_with(coder, first + node, logits, number & 1 == 1);
        node << 1 | usize::from(bit)
    }

    #[inline]
    fn bit(&mut self, coder: &mut impl Coder, decision: usize, bit: bool) -> bool {
        let logits = self.logits(decision);
        self.bit_with(coder, decision, logits, bit)
    }

    #[inline(always)]
    #[expect(
        clippy::needless_range_loop,
        reason = "zipping the three arrays takes a third more instructions"
    )]
    fn logits(&self, decision: usize) -> Logits<N> {
        let weights = &self.weights[decision];
        let mut contexts = [0; N];
        let predicted = self.prediction.logit(decision);
        let mut sum = i64::from(predicted) * i64::from(weights.prediction);
        for i in 0..N {
            contexts[i] = self.estimates[i][decision].logit();
            sum += i64::from(contexts[i]) * i64::from(weights.contexts[i]);
        }
        Logits {
            contexts,
            predicted,
            mixed: (sum >> 16) as i32,
        }
    }

    /// Codes a decision with these logits.
    #[inline(always)]
    fn bit_with(
        &mut self,
        coder: &mut impl Coder,
        decision: usize,
        logits: Logits<N>,
        bit: bool,
    ) -> bool {
        let weights = &mut self.weights[decision];
        let bit = coder.bit_with_probability(probability(logits.mixed), bit);
        let error = error(squash(logits.mixed), bit);
        let learning = self.learning;
        learning.update_weight(&mut weights.prediction, logits.predicted, error);
        // In a loop of its own, which the compiler vectorizes.
        for i in 0..N {
            learning.update_weight(&mut weights.contexts[i], logits.contexts[i], error);
        }
        for estimates in &mut self.estimates {
            estimates[decision].adapt(self.learning, bit);
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adaptive::{Decoder, Encoder};
    use proptest::prelude::*;

    #[test]
    fn an_informative_context_among_others_makes_values_cheap() {
        let mut coder = Encoder::new();
        let mut model = MixedSigned::<3>::default();
        let mut noise = 1u32;
        for i in 0..10_000 {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = i64::from(noise >> 29) - 4;
            let contexts = [(noise >> 29) as usize, i % 7, (noise >> 3) as usize % 50];
            model.code(&mut coder, contexts, value);
        }
        let len = coder.finish().len();
        assert!(len < 300, "{len} bytes");
    }

    #[test]
    fn predicted_values_are_cheap_from_the_first_and_others_round_trip() {
        let prediction = |value: i64| {
            move |decision: usize| {
                // 5 has the bit length 0011 and the bits 01 below the leading one.
                let bit = value == 5 && matches!(decision, 4 | 9 | 42);
                if bit { -9999 } else { 9999 }
            }
        };
        let mut coder = Encoder::new();
        let mut model = MixedSigned::<2>::predicted();
        for i in 0..40 {
            model.code_predicted(
                &mut coder,
                [i, 0],
                prediction(5),
                if i == 30 { -700_000 } else { 5 },
            );
        }
        let bytes = coder.finish();
        let mut coder = Decoder::new(&bytes);
        let mut model = MixedSigned::<2>::predicted();
        for i in 0..40 {
            let value = model.code_predicted(&mut coder, [i, 0], prediction(5), 0);
            assert_eq!(value, if i == 30 { -700_000 } else { 5 });
        }
        assert!(bytes.len() < 30, "{} bytes", bytes.len());
    }

    proptest! {
        #[test]
        fn round_trips_any_values(
            given in prop::collection::vec((0usize..5, 0usize..300, any::<i64>(), 0u32..64), 0..300)
        ) {
            let value = |wide: i64, shift: u32| (wide >> shift).max(-i64::MAX);
            let mut coder = Encoder::new();
            let mut model = MixedSigned::<2>::default();
            for &(a, b, wide, shift) in &given {
                model.code(&mut coder, [a, b], value(wide, shift));
            }
            let bytes = coder.finish();
            let mut coder = Decoder::new(&bytes);
            let mut model = MixedSigned::<2>::default();
            for &(a, b, wide, shift) in &given {
                prop_assert_eq!(model.code(&mut coder, [a, b], 0), value(wide, shift));
            }
        }
    }
}
