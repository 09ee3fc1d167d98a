//! The digits of a game one by one, with their bases and the partial integers.

use super::{Notation, Player};
use ign_format::model::{Scorer, Style};
use ign_notation::{Integer, digits::Digits, ends::EndMoves};

/// One digit of a game: a move, or an end move.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The move number, `12.` or `12...`.
    pub number: String,
    /// The move in SAN; `end` for an end move.
    pub name: String,
    /// The move in UCI notation, in Go its name; `end` for an end move.
    pub uci: String,
    /// The digit: the ordinal, from 1 or from 0 by the notation. For weighted notation the
    /// cumulative frequency below the move.
    pub digit: u64,
    /// The base of the digit. For weighted notation the total of the frequencies.
    pub base: u64,
    /// The frequency of the move, for weighted notation.
    pub frequency: Option<u64>,
}

/// The partial integers of a game: after each step, the integer of all digits so far. A weighted
/// integer is built from the last move back: there, the integer of the remaining digits.
#[derive(Debug, Clone)]
pub struct Running {
    value: Integer,
    product: Integer,
}

impl Running {
    /// Starts before the first step of the game of this integer.
    pub fn new(integer: &Integer, notation: Notation) -> Self {
        let weighted = notation == Notation::Weighted;
        Self {
            value: if weighted {
                integer.clone()
            } else {
                Integer::new()
            },
            product: Integer::from(1),
        }
    }

    /// The partial integer at the next step.
    pub fn next(&mut self, step: &Step) -> Integer {
        let Some(frequency) = step.frequency else {
            self.value += Integer::from(&self.product * step.digit);
            self.product *= step.base;
            return self.value.clone();
        };
        let value = self.value.clone();
        let within = Integer::from(&value % step.base) - step.digit;
        self.value /= step.base;
        self.value *= frequency;
        self.value += within;
        value
    }
}

/// The steps of a game whose moves are known to be legal.
pub(super) fn steps<P: Player>(
    start: &P,
    moves: &[P::Move],
    ending: Option<EndMoves>,
    notation: Notation,
    style: u8,
    first_number: u32,
) -> Vec<Step> {
    let mut game = start.clone();
    let mut number = first_number;
    let single = start.counts_each_move();
    let mut scorer = (notation == Notation::Weighted).then(|| Scorer::new(Style::builtin(style)));
    let mut weights = Vec::new();
    let mut steps = Vec::new();
    let ends = ending.map_or(0, EndMoves::end_moves);
    let choices = moves
        .iter()
        .map(Some)
        .chain(std::iter::repeat_n(None, ends));
    for played in choices {
        let white = game.white_to_move();
        let ordinal = match played {
            Some(&played) => game.ordinal(played).unwrap_or_default(),
            None => (game.count(), game.count()),
        };
        let (digit, base, frequency) = match &mut scorer {
            Some(scorer) => {
                game.weigh(scorer, &mut weights);
                let sum = |weights: &[u32]| weights.iter().map(|&w| u64::from(w)).sum();
                let choice = ordinal.0 as usize;
                let frequency = u64::from(weights[choice]);
                (sum(&weights[..choice]), sum(&weights), Some(frequency))
            }
            None => {
                let digits = match notation {
                    Notation::Plain => Digits::PLAIN,
                    Notation::Ends => Digits::ENDS,
                    Notation::Counted | Notation::Weighted => Digits::COUNTED,
                };
                let (digit, base) = digits.of(ordinal.0, ordinal.1);
                (digit.into(), base.into(), None)
            }
        };
        let mut name = "end".to_string();
        let mut uci = name.clone();
        if let Some(&played) = played {
            name = game.name(played);
            uci = game.uci(played);
            game.play(played);
            name.extend(game.sign());
        }
        steps.push(Step {
            number: format!("{number}{}", if white || single { "." } else { "..." }),
            name,
            uci,
            digit,
            base,
            frequency,
        });
        if played.is_some() && (single || !white) {
            number = number.saturating_add(1);
        }
    }
    steps
}
