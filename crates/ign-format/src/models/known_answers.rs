//! Known answers: whether the models compute on this machine what the format states (spec §8.7).
//!
//! Packing verifies each block with the code that encoded it, so it cannot find an instruction set whose code
//! is wrong. These sums are compared before anything depends on them.

use std::sync::OnceLock;

use ign_entropy::network::{Network, rows};
use ign_notation::chess::Start;
use sha2::{Digest, Sha256};

use super::Architecture;
use crate::{
    block::Coding,
    columns::name_model::{self, NameNetwork},
    error::{Error, Result},
    model::{Frequencies, History, Parameters, Scorer, Style},
    pgn::comments::{
        clock_model::{self, ClockNetwork},
        evals::{self, EvalNetwork},
    },
};

/// Positions, or predictions, of a sum (spec §8.7).
const COUNT: usize = 1000;
/// Positions of a game (spec §8.7).
const GAME: usize = 100;
/// Logits of a prediction (spec §8.7).
const LOGITS: usize = 8;

/// The sums for the built-in models (spec §8.7).
const MOVES: &str = "5d479c45dde461c7626e5339e25218f7df60bd1cede6e3447e906401d23f3ab1";
const CLOCKS: &str = "47b02b939cab4226e8693c44a29b87d622e605bd947c95e6f526895f209c6cbb";
const EVALS: &str = "cdb8f8ee7fd2295023407b000e5eef70847fe4f2801e559bb75012b5fd132fbf";
const NAMES: &str = "f46644ac3ab230fcca67e933f4d2871c70ea0640870d42e5d146783cd744d5b7";

/// Checks the models that packing in a coding uses. Each is checked once in a process, which takes about a
/// millisecond.
///
/// # Errors
/// Internal, if a model computes something else.
pub fn check(coding: Coding) -> Result<()> {
    static NETWORKS: OnceLock<bool> = OnceLock::new();
    static MODEL: OnceLock<bool> = OnceLock::new();
    let is_right = *NETWORKS.get_or_init(|| networks() == [CLOCKS, EVALS, NAMES])
        && (coding != Coding::Weighted || *MODEL.get_or_init(|| moves() == MOVES));
    if is_right {
        Ok(())
    } else {
        Err(Error::internal(
            "a model computes other numbers on this machine than the format states",
        )
        .with_remedy("please report the processor and the operating system"))
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

/// The sum of the frequencies of the move model.
fn moves() -> String {
    let styles = Style::all(&Parameters::builtin());
    let mut scorers: Vec<Scorer> = styles.map(Scorer::new).collect();
    let styles = scorers.len();
    let (mut choices, mut sum) = (Choices(1), Sha256::new());
    let mut history = History::new(&Start::default());
    let (mut frequencies, mut bytes) = (Frequencies::default(), Vec::new());
    for number in 0..COUNT {
        scorers[number % styles].score(&history, &mut frequencies);
        let all = frequencies.frequencies().iter();
        bytes.clear();
        bytes.extend(all.flat_map(|frequency| frequency.to_le_bytes()));
        sum.update(&bytes);
        let moves = frequencies.moves();
        if moves.is_empty() || (number + 1).is_multiple_of(GAME) {
            history = History::new(&Start::default());
        } else {
            history.play(moves[choices.below(moves.len())]);
        }
    }
    hexadecimal(sum)
}

/// The sums of the logits of the networks: clocks, evaluations, names.
fn networks() -> [String; 3] {
    [
        logits(
            ClockNetwork::builtin().network(),
            clock_model::VALUES,
            clock_model::FIRST,
            clock_model::SHAPE.decisions,
        ),
        logits(
            EvalNetwork::builtin().network(),
            evals::VALUES,
            evals::FIRST,
            evals::SHAPE.decisions,
        ),
        logits(
            NameNetwork::builtin().network(),
            name_model::VALUES,
            name_model::FIRST,
            name_model::SHAPE.decisions,
        ),
    ]
}

/// The sum of the logits of a network whose inputs have these numbers of values.
fn logits<const INPUTS: usize, const WIDTH: usize, const UNITS: usize>(
    network: &Network<WIDTH, UNITS>,
    values: [usize; INPUTS],
    first: [usize; INPUTS],
    decisions: usize,
) -> String {
    let (mut choices, mut sum) = (Choices(1), Sha256::new());
    for _ in 0..COUNT {
        let inputs = rows(values.map(|count| choices.below(count)), first);
        let prediction = network.predict(&inputs);
        for _ in 0..LOGITS {
            sum.update(prediction.logit(choices.below(decisions)).to_le_bytes());
        }
    }
    hexadecimal(sum)
}

fn hexadecimal(sum: Sha256) -> String {
    let bytes = sum.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_models_compute_what_the_specification_states() {
        assert_eq!(networks(), [CLOCKS, EVALS, NAMES]);
        assert_eq!(moves(), MOVES);
        check(Coding::Weighted).unwrap();
        let spec = include_str!("../../../../format-spec.md");
        for sum in [MOVES, CLOCKS, EVALS, NAMES] {
            assert!(spec.contains(&format!("| `{sum}` |")));
        }
    }
}
