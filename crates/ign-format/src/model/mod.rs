//! The chess move model: an integer frequency for every legal move and for the end of the game.
//!
//! Weighted Integer Game Notation gives each choice of a position a share of the integer in
//! proportion to its frequency. The model computes the frequencies in these steps (spec §8.5):
//!
//! 1. **Inputs.** A [`History`] is encoded as about forty active binary inputs out of thousands:
//!    pieces with their squares, the last moves, castling rights, ply, material, style
//!    ([`inputs`]).
//! 2. **Embedding sums.** Each input has an embedding of 256 weights. Their sums are the hidden
//!    units, updated incrementally from position to position (`accumulator`).
//! 3. **Activations.** Hidden units are clipped and multiplied in pairs: 128 activations.
//! 4. **Logits.** A choice has rows in the output table: one of its own and four for its contexts.
//!    The logit is the product of the activations with the sum of these rows, plus the scores of
//!    sparse features of the choice, from [feature tables](shape) ([`choices`], `scorer`).
//! 5. **Frequencies.** The exponential of each logit, rounded to an integer ([`Frequencies`]).
//!
//! All arithmetic is in integers that cannot overflow, so frequencies are the same on every
//! machine.

use std::{sync::Once, thread};

use crate::models::{Architecture, Model};

mod accumulator;
mod aligned;
mod attacks;
#[cfg_attr(move_model_apart, path = "apart.rs")]
pub mod builtin;
pub mod choices;
pub mod features;
mod frequencies;
mod fused;
mod geometry;
mod history;
mod index_lanes;
pub mod inputs;
mod kernels;
pub mod output_rows;
pub mod packed;
pub mod parameters;
mod scorer;
pub mod shape;
mod square_features;

pub use frequencies::Frequencies;
pub use history::History;
pub use parameters::Parameters;
pub use scorer::{Scorer, Style};
pub use shape::STYLES;

/// A move model of chess.
pub type MoveModel = Model<Parameters>;

/// The version of the training of the built-in model.
pub const VERSION: u8 = 4;

/// Starts unpacking the built-in model in a background thread, so that it is ready when games are
/// decoded. Only the first call has an effect.
pub fn load_in_background() {
    static ONCE: Once = Once::new();
    // If no thread can be started, the model is unpacked at first use.
    ONCE.call_once(|| {
        let unpack = || _ = Parameters::builtin().styles();
        drop(thread::Builder::new().spawn(unpack));
    });
}
