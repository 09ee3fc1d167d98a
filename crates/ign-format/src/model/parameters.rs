//! The parameters of a model: signed bytes, in the order of its data and in that of the program.

use std::{ops::Range, sync::LazyLock};

use ign_entropy::varint;

use super::{
    aligned::Aligned,
    builtin,
    fused::{FUSED_ENTRIES, fuse},
    inputs::{INPUTS, STYLE},
    shape::{
        ACTIVATIONS, CONTINUATION_TABLE, END_TABLE, HIDDEN_UNITS, LANDINGS, MAX_STYLES, MOVE_TABLE,
        NO_LANDING, OPENING_BITS, OPENING_TABLE, OPENINGS, OUTPUT_ROWS, REPLY_TABLE, STYLES,
        TABLE_ENTRIES,
    },
};
use crate::{
    error::{Error, Result},
    models::{Architecture, Model, PUBLISHED},
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

/// The shapes of a model, which its data begin with (spec §8.5.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Number of styles.
    pub styles: u8,
    /// Binary logarithm of the number of buckets of opening moves.
    pub opening_bits: u8,
}

impl Shape {
    /// The shapes of the built-in model.
    pub const PROGRAM: Self = Self {
        styles: STYLES,
        opening_bits: OPENING_BITS,
    };

    /// Reads the shapes at the start of the data of a model.
    fn read(data: &mut &[u8]) -> Result<Self> {
        let styles = varint::read_limited(data, MAX_STYLES.into(), "a move model's styles")? as u8;
        let bits = varint::read_limited(data, OPENING_BITS.into(), "a move model's opening bits")?;
        if styles == 0 {
            return Err(Error::corrupt("a move model without styles"));
        }
        Ok(Self {
            styles,
            opening_bits: bits as u8,
        })
    }

    /// Writes the shapes.
    pub fn write(self) -> Vec<u8> {
        vec![self.styles, self.opening_bits]
    }

    /// Number of inputs.
    pub const fn inputs(self) -> usize {
        STYLE + self.styles as usize
    }

    /// Number of parameters, one byte each.
    pub const fn parameters(self) -> usize {
        self.units_len() + self.others_len()
    }

    /// Bytes of the embeddings and of the biases of the hidden units, with which the parameters
    /// begin.
    pub const fn units_len(self) -> usize {
        (self.inputs() + 1) * HIDDEN_UNITS
    }

    /// Number of all other parameters.
    pub(super) const fn others_len(self) -> usize {
        let buckets = OPENINGS - (1 << self.opening_bits);
        let styles = 64 * (MAX_STYLES - self.styles) as usize;
        OUTPUT_ROWS * (ACTIVATIONS + 1) + TABLE_ENTRIES - buckets - styles
    }

    /// Copies the scores of the feature tables from the order of the data to the program's layout,
    /// or back: `copy` gets a range of the layout and the number of its entries that have one in
    /// the data, which are evenly spaced.
    fn each_range(self, mut copy: impl FnMut(Range<usize>, usize)) {
        let openings = MOVE_TABLE[OPENING_TABLE] + 1;
        copy(0..openings, openings);
        copy(openings..openings + OPENINGS, 1 << self.opening_bits);
        let styles = openings + OPENINGS..END_TABLE[1];
        copy(styles.clone(), styles.len());
        for bucket in (END_TABLE[1]..END_TABLE[2]).step_by(MAX_STYLES.into()) {
            let own = bucket..bucket + usize::from(self.styles);
            copy(own.clone(), own.len());
        }
        copy(END_TABLE[2]..TABLE_ENTRIES, TABLE_ENTRIES - END_TABLE[2]);
    }

    /// The scores of the feature tables in the program's layout. Buckets that the model does not
    /// distinguish have the same score.
    fn spread(self, mut scores: &[i8]) -> Vec<i8> {
        let mut all = vec![0; TABLE_ENTRIES];
        self.each_range(|range, count| {
            let (own, rest) = scores.split_at(count);
            scores = rest;
            if count == range.len() {
                all[range].copy_from_slice(own);
            } else {
                let shared = range.len() / count;
                let buckets = all[range].chunks_mut(shared).zip(own);
                buckets.for_each(|(buckets, &score)| buckets.fill(score));
            }
        });
        all
    }

    /// The data of the model with these parameters in the program's layout, without the shapes. Of
    /// buckets that the model does not distinguish, the first counts.
    ///
    /// # Panics
    /// If there are not [`PARAMETERS`].
    pub fn gather(self, parameters: &[u8]) -> Vec<u8> {
        assert_eq!(parameters.len(), PARAMETERS);
        let mut out = parameters[..self.inputs() * HIDDEN_UNITS].to_vec();
        out.extend_from_slice(&parameters[HIDDEN_BIASES..FEATURE_SCORES]);
        let scores = &parameters[FEATURE_SCORES..];
        self.each_range(|range, count| {
            let shared = range.len() / count;
            out.extend(scores[range].iter().step_by(shared));
        });
        out
    }
}

/// The unpacked parameters (spec §8.5.1).
#[derive(Debug)]
pub struct Parameters {
    shape: Shape,
    embeddings: Embeddings,
    hidden_biases: [i8; HIDDEN_UNITS],
    /// Rows of the output table, padded to a power of two, so that a mask replaces a bounds check.
    output: Box<[Aligned<[i8; ACTIVATIONS]>; PADDED_ROWS]>,
    /// Biases of the output rows, then the scores of the feature tables.
    biases_and_scores: Box<[i8; OUTPUT_ROWS + TABLE_ENTRIES]>,
    /// The fused feature tables, padded so that any 16-bit index into a part is valid.
    fused: Box<[i16; FUSED_ENTRIES + LANE_VALUES]>,
}

/// The embeddings of the inputs.
#[derive(Debug)]
pub(super) enum Embeddings {
    /// Those of the built-in model, where they are in the program.
    #[cfg(not(move_model_apart))]
    Program,
    /// Those of a model that was read.
    Read(Box<[Aligned<[i8; HIDDEN_UNITS]>]>),
}

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

impl Architecture for Parameters {
    const NUMBER: u8 = 1;
    const NAME: &'static str = "move model";

    fn builtin() -> Model<Self> {
        static BUILTIN: LazyLock<Model<Parameters>> =
            LazyLock::new(|| Model::of_program(PUBLISHED[0], builtin::parameters));
        BUILTIN.clone()
    }

    fn read(mut data: &[u8]) -> Result<Self> {
        let shape = Shape::read(&mut data)?;
        if data.len() != shape.units_len() + shape.others_len() {
            return Err(Error::corrupt("a move model is cut off or too long"));
        }
        let signed: Vec<i8> = data.iter().map(|&byte| byte as i8).collect();
        let (units, others) = signed.split_at(shape.units_len());
        let (rows, _) = units.as_chunks();
        let (biases, rows) = rows.split_last().expect("the biases follow the embeddings");
        let rows = Embeddings::Read(rows.iter().copied().map(Aligned).collect());
        Ok(Self::new(shape, rows, *biases, others))
    }

    fn data(&self) -> Vec<u8> {
        [self.shape.write(), self.shape.gather(&self.layout())].concat()
    }
}

impl Parameters {
    /// All [`PARAMETERS`] in the program's layout, as signed bytes. Divided by their [`scale`] they
    /// are the numbers that training changes.
    pub fn layout(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(PARAMETERS);
        let mut push = |values: &[i8]| all.extend(values.iter().map(|&value| value as u8));
        (0..INPUTS).for_each(|input| push(self.embedding(input)));
        push(&self.hidden_biases);
        self.output[..OUTPUT_ROWS]
            .iter()
            .for_each(|row| push(&row.0));
        push(&*self.biases_and_scores);
        all
    }

    /// The shapes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of styles.
    pub fn styles(&self) -> u8 {
        self.shape.styles
    }

    /// The parameters with these embeddings and biases of hidden units, and all others in the order
    /// of the data.
    pub(super) fn new(
        shape: Shape,
        embeddings: Embeddings,
        hidden_biases: [i8; HIDDEN_UNITS],
        others: &[i8],
    ) -> Self {
        let (weights, others) = others.split_at(OUTPUT_ROWS * ACTIVATIONS);
        let mut rows = Vec::with_capacity(PADDED_ROWS);
        rows.extend(weights.as_chunks().0.iter().copied().map(Aligned));
        rows.resize(PADDED_ROWS, Aligned([0; ACTIVATIONS]));
        let (biases, scores) = others.split_at(OUTPUT_ROWS);
        let rest = [biases, &shape.spread(scores)].concat();
        // Zeros allocated by `vec!` take no physical memory until they are touched.
        let mut fused: Box<[_; FUSED_ENTRIES + LANE_VALUES]> =
            boxed(vec![0; FUSED_ENTRIES + LANE_VALUES]);
        let entries = fused
            .first_chunk_mut()
            .expect("padding follows the entries");
        fuse(&rest[OUTPUT_ROWS..], entries);
        Self {
            shape,
            embeddings,
            hidden_biases,
            output: boxed(rows),
            biases_and_scores: boxed(rest),
            fused,
        }
    }

    /// The embedding of an input: its weight in each hidden unit, in 1/128. It begins on a cache
    /// line.
    #[inline(always)]
    pub(super) fn embedding(&self, input: usize) -> &[i8; HIDDEN_UNITS] {
        match &self.embeddings {
            #[cfg(not(move_model_apart))]
            Embeddings::Program => builtin::row(input),
            Embeddings::Read(rows) => &rows[input.min(rows.len() - 1)].0,
        }
    }

    /// The biases of the hidden units, in 1/64.
    pub(super) fn hidden_biases(&self) -> &[i8; HIDDEN_UNITS] {
        &self.hidden_biases
    }

    /// The scores of the feature tables, in 1/32.
    #[inline(always)]
    pub(super) fn scores(&self) -> &[i8; TABLE_ENTRIES] {
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
