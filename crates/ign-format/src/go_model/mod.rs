//! The move model of Go: whole frequencies for the choices of a position (spec §14.7).
//!
//! A choice has a place in each of a few tables ([`super::features`]); the parameters there add up
//! to its score, in 1/16, and its frequency follows from how far that is below the highest. So the
//! model is a log-linear one, as R. Coulom's of 2007 and the patterns before it: what is likely is
//! told by the stones around a point, its place, the way from the last moves, what it takes, saves
//! and threatens, and by the stones of its corner.
//!
//! Nothing here is learned while games are coded: a game needs no other to be read. The parameters
//! come out of `train`; a column names those it was made by.

pub mod features;

use std::sync::LazyLock;

use crate::container::checksum;
use crate::go_model::features::{ENTRIES, Viewer};
use ign_entropy::frequencies::{MAX_TOTAL, falling};
use ign_notation::go::Position;

/// Number of the model; another set of parameters, or tables, is another number (spec §14.7).
pub const VERSION: u8 = 1;

/// The frequency of the choice that scores highest, before the sum is made to fit.
const HIGHEST: u32 = 1 << 22;
/// So far below the highest, in 1/16, every frequency is 1.
const STEPS: usize = 245;

/// 2^64 · e^(-1/16), rounded down.
const FACTOR: u64 = 17_329_112_349_219_823_218;
/// By how much a score lies below the highest, in 1/16: 2^22 · e^-(that) (spec §14.7).
static FREQUENCY: [u32; STEPS] = falling(HIGHEST, FACTOR);

/// The parameters, and the checksum of their bytes.
struct Parameters {
    values: Vec<i8>,
    checksum: u64,
}

static PARAMETERS: LazyLock<Parameters> = LazyLock::new(|| {
    let bytes = zstd::bulk::decompress(include_bytes!("v1.zst"), ENTRIES)
        .expect("the program holds its model whole");
    assert_eq!(bytes.len(), ENTRIES, "the program's model has its tables");
    Parameters {
        checksum: checksum(&bytes),
        values: bytes.into_iter().map(|byte| byte as i8).collect(),
    }
});

/// The XXH64 of the parameters.
pub fn parameters_checksum() -> u64 {
    PARAMETERS.checksum
}

/// Tells the frequencies of choices.
#[derive(Default)]
pub struct Weigher {
    viewer: Viewer,
    scores: Vec<i32>,
    frequencies: Vec<u32>,
    total: u32,
}

impl Weigher {
    /// Weighs the choices of a position.
    pub fn weigh(&mut self, position: &Position) {
        let parameters = &PARAMETERS.values;
        self.viewer.score(position, parameters, &mut self.scores);
        let highest = self.scores.iter().copied().max().unwrap_or(0);
        let frequency = |&score: &i32| FREQUENCY[((highest - score) as usize).min(STEPS - 1)];
        let sum: u64 = self
            .scores
            .iter()
            .map(|score| u64::from(frequency(score)))
            .sum();
        // Halved until the sum fits, whatever rounding up to 1 adds.
        let count = self.scores.len() as u64;
        let mut halved = 0;
        while (sum >> halved) + count >= u64::from(MAX_TOTAL) {
            halved += 1;
        }
        self.frequencies.clear();
        let frequencies = self
            .scores
            .iter()
            .map(|score| (frequency(score) >> halved).max(1));
        self.frequencies.extend(frequencies);
        self.total = self.frequencies.iter().sum();
    }

    /// The frequencies of the legal moves, in canonical order: at least 1 each.
    pub fn frequencies(&self) -> &[u32] {
        &self.frequencies
    }

    /// Their sum.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The sum of the frequencies before this choice, and its own.
    pub fn interval(&self, choice: usize) -> (u32, u32) {
        (
            self.frequencies[..choice].iter().sum(),
            self.frequencies[choice],
        )
    }

    /// The choice whose interval holds `value`, with that interval.
    ///
    /// # Panics
    /// When `value` is not below [`total`](Weigher::total).
    pub fn find(&self, value: u32) -> (usize, u32, u32) {
        let mut before = 0;
        for (choice, &frequency) in self.frequencies.iter().enumerate() {
            if value < before + frequency {
                return (choice, before, frequency);
            }
            before += frequency;
        }
        panic!("a value beyond the frequencies")
    }
}

/// Replaces `weights` by those of the legal moves and of the end of the game, which has one in 256,
/// for [`ign_notation::weighted`].
pub fn weights(position: &Position, weigher: &mut Weigher, weights: &mut Vec<u32>) {
    weigher.weigh(position);
    weights.clear();
    weights.extend_from_slice(weigher.frequencies());
    weights.push((weigher.total() >> 8).max(1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use ign_notation::go::{Color, Move, Point, Rules, Size};
    use ign_notation::{Game, ends::Ending, weighted};

    #[test]
    fn shares_fall_by_a_factor_of_e_in_sixteen_steps() {
        assert_eq!((FREQUENCY[0], FREQUENCY[STEPS - 1]), (HIGHEST, 1));
        assert!(FREQUENCY[STEPS - 2] > 0 && FREQUENCY.windows(2).all(|w| w[0] >= w[1]));
        // 2^22 / e = 1542998.2…
        assert!(FREQUENCY[16].abs_diff(1_542_998) <= 1, "{}", FREQUENCY[16]);
    }

    fn scores_are_sums_of_rows(position: &Position, weigher: &mut Weigher) {
        weigher.weigh(position);
        let rows = Viewer::default().view(position).to_vec();
        assert_eq!(rows.len(), weigher.scores.len());
        for (row, &score) in rows.iter().zip(&weigher.scores) {
            let values = row.map(|place| i32::from(PARAMETERS.values[place as usize]));
            assert_eq!(values.iter().sum::<i32>(), score);
        }
    }

    fn every_choice_has_a_share(position: &Position, weigher: &mut Weigher) {
        weigher.weigh(position);
        assert_eq!(weigher.frequencies().len() as u32, position.count());
        assert!(weigher.frequencies().iter().all(|&frequency| frequency > 0));
        assert!(weigher.total() < MAX_TOTAL);
        assert_eq!(weigher.total(), weigher.frequencies().iter().sum::<u32>());
        for choice in [0, weigher.frequencies().len() - 1] {
            let (before, frequency) = weigher.interval(choice);
            assert_eq!(weigher.find(before), (choice, before, frequency));
            assert_eq!(
                weigher.find(before + frequency - 1),
                (choice, before, frequency)
            );
        }
    }

    #[test]
    fn boards_of_all_sizes_are_weighed() {
        let mut weigher = Weigher::default();
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
                every_choice_has_a_share(&position, &mut weigher);
                scores_are_sums_of_rows(&position, &mut weigher);
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let choice = (seed >> 33) as u32 % position.count();
                position.play(position.nth(choice).unwrap());
            }
        }
    }

    /// The same position turned and mirrored, and with colours changed.
    fn seen(way: usize, moves: &[Point], swap: bool) -> Position {
        let mut position = Position::new(Size::STANDARD, Rules::default());
        if swap {
            position.set_turn(Color::White);
        }
        for &point in moves {
            position.play(Move::Stone(turned(way, point)));
        }
        position
    }

    fn turned(way: usize, point: Point) -> Point {
        let (row, column) = match way & 1 {
            0 => (point.row, point.column),
            _ => (point.column, point.row),
        };
        Point {
            row: if way & 2 == 2 { 18 - row } else { row },
            column: if way & 4 == 4 { 18 - column } else { column },
        }
    }

    #[test]
    fn a_position_is_the_same_however_it_is_turned() {
        let moves = ["pd", "dp", "qp", "dc", "de", "ce", "cf", "cd", "df", "fc"]
            .map(|letters| Point::from_letters(letters.as_bytes()).unwrap());
        let mut weigher = Weigher::default();
        let plain = seen(0, &moves, false);
        weigher.weigh(&plain);
        let expected = weigher.frequencies().to_vec();
        let total = weigher.total();
        for way in 0..8 {
            for swap in [false, true] {
                let position = seen(way, &moves, swap);
                weigher.weigh(&position);
                assert_eq!(weigher.total(), total, "way {way}");
                for row in 0..19 {
                    for column in 0..19 {
                        let point = Point { row, column };
                        let Some((here, _)) = plain.ordinal(Move::Stone(point)) else {
                            continue;
                        };
                        let there = position.ordinal(Move::Stone(turned(way, point)));
                        let there = there.unwrap().0 as usize;
                        let frequency = weigher.frequencies()[there];
                        assert_eq!(frequency, expected[here as usize], "way {way}, {point}");
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
        let mut weigher = Weigher::default();
        let weigh = |position: &Position, out: &mut Vec<u32>| weights(position, &mut weigher, out);
        let integer = weighted::encode(start.clone(), &moves, Ending::Stopped, weigh).unwrap();
        let mut weigher = Weigher::default();
        let weigh = |position: &Position, out: &mut Vec<u32>| weights(position, &mut weigher, out);
        let back = weighted::decode(start.clone(), &integer, 100, weigh).unwrap();
        assert_eq!(back, (moves.to_vec(), Ending::Stopped));
        // Ten moves of 8.5 bits and an end of 8 without the model, 23 more for a game alone.
        assert!(
            integer.significant_bits() < 80,
            "{}",
            integer.significant_bits()
        );
    }
}
