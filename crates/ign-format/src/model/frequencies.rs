//! Integer frequencies of the choices of a position, and their computation from scores.

use ign_entropy::frequencies::falling;
use ign_notation::chess::Move;

/// With more choices than this, which only artificial positions have, frequencies are divided by
/// eight, so that their sum stays below 2^24 for any position.
const MANY_CHOICES: usize = 255;

/// Maximum sum of the frequencies.
const MAX_TOTAL: u32 = (1 << 24) - 1;

/// The frequency of the choice with the highest score.
const HIGHEST: u32 = 1 << 16;
/// Binary logarithm of the score units in one step of the table: the table is in 1/256, scores are
/// in 1/8192.
const SCORE_SHIFT: u32 = 5;
/// Steps of the table. From the last one on, the frequency is 1.
const STEPS: usize = 2840;

/// 2^64 · e^(-1/256), rounded down.
const FACTOR: u64 = 18_374_827_034_086_858_296;
/// The exponential function: `FREQUENCY[d]` = 2^16 · e^(-d/256) for a score d/256 below the highest
/// (spec §8.5.4).
static FREQUENCY: [u32; STEPS] = falling(HIGHEST, FACTOR);

/// The frequencies of the choices of a position: the legal moves in canonical order, then the end
/// of the game.
///
/// Every frequency is at least 1, except for choices that [`retain`](Frequencies::retain) or
/// [`set_end`](Frequencies::set_end) rule out. If no move is legal, there are no choices.
#[derive(Clone, Debug, Default)]
pub struct Frequencies {
    pub(super) moves: Vec<Move>,
    frequencies: Vec<u32>,
    total: u32,
}

impl Frequencies {
    /// The legal moves, in canonical order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The frequencies of the moves, then of the end. Empty if no move is legal.
    #[inline]
    pub fn frequencies(&self) -> &[u32] {
        &self.frequencies
    }

    /// The sum of the frequencies, below 2^24.
    #[inline]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The interval of a choice: its cumulative frequency and its frequency.
    #[inline]
    pub fn interval(&self, choice: usize) -> (u32, u32) {
        (
            self.frequencies[..choice].iter().sum(),
            self.frequencies[choice],
        )
    }

    /// The choice whose interval contains `value`, with its cumulative frequency and its frequency.
    ///
    /// # Panics
    /// If `value` is not below [`total`](Frequencies::total).
    #[inline]
    pub fn find(&self, value: u32) -> (usize, u32, u32) {
        let mut before = 0;
        for (choice, &frequency) in self.frequencies().iter().enumerate() {
            if value < before + frequency {
                return (choice, before, frequency);
            }
            before += frequency;
        }
        panic!("value {value} is not below the total {}", self.total)
    }

    /// The frequency of the end of the game; 0 if no move is legal.
    #[inline]
    pub fn end(&self) -> u32 {
        self.frequencies.last().copied().unwrap_or(0)
    }

    /// Sets the frequency of the end, if there are moves. It is limited so that the sum stays below
    /// 2^24. With 0 the game cannot end here.
    #[inline]
    pub fn set_end(&mut self, frequency: u32) {
        if let Some(end) = self.frequencies.last_mut() {
            let others = self.total - *end;
            *end = frequency.min(MAX_TOTAL - others);
            self.total = others + *end;
        }
    }

    /// Sets the frequency of every move to 0 for which `is_kept` is false.
    pub fn retain(&mut self, is_kept: impl Fn(Move) -> bool) {
        for (frequency, &played) in self.frequencies.iter_mut().zip(&self.moves) {
            if !is_kept(played) {
                self.total -= std::mem::take(frequency);
            }
        }
    }

    /// Sets the frequencies of a position without legal moves: none.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.frequencies.clear();
        self.total = 0;
    }

    /// Sets the frequency 1 for each of these moves, in canonical order, and for the end: for games
    /// that the model does not cover. Without moves there are no choices.
    pub fn set_uniform(&mut self, moves: &[Move]) {
        self.clear();
        if !moves.is_empty() {
            self.moves.extend_from_slice(moves);
            self.frequencies.resize(moves.len() + 1, 1);
            self.total = self.frequencies.len() as u32;
        }
    }

    /// Replaces the moves by those of a variant, in canonical order (spec §8.5.4). Moves that are
    /// already present, and the end, keep their frequencies. The others, which are drops, get half
    /// of the sum of those together, in equal parts.
    pub fn set_variant_moves(&mut self, moves: &[Move]) {
        let (Some(&end), false) = (self.frequencies.last(), moves.is_empty()) else {
            return self.set_uniform(moves);
        };
        let frequency = |m: &Move| Some(self.frequencies[self.moves.binary_search(m).ok()?]);
        let known: Vec<Option<u32>> = moves.iter().map(frequency).collect();
        let sum = end + known.iter().flatten().sum::<u32>();
        let shift = u32::from(sum >= 1 << 23);
        let others = known.iter().filter(|frequency| frequency.is_none()).count() as u32;
        let each = ((sum >> shift) / (2 * others).max(1)).max(1);
        let known = known.into_iter().chain([Some(end)]);
        let frequencies =
            known.map(|frequency| frequency.map_or(each, |frequency| (frequency >> shift).max(1)));
        self.frequencies = frequencies.collect();
        self.moves.clear();
        self.moves.extend_from_slice(moves);
        self.total = self.frequencies.iter().sum();
    }

    /// Computes the frequencies from the scores of the moves, which are set already, and of the
    /// end.
    #[inline(always)]
    pub(super) fn set(&mut self, scores: &[i32]) {
        let highest = scores
            .iter()
            .fold(i32::MIN, |highest, &score| highest.max(score));
        let shift = if scores.len() > MANY_CHOICES { 3 } else { 0 };
        let frequency = |&score: &i32| {
            let step = ((highest - score) as u32 >> SCORE_SHIFT) as usize;
            (FREQUENCY[step.min(STEPS - 1)] >> shift).max(1)
        };
        self.frequencies.clear();
        self.frequencies.extend(scores.iter().map(frequency));
        self.total = self.frequencies.iter().sum();
    }
}

const _: () = assert!(HIGHEST as u64 * (MANY_CHOICES as u64) < 1 << 24);
const _: () = assert!(FREQUENCY[0] == HIGHEST && FREQUENCY[STEPS - 1] == 1);

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    #[test]
    fn table_is_exponential() {
        for (i, &frequency) in FREQUENCY.iter().enumerate() {
            let exact = 65536.0 * (-(i as f64) / 256.0).exp();
            assert!(
                (f64::from(frequency) - exact).abs() < 1.0,
                "step {i}: {frequency}, expected {exact}"
            );
        }
    }

    #[test]
    fn uniform_frequencies_include_the_end() {
        let mut frequencies = Frequencies::default();
        let moves = [1, 2, 3].map(|to| Move::new(Square::A1, Square::new(to), None));
        frequencies.set_uniform(&moves);
        assert_eq!(
            (frequencies.moves(), frequencies.frequencies()),
            (&moves[..], &[1; 4][..])
        );
        assert_eq!((frequencies.total(), frequencies.interval(3)), (4, (3, 1)));
        frequencies.set_uniform(&[]);
        assert_eq!(
            (frequencies.frequencies().len(), frequencies.total()),
            (0, 0)
        );
    }

    #[test]
    fn drops_get_half_the_sum_of_other_choices() {
        let mut frequencies = Frequencies::default();
        let of = |to| Move::new(Square::A1, Square::new(to), None);
        frequencies.moves = [1, 2, 3].map(of).to_vec();
        frequencies.set(&[0, 0, -8192, 0]);
        let before = frequencies.frequencies().to_vec();
        // One of the moves is not legal in the variant; two are new.
        let drops = [Square::A2, Square::A3].map(|to| Move::drop(Role::Queen, to));
        frequencies.set_variant_moves(&[of(1), of(3), drops[0], drops[1]]);
        let sum = before[0] + before[2] + before[3];
        let expected = [before[0], before[2], sum / 4, sum / 4, before[3]];
        assert_eq!(frequencies.frequencies(), expected);
        assert_eq!(frequencies.total(), expected.iter().sum::<u32>());
        frequencies.set_variant_moves(&[]);
        assert_eq!(
            (frequencies.frequencies().len(), frequencies.total()),
            (0, 0)
        );
        frequencies.set_variant_moves(&drops);
        assert_eq!(frequencies.frequencies(), [1, 1, 1]);
        // The sum stays below 2^24 for any number of moves.
        let all: Vec<Move> = (0..254)
            .map(|i| Move::new(Square::new(i / 63), Square::new(i % 63), None))
            .collect();
        frequencies.moves = all.clone();
        frequencies.set(&[0; 255]);
        let put = |i: u32| Move::drop(Role::Queen, Square::new(i));
        let more: Vec<Move> = all.iter().copied().chain((0..64).map(put)).collect();
        frequencies.set_variant_moves(&more);
        assert!(
            frequencies.total() < 1 << 24
                && frequencies
                    .frequencies()
                    .iter()
                    .all(|&frequency| frequency > 0)
        );
    }

    #[test]
    fn intervals_tile_the_total() {
        let mut frequencies = Frequencies::default();
        frequencies.set(&[0, -8192, 500, -1_000_000]);
        let mut end = 0;
        for choice in 0..4 {
            let (before, frequency) = frequencies.interval(choice);
            assert_eq!(before, end);
            end += frequency;
            assert_eq!(frequencies.find(before), (choice, before, frequency));
            assert_eq!(frequencies.find(end - 1), (choice, before, frequency));
        }
        assert_eq!(end, frequencies.total());
        assert_eq!(frequencies.frequencies()[2], HIGHEST);
        assert_eq!(frequencies.frequencies()[3], 1);
    }
}
