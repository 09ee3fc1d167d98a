//! The model's parameters: whole numbers of a byte, in the program.
//!
//! A process that wants one game would take longer to unpack them than for all else. So those of the
//! units, which hardly become shorter, lie in the program as they are; the others are compressed,
//! and all together take less than two million bytes.

use std::{
    io::{self, Read},
    sync::LazyLock,
};

use pulp::bytemuck::cast_ref;

use super::{
    inputs::INPUTS,
    lanes::{self, SUM_ENTRIES},
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

/// The parameters of a model (spec §8.5.1), as they lie in memory: read where they will stay, since
/// a process that wants one game takes as long for fresh memory as for the game.
pub struct Parameters {
    rows: Padded<{ ALL_ROWS.next_power_of_two() }, Aligned<[i8; WIDTH]>>,
    row_biases: Padded<{ ALL_ROWS.next_power_of_two() }, i8>,
    /// The scores of the tables of traits.
    traits: Box<[i8; TRAIT_COUNT]>,
    /// Sums of scores of moves' traits, and as much behind them as any of their parts may have.
    sums: Box<[i16; SUM_ENTRIES + ANY]>,
}

/// Weights of the inputs in each unit, and what units begin with.
static OF_UNITS: Aligned<[u8; ROW_WEIGHTS]> = Aligned(*include_bytes!("v4.units"));
/// All that is behind them, compressed.
const OTHERS: &[u8] = include_bytes!("v4.zst");

/// How many numbers a lane can hold.
const ANY: usize = 1 << 16;

/// Where a vector is loaded at once: it lies within one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Aligned<T>(pub T);

/// Values padded to a power of two of them: then a mask shows that an index is within.
struct Padded<const N: usize, T>(Box<[T; N]>);

impl<const N: usize, T: Copy> Padded<N, T> {
    fn new(mut values: Vec<T>, padding: T) -> Self {
        assert!(N.is_power_of_two());
        values.resize(N, padding);
        Self(boxed(values))
    }

    #[inline(always)]
    fn get(&self, index: usize) -> &T {
        &self.0[index & (N - 1)]
    }
}

/// Exactly so many values.
fn boxed<const N: usize, T>(values: Vec<T>) -> Box<[T; N]> {
    match values.into_boxed_slice().try_into() {
        Ok(values) => values,
        Err(_) => unreachable!("as many as there must be"),
    }
}

static EMBEDDED: LazyLock<Parameters> = LazyLock::new(|| {
    Parameters::read(&mut unpacked()).expect("the program's model has the shape it is made for")
});

fn unpacked() -> impl Read {
    zstd::Decoder::with_buffer(OTHERS).expect("memory to unpack in")
}

/// So many numbers, the next that there are.
fn take(bytes: &mut impl Read, count: usize) -> io::Result<Vec<i8>> {
    let mut taken = vec![0; count];
    bytes.read_exact(&mut taken)?;
    // In place.
    Ok(taken.into_iter().map(|byte| byte as i8).collect())
}

impl Parameters {
    /// Those of the model that is part of the program.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Their bytes, one after the other.
    pub fn embedded_bytes() -> impl Read {
        OF_UNITS.0.chain(unpacked())
    }

    /// Reads those that are compressed.
    fn read(bytes: &mut impl Read) -> io::Result<Self> {
        let mut rows = Vec::with_capacity(ALL_ROWS.next_power_of_two());
        for _ in 0..ALL_ROWS {
            let mut row = [0; WIDTH];
            bytes.read_exact(&mut row)?;
            rows.push(Aligned(row.map(|byte| byte as i8)));
        }
        let row_biases = take(bytes, ALL_ROWS)?;
        let traits: Box<[i8; TRAIT_COUNT]> = boxed(take(bytes, TRAIT_COUNT)?);
        let mut sums = Vec::with_capacity(SUM_ENTRIES + ANY);
        lanes::sums(&traits[..], &mut sums);
        sums.resize(SUM_ENTRIES + ANY, 0);
        Ok(Self {
            rows: Padded::new(rows, Aligned([0; WIDTH])),
            row_biases: Padded::new(row_biases, 0),
            sums: boxed(sums),
            traits,
        })
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
        i32::from(self.traits[entry])
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
        let row = self.traits[start..].first_chunk();
        row.expect("other tables are behind it")
    }

    /// The score of an entry of the table of openings, in 1/32.
    #[inline(always)]
    pub(super) fn opening(&self, entry: u32) -> i32 {
        i32::from(self.traits[TRAIT[9] + (entry as usize).min(OPENINGS)])
    }
}
