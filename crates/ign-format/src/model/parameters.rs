//! The parameters of the model, embedded in the program as signed bytes.
//!
//! A process that decodes a single game would spend most of its time on unpacking them. So the
//! embeddings are used as they are in the executable; only the other parameters are bit-[packed].
//! Together they take less than two million bytes.

use std::sync::LazyLock;

use pulp::bytemuck::cast_ref;

use super::{
    aligned::Aligned,
    fused::{FUSED_ENTRIES, fuse},
    inputs::INPUTS,
    packed,
    shape::{
        ACTIVATIONS, CONTINUATION_TABLE, HIDDEN_UNITS, LANDINGS, MOVE_TABLE, NO_LANDING,
        OPENING_TABLE, OPENINGS, OUTPUT_ROWS, REPLY_TABLE, TABLE_ENTRIES,
    },
};

/// Where the biases of the hidden units begin, after the embeddings of the inputs.
pub const HIDDEN_BIASES: usize = INPUTS * HIDDEN_UNITS;
/// Where the weights of the output table begin.
pub const OUTPUT_WEIGHTS: usize = HIDDEN_BIASES + HIDDEN_UNITS;
/// Where the biases of the output rows begin.
pub const OUTPUT_BIASES: usize = OUTPUT_WEIGHTS + OUTPUT_ROWS * ACTIVATIONS;
/// Where the scores of the feature tables begin.
pub const FEATURE_SCORES: usize = OUTPUT_BIASES + OUTPUT_ROWS;
/// Number of parameters, one byte each.
pub const PARAMETERS: usize = FEATURE_SCORES + TABLE_ENTRIES;

/// The fixed-point scale of a parameter: the byte that stands for 1.
pub const fn scale(parameter: usize) -> u16 {
    match parameter {
        0..HIDDEN_BIASES => 128,
        HIDDEN_BIASES..OUTPUT_BIASES => 64,
        _ => 32,
    }
}

/// The unpacked parameters (spec §8.5.1).
#[derive(Debug)]
pub struct Parameters {
    /// Rows of the output table, padded to a power of two, so that a mask replaces a bounds check.
    output: Box<[Aligned<[i8; ACTIVATIONS]>; PADDED_ROWS]>,
    /// Biases of the output rows, then the scores of the feature tables.
    biases_and_scores: Box<[i8; OUTPUT_ROWS + TABLE_ENTRIES]>,
    /// The fused feature tables, padded so that any 16-bit index into a part is valid.
    fused: Box<[i16; FUSED_ENTRIES + LANE_VALUES]>,
}

/// The embeddings of the inputs, then the biases of the hidden units.
static EMBEDDINGS: Aligned<[u8; OUTPUT_WEIGHTS]> = Aligned(*include_bytes!("v4.units"));
/// All other parameters, bit-packed.
const PACKED: &[u8] = include_bytes!("v4.packed");
const _: () = assert!(OUTPUT_WEIGHTS + PACKED.len() <= 2_000_000);

/// Number of values of a 16-bit lane.
const LANE_VALUES: usize = 1 << 16;

const PADDED_ROWS: usize = OUTPUT_ROWS.next_power_of_two();

/// Converts a vector of exactly `N` values.
fn boxed<const N: usize, T>(values: Vec<T>) -> Box<[T; N]> {
    match values.into_boxed_slice().try_into() {
        Ok(values) => values,
        Err(_) => unreachable!("the vector has N values"),
    }
}

static EMBEDDED: LazyLock<Parameters> = LazyLock::new(|| Parameters::unpack(PACKED));

impl Parameters {
    /// The parameters of the model that is part of the program.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// All parameters as one sequence of bytes, in the order of the specification.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> Vec<u8> {
        let rows = self.output[..OUTPUT_ROWS].iter().flat_map(|row| row.0);
        let packed = rows.chain(*self.biases_and_scores).map(|value| value as u8);
        EMBEDDINGS.0.iter().copied().chain(packed).collect()
    }

    fn unpack(mut input: &[u8]) -> Self {
        let mut take = || packed::take(&mut input).expect("the embedded model is complete");
        let mut rows = Vec::with_capacity(PADDED_ROWS);
        for _ in 0..OUTPUT_ROWS {
            let mut row = [0; ACTIVATIONS];
            for part in row.as_chunks_mut().0 {
                *part = take();
            }
            rows.push(Aligned(row));
        }
        rows.resize(PADDED_ROWS, Aligned([0; ACTIVATIONS]));
        let mut rest = Vec::with_capacity(OUTPUT_ROWS + TABLE_ENTRIES + packed::BLOCK);
        while rest.len() < OUTPUT_ROWS + TABLE_ENTRIES {
            rest.extend(take());
        }
        rest.truncate(OUTPUT_ROWS + TABLE_ENTRIES);
        // Zeros allocated by `vec!` take no physical memory until they are touched.
        let mut fused: Box<[_; FUSED_ENTRIES + LANE_VALUES]> =
            boxed(vec![0; FUSED_ENTRIES + LANE_VALUES]);
        let entries = fused
            .first_chunk_mut()
            .expect("padding follows the entries");
        fuse(&rest[OUTPUT_ROWS..], entries);
        Self {
            output: boxed(rows),
            biases_and_scores: boxed(rest),
            fused,
        }
    }

    /// The embedding of an input: its weight in each hidden unit, in 1/128. It begins on a cache
    /// line.
    #[inline(always)]
    pub(super) fn embedding(&self, input: usize) -> &[i8; HIDDEN_UNITS] {
        let (embeddings, _) = EMBEDDINGS.0[..HIDDEN_BIASES].as_chunks();
        cast_ref::<[u8; HIDDEN_UNITS], _>(&embeddings[input.min(INPUTS - 1)])
    }

    /// The biases of the hidden units, in 1/64.
    pub(super) fn hidden_biases(&self) -> &[i8; HIDDEN_UNITS] {
        let biases = EMBEDDINGS.0[HIDDEN_BIASES..].first_chunk::<HIDDEN_UNITS>();
        cast_ref(biases.expect("the biases follow the embeddings"))
    }

    /// The scores of the feature tables, in 1/32.
    #[inline(always)]
    fn scores(&self) -> &[i8; TABLE_ENTRIES] {
        let scores = self.biases_and_scores[OUTPUT_ROWS..].first_chunk();
        scores.expect("the scores follow the biases")
    }

    /// A row of the output table, in 1/64.
    #[inline(always)]
    pub(super) fn output_row(&self, row: usize) -> &Aligned<[i8; ACTIVATIONS]> {
        &self.output[row & (PADDED_ROWS - 1)]
    }

    /// The bias of an output row, in 1/32. Only the bias of a choice's own row is used.
    #[inline(always)]
    pub(super) fn output_bias(&self, row: usize) -> i32 {
        i32::from(self.biases_and_scores[row & (PADDED_ROWS - 1)])
    }

    /// The scores of a part of a fused table that begins at an entry, in 1/32.
    #[inline(always)]
    pub(super) fn fused(&self, start: usize) -> &[i16; LANE_VALUES] {
        let part = self.fused[start.min(FUSED_ENTRIES)..].first_chunk();
        part.expect("the padding holds any lane value")
    }

    /// The score of an entry in a feature table of the end, in 1/32.
    #[inline(always)]
    pub(super) fn end_score(&self, entry: usize) -> i32 {
        i32::from(self.scores()[entry])
    }

    /// The scores, in 1/32, of moves by their landing, after the opponent's last move landed here.
    #[inline(always)]
    pub(super) fn replies(&self, last: usize) -> &[i8; 512] {
        self.pairs(REPLY_TABLE, last)
    }

    /// The scores, in 1/32, of moves by their landing, after the own last move landed here.
    #[inline(always)]
    pub(super) fn continuations(&self, own: usize) -> &[i8; 512] {
        self.pairs(CONTINUATION_TABLE, own)
    }

    /// A row of a table of pairs of moves. It is extended into the tables that follow, so that any
    /// 9-bit index is valid.
    #[inline(always)]
    fn pairs(&self, table: usize, landing: usize) -> &[i8; 512] {
        let start = MOVE_TABLE[table] + LANDINGS * landing.min(NO_LANDING);
        let row = self.scores()[start..].first_chunk();
        row.expect("other tables follow")
    }

    /// The score of an entry of the table of openings, in 1/32.
    #[inline(always)]
    pub(super) fn opening(&self, entry: u32) -> i32 {
        i32::from(self.scores()[MOVE_TABLE[OPENING_TABLE] + (entry as usize).min(OPENINGS)])
    }
}
