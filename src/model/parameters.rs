//! The model's parameters: whole numbers of a byte, compressed into the program.

use std::{
    io::{self, Read},
    sync::LazyLock,
};

use xxhash_rust::xxh64::Xxh64;

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
    inputs: Box<[Aligned<[i8; UNITS]>; INPUTS]>,
    biases: [i8; UNITS],
    rows: Padded<{ ALL_ROWS.next_power_of_two() }, Aligned<[i8; WIDTH]>>,
    row_biases: Padded<{ ALL_ROWS.next_power_of_two() }, i8>,
    /// The scores of the tables of traits.
    traits: Box<[i8; TRAIT_COUNT]>,
    /// Sums of scores of moves' traits, and as much behind them as any of their parts may have.
    sums: Box<[i16; SUM_ENTRIES + ANY]>,
    checksum: u64,
}

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
    Parameters::read(Parameters::embedded_bytes())
        .expect("the program's model has the shape it is made for")
});

/// Bytes that are read one after the other, and their checksum.
struct Source<R> {
    bytes: R,
    checksum: Xxh64,
}

impl<R: Read> Source<R> {
    fn take<const N: usize>(&mut self) -> io::Result<[i8; N]> {
        let mut bytes = [0; N];
        self.bytes.read_exact(&mut bytes)?;
        self.checksum.update(&bytes);
        Ok(bytes.map(|byte| byte as i8))
    }

    /// So many rows.
    fn rows<const N: usize>(
        &mut self,
        count: usize,
        room: usize,
    ) -> io::Result<Vec<Aligned<[i8; N]>>> {
        let mut rows = Vec::with_capacity(room);
        for _ in 0..count {
            rows.push(Aligned(self.take()?));
        }
        Ok(rows)
    }

    /// So many numbers.
    fn numbers(&mut self, count: usize) -> io::Result<Vec<i8>> {
        let mut bytes = vec![0; count];
        self.bytes.read_exact(&mut bytes)?;
        self.checksum.update(&bytes);
        // In place.
        Ok(bytes.into_iter().map(|byte| byte as i8).collect())
    }
}

impl Parameters {
    /// Those of the model that is part of the program.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// Their bytes, one after the other.
    pub(super) fn embedded_bytes() -> impl Read {
        zstd::Decoder::with_buffer(&include_bytes!("v4.zst")[..]).expect("memory to unpack in")
    }

    /// Reads [`PARAMETERS`] bytes.
    ///
    /// # Errors
    /// When there are fewer, or they cannot be read.
    pub fn read(bytes: impl Read) -> io::Result<Self> {
        let checksum = Xxh64::new(0);
        let mut source = Source { bytes, checksum };
        let inputs = boxed(source.rows(INPUTS, INPUTS)?);
        let biases = source.take()?;
        let rows = source.rows(ALL_ROWS, ALL_ROWS.next_power_of_two())?;
        let row_biases = source.numbers(ALL_ROWS)?;
        let traits: Box<[i8; TRAIT_COUNT]> = boxed(source.numbers(TRAIT_COUNT)?);
        let mut sums = Vec::with_capacity(SUM_ENTRIES + ANY);
        lanes::sums(&traits[..], &mut sums);
        sums.resize(SUM_ENTRIES + ANY, 0);
        Ok(Self {
            inputs,
            biases,
            rows: Padded::new(rows, Aligned([0; WIDTH])),
            row_biases: Padded::new(row_biases, 0),
            sums: boxed(sums),
            traits,
            checksum: source.checksum.digest(),
        })
    }

    /// The XXH64 of their bytes.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Weights of an input in each unit, in 1/128.
    #[inline(always)]
    pub(super) fn input(&self, input: usize) -> &Aligned<[i8; UNITS]> {
        &self.inputs[input.min(INPUTS - 1)]
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
