//! Some of many games, chosen at random.

use std::collections::BTreeSet;

use ign_sample::Random;

/// The stream of random numbers that chooses games, apart from those that generate games.
const STREAM: u64 = u64::MAX;

/// `count` of the games, or all if there are fewer, in their order. Every choice of that many games
/// is equally likely. The seed determines the choice on every machine.
///
/// This is Floyd's algorithm: memory for the games chosen only (J. Bentley and B. Floyd, *A sample
/// of brilliance*, 1987).
pub fn choose<G: Copy>(games: &[G], count: usize, seed: u64) -> Vec<G> {
    let mut random = Random::new(seed, STREAM);
    let mut chosen = BTreeSet::new();
    for last in games.len().saturating_sub(count)..games.len() {
        let place = below(&mut random, last as u64 + 1) as usize;
        if !chosen.insert(place) {
            chosen.insert(last);
        }
    }
    chosen.into_iter().map(|place| games[place]).collect()
}

/// A number below `n`, which is not 0, each equally likely: the upper half of a product, without
/// the products that would make some numbers more likely (D. Lemire, *Fast random integer
/// generation in an interval*, 2019).
fn below(random: &mut Random, n: u64) -> u64 {
    loop {
        let product = u128::from(random.bits()) * u128::from(n);
        if product as u64 >= n.wrapping_neg() % n {
            return (product >> 64) as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_equally_likely() {
        let games = [3, 5, 8, 13, 21];
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..10_000 {
            *counts.entry(choose(&games, 2, seed)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 10);
        for (choice, count) in counts {
            assert!(choice.is_sorted());
            // Four standard deviations around the mean.
            assert!((880..=1120).contains(&count), "{choice:?}: {count}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_games_everywhere() {
        let games: Vec<u64> = (1..=1000).collect();
        assert_eq!(choose(&games, 5, 1), [394, 522, 683, 788, 936]);
        assert_ne!(choose(&games, 5, 1), choose(&games, 5, 2));
        assert_eq!(choose(&games, 1000, 1), games);
        assert_eq!(choose(&games, 2000, 1), games);
        assert!(choose::<u64>(&[], 3, 1).is_empty());
    }
}
