//! Numbers of games by tuples of codes.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// For each tuple of codes that occurred the number of its games. Tuples are in the order in which
/// they first occurred, one after the other in one vector: a game that adds to a tuple allocates
/// nothing.
pub(super) struct Groups {
    /// The number of codes of a tuple, at least 1.
    width: usize,
    codes: Vec<u32>,
    games: Vec<u64>,
    /// The places of the tuples by their codes.
    places: HashTable<usize>,
}

impl Groups {
    pub fn new(width: usize) -> Self {
        Self {
            width,
            codes: Vec::new(),
            games: Vec::new(),
            places: HashTable::new(),
        }
    }

    /// Adds games to a tuple.
    pub fn add(&mut self, tuple: &[u32], games: u64) {
        let width = self.width;
        let hash = |tuple: &[u32]| FxBuildHasher.hash_one(tuple);
        let of =
            |codes: &[u32], place: usize| place * width..(place * width + width).min(codes.len());
        let found = self.places.find(hash(tuple), |&place| {
            self.codes[of(&self.codes, place)] == *tuple
        });
        if let Some(&place) = found {
            self.games[place] += games;
            return;
        }
        let place = self.games.len();
        self.codes.extend_from_slice(tuple);
        self.games.push(games);
        let codes = &self.codes;
        self.places
            .insert_unique(hash(tuple), place, |&place| hash(&codes[of(codes, place)]));
    }

    /// The tuples with the numbers of their games.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], u64)> {
        self.codes
            .chunks_exact(self.width)
            .zip(self.games.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_added_to_equal_tuples() {
        let mut groups = Groups::new(2);
        for number in 0..1000 {
            groups.add(&[number % 3, number % 5], 1);
            groups.add(&[7, 7], 2);
        }
        let all: Vec<(&[u32], u64)> = groups.iter().collect();
        assert_eq!(all.len(), 16);
        assert_eq!(all[..2], [(&[0, 0][..], 67), (&[7, 7][..], 2000)]);
        assert_eq!(all.iter().map(|(_, games)| games).sum::<u64>(), 3000);
    }
}
