//! The model's parameters: whole numbers of a byte, in the program.
//!
//! A process that wants one game would take longer to unpack them than for all else. So those of the
//! units lie in the program as they are; the others are [packed] into the bits that they need, and
//! all together take less than two million bytes.

use std::sync::LazyLock;

use pulp::bytemuck::cast_ref;

use super::{
    inputs::INPUTS,
    lanes::{self, SUM_ENTRIES},
    packed,
    tables::{ALL_ROWS, LANDINGS, LANDINGS_OF_ONE, OPENINGS, TRAIT, TRAIT_COUNT},
};

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
    /// Weights of rows, padded to a power of two of them.
    rows: Box<[Aligned<[i8; WIDTH]>; ROWS]>,
    /// Biases of rows, and behind them the scores of the tables of traits.
    behind: Box<[i8; ALL_ROWS + TRAIT_COUNT]>,
    /// Sums of scores of moves' traits, and as much behind them as any of their parts may have.
    sums: Box<[i16; SUM_ENTRIES + ANY]>,
}

/// Weights of the inputs in each unit, and what units begin with.
static OF_UNITS: Aligned<[u8; ROW_WEIGHTS]> = Aligned(*include_bytes!("v4.units"));
/// All that is behind them, packed.
const OTHERS: &[u8] = include_bytes!("v4.packed");
const _: () = assert!(ROW_WEIGHTS + OTHERS.len() <= 2_000_000);

/// How many numbers a lane can hold.
const ANY: usize = 1 << 16;

/// Where a vector is loaded at once: it lies within one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub T);

/// A mask shows that an index is below this.
const ROWS: usize = ALL_ROWS.next_power_of_two();

/// Exactly so many values.
fn boxed<const N: usize, T>(values: Vec<T>) -> Box<[T; N]> {
    match values.into_boxed_slice().try_into() {
        Ok(values) => values,
        Err(_) => unreachable!("as many as there must be"),
    }
}

static EMBEDDED: LazyLock<Parameters> = LazyLock::new(|| Parameters::unpack(OTHERS));

impl Parameters {
    /// Those of the model that is part of the program.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// All of them, as a file would hold them.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> Vec<u8> {
        let rows = self.rows[..ALL_ROWS].iter().flat_map(|row| row.0);
        let packed = rows.chain(*self.behind).map(|number| number as u8);
        OF_UNITS.0.iter().copied().chain(packed).collect()
    }

    fn unpack(mut input: &[u8]) -> Self {
        let mut take = || packed::take(&mut input).expect("the program's model is whole");
        let mut rows = Vec::with_capacity(ROWS);
        for _ in 0..ALL_ROWS {
            let mut row = [0; WIDTH];
            for part in row.as_chunks_mut().0 {
                *part = take();
            }
            rows.push(Aligned(row));
        }
        rows.resize(ROWS, Aligned([0; WIDTH]));
        let mut behind = Vec::with_capacity(ALL_ROWS + TRAIT_COUNT + packed::BLOCK);
        while behind.len() < ALL_ROWS + TRAIT_COUNT {
            behind.extend(take());
        }
        behind.truncate(ALL_ROWS + TRAIT_COUNT);
        // What is not touched of zeros that are asked for so takes no memory.
        let mut sums: Box<[_; SUM_ENTRIES + ANY]> = boxed(vec![0; SUM_ENTRIES + ANY]);
        let entries = sums.first_chunk_mut().expect("as many as there are");
        lanes::sums(&behind[ALL_ROWS..], entries);
        Self {
            rows: boxed(rows),
            behind: boxed(behind),
            sums,
        }
    }

    /// Weights of an input in each unit, in 1/128. They begin on a line of the cache.
    #[inline(always)]
    pub(super) fn input(&self, input: usize) -> &[i8; UNITS] {
        let (inputs, _) = OF_UNITS.0[..UNIT_BIASES].as_chunks();
        cast_ref::<[u8; UNITS], _>(&inputs[input.min(INPUTS - 1)])
    }

    /// What units begin with, in 1/64.
    pub(super) fn biases(&self) -> &[i8; UNITS] {
        let biases = OF_UNITS.0[UNIT_BIASES..].first_chunk::<UNITS>();
        cast_ref(biases.expect("they are behind the inputs"))
    }

    /// The scores of the tables of traits, in 1/32.
    #[inline(always)]
    fn traits(&self) -> &[i8; TRAIT_COUNT] {
        let traits = self.behind[ALL_ROWS..].first_chunk();
        traits.expect("they are behind the biases")
    }

    /// Weights of a row, in 1/64.
    #[inline(always)]
    pub(super) fn row(&self, row: usize) -> &Aligned<[i8; WIDTH]> {
        &self.rows[row & (ROWS - 1)]
    }

    /// What the score of a choice with this own row begins with, in 1/32.
    #[inline(always)]
    pub(super) fn row_bias(&self, row: usize) -> i32 {
        i32::from(self.behind[row & (ROWS - 1)])
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
        i32::from(self.traits()[entry])
    }

    /// The scores, in 1/32, of moves by where they land, behind a last move that landed here.
    #[inline(always)]
    pub(super) fn replies(&self, landed: usize) -> &[i8; 512] {
        self.pairs(1, landed)
    }

    /// The same behind one's own last move.
    #[inline(always)]
    pub(super) fn repeats(&self, landed: usize) -> &[i8; 512] {
        self.pairs(4, landed)
    }

    /// The row of a table of pairs of moves, and what stands behind it: any number of nine bits is
    /// within.
    #[inline(always)]
    fn pairs(&self, table: usize, landed: usize) -> &[i8; 512] {
        let start = TRAIT[table] + LANDINGS_OF_ONE * landed.min(LANDINGS - 1);
        let row = self.traits()[start..].first_chunk();
        row.expect("other tables are behind it")
    }

    /// The score of an entry of the table of openings, in 1/32.
    #[inline(always)]
    pub(super) fn opening(&self, entry: u32) -> i32 {
        i32::from(self.traits()[TRAIT[9] + (entry as usize).min(OPENINGS)])
    }
}
