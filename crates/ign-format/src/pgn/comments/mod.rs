//! Comments of a block: coded as templates plus fields (spec §4.5).
//!
//! [`scan`] splits a comment into a template and its fields, which are numbers, times and moves;
//! [`formats`] converts a field between text and value. [`model`] codes templates and fields in
//! both directions. The values of a field form a [`series`]. Clocks and evaluations are predicted
//! by small networks ([`clock_model`], [`evals`]) from the [features of the moves](move_features);
//! their outputs are mixed with adaptive contexts.
//!
//! The positions of comments follow from the record's layout and its gap templates. In blocks with
//! clocks the moves are decoded first ([`BY_MOVES`]): they give the number of gaps and predict the
//! thinking times. Only the first part is coded without the moves ([`FIRST_WITHOUT`]), because all
//! other parts need it. In other blocks the number of gaps is coded here, and comments can be read
//! without the moves.
//!
//! [`parts`] makes the comments of one record readable without most others. Comments equal to those
//! of the record before are not coded at all ([`duplicates`]). Text that a comment
//! [repeats] from a variation or a tag is replaced by a mark beforehand.

pub mod classes;
pub mod clock_model;
pub mod context;
pub mod duplicates;
pub mod evals;
#[cfg(test)]
mod fixtures;
pub mod formats;
pub mod glyph;
pub mod model;
pub mod move_features;
mod numbers;
pub mod parts;
pub mod repeats;
pub mod scan;
pub mod series;
pub mod strings;
pub mod time_control;

use self::{clock_model::ClockNetwork, evals::EvalNetwork};
pub use self::{
    model::{CommentModel, Record},
    parts::{BY_MOVES, FIRST_WITHOUT, count_clocks},
};
use crate::models::{Architecture as _, Model};

/// The networks that predict values in comments.
#[derive(Debug, Clone)]
pub struct Networks {
    /// Thinking times.
    pub clocks: Model<ClockNetwork>,
    /// Evaluations.
    pub evals: Model<EvalNetwork>,
}

impl Networks {
    /// Those of the program.
    pub fn builtin() -> Self {
        Self {
            clocks: ClockNetwork::builtin(),
            evals: EvalNetwork::builtin(),
        }
    }
}
