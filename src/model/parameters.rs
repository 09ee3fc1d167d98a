//! The model's parameters: whole numbers of a byte, compressed into the program.

use std::sync::LazyLock;

use super::features::{ALL_ROWS, TRAIT_COUNT, input};
use crate::format::checksum;

/// Activations of the network: a pair of units each.
pub const WIDTH: usize = 128;
/// Units of the network's first layer.
pub const UNITS: usize = 2 * WIDTH;

/// Where each part begins.
const UNIT_BIASES: usize = input::COUNT * UNITS;
const ROWS: usize = UNIT_BIASES + UNITS;
const ROW_BIASES: usize = ROWS + ALL_ROWS * WIDTH;
const TRAITS: usize = ROW_BIASES + ALL_ROWS;
/// All of them, in bytes.
pub const PARAMETERS: usize = TRAITS + TRAIT_COUNT;

/// The parameters of a model (spec §8.5.1).
pub struct Parameters {
    values: Vec<i8>,
    checksum: u64,
}

static EMBEDDED: LazyLock<Parameters> = LazyLock::new(|| {
    let bytes = zstd::bulk::decompress(include_bytes!("v1.zst"), PARAMETERS)
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
        (bytes.len() == PARAMETERS).then(|| Self {
            values: bytes.iter().map(|&byte| byte as i8).collect(),
            checksum: checksum(bytes),
        })
    }

    /// The XXH64 of their bytes.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Weights of an input, in 1/128.
    #[inline(always)]
    pub(super) fn input(&self, input: usize) -> &[i8; UNITS] {
        self.array(input * UNITS)
    }

    /// What units begin with, in 1/64.
    #[inline(always)]
    pub(super) fn biases(&self) -> &[i8; UNITS] {
        self.array(UNIT_BIASES)
    }

    /// Weights of a row, in 1/64.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &[i8; WIDTH] {
        self.array(ROWS + row * WIDTH)
    }

    /// What a row's score begins with, in 1/32.
    #[inline(always)]
    pub(super) fn row_bias(&self, row: usize) -> i32 {
        i32::from(self.values[ROW_BIASES + row])
    }

    /// The scores of the entries of the traits' tables, in 1/32.
    #[inline(always)]
    pub(super) fn tables(&self) -> &[i8] {
        &self.values[TRAITS..]
    }

    #[inline(always)]
    fn array<const N: usize>(&self, at: usize) -> &[i8; N] {
        self.values[at..at + N].try_into().expect("N values")
    }
}
