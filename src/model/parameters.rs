//! The model's parameters: whole numbers of a byte, compressed into the program.

use std::sync::LazyLock;

use super::{
    inputs::INPUTS,
    lanes::{self, SUM_ENTRIES},
    tables::{ALL_ROWS, LANDINGS, LANDINGS_OF_ONE, OPENINGS, TRAIT, TRAIT_COUNT, TRAITS},
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

/// The parameters of a model (spec §8.5.1), as they lie in memory.
pub struct Parameters {
    inputs: Padded<{ INPUTS.next_power_of_two() }, Aligned<[i8; UNITS]>>,
    biases: [i8; UNITS],
    rows: Padded<{ ALL_ROWS.next_power_of_two() }, Aligned<[i8; WIDTH]>>,
    row_biases: Padded<{ ALL_ROWS.next_power_of_two() }, i8>,
    /// Sums of scores of moves' traits, and as much behind them as any of their parts may have.
    sums: Box<[i16; SUM_ENTRIES + ANY]>,
    end: [i8; ENDS],
    replies: Padded<{ LANDINGS.next_power_of_two() }, [i8; 512]>,
    repeats: Padded<{ LANDINGS.next_power_of_two() }, [i8; 512]>,
    openings: Padded<{ (1 + OPENINGS).next_power_of_two() }, i8>,
    checksum: u64,
}

/// How many numbers a lane can hold.
const ANY: usize = 1 << 16;
/// Entries of the tables of the end's traits.
const ENDS: usize = TRAIT_COUNT - TRAIT[TRAITS];

/// Where a vector is loaded at once: it lies within one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub T);

/// Values padded to a power of two of them: then a mask shows that an index is within.
struct Padded<const N: usize, T>(Box<[T; N]>);

impl<const N: usize, T: Copy> Padded<N, T> {
    fn new(values: impl Iterator<Item = T>, padding: T) -> Self {
        assert!(N.is_power_of_two());
        let mut padded = Vec::with_capacity(N);
        padded.extend(values);
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
    Parameters::from_bytes(&Parameters::embedded_bytes())
        .expect("the program's model has the shape it is made for")
});

impl Parameters {
    /// Those of the model that is part of the program.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Their bytes.
    pub(super) fn embedded_bytes() -> Vec<u8> {
        zstd::bulk::decompress(include_bytes!("v4.zst"), PARAMETERS)
            .expect("the program holds its model whole")
    }

    /// Reads [`PARAMETERS`] bytes; `None` when there are more or fewer.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != PARAMETERS {
            return None;
        }
        let part = |from: usize, to: usize| bytes[from..to].iter().map(|&byte| byte as i8);
        let trait_table = |number: usize| {
            let start = TRAIT_SCORES + TRAIT[number];
            bytes[start..TRAIT_SCORES + TRAIT[number + 1]].iter()
        };
        let scores: Vec<i8> = part(TRAIT_SCORES, PARAMETERS).collect();
        let mut sums = Vec::with_capacity(SUM_ENTRIES + ANY);
        lanes::sums(&scores, &mut sums);
        sums.resize(SUM_ENTRIES + ANY, 0);
        let pairs = |number| {
            let tables = trait_table(number).as_slice().chunks(LANDINGS_OF_ONE);
            let padded = |table: &[u8]| {
                let mut padded = [0; 512];
                for (entry, &byte) in padded.iter_mut().zip(table) {
                    *entry = byte as i8;
                }
                padded
            };
            Padded::new(tables.map(padded), [0; 512])
        };
        let rows = bytes[ROW_WEIGHTS..ROW_BIASES].as_chunks().0.iter();
        Some(Self {
            inputs: Padded::new(
                bytes[..UNIT_BIASES]
                    .as_chunks()
                    .0
                    .iter()
                    .map(|input| Aligned(signed(input))),
                Aligned([0; UNITS]),
            ),
            biases: signed(bytes[UNIT_BIASES..].first_chunk()?),
            rows: Padded::new(rows.map(|row| Aligned(signed(row))), Aligned([0; WIDTH])),
            row_biases: Padded::new(part(ROW_BIASES, TRAIT_SCORES), 0),
            sums: sums.into_boxed_slice().try_into().ok()?,
            end: *scores[TRAIT[TRAITS]..].first_chunk()?,
            replies: pairs(1),
            repeats: pairs(4),
            openings: Padded::new(part(TRAIT_SCORES + TRAIT[9], TRAIT_SCORES + TRAIT[10]), 0),
            checksum: checksum(bytes),
        })
    }

    /// The XXH64 of their bytes.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Weights of an input in each unit, in 1/128.
    #[inline(always)]
    pub(super) fn input(&self, input: usize) -> &Aligned<[i8; UNITS]> {
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

    /// The sums of scores from an entry on, in 1/32.
    #[inline(always)]
    pub(super) fn sums(&self, start: usize) -> &[i16; ANY] {
        let part = self.sums[start.min(SUM_ENTRIES)..].first_chunk();
        part.expect("as much is behind them")
    }

    /// The score of an entry of the tables of the end's traits, in 1/32.
    #[inline(always)]
    pub(super) fn end(&self, entry: usize) -> i32 {
        i32::from(self.end[entry - TRAIT[TRAITS]])
    }

    /// The scores, in 1/32, of moves by where they land, behind a last move that landed here.
    #[inline(always)]
    pub(super) fn replies(&self, landed: usize) -> &[i8; 512] {
        self.replies.get(landed)
    }

    /// The same behind one's own last move.
    #[inline(always)]
    pub(super) fn repeats(&self, landed: usize) -> &[i8; 512] {
        self.repeats.get(landed)
    }

    /// The score of an entry of the table of openings, in 1/32.
    #[inline(always)]
    pub(super) fn opening(&self, entry: u32) -> i32 {
        i32::from(*self.openings.get(entry as usize))
    }
}

fn signed<const N: usize>(bytes: &[u8; N]) -> [i8; N] {
    bytes.map(|byte| byte as i8)
}
