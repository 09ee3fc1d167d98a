//! Games with the codes of their values, of which the first are kept.

use ign_format::game_number::GameNumber;

use super::key::SortKey;
use crate::keys::{Dictionary, KeyValue};

/// Rows are never removed before there are this many more than wanted.
const SPARE: usize = 1 << 14;

/// The games of a batch.
pub(super) struct Part {
    /// Their numbers in the archive.
    pub games: Vec<u64>,
    /// For each key the distinct values, and the place of the value of each game.
    pub keys: Vec<(Vec<KeyValue>, Vec<u32>)>,
}

/// Games with the codes of their values for up to this number of keys.
pub(super) struct Rows<'k, const KEYS: usize> {
    keys: &'k [SortKey],
    limit: usize,
    /// The distinct values of each key.
    known: Vec<Dictionary>,
    /// Codes, and the game, counted from 0 over all archives. Between calls of
    /// [`rank`](Self::rank) the order of the codes is not that of the values.
    rows: Vec<([u32; KEYS], u64)>,
}

impl<'k, const KEYS: usize> Rows<'k, KEYS> {
    /// Of the rows the first `limit` are kept. There are at most `KEYS` keys.
    pub fn new(keys: &'k [SortKey], limit: usize) -> Self {
        Self {
            keys,
            limit,
            known: keys.iter().map(|_| Dictionary::default()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds the games of a batch of an archive, with the number of games of the archives before it.
    pub fn add(&mut self, before: u64, part: Part) {
        let first = self.rows.len();
        let games = part.games.into_iter();
        self.rows
            .extend(games.map(|game| ([0; KEYS], before + game - 1)));
        for (key, (values, codes)) in part.keys.into_iter().enumerate() {
            let known = self.known[key].codes_of(values);
            for ((row, _), code) in self.rows[first..].iter_mut().zip(codes) {
                row[key] = known[code as usize];
            }
        }
        if self.rows.len() >= self.limit.saturating_mul(2).saturating_add(SPARE) {
            self.keep_first();
        }
    }

    /// The games in their order.
    pub fn finish(mut self) -> Vec<GameNumber> {
        self.keep_first();
        self.rows.sort_unstable();
        let games = self.rows.iter();
        games
            .map(|&(_, game)| GameNumber::from_index(game))
            .collect()
    }

    /// Removes the rows beyond the limit, and the values that no other row has.
    fn keep_first(&mut self) {
        let mut values = self.rank();
        if self.rows.len() > self.limit {
            if self.limit > 0 {
                self.rows.select_nth_unstable(self.limit - 1);
            }
            self.rows.truncate(self.limit);
            for (key, values) in values.iter_mut().enumerate() {
                let mut is_used = vec![false; values.len()];
                for (codes, _) in &self.rows {
                    is_used[codes[key] as usize] = true;
                }
                let mut codes = Vec::with_capacity(values.len());
                let mut used = 0;
                for &is_used in &is_used {
                    codes.push(used);
                    used += u32::from(is_used);
                }
                for (row, _) in &mut self.rows {
                    row[key] = codes[row[key] as usize];
                }
                let mut is_used = is_used.into_iter();
                values.retain(|_| is_used.next().unwrap_or(false));
            }
        }
        for (known, values) in self.known.iter_mut().zip(values) {
            known.codes_of(values);
        }
    }

    /// Makes the codes of each key the ranks of its values, and returns the values by rank.
    fn rank(&mut self) -> Vec<Vec<KeyValue>> {
        let mut all = Vec::with_capacity(self.keys.len());
        for (place, key) in self.keys.iter().enumerate() {
            let values = std::mem::take(&mut self.known[place]).into_values();
            let mut coded: Vec<(KeyValue, u32)> = values.into_iter().zip(0..).collect();
            coded.sort_unstable_by(|(one, _), (other, _)| key.compare(one, other));
            let mut ranks = vec![0; coded.len()];
            for (rank, &(_, code)) in (0..).zip(&coded) {
                ranks[code as usize] = rank;
            }
            for (codes, _) in &mut self.rows {
                codes[place] = ranks[codes[place] as usize];
            }
            all.push(coded.into_iter().map(|(value, _)| value).collect());
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part of games with a value of each of two keys.
    fn part(games: std::ops::Range<u64>) -> Part {
        let value = |number: Option<i32>| number.map_or(KeyValue::Missing, KeyValue::Number);
        let first = |game: u64| (!game.is_multiple_of(7)).then_some((game * 31 % 50) as i32);
        let second = |game: u64| Some((game * 17 % 13) as i32);
        let of = |values: &dyn Fn(u64) -> Option<i32>| {
            let all = games.clone().map(|game| value(values(game))).collect();
            (all, (0..games.clone().count() as u32).collect())
        };
        Part {
            keys: vec![of(&first), of(&second)],
            games: games.clone().map(|game| game + 1).collect(),
        }
    }

    #[test]
    fn a_limit_keeps_the_first_of_all_and_their_values_only() {
        let keys: Vec<SortKey> = ["elo:desc", "plies"]
            .into_iter()
            .map(|key| key.parse().unwrap())
            .collect();
        let sorted = |limit: usize| {
            let mut rows = Rows::<2>::new(&keys, limit);
            for batch in 0..100 {
                rows.add(0, part(batch * 1000..(batch + 1) * 1000));
                assert!(rows.rows.len() <= 2 * limit.min(1 << 20) + SPARE + 1000);
            }
            rows.finish()
        };
        let all = sorted(usize::MAX);
        assert_eq!(all.len(), 100_000);
        for limit in [0, 1, 2, 1000, 30_000, 99_999, 100_000, 200_000] {
            assert_eq!(sorted(limit), all[..limit.min(all.len())], "{limit}");
        }
        let mut expected: Vec<u64> = (0..100_000).collect();
        expected.sort_by_key(|game| {
            let is_missing = game.is_multiple_of(7);
            let first = if is_missing { 0 } else { game * 31 % 50 };
            (is_missing, std::cmp::Reverse(first), game * 17 % 13)
        });
        assert!(all.iter().map(|game| game.index()).eq(expected));
    }
}
