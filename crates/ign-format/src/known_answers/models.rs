//! Sums of what the models compute (spec §8.7).

use ign_entropy::network::{Network, rows};
use ign_notation::chess::Start;
use sha2::{Digest, Sha256};

use super::{COUNT, Choices, Sum};
use crate::{
    columns::name_model::{self, NameNetwork},
    model::{Frequencies, History, Parameters, Scorer, Style},
    models::Architecture,
    pgn::comments::{
        clock_model::{self, ClockNetwork},
        evals::{self, EvalNetwork},
    },
};

/// Positions of a game (spec §8.7).
const GAME: usize = 100;
/// Logits of a prediction (spec §8.7).
const LOGITS: usize = 8;

/// The move model.
pub(super) const MOVES: Sum = Sum {
    name: "move model",
    stated: "5d479c45dde461c7626e5339e25218f7df60bd1cede6e3447e906401d23f3ab1",
    compute: moves,
};

/// The networks.
pub(super) const NETWORKS: [Sum; 3] = [
    Sum {
        name: "clock model",
        stated: "47b02b939cab4226e8693c44a29b87d622e605bd947c95e6f526895f209c6cbb",
        compute: clocks,
    },
    Sum {
        name: "evaluation model",
        stated: "cdb8f8ee7fd2295023407b000e5eef70847fe4f2801e559bb75012b5fd132fbf",
        compute: evaluations,
    },
    Sum {
        name: "name model",
        stated: "f46644ac3ab230fcca67e933f4d2871c70ea0640870d42e5d146783cd744d5b7",
        compute: names,
    },
];

/// The sum of the frequencies of the move model.
fn moves() -> Sha256 {
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
    sum
}

fn clocks() -> Sha256 {
    let model = ClockNetwork::builtin();
    let decisions = clock_model::SHAPE.decisions;
    logits(
        model.network(),
        clock_model::VALUES,
        clock_model::FIRST,
        decisions,
    )
}

fn evaluations() -> Sha256 {
    let model = EvalNetwork::builtin();
    logits(
        model.network(),
        evals::VALUES,
        evals::FIRST,
        evals::SHAPE.decisions,
    )
}

fn names() -> Sha256 {
    let model = NameNetwork::builtin();
    let decisions = name_model::SHAPE.decisions;
    logits(
        model.network(),
        name_model::VALUES,
        name_model::FIRST,
        decisions,
    )
}

/// The sum of the logits of a network whose inputs have these numbers of values.
fn logits<const INPUTS: usize, const WIDTH: usize, const UNITS: usize>(
    network: &Network<WIDTH, UNITS>,
    values: [usize; INPUTS],
    first: [usize; INPUTS],
    decisions: usize,
) -> Sha256 {
    let (mut choices, mut sum) = (Choices(1), Sha256::new());
    for _ in 0..COUNT {
        let inputs = rows(values.map(|count| choices.below(count)), first);
        let prediction = network.predict(&inputs);
        for _ in 0..LOGITS {
            sum.update(prediction.logit(choices.below(decisions)).to_le_bytes());
        }
    }
    sum
}
