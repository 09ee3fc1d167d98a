//! Small networks that predict what is coded next (spec §9.5).
//!
//! What there is to predict a number or a letter by are *inputs*, each one of a few values. A
//! [`Network`] has a row of weights for each value of each; the rows of what is seen add up to
//! units, units are multiplied in pairs, and of the products it makes the odds of each decision by
//! which the number or letter is coded. A network is taught beforehand, so the first of a block is
//! predicted as well as the last.

#[cfg(target_arch = "x86_64")]
use pulp::{NullaryFnOnce, x86::V3};

/// How large a network is: values of all its inputs, products of two units each, decisions.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The values of all inputs.
    pub rows: usize,
    /// The products.
    pub width: usize,
    /// The decisions that it has odds for, an output each.
    pub decisions: usize,
}

impl Shape {
    /// Two for each product.
    pub const fn units(self) -> usize {
        2 * self.width
    }

    /// Where the biases of units begin, behind a row of weights for each value.
    pub const fn unit_biases(self) -> usize {
        self.rows * self.units()
    }

    /// Where the weights of outputs begin.
    pub const fn output_weights(self) -> usize {
        self.unit_biases() + self.units()
    }

    /// Where the biases of outputs begin.
    pub const fn output_biases(self) -> usize {
        self.output_weights() + self.decisions * self.width
    }

    /// All parameters, of a byte each.
    pub const fn parameters(self) -> usize {
        self.output_biases() + self.decisions
    }

    /// How many steps of a parameter's byte make 1.
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

/// Where the values of each input begin among those of all.
pub const fn firsts<const N: usize>(values: [usize; N]) -> [usize; N] {
    let mut firsts = [0; N];
    let mut i = 1;
    while i < N {
        firsts[i] = firsts[i - 1] + values[i - 1];
        i += 1;
    }
    firsts
}

/// The rows of these values of the inputs.
pub fn rows<const N: usize>(values: [usize; N], firsts: [usize; N]) -> [u16; N] {
    std::array::from_fn(|i| (firsts[i] + values[i]) as u16)
}

/// The parameters, in whole steps.
pub struct Network<'a, const WIDTH: usize, const UNITS: usize> {
    /// Most of them: where they lie, signed ones as bytes.
    rows: &'a [[u8; UNITS]],
    /// As wide as what they are added to.
    biases: [i16; UNITS],
    /// As wide as what they are multiplied with.
    outputs: Vec<[i16; WIDTH]>,
    output_biases: Vec<i8>,
    #[cfg(target_arch = "x86_64")]
    avx2: Option<V3>,
}

impl<'a, const WIDTH: usize, const UNITS: usize> Network<'a, WIDTH, UNITS> {
    /// From the bytes of one of this shape.
    ///
    /// # Panics
    /// When they are not so many.
    pub fn of_bytes(bytes: &'a [u8], shape: Shape) -> Self {
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
            rows,
            biases: biases
                .expect("the outputs are behind them")
                .map(|byte| i16::from(signed(byte))),
            outputs: outputs.iter().map(wide).collect(),
            output_biases: output_biases.iter().map(|&byte| signed(byte)).collect(),
            #[cfg(target_arch = "x86_64")]
            avx2: V3::try_new(),
        }
    }

    /// What it predicts by the rows of these inputs.
    #[inline]
    pub fn predict(&self, inputs: &[u16]) -> Prediction<'_, WIDTH, UNITS> {
        let sum = Products {
            network: self,
            inputs,
        };
        #[cfg(target_arch = "x86_64")]
        let products = match self.avx2 {
            Some(vectors) => vectors.vectorize(sum),
            None => sum.work_out(),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let products = sum.work_out();
        Prediction {
            network: self,
            products,
        }
    }
}

/// The products of units that the rows of inputs add up to. Most of the time goes into this, so it
/// is compiled twice: for any machine, and for those with AVX2. Whole numbers: it makes no difference.
struct Products<'a, const WIDTH: usize, const UNITS: usize> {
    network: &'a Network<'a, WIDTH, UNITS>,
    inputs: &'a [u16],
}

impl<const WIDTH: usize, const UNITS: usize> Products<'_, WIDTH, UNITS> {
    /// In 64ths.
    #[inline(always)]
    fn work_out(self) -> [i16; WIDTH] {
        let mut units = self.network.biases;
        for &row in self.inputs {
            for (unit, &weight) in units.iter_mut().zip(&self.network.rows[usize::from(row)]) {
                *unit += i16::from(weight as i8);
            }
        }
        let mut products = [0; WIDTH];
        for (i, product) in products.iter_mut().enumerate() {
            *product = (units[i].clamp(0, 128) * units[WIDTH + i].clamp(-128, 128)) >> 6;
        }
        products
    }
}

#[cfg(target_arch = "x86_64")]
impl<const WIDTH: usize, const UNITS: usize> NullaryFnOnce for Products<'_, WIDTH, UNITS> {
    type Output = [i16; WIDTH];

    #[inline(always)]
    fn call(self) -> Self::Output {
        self.work_out()
    }
}

/// What a network predicts of one number or letter.
pub struct Prediction<'a, const WIDTH: usize, const UNITS: usize> {
    network: &'a Network<'a, WIDTH, UNITS>,
    /// In 64ths.
    products: [i16; WIDTH],
}

impl<const WIDTH: usize, const UNITS: usize> Prediction<'_, WIDTH, UNITS> {
    /// The odds, in 256ths of their logarithm, that a decision is "no".
    #[inline]
    pub fn odds(&self, decision: usize) -> i32 {
        let weights = &self.network.outputs[decision];
        let products = self.products.iter().zip(weights);
        let sum: i32 = products.map(|(&p, &w)| i32::from(p) * i32::from(w)).sum();
        (sum + 128 * i32::from(self.network.output_biases[decision])) >> 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_multiplies_units_in_pairs_that_inputs_add_up() {
        let shape = Shape {
            rows: 80,
            width: 32,
            decisions: 9,
        };
        let mut bytes = vec![0; shape.parameters()];
        let mut set = |at: usize, value: i8| bytes[at] = value as u8;
        // Units 3 and 35 make product 3, which decision 7 doubles.
        set(shape.units() * 5 + 3, 100);
        set(shape.units() * 70 + 3, 100);
        set(shape.unit_biases() + shape.width + 3, -96);
        set(shape.output_weights() + 7 * shape.width + 3, 64);
        set(shape.output_biases() + 7, 8);
        let network = Network::<32, 64>::of_bytes(&bytes, shape);
        let predicted = |rows: [u16; 2]| network.predict(&rows).odds(7);
        // Half of 256ths from the bias; 2 (cut) by -1.5, doubled.
        assert_eq!(predicted([5, 70]), 128 - 6 * 256);
        // 100/64 by -1.5 is -2.34375, of which 64ths are kept: -150/64.
        assert_eq!(predicted([5, 1]), 128 - 150 * 64 / 8);
        assert_eq!(predicted([1, 1]), 128);
    }

    #[test]
    fn values_of_an_input_have_rows_behind_those_of_the_one_before() {
        const FIRSTS: [usize; 3] = firsts([4, 2, 9]);
        assert_eq!(FIRSTS, [0, 4, 6]);
        assert_eq!(rows([3, 1, 0], FIRSTS), [3, 5, 6]);
    }
}
