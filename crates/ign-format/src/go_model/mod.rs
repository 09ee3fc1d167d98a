//! The move model of Go: integer frequencies for the choices of a position (spec §14.7).
//!
//! The model is log-linear, like the generalised Bradley–Terry model of R. Coulom ("Computing Elo
//! Ratings of Move Patterns in the Game of Go", 2007). A choice has one entry in each of a few
//! feature tables ([`features`]): the pattern around its point, the distances from the last moves,
//! its place on the board, captures and threats, the pattern of its corner. The parameters of its
//! entries sum to its score (a logit, in 1/16), and its frequency is the exponential of the score.
//!
//! The parameters are trained offline and do not adapt while games are coded, so each game can be
//! decoded without others. A block names the model that its moves need.

pub mod features;

use std::sync::LazyLock;

use crate::{
    error::{Error, Result},
    go_model::features::{ENTRIES, Extractor},
    models::{Architecture, Model, PUBLISHED},
};
use ign_entropy::{
    frequencies::{MAX_TOTAL, falling},
    varint,
};
use ign_notation::go::Position;

/// The version of the training of the built-in model.
pub const VERSION: u8 = 1;

/// The frequency of the choice with the highest score, before scaling.
const HIGHEST: u32 = 1 << 22;
/// Length of the table of frequencies. From its last step on, the frequency is 1.
const TABLE_LEN: usize = 245;

/// 2^64 · e^(-1/16), rounded down.
const FACTOR: u64 = 17_329_112_349_219_823_218;
/// The exponential function: `FREQUENCY[d]` = 2^22 · e^(-d/16) for a score d/16 below the highest
/// (spec §14.7).
static FREQUENCY: [u32; TABLE_LEN] = falling(HIGHEST, FACTOR);

/// The parameters: one for each entry of the tables.
#[derive(Debug)]
pub struct Parameters(Vec<i8>);

/// A move model of Go.
pub type MoveModel = Model<Parameters>;

impl Architecture for Parameters {
    const NUMBER: u8 = 2;
    const NAME: &'static str = "move model of Go";

    fn builtin() -> MoveModel {
        static BUILTIN: LazyLock<MoveModel> = LazyLock::new(|| {
            Model::of_program(PUBLISHED[1], || {
                let bytes = zstd::bulk::decompress(include_bytes!("v1.zst"), ENTRIES)
                    .expect("the embedded model is complete");
                assert_eq!(bytes.len(), ENTRIES, "the embedded model has all tables");
                Parameters(bytes.into_iter().map(|byte| byte as i8).collect())
            })
        });
        BUILTIN.clone()
    }

    fn read(mut data: &[u8]) -> Result<Self> {
        let entries = varint::read(&mut data)?;
        if entries != ENTRIES as u64 || data.len() != ENTRIES {
            return Err(Error::corrupt("a move model of Go with other tables"));
        }
        Ok(Self(data.iter().map(|&byte| byte as i8).collect()))
    }

    fn data(&self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::write(&mut out, ENTRIES as u64);
        out.extend(self.0.iter().map(|&value| value as u8));
        out
    }
}

/// Computes the frequencies of choices. It holds working space, so each thread needs its own.
#[derive(Debug)]
pub struct Scorer {
    model: MoveModel,
    extractor: Extractor,
    scores: Vec<i32>,
    frequencies: Vec<u32>,
    total: u32,
}

impl Scorer {
    /// A scorer with this model.
    pub fn new(model: MoveModel) -> Self {
        Self {
            model,
            extractor: Extractor::default(),
            scores: Vec::new(),
            frequencies: Vec::new(),
            total: 0,
        }
    }

    /// Computes the frequencies of the choices of a position.
    pub fn score(&mut self, position: &Position) {
        let parameters = &self.model.0;
        self.extractor.score(position, parameters, &mut self.scores);
        let highest = self.scores.iter().copied().max().unwrap_or(0);
        let frequency = |&score: &i32| FREQUENCY[((highest - score) as usize).min(TABLE_LEN - 1)];
        let sum: u64 = self
            .scores
            .iter()
            .map(|score| u64::from(frequency(score)))
            .sum();
        // Halve until the sum fits. Raising frequencies to 1 adds at most 1 for each choice.
        let count = self.scores.len() as u64;
        let mut shift = 0;
        while (sum >> shift) + count >= u64::from(MAX_TOTAL) {
            shift += 1;
        }
        self.frequencies.clear();
        let frequencies = self
            .scores
            .iter()
            .map(|score| (frequency(score) >> shift).max(1));
        self.frequencies.extend(frequencies);
        self.total = self.frequencies.iter().sum();
    }

    /// The frequencies of the legal moves, in canonical order: at least 1 each.
    pub fn frequencies(&self) -> &[u32] {
        &self.frequencies
    }

    /// The sum of the frequencies.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The interval of a choice: its cumulative frequency and its frequency.
    pub fn interval(&self, choice: usize) -> (u32, u32) {
        (
            self.frequencies[..choice].iter().sum(),
            self.frequencies[choice],
        )
    }

    /// The choice whose interval contains `value`, with its cumulative frequency and its frequency.
    ///
    /// # Panics
    /// If `value` is not below [`total`](Scorer::total).
    pub fn find(&self, value: u32) -> (usize, u32, u32) {
        let mut before = 0;
        for (choice, &frequency) in self.frequencies.iter().enumerate() {
            if value < before + frequency {
                return (choice, before, frequency);
            }
            before += frequency;
        }
        panic!("value {value} is not below the total {}", self.total)
    }
}

/// Replaces `weights` by those of the legal moves and of the end of the game, as
/// [`ign_notation::weighted`] needs them. The end has 1/256 of the total of the moves.
pub fn weights(position: &Position, scorer: &mut Scorer, weights: &mut Vec<u32>) {
    scorer.score(position);
    weights.clear();
    weights.extend_from_slice(scorer.frequencies());
    weights.push((scorer.total() >> 8).max(1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_notation::go::{Color, Move, Point, Rules, Size};
    use ign_notation::{Game, ends::EndMoves, weighted};

    #[test]
    fn frequencies_fall_by_a_factor_of_e_in_sixteen_steps() {
        assert_eq!((FREQUENCY[0], FREQUENCY[TABLE_LEN - 1]), (HIGHEST, 1));
        assert!(FREQUENCY[TABLE_LEN - 2] > 0 && FREQUENCY.windows(2).all(|w| w[0] >= w[1]));
        // 2^22 / e = 1542998.2…
        assert!(FREQUENCY[16].abs_diff(1_542_998) <= 1, "{}", FREQUENCY[16]);
    }

    fn assert_scores_are_sums_of_parameters(position: &Position, scorer: &mut Scorer) {
        scorer.score(position);
        let rows = Extractor::default().extract(position).to_vec();
        assert_eq!(rows.len(), scorer.scores.len());
        for (row, &score) in rows.iter().zip(&scorer.scores) {
            let values = row.map(|entry| i32::from(Parameters::builtin().0[entry as usize]));
            assert_eq!(values.iter().sum::<i32>(), score);
        }
    }

    fn assert_every_choice_has_an_interval(position: &Position, scorer: &mut Scorer) {
        scorer.score(position);
        assert_eq!(scorer.frequencies().len() as u32, position.count());
        assert!(scorer.frequencies().iter().all(|&frequency| frequency > 0));
        assert!(scorer.total() < MAX_TOTAL);
        assert_eq!(scorer.total(), scorer.frequencies().iter().sum::<u32>());
        for choice in [0, scorer.frequencies().len() - 1] {
            let (before, frequency) = scorer.interval(choice);
            assert_eq!(scorer.find(before), (choice, before, frequency));
            assert_eq!(
                scorer.find(before + frequency - 1),
                (choice, before, frequency)
            );
        }
    }

    #[test]
    fn scores_boards_of_all_sizes() {
        let mut scorer = Scorer::new(Parameters::builtin());
        for (columns, rows) in [
            (1, 1),
            (2, 1),
            (1, 52),
            (5, 9),
            (13, 13),
            (19, 19),
            (52, 52),
        ] {
            let size = Size::new(columns, rows).unwrap();
            let mut position = Position::new(size, Rules::default());
            let mut seed = 1u64;
            for _ in 0..60 {
                assert_every_choice_has_an_interval(&position, &mut scorer);
                assert_scores_are_sums_of_parameters(&position, &mut scorer);
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let choice = (seed >> 33) as u32 % position.count();
                position.play(position.nth(choice).unwrap());
            }
        }
    }

    /// The position after these moves under a symmetry of the board, with colours exchanged if
    /// `swap`.
    fn transformed_position(symmetry: usize, moves: &[Point], swap: bool) -> Position {
        let mut position = Position::new(Size::STANDARD, Rules::default());
        if swap {
            position.set_turn(Color::White);
        }
        for &point in moves {
            position.play(Move::Stone(transformed(symmetry, point)));
        }
        position
    }

    fn transformed(symmetry: usize, point: Point) -> Point {
        let (row, column) = match symmetry & 1 {
            0 => (point.row, point.column),
            _ => (point.column, point.row),
        };
        Point {
            row: if symmetry & 2 == 2 { 18 - row } else { row },
            column: if symmetry & 4 == 4 {
                18 - column
            } else {
                column
            },
        }
    }

    #[test]
    fn frequencies_are_invariant_under_symmetries_and_exchanged_colors() {
        let moves = ["pd", "dp", "qp", "dc", "de", "ce", "cf", "cd", "df", "fc"]
            .map(|letters| Point::from_letters(letters.as_bytes()).unwrap());
        let mut scorer = Scorer::new(Parameters::builtin());
        let plain = transformed_position(0, &moves, false);
        scorer.score(&plain);
        let expected = scorer.frequencies().to_vec();
        let total = scorer.total();
        for symmetry in 0..8 {
            for swap in [false, true] {
                let position = transformed_position(symmetry, &moves, swap);
                scorer.score(&position);
                assert_eq!(scorer.total(), total, "symmetry {symmetry}");
                for row in 0..19 {
                    for column in 0..19 {
                        let point = Point { row, column };
                        let Some((here, _)) = plain.ordinal(Move::Stone(point)) else {
                            continue;
                        };
                        let there = position
                            .ordinal(Move::Stone(transformed(symmetry, point)))
                            .unwrap()
                            .0 as usize;
                        let frequency = scorer.frequencies()[there];
                        let expected = expected[here as usize];
                        assert_eq!(frequency, expected, "symmetry {symmetry}, {point}");
                    }
                }
            }
        }
    }

    #[test]
    fn likely_moves_make_a_short_integer() {
        let letters = ["pd", "dp", "pq", "dd", "qo", "nc", "qf", "jd", "fq", "cn"];
        let moves =
            letters.map(|letters| Move::Stone(Point::from_letters(letters.as_bytes()).unwrap()));
        let start = Position::new(Size::STANDARD, Rules::default());
        let mut scorer = Scorer::new(Parameters::builtin());
        let weigh = |position: &Position, out: &mut Vec<u32>| weights(position, &mut scorer, out);
        let integer = weighted::encode(start.clone(), &moves, EndMoves::Stopped, weigh).unwrap();
        let mut scorer = Scorer::new(Parameters::builtin());
        let weigh = |position: &Position, out: &mut Vec<u32>| weights(position, &mut scorer, out);
        let back = weighted::decode(start.clone(), &integer, 100, weigh).unwrap();
        assert_eq!(back, (moves.to_vec(), EndMoves::Stopped));
        // Without the model: ten moves of 8.5 bits and an end of 8.
        assert!(
            integer.significant_bits() < 80,
            "{}",
            integer.significant_bits()
        );
    }
}
