//! A set of the games of an archive: a bit for each game.

use std::ops::Range;

/// Games, counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSet {
    words: Vec<u64>,
    len: u64,
}

impl GameSet {
    /// An empty set over `len` games.
    pub fn none(len: u64) -> Self {
        Self {
            words: vec![0; len.div_ceil(64) as usize],
            len,
        }
    }

    /// A set over `len` games. Out-of-range games are ignored.
    pub fn of(len: u64, games: impl IntoIterator<Item = u64>) -> Self {
        let mut set = Self::none(len);
        games.into_iter().for_each(|game| set.insert(game));
        set
    }

    /// The bits of all games, the first in the lowest bit of the first word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds a game.
    #[inline]
    pub fn insert(&mut self, game: u64) {
        if game < self.len {
            self.words[(game / 64) as usize] |= 1 << (game % 64);
        }
    }

    /// Adds the games of a word of bits.
    pub fn insert_word(&mut self, index: usize, bits: u64) {
        let first = 64 * index as u64;
        if let Some(word) = self.words.get_mut(index) {
            *word |= bits & (u64::MAX >> (first + 64).saturating_sub(self.len));
        }
    }

    /// Whether a game is in the set.
    #[inline]
    pub fn contains(&self, game: u64) -> bool {
        let word = self.words.get((game / 64) as usize);
        word.is_some_and(|word| word >> (game % 64) & 1 == 1)
    }

    /// Removes the games that are not in another set of the same games.
    pub fn intersect(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Adds the games of another set of the same games.
    pub fn unite(&mut self, other: &Self) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// The number of games.
    pub fn count(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// The games of a range in ascending order.
    pub fn within(&self, range: Range<u64>) -> impl Iterator<Item = u64> + '_ {
        let words = range.start / 64..range.end.min(self.len).div_ceil(64);
        words
            .flat_map(|index| {
                let mut word = self.words[index as usize];
                std::iter::from_fn(move || {
                    let bit = u64::from(word.trailing_zeros());
                    word = (word != 0).then(|| word & (word - 1))?;
                    Some(64 * index + bit)
                })
            })
            .skip_while(move |&game| game < range.start)
            .take_while(move |&game| game < range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_games_in_order_and_ignores_others() {
        let mut set = GameSet::of(130, [129, 0, 63, 64, 130, 500]);
        assert_eq!(set.within(0..130).collect::<Vec<_>>(), [0, 63, 64, 129]);
        assert_eq!(set.within(1..129).collect::<Vec<_>>(), [63, 64]);
        assert_eq!(
            (set.count(), set.contains(64), set.contains(65)),
            (4, true, false)
        );
        assert!(!set.contains(1 << 40));
        let mut words = GameSet::none(130);
        (0..5).for_each(|index| words.insert_word(index, u64::MAX));
        assert_eq!(words.count(), 130);
        set.intersect(&GameSet::of(130, [63, 65, 129]));
        assert_eq!(set.within(0..130).collect::<Vec<_>>(), [63, 129]);
        set.unite(&GameSet::of(130, [0, 63]));
        assert_eq!(set.within(0..130).collect::<Vec<_>>(), [0, 63, 129]);
    }
}
