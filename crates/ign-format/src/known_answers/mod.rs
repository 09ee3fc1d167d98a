//! Known answers: whether coders and models compute on this machine what the format states (spec
//! §8.7, §9.7).
//!
//! Packing verifies each block with the code that encoded it, so it cannot find an instruction set
//! whose code is wrong. These sums are compared before anything depends on them.

mod coders;
mod models;

use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use crate::{
    block::{Coding, encode::fault},
    error::{Error, Result},
};

/// Values of a sum (spec §8.7, §9.7).
const COUNT: usize = 1000;

/// A known answer, compared with what this machine computes.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Answer {
    /// What was computed: `move model`.
    pub name: &'static str,
    /// The SHA-256 that the format states, in hexadecimal.
    pub stated: &'static str,
    /// The SHA-256 that this machine computes, in hexadecimal.
    pub computed: String,
}

impl Answer {
    /// Compares the answer with that of the format.
    ///
    /// # Errors
    /// Internal, if they differ.
    pub fn check(&self) -> Result<()> {
        if self.is_right() {
            return Ok(());
        }
        Err(Error::internal(format!(
            "the {} computes other numbers on this machine than the format states",
            self.name
        ))
        .with_remedy("please report the processor and the operating system"))
    }

    /// Whether this machine computes what the format states.
    pub fn is_right(&self) -> bool {
        self.computed == self.stated
    }
}

/// All known answers, computed again.
pub fn all() -> impl Iterator<Item = Answer> {
    let sums = coders::ALL.into_iter().chain([models::MOVES]);
    sums.chain(models::NETWORKS).map(|sum| sum.answer())
}

/// Checks the models that packing in a coding uses. Each is checked once in a process, which takes
/// about a millisecond.
///
/// # Errors
/// Internal, if a model computes something else.
pub fn check(coding: Coding) -> Result<()> {
    static NETWORK: OnceLock<Option<Answer>> = OnceLock::new();
    static MODEL: OnceLock<Option<Answer>> = OnceLock::new();
    let wrong = |sums: &[Sum]| {
        let mut answers = sums.iter().map(Sum::answer);
        answers.find(|answer| !answer.is_right())
    };
    let mut found = NETWORK.get_or_init(|| wrong(&models::NETWORKS));
    if found.is_none() && coding == Coding::Weighted {
        found = MODEL.get_or_init(|| wrong(&[models::MOVES]));
    }
    found.as_ref().map_or(Ok(()), Answer::check)
}

/// A sum that the format states.
#[derive(Clone, Copy)]
struct Sum {
    name: &'static str,
    stated: &'static str,
    compute: fn() -> Sha256,
}

impl Sum {
    fn answer(&self) -> Answer {
        let mut sum = (self.compute)().finalize().to_vec();
        fault::inject("answers", self.name.as_bytes(), &mut sum);
        Answer {
            name: self.name,
            stated: self.stated,
            computed: sum.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

/// The generator of the inputs (spec §8.7).
struct Choices(u64);

impl Choices {
    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_computes_what_the_specification_states() {
        let spec = include_str!("../../../../format-spec.md");
        for answer in all() {
            assert!(answer.is_right(), "{answer:?}");
            assert!(
                spec.contains(&format!("| `{}` |", answer.stated)),
                "{answer:?}"
            );
        }
        check(Coding::Weighted).unwrap();
    }
}
