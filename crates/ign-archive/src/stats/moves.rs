//! Moves and the cost of their integers, in the coding of the archive and in others.
//!
//! `GamePlayer` takes a game ply by ply and makes its integer both in plain Integer Game Notation
//! and with end moves, whatever the coding of the archive: both are real integers with whole bits,
//! not sums of logarithms. Other encodings follow from the number of legal moves of each position,
//! for which a histogram is enough.

use super::{histogram::Histogram, ratio::ratio};
use ign_entropy::prefixed::bit_length;
use ign_format::block::moves::GameBits;
use ign_notation::radix::Encoder;

/// The cost of integers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// Games by the bits of their integers, with the leading one, without the length prefix.
    pub integers: Histogram,
}

impl Cost {
    /// Bits of all integers.
    pub fn integer_bits(&self) -> u64 {
        self.integers.sum()
    }

    /// Bits of all length prefixes.
    pub fn prefix_bits(&self) -> u64 {
        let prefix = |(bits, games)| GameBits::of(bits as u64).prefix * games;
        self.integers.iter().map(prefix).sum()
    }

    /// Bits of all integers and prefixes.
    pub fn bits(&self) -> u64 {
        self.integer_bits() + self.prefix_bits()
    }

    /// Games by the bits of integer and prefix.
    pub fn games(&self) -> Histogram {
        let mut out = Histogram::default();
        for (bits, games) in self.integers.iter() {
            let bits = GameBits::of(bits as u64);
            out.add_many((bits.integer + bits.prefix) as usize, games);
        }
        out
    }

    /// Bits of integer and prefix per game; `None` without games.
    pub fn mean(&self) -> Option<f64> {
        ratio(self.bits(), self.integers.count())
    }
}

/// Games with the same number of plies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Length {
    /// The number of games.
    pub games: u64,
    /// Bits of their plain integers.
    pub plain_bits: u64,
    /// Bits of their integers with end moves.
    pub ends_bits: u64,
}

/// Positions after the same number of plies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct Ply {
    /// The number of positions in which a move was played.
    pub positions: u64,
    /// The sum of their numbers of legal moves.
    pub choices: u64,
    /// The sum of the binary logarithms of these numbers.
    pub entropy: f64,
}

/// Moves and their cost in several encodings.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Moves {
    /// The integers of the archive.
    pub stored: Cost,
    /// Bits of the archive for moves that are coded in groups, not as integers.
    pub group_bits: u64,
    /// Plain Integer Game Notation.
    pub plain: Cost,
    /// Integer Game Notation with end moves.
    pub ends: Cost,
    /// Positions in which a move was played, by their number of legal moves.
    pub choices: Histogram,
    /// Games by number of plies, from 0.
    pub by_length: Vec<Length>,
    /// Positions by the number of plies before them.
    pub by_ply: Vec<Ply>,
}

impl Moves {
    /// Adds a block.
    pub(super) fn add(&mut self, other: &Self) {
        self.stored.integers.merge(&other.stored.integers);
        self.group_bits += other.group_bits;
        self.plain.integers.merge(&other.plain.integers);
        self.ends.integers.merge(&other.ends.integers);
        self.choices.merge(&other.choices);
        for (sum, more) in paired(&mut self.by_length, &other.by_length) {
            sum.games += more.games;
            sum.plain_bits += more.plain_bits;
            sum.ends_bits += more.ends_bits;
        }
        for (sum, more) in paired(&mut self.by_ply, &other.by_ply) {
            sum.positions += more.positions;
            sum.choices += more.choices;
            sum.entropy += more.entropy;
        }
    }

    /// Bits of the archive for all moves, in whatever coding.
    pub fn stored_bits(&self) -> u64 {
        self.stored.bits() + self.group_bits
    }

    /// The lower bound for coding moves that are all equally likely, in bits: the sum of the
    /// logarithms of the numbers of legal moves.
    pub fn entropy(&self) -> f64 {
        let bits = |(choices, count)| (choices as f64).log2() * count as f64;
        self.choices.iter().map(bits).sum()
    }

    /// Bits if each move takes a fixed number of bits that is enough to number the legal moves.
    pub fn whole_bits(&self) -> u64 {
        let bits = |(choices, count): (usize, u64)| {
            u64::from(choices.next_power_of_two().trailing_zeros()) * count
        };
        self.choices.iter().map(bits).sum()
    }

    /// Bits if each move takes twelve: its two squares.
    pub fn square_bits(&self) -> u64 {
        12 * self.choices.count()
    }
}

/// The elements of two vectors in pairs, after the first was made as long as the second.
fn paired<'a, T: Default + Clone>(
    sum: &'a mut Vec<T>,
    more: &'a [T],
) -> impl Iterator<Item = (&'a mut T, &'a T)> {
    if sum.len() < more.len() {
        sum.resize(more.len(), T::default());
    }
    sum.iter_mut().zip(more)
}

/// Takes games ply by ply and counts them.
#[derive(Debug)]
pub(super) struct GamePlayer {
    plain: Encoder,
    ends: Encoder,
    plies: usize,
    /// Binary logarithms of small integers.
    logarithms: Vec<f64>,
    moves: Moves,
}

/// The number of logarithms in the table; a chess position has at most 218 legal moves.
const KEPT_LOGARITHMS: usize = 256;

impl Default for GamePlayer {
    fn default() -> Self {
        Self {
            plain: Encoder::new(),
            ends: Encoder::new(),
            plies: 0,
            logarithms: (0..KEPT_LOGARITHMS)
                .map(|n| (n.max(1) as f64).log2())
                .collect(),
            moves: Moves::default(),
        }
    }
}

impl GamePlayer {
    /// The next move of the game: its ordinal from 0, and the number of legal moves.
    #[inline]
    pub fn ply(&mut self, ordinal: u32, count: u32) {
        self.plain.push(ordinal + 1, count);
        self.ends.push(ordinal, count + 1);
        self.moves.choices.add(count as usize);
        if self.moves.by_ply.len() <= self.plies {
            self.moves.by_ply.resize(self.plies + 1, Ply::default());
        }
        let entropy = self.logarithms.get(count as usize).copied();
        let ply = &mut self.moves.by_ply[self.plies];
        ply.positions += 1;
        ply.choices += u64::from(count);
        ply.entropy += entropy.unwrap_or_else(|| f64::from(count).log2());
        self.plies += 1;
    }

    /// A null move, which is not a choice.
    pub fn pass(&mut self) {
        self.plies += 1;
    }

    /// The end of the game, in a position with `choices` legal moves, by `ends` end moves. `stored`
    /// is the number of bits of its integer in the archive, if it has one. Returns the number of
    /// plies.
    pub fn end(&mut self, choices: u32, ends: u32, stored: Option<u64>) -> usize {
        for _ in 0..ends {
            self.ends.push(choices, choices + 1);
        }
        let [plain, with_ends] = [&mut self.plain, &mut self.ends].map(|encoder| {
            let bits = bit_length(encoder.finish());
            encoder.clear();
            bits
        });
        if let Some(bits) = stored {
            self.moves.stored.integers.add(bits as usize);
        }
        self.moves.plain.integers.add(plain as usize);
        self.moves.ends.integers.add(with_ends as usize);
        let plies = std::mem::take(&mut self.plies);
        let lengths = &mut self.moves.by_length;
        if lengths.len() <= plies {
            lengths.resize(plies + 1, Length::default());
        }
        lengths[plies].games += 1;
        lengths[plies].plain_bits += plain;
        lengths[plies].ends_bits += with_ends;
        plies
    }

    /// The sums over all games.
    pub fn finish(self) -> Moves {
        self.moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1.f3 e5 2.g4 Qh4#: mate, so no end moves.
    const FOOLS_MATE: [(u32, u32); 4] = [(14, 20), (8, 20), (15, 19), (17, 30)];

    #[test]
    fn counts_the_integers_of_both_codings() {
        let mut player = GamePlayer::default();
        FOOLS_MATE.iter().for_each(|&(k, n)| player.ply(k, n));
        assert_eq!(player.end(0, 0, Some(18)), 4);
        // A game without moves that was stopped; a draw agreed at once.
        assert_eq!(player.end(20, 1, Some(0)), 0);
        assert_eq!(player.end(20, 2, Some(0)), 0);
        let moves = player.finish();
        assert_eq!(moves.choices.sum(), 89);
        assert_eq!(moves.square_bits(), 48);
        assert_eq!(moves.whole_bits(), 20);
        assert!((moves.entropy() - (20.0f64 * 20.0 * 19.0 * 30.0).log2()).abs() < 1e-9);
        // 143395; and nothing, twice.
        let plain: Vec<_> = moves.plain.integers.iter().collect();
        assert_eq!(plain, [(0, 2), (18, 1)]);
        // One end is the digit 20, 5 bits; two are 20 + 21 · 20 = 440, 9 bits;
        // the mate is 14 + 21 · (8 + 21 · (15 + 20 · 17)) = 156737, 18 bits.
        let ends: Vec<_> = moves.ends.integers.iter().collect();
        assert_eq!(ends, [(5, 1), (9, 1), (18, 1)]);
        assert_eq!(moves.by_length[0].games, 2);
        assert_eq!(moves.by_length[0].ends_bits, 14);
        assert_eq!(moves.by_length[4].games, 1);
        assert_eq!(moves.by_ply.len(), 4);
    }

    #[test]
    fn prefix_bits_follow_from_lengths() {
        let cost = Cost {
            integers: [0, 1, 18].into_iter().collect(),
        };
        // gamma(1), gamma(2) and gamma(19) take 1, 3 and 9 bits; in the last two, one bit also
        // stands for the leading one of the integer.
        assert_eq!(cost.prefix_bits(), 1 + 2 + 8);
        assert_eq!(cost.bits(), 19 + 11);
        assert_eq!(
            cost.games().iter().collect::<Vec<_>>(),
            [(1, 1), (3, 1), (26, 1)]
        );
    }

    #[test]
    fn blocks_add_up() {
        let play = |games: &[&[(u32, u32)]]| {
            let mut player = GamePlayer::default();
            for game in games {
                game.iter().for_each(|&(k, n)| player.ply(k, n));
                player.end(20, 1, Some(7));
            }
            player.finish()
        };
        let (short, long) = (&FOOLS_MATE[..1], &FOOLS_MATE[..]);
        let mut sum = play(&[short]);
        sum.add(&play(&[long]));
        assert_eq!(sum, play(&[short, long]));
        let mut sum = play(&[long]);
        sum.add(&play(&[short]));
        assert_eq!(sum, play(&[short, long]));
    }
}
