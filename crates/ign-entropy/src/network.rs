//! Small integer networks that predict the next value (spec §9.5).
//!
//! A network maps categorical inputs to the logit of each binary decision of a value's code. It is
//! trained beforehand, so the first value of a block is predicted as well as
//! the last. Its structure is that of chess evaluation networks (NNUE) with pairwise
//! multiplication:
//!
//! 1. Each value of each input has an embedding of 2·width weights, a row of one matrix. The rows
//!    of the given values and a bias are added.
//! 2. The sum is clipped, and its first half is multiplied with its second half element by element.
//!    The products are the width hidden units.
//! 3. A linear layer computes the logit of a decision from the hidden units. It is evaluated only
//!    for the decisions that occur.
//!
//! Parameters are signed bytes and the arithmetic is integral, so that all machines predict alike.

use std::borrow::Cow;

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V3};

/// The dimensions of a network and the layout of its parameters: embeddings, their bias, output
/// weights, output biases.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Rows of the embedding matrix: the number of values of all inputs together.
    pub rows: usize,
    /// Hidden units.
    pub width: usize,
    /// Outputs: the binary decisions that the network predicts.
    pub decisions: usize,
}

impl Shape {
    /// Elements of an embedding: two for each hidden unit.
    pub const fn units(self) -> usize {
        2 * self.width
    }

    /// Offset of the bias that is added to the embeddings.
    pub const fn unit_biases(self) -> usize {
        self.rows * self.units()
    }

    /// Offset of the output weights, `width` for each decision.
    pub const fn output_weights(self) -> usize {
        self.unit_biases() + self.units()
    }

    /// Offset of the output biases.
    pub const fn output_biases(self) -> usize {
        self.output_weights() + self.decisions * self.width
    }

    /// Number of parameters, one byte each.
    pub const fn parameters(self) -> usize {
        self.output_biases() + self.decisions
    }

    /// Fixed-point scale of a parameter: the byte value that means 1.
    pub const fn scale(self, parameter: usize) -> u16 {
        if parameter < self.output_weights() {
            64
        } else if parameter < self.output_biases() {
            32
        } else {
            16
        }
    }
}

/// The first embedding row of each input, given the number of values of each.
pub const fn first_rows<const N: usize>(value_counts: [usize; N]) -> [usize; N] {
    let mut first_rows = [0; N];
    let mut i = 1;
    while i < N {
        first_rows[i] = first_rows[i - 1] + value_counts[i - 1];
        i += 1;
    }
    first_rows
}

/// The embedding rows of the values of the inputs.
pub fn rows<const N: usize>(values: [usize; N], first_rows: [usize; N]) -> [u16; N] {
    std::array::from_fn(|i| (first_rows[i] + values[i]) as u16)
}

/// A network of `WIDTH` hidden units and `UNITS` = 2·`WIDTH` elements per embedding.
#[derive(Debug)]
pub struct Network<'a, const WIDTH: usize, const UNITS: usize> {
    /// The embeddings, most of the parameters: signed bytes.
    rows: Cow<'a, [[u8; UNITS]]>,
    /// Widened to the type of the sum.
    biases: [i16; UNITS],
    /// The output weights of each decision, widened to the type of the hidden units.
    outputs: Vec<[i16; WIDTH]>,
    output_biases: Vec<i8>,
    /// Proof that the processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    avx2: Option<V3>,
}

impl<'a, const WIDTH: usize, const UNITS: usize> Network<'a, WIDTH, UNITS> {
    /// The network with these parameters.
    ///
    /// # Panics
    /// If the number of bytes or `WIDTH` does not agree with `shape`.
    pub fn from_bytes(bytes: &'a [u8], shape: Shape) -> Self {
        const { assert!(UNITS == 2 * WIDTH) };
        assert_eq!((bytes.len(), WIDTH), (shape.parameters(), shape.width));
        let signed = |byte: u8| byte as i8;
        let (rows, _) = bytes[..shape.unit_biases()].as_chunks();
        let biases = bytes[shape.unit_biases()..].first_chunk::<UNITS>();
        let (outputs, _) =
            bytes[shape.output_weights()..shape.output_biases()].as_chunks::<WIDTH>();
        let wide = |row: &[u8; WIDTH]| row.map(|byte| i16::from(signed(byte)));
        let output_biases = &bytes[shape.output_biases()..];
        Self {
            rows: Cow::Borrowed(rows),
            biases: biases
                .expect("the length was checked")
                .map(|byte| i16::from(signed(byte))),
            outputs: outputs.iter().map(wide).collect(),
            output_biases: output_biases.iter().map(|&byte| signed(byte)).collect(),
            #[cfg(target_arch = "x86_64")]
            avx2: V3::try_new(),
        }
    }

    /// The network with a copy of the parameters that it borrows.
    pub fn into_owned(self) -> Network<'static, WIDTH, UNITS> {
        Network {
            rows: Cow::Owned(self.rows.into_owned()),
            ..self
        }
    }

    /// Computes the hidden units for the inputs with these embedding rows.
    #[inline]
    pub fn predict(&self, inputs: &[u16]) -> Prediction<'_, WIDTH, UNITS> {
        let layer = HiddenLayer {
            network: self,
            inputs,
        };
        #[cfg(target_arch = "x86_64")]
        let hidden = match self.avx2 {
            Some(avx2) => avx2.vectorize(layer),
            None => layer.compute(),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let hidden = layer.compute();
        Prediction {
            network: self,
            hidden,
        }
    }
}

/// The computation of the hidden units. Prediction spends most of its time here, so the function is
/// compiled twice, for any processor and for those with AVX2; both give the same integers.
struct HiddenLayer<'a, const WIDTH: usize, const UNITS: usize> {
    network: &'a Network<'a, WIDTH, UNITS>,
    inputs: &'a [u16],
}

impl<const WIDTH: usize, const UNITS: usize> HiddenLayer<'_, WIDTH, UNITS> {
    /// The hidden units in 64ths.
    #[inline(always)]
    fn compute(self) -> [i16; WIDTH] {
        let mut units = self.network.biases;
        let rows: &[[u8; UNITS]] = &self.network.rows;
        for &row in self.inputs {
            for (unit, &weight) in units.iter_mut().zip(&rows[usize::from(row)]) {
                *unit += i16::from(weight as i8);
            }
        }
        let mut hidden = [0; WIDTH];
        for (i, product) in hidden.iter_mut().enumerate() {
            *product = (units[i].clamp(0, 128) * units[WIDTH + i].clamp(-128, 128)) >> 6;
        }
        hidden
    }
}

#[cfg(target_arch = "x86_64")]
impl<const WIDTH: usize, const UNITS: usize> NullaryFnOnce for HiddenLayer<'_, WIDTH, UNITS> {
    type Output = [i16; WIDTH];

    #[inline(always)]
    fn call(self) -> Self::Output {
        self.compute()
    }
}

/// The prediction of one value: its hidden units, from which the logits are computed on demand.
#[derive(Debug)]
pub struct Prediction<'a, const WIDTH: usize, const UNITS: usize> {
    network: &'a Network<'a, WIDTH, UNITS>,
    /// In 64ths.
    hidden: [i16; WIDTH],
}

impl<const WIDTH: usize, const UNITS: usize> Prediction<'_, WIDTH, UNITS> {
    /// The logit, in 256ths, of the probability that a decision is 0.
    #[inline]
    pub fn logit(&self, decision: usize) -> i32 {
        let weights = &self.network.outputs[decision];
        let products = self.hidden.iter().zip(weights);
        let sum: i32 = products.map(|(&p, &w)| i32::from(p) * i32::from(w)).sum();
        (sum + 128 * i32::from(self.network.output_biases[decision])) >> 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_logits_from_sums_products_and_outputs() {
        let shape = Shape {
            rows: 80,
            width: 32,
            decisions: 9,
        };
        let mut bytes = vec![0; shape.parameters()];
        let mut set = |at: usize, value: i8| bytes[at] = value as u8;
        // Elements 3 and 35 of the sum give hidden unit 3, which decision 7 doubles.
        set(shape.units() * 5 + 3, 100);
        set(shape.units() * 70 + 3, 100);
        set(shape.unit_biases() + shape.width + 3, -96);
        set(shape.output_weights() + 7 * shape.width + 3, 64);
        set(shape.output_biases() + 7, 8);
        let network = Network::<32, 64>::from_bytes(&bytes, shape);
        let predicted = |rows: [u16; 2]| network.predict(&rows).logit(7);
        // 1/2 from the output bias; 2 (clipped) times -1.5, doubled.
        assert_eq!(predicted([5, 70]), 128 - 6 * 256);
        // 100/64 times -1.5 is -2.34375, exactly -150/64.
        assert_eq!(predicted([5, 1]), 128 - 150 * 64 / 8);
        assert_eq!(predicted([1, 1]), 128);
    }

    #[test]
    fn rows_of_an_input_follow_those_of_the_previous_one() {
        const FIRST_ROWS: [usize; 3] = first_rows([4, 2, 9]);
        assert_eq!(FIRST_ROWS, [0, 4, 6]);
        assert_eq!(rows([3, 1, 0], FIRST_ROWS), [3, 5, 6]);
    }
}
