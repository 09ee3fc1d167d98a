//! How well signatures identify games: the number of games that share theirs with no other.
//!
//! Each of the six moves has 65 values. A and B have 274,625 keys each, which are counted in
//! tables. Both together have 75 billion keys: these are stored, four bytes per game, in 18 buckets
//! by their upper bits, and sorted and counted at the end. Signatures of Go games have more values
//! and are fewer; they are stored whole.

use std::collections::BTreeMap;

use ign_notation::signature::{Element, Signature};

/// Values of a move: 64 squares and `None`.
const VALUES: u64 = 65;
/// Keys of A, and of B.
const KEYS: u64 = VALUES * VALUES * VALUES;

/// The signatures of games, for counting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signatures {
    /// The low 32 bits of the games' keys, by the high bits.
    buckets: BTreeMap<u32, Vec<u32>>,
    /// The signatures of Go games, A before B.
    points: Vec<[[Element; 3]; 2]>,
    /// Games with all six moves: those that reach ply 71.
    complete: u64,
}

/// The counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uniqueness {
    /// Games.
    pub games: u64,
    /// Games whose A no other game has.
    pub unique_a: u64,
    /// Games whose B no other game has.
    pub unique_b: u64,
    /// Games whose A and B together no other game has.
    pub unique: u64,
    /// Those of them with all six moves.
    pub unique_complete: u64,
    /// Games with all six moves.
    pub complete: u64,
    /// Distinct signatures.
    pub different: u64,
    /// The max frequent signature and its number of games; the first in order among equals.
    pub largest: Option<(Signature, u64)>,
    /// Games without any of the six moves: those that end before ply 20.
    pub without: u64,
}

impl Signatures {
    /// Adds the signature of a game.
    pub(super) fn push(&mut self, signature: &Signature) {
        self.complete += u64::from(signature.iter().all(Option::is_some));
        if signature
            .iter()
            .flatten()
            .any(|&e| u64::from(e) >= VALUES - 1)
        {
            let part = |first: usize| [0, 2, 4].map(|i| signature[first + i]);
            self.points.push([part(0), part(1)]);
            return;
        }
        let key = key(signature);
        let bucket = self.buckets.entry((key >> 32) as u32).or_default();
        bucket.push(key as u32);
    }

    /// Adds the signatures of a block.
    pub(super) fn add(&mut self, other: &Self) {
        for (&high, keys) in &other.buckets {
            self.buckets.entry(high).or_default().extend(keys);
        }
        self.points.extend(&other.points);
        self.complete += other.complete;
    }

    /// Counts. This sorts the buckets.
    pub(super) fn count(&mut self) -> Uniqueness {
        let mut parts = [(); 2].map(|()| vec![0u32; KEYS as usize]);
        let mut out = Uniqueness {
            complete: self.complete,
            ..Uniqueness::default()
        };
        for (&high, keys) in &mut self.buckets {
            keys.sort_unstable();
            for same in keys.chunk_by(|a, b| a == b) {
                let key = u64::from(high) << 32 | u64::from(same[0]);
                let count = same.len() as u64;
                for (part, key) in parts.iter_mut().zip([key / KEYS, key % KEYS]) {
                    part[key as usize] = part[key as usize].saturating_add(count as u32);
                }
                out.take(signature(key), count);
            }
        }
        let [a, b] = parts.map(|part| part.iter().filter(|&&count| count == 1).count() as u64);
        (out.unique_a, out.unique_b) = (a, b);
        self.count_points(&mut out);
        out
    }

    fn count_points(&mut self, out: &mut Uniqueness) {
        self.points.sort_unstable();
        for same in self.points.chunk_by(|one, other| one == other) {
            let [a, b] = same[0];
            out.take([a[0], b[0], a[1], b[1], a[2], b[2]], same.len() as u64);
        }
        for (part, unique) in [(0, &mut out.unique_a), (1, &mut out.unique_b)] {
            let mut keys: Vec<_> = self.points.iter().map(|point| point[part]).collect();
            keys.sort_unstable();
            let chunks = keys.chunk_by(|one, other| one == other);
            *unique += chunks.filter(|same| same.len() == 1).count() as u64;
        }
    }
}

impl Uniqueness {
    /// Adds a signature with its number of games.
    fn take(&mut self, signature: Signature, count: u64) {
        self.games += count;
        self.different += 1;
        if count == 1 {
            self.unique += 1;
            self.unique_complete += u64::from(signature.iter().all(Option::is_some));
        }
        if self.largest.is_none_or(|(_, max)| count > max) {
            self.largest = Some((signature, count));
        }
        if signature == [None; 6] {
            self.without = count;
        }
    }
}

/// The key of a signature: A in the upper digits, B in the lower, each with its first move on top.
fn key(signature: &Signature) -> u64 {
    let value = |element: &Element| element.map_or(VALUES - 1, u64::from);
    let digits = signature
        .iter()
        .step_by(2)
        .chain(signature.iter().skip(1).step_by(2));
    digits.fold(0, |key, element| key * VALUES + value(element))
}

/// The signature of a key.
fn signature(mut key: u64) -> Signature {
    let mut out = [None; 6];
    for place in [5, 3, 1, 4, 2, 0] {
        let value = key % VALUES;
        out[place] = (value < VALUES - 1).then_some(value as u16);
        key /= VALUES;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: Signature = [Some(63), Some(0), Some(7), Some(8), Some(62), Some(1)];
    const SHORT: Signature = [Some(63), Some(0), None, None, None, None];

    #[test]
    fn counts_games_of_go_and_chess_together() {
        let go = |last| {
            [
                Some(64),
                Some(70),
                Some(300),
                Some(64),
                Some(65),
                Some(last),
            ]
        };
        let mut signatures = Signatures::default();
        for signature in [
            FULL,
            go(99),
            go(99),
            go(100),
            [Some(64), None, None, None, None, None],
        ] {
            signatures.push(&signature);
        }
        let mut both = Signatures::default();
        both.add(&signatures);
        let counted = both.count();
        assert_eq!(
            (
                counted.games,
                counted.different,
                counted.unique,
                counted.complete
            ),
            (5, 4, 3, 4)
        );
        assert_eq!(counted.largest, Some((go(99), 2)));
        // A is unique for the chess game and the short one; B for these and the third.
        assert_eq!((counted.unique_a, counted.unique_b), (2, 3));
        assert_eq!(counted.unique_complete, 2);
    }

    #[test]
    fn keys_convert_to_signatures_and_back() {
        for wanted in [FULL, SHORT, [None; 6], [Some(0); 6], [Some(63); 6]] {
            assert_eq!(signature(key(&wanted)), wanted);
        }
        assert_eq!(key(&[None; 6]), KEYS * KEYS - 1);
    }

    #[test]
    fn counts_games_that_are_unique_by_a_by_b_and_by_both() {
        let mut other_b = FULL;
        other_b[5] = Some(2);
        let mut signatures = Signatures::default();
        [FULL, other_b, SHORT, SHORT, SHORT]
            .iter()
            .for_each(|s| signatures.push(s));
        let mut more = Signatures::default();
        more.push(&[None; 6]);
        signatures.add(&more);
        let counted = signatures.count();
        assert_eq!(
            (counted.games, counted.different, counted.complete),
            (6, 4, 2)
        );
        // The two complete signatures have equal A and different B.
        assert_eq!(
            (counted.unique_a, counted.unique_b, counted.unique),
            (1, 3, 3)
        );
        assert_eq!((counted.unique_complete, counted.without), (2, 1));
        assert_eq!(counted.largest, Some((SHORT, 3)));
    }

    #[test]
    fn no_signatures_count_as_zero() {
        assert_eq!(Signatures::default().count(), Uniqueness::default());
    }
}
