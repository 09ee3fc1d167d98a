//! The built-in model, embedded in the program as signed bytes.
//!
//! A process that decodes a single game would spend most of its time on unpacking them. So the
//! embeddings are used as they are in the executable; only the other parameters are bit-[packed].
//! Together they take less than two million bytes.

use pulp::bytemuck::cast_ref;

use super::{
    aligned::Aligned,
    packed,
    parameters::{Embeddings, Parameters, Shape},
    shape::HIDDEN_UNITS,
};

/// The embeddings of the inputs, then the biases of the hidden units.
static UNITS: Aligned<[u8; Shape::PROGRAM.units_len()]> = Aligned(*include_bytes!("v4.units"));
/// All other parameters, bit-packed.
const PACKED: &[u8] = include_bytes!("v4.packed");
const _: () = assert!(Shape::PROGRAM.units_len() + PACKED.len() <= 2_000_000);

/// The parameters.
pub(super) fn parameters() -> Parameters {
    let (rows, _) = UNITS.0.as_chunks::<HIDDEN_UNITS>();
    let biases = rows.last().expect("the biases follow the embeddings");
    let mut packed = PACKED;
    let mut others = Vec::with_capacity(Shape::PROGRAM.others_len() + packed::BLOCK);
    while let Some(block) = packed::take(&mut packed) {
        others.extend(block);
    }
    others.truncate(Shape::PROGRAM.others_len());
    let biases = biases.map(|bias| bias as i8);
    Parameters::new(Shape::PROGRAM, Embeddings::Program, biases, &others)
}

/// The embedding of an input; that of the last one, if there is none.
#[inline(always)]
pub(super) fn row(input: usize) -> &'static [i8; HIDDEN_UNITS] {
    let (rows, _) = UNITS.0.as_chunks();
    cast_ref::<[u8; HIDDEN_UNITS], _>(&rows[input.min(rows.len() - 1)])
}
