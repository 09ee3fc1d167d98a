//! The model's parameters: whole numbers of a byte, compressed into the program.

use std::sync::LazyLock;

use super::{
    inputs::INPUTS,
    tables::{ALL_ROWS, TRAIT_COUNT},
};
use crate::format::checksum;

/// Activations of the network: a pair of units each.
pub const WIDTH: usize = 128;
/// Units of the network's first layer.
pub const UNITS: usize = 2 * WIDTH;

/// Where the biases of units begin, behind the weights of the inputs.
pub const UNIT_BIASES: usize = INPUTS * UNITS;
/// Where the weights of rows begin.
pub const ROW_WEIGHTS: usize = UNIT_BIASES + UNITS;
/// Where the biases of rows begin.
pub const ROW_BIASES: usize = ROW_WEIGHTS + ALL_ROWS * WIDTH;
/// Where the tables of traits begin.
pub const TRAIT_SCORES: usize = ROW_BIASES + ALL_ROWS;
/// All parameters, of a byte each.
pub const PARAMETERS: usize = TRAIT_SCORES + TRAIT_COUNT;

/// How many steps of a parameter's byte make 1.
pub const fn scale(parameter: usize) -> u16 {
    match parameter {
        0..UNIT_BIASES => 128,
        UNIT_BIASES..ROW_BIASES => 64,
        _ => 32,
    }
}

/// The parameters of a model (spec §8.5.1).
pub struct Parameters {
    inputs: Padded<{ INPUTS.next_power_of_two() }, [i8; UNITS]>,
    biases: [i8; UNITS],
    rows: Padded<{ ALL_ROWS.next_power_of_two() }, Aligned<[i8; WIDTH]>>,
    row_biases: Padded<{ ALL_ROWS.next_power_of_two() }, i8>,
    tables: Padded<{ TRAIT_COUNT.next_power_of_two() }, i8>,
    checksum: u64,
}

/// Where a vector of 32 bytes is loaded at once; elsewhere compilers load halves.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Aligned<T>(pub T);

/// Values padded to a power of two of them: then a mask shows that an index is within.
struct Padded<const N: usize, T>(Box<[T; N]>);

impl<const N: usize, T: Copy> Padded<N, T> {
    fn new(values: &[T], padding: T) -> Self {
        assert!(N.is_power_of_two());
        let mut padded = values.to_vec();
        padded.resize(N, padding);
        match padded.into_boxed_slice().try_into() {
            Ok(padded) => Self(padded),
            Err(_) => unreachable!("resized"),
        }
    }

    #[inline(always)]
    fn get(&self, index: usize) -> &T {
        &self.0[index & (N - 1)]
    }
}

static EMBEDDED: LazyLock<Parameters> = LazyLock::new(|| {
    let bytes = zstd::bulk::decompress(include_bytes!("v2.zst"), PARAMETERS)
        .expect("the program holds its model whole");
    Parameters::from_bytes(&bytes).expect("the program's model has the shape it is made for")
});

impl Parameters {
    /// Those of the model that is part of the program.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Reads [`PARAMETERS`] bytes; `None` when there are more or fewer.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != PARAMETERS {
            return None;
        }
        let signed: Vec<i8> = bytes.iter().map(|&byte| byte as i8).collect();
        let rows: Vec<_> = (signed[ROW_WEIGHTS..ROW_BIASES].as_chunks().0.iter())
            .map(|&row| Aligned(row))
            .collect();
        Some(Self {
            inputs: Padded::new(signed[..UNIT_BIASES].as_chunks().0, [0; UNITS]),
            biases: *signed[UNIT_BIASES..].first_chunk()?,
            rows: Padded::new(&rows, Aligned([0; WIDTH])),
            row_biases: Padded::new(&signed[ROW_BIASES..TRAIT_SCORES], 0),
            tables: Padded::new(&signed[TRAIT_SCORES..], 0),
            checksum: checksum(bytes),
        })
    }

    /// The XXH64 of their bytes.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Weights of an input in each unit, in 1/128.
    #[inline(always)]
    pub(super) fn input(&self, input: usize) -> &[i8; UNITS] {
        self.inputs.get(input)
    }

    /// What units begin with, in 1/64.
    #[inline(always)]
    pub(super) fn biases(&self) -> &[i8; UNITS] {
        &self.biases
    }

    /// Weights of a row, in 1/64.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &Aligned<[i8; WIDTH]> {
        self.rows.get(row)
    }

    /// What the score of a choice with this own row begins with, in 1/32.
    #[inline(always)]
    pub(super) fn row_bias(&self, row: usize) -> i32 {
        i32::from(*self.row_biases.get(row))
    }

    /// The score of an entry of the traits' tables, in 1/32.
    #[inline(always)]
    pub(super) fn trait_score(&self, entry: usize) -> i32 {
        i32::from(*self.tables.get(entry))
    }
}
