//! The move model: how likely each legal move of a position is, as whole frequencies.
//!
//! Weighted Integer Game Notation gives each choice of a position a frequency of the integer. Here
//! the frequencies come from: a [`Line`] is a game while it is played, a [`Scorer`] gives the
//! [`Frequencies`] of what may happen next in it. All arithmetic is in whole numbers, so the frequencies
//! are the same on every machine.

use std::{sync::Once, thread};

mod attacks;
pub mod choices;
pub mod features;
mod frequencies;
pub mod inputs;
mod lanes;
mod line;
pub mod packed;
pub mod parameters;
pub mod rows;
mod score;
mod squares;
pub mod tables;
mod units;
mod vectors;

pub use frequencies::Frequencies;
pub use line::Line;
pub use parameters::Parameters;
pub use score::Scorer;

/// The model's version. Archives name it, and its checksum, and can be read with no other.
pub const VERSION: u8 = 4;

/// How many styles of play the model knows: the games of amateurs online, of masters, of engines.
pub const STYLES: u8 = 3;

/// The XXH64 of the model's parameters.
pub const CHECKSUM: u64 = 0xa0fd_92cc_2f69_4c36;

/// Has the model unpacked by a thread of its own, however many the caller uses, so that it is at hand
/// when games are decoded; once, whoever asks again.
pub fn load_in_background() {
    static ONCE: Once = Once::new();
    // Where no thread can be had, it is unpacked when it is asked for.
    ONCE.call_once(|| drop(thread::Builder::new().spawn(Parameters::embedded)));
}

#[cfg(test)]
mod tests {
    use super::{parameters::PARAMETERS, *};
    use crate::container::checksum;

    #[test]
    fn the_checksum_is_that_of_the_parameters() {
        let bytes = Parameters::embedded().bytes();
        assert_eq!((bytes.len(), checksum(&bytes)), (PARAMETERS, CHECKSUM));
    }
}
