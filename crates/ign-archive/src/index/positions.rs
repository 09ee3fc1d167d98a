//! Positions to games: one shard of the positions section (spec §15.8).
//!
//! Games are in *groups* of 16. A shard holds all positions whose pawns have hashes with equal
//! leading bits:
//!
//! - Pawns that are in at most [`rare`](Balance::rare) groups: the pair of the pawns and the group,
//!   for each group.
//! - With other pawns, a structure in at most as many groups: the pair of structure and group.
//! - In other structures, a position in at most as many groups: the pair of position and group.
//! - Other positions are *common*. Each has a list of all its occurrences: nodes of the opening
//!   tree, and the games that reach it outside of these.
//!
//! Pairs are kept as hashes: a pair becomes one number, its *bucket* times the number of groups
//! plus the group. The keys of pawns and of structures that are in more groups are listed, so that
//! a search knows into which bucket to look: that of the pawns, of the structure, or of the
//! position. What it finds there are candidates, and about [`false_groups`](Balance::false_groups)
//! of them are no match.

use std::collections::VecDeque;

use ign_entropy::varint;
use ign_format::{
    container::frame,
    error::{Error, Result},
};

use super::{
    gaps::{self, Sequence},
    keys::{Keys, Occurrence, PAWN_BITS, POSITION_BITS, STRUCTURE_BITS},
    source::Extent,
};

/// Games of a group (spec §15.2).
pub const GROUP: u32 = 16;
/// How an index balances its size against the number of groups that a search replays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Balance {
    /// The number of groups up to which the occurrences of a position are found by replay.
    pub rare: usize,
    /// The mean number of groups in a bucket.
    pub false_groups: u64,
}

impl Balance {
    /// The balance for an index of this many groups. A pair takes about
    /// `log2(groups / false_groups)` bits, so more groups are replayed in larger indexes, up to a
    /// number that takes some milliseconds.
    pub fn of(groups: u64) -> Self {
        let false_groups = (groups / 4096).clamp(4, 128);
        Self {
            rare: (false_groups as usize / 2).clamp(8, 64),
            false_groups,
        }
    }
}

/// About how many bits a pair takes in an index of this many groups.
pub fn pair_bits(groups: u64) -> f64 {
    /// What Rice codewords take beyond the logarithm of the mean gap.
    const REST: f64 = 1.6;
    let gap = groups.max(1) as f64 / Balance::of(groups).false_groups as f64;
    gap.max(1.0).log2() + REST
}

/// Where the occurrences of a position are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// All of them.
    All(Occurrences),
    /// In some of these groups, ascending.
    Candidates(Vec<u64>),
}

/// The occurrences of a common position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Occurrences {
    /// Nodes of the opening tree, ascending.
    pub nodes: Vec<u32>,
    /// Other games: the place in the order of the opening tree, and the ordinal of the move
    /// played, by place.
    pub places: Vec<(u32, u8)>,
    /// Where the statistics of the position are, if it has any.
    pub statistics: Option<Extent>,
}

/// A shard as it is written.
#[derive(Debug, Default)]
pub struct Shard {
    /// Statistics of positions, in frames that come before that of the shard.
    pub statistics: Vec<Vec<u8>>,
    /// The payload of the shard.
    pub bytes: Vec<u8>,
}

/// The key of a common position: the lowest bits of the structure, as far as there is room, and the
/// position.
fn common_key(keys: Keys) -> u64 {
    keys.structure << POSITION_BITS | keys.position
}

/// What a pair of a key and a group is about, from the coarsest to the finest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Pawns,
    Structure,
    Position,
}

impl Level {
    const ALL: [Self; 3] = [Self::Pawns, Self::Structure, Self::Position];

    /// The key of a position on this level, without what the shard implies, and its number of bits.
    fn key(self, keys: Keys, shard_bits: u32) -> (u64, u32) {
        let (key, bits) = match self {
            Self::Pawns => (keys.pawns(), PAWN_BITS - shard_bits),
            Self::Structure => (keys.structure, STRUCTURE_BITS - shard_bits),
            Self::Position => (keys.position, POSITION_BITS),
        };
        (key & ((1 << bits) - 1), bits)
    }

    /// Whether keys are equal on this level.
    fn are_equal(self, one: Keys, other: Keys) -> bool {
        match self {
            Self::Pawns => one.pawns() == other.pawns(),
            Self::Structure => one.structure == other.structure,
            Self::Position => one == other,
        }
    }

    /// The bucket of a position, of `count`.
    fn bucket(self, keys: Keys, shard_bits: u32, count: u64) -> u64 {
        let (hash, bits) = match self {
            // The pawns of a structure are not rare, so that many structures have the same ones.
            Self::Structure => (keys.structure_hash(), u64::BITS),
            _ => self.key(keys, shard_bits),
        };
        ((u128::from(hash) * u128::from(count)) >> bits) as u64
    }
}

/// The levels whose keys are listed if they are not rare.
const LISTED: [Level; 2] = [Level::Pawns, Level::Structure];

/// Occurrences in order, some of which may be read again.
struct Reader<I> {
    again: VecDeque<Occurrence>,
    rest: I,
}

impl<I: Iterator<Item = Result<Occurrence>>> Reader<I> {
    /// The next occurrence, which stays.
    fn peek(&mut self) -> Result<Option<Occurrence>> {
        if self.again.is_empty() {
            self.again.extend(self.rest.next().transpose()?);
        }
        Ok(self.again.front().copied())
    }

    /// The next occurrence if it is equal to others on a level.
    fn next_of(&mut self, level: Level, keys: Keys) -> Result<Option<Occurrence>> {
        let next = self
            .peek()?
            .filter(|next| level.are_equal(next.keys(), keys));
        if next.is_some() {
            self.again.pop_front();
        }
        Ok(next)
    }

    /// Whether the occurrences that are equal to the next one on a level are in at most `max`
    /// groups. Then they are read, and `groups` holds their groups.
    fn is_rare(
        &mut self,
        level: Level,
        keys: Keys,
        max: usize,
        groups: &mut Vec<u32>,
    ) -> Result<bool> {
        groups.clear();
        let mut taken = Vec::new();
        while let Some(next) = self.next_of(level, keys)? {
            taken.push(next);
            let group = next.slot() / GROUP;
            if groups.iter().rev().any(|&other| other == group) {
                continue;
            }
            if groups.len() == max {
                for occurrence in taken.into_iter().rev() {
                    self.again.push_front(occurrence);
                }
                return Ok(false);
            }
            groups.push(group);
        }
        Ok(true)
    }
}

/// The occurrences of those positions that occur within the depth of an index: the others are not
/// in it. The occurrences of one position are held until one is within the depth.
pub struct WithinDepth<I> {
    all: I,
    /// Occurrences of one position, all of them after the depth.
    late: VecDeque<Occurrence>,
    /// The position that is known to occur within the depth.
    known: Option<Keys>,
}

impl<I> WithinDepth<I> {
    /// Those of these occurrences, which are sorted.
    pub fn of(all: I) -> Self {
        Self {
            all,
            late: VecDeque::new(),
            known: None,
        }
    }
}

impl<I: Iterator<Item = Result<Occurrence>>> Iterator for WithinDepth<I> {
    type Item = Result<Occurrence>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let held = self.late.front().map(|held| held.keys());
            if held.is_some() && held == self.known {
                return self.late.pop_front().map(Ok);
            }
            let next = match self.all.next()? {
                Ok(next) => next,
                Err(error) => return Some(Err(error)),
            };
            if self.known == Some(next.keys()) {
                return Some(Ok(next));
            }
            if held != Some(next.keys()) {
                self.late.clear();
            }
            if !next.is_late() {
                self.known = Some(next.keys());
            }
            self.late.push_back(next);
        }
    }
}

/// The order of the opening tree.
pub trait Placed {
    /// The place of the game in a slot.
    fn place(&self, slot: u32) -> u32;
    /// The node of the tree that holds an occurrence, if there is one.
    fn node(&self, occurrence: Occurrence) -> Option<u32>;
}

/// Writes the shard of these occurrences, which are sorted. `statistics` returns the statistics of
/// a position, if it has any.
///
/// # Errors
/// Those of `occurrences` and `statistics`.
pub fn write(
    occurrences: impl Iterator<Item = Result<Occurrence>>,
    shard_bits: u32,
    groups: u64,
    order: &impl Placed,
    statistics: impl Fn(&Occurrences) -> Result<Option<Vec<u8>>>,
) -> Result<Shard> {
    let balance = Balance::of(groups);
    let mut reader = Reader {
        again: VecDeque::new(),
        rest: occurrences,
    };
    let mut common = Vec::new();
    // Pairs of hash and group.
    let mut pairs: Vec<(Level, Keys, u32)> = Vec::new();
    let mut distinct = Vec::new();
    // The levels on which the next occurrence is known not to be rare, and its keys.
    let mut known: Vec<(Level, Keys)> = Vec::new();
    // The keys of pawns and of structures that are not rare.
    let mut not_rare: [Vec<u64>; 2] = Default::default();
    while let Some(next) = reader.peek()? {
        let keys = next.keys();
        known.retain(|&(level, others)| level.are_equal(keys, others));
        let mut is_rare = false;
        for &level in &Level::ALL[known.len()..] {
            is_rare = reader.is_rare(level, keys, balance.rare, &mut distinct)?;
            if is_rare {
                pairs.extend(distinct.iter().map(|&group| (level, keys, group)));
                break;
            }
            known.push((level, keys));
            if let Some(not_rare) = not_rare.get_mut(level as usize) {
                not_rare.push(level.key(keys, shard_bits).0);
            }
        }
        if is_rare {
            continue;
        }
        let mut found = Occurrences::default();
        let mut last = None;
        // The slots of a position ascend. The first occurrence in a game counts.
        while let Some(occurrence) = reader.next_of(Level::Position, keys)? {
            if last.replace(occurrence.slot()) == Some(occurrence.slot()) {
                continue;
            }
            match order.node(occurrence) {
                Some(node) if found.nodes.last() == Some(&node) => {}
                Some(node) => found.nodes.push(node),
                None => {
                    let place = order.place(occurrence.slot());
                    found.places.push((place, occurrence.ordinal()));
                }
            }
        }
        found.nodes.sort_unstable();
        found.nodes.dedup();
        found.places.sort_unstable();
        let counted = statistics(&found)?;
        common.push((common_key(keys), found, counted));
    }
    common.sort_unstable_by_key(|&(key, ..)| key);
    let buckets = (pairs.len() as u64 / balance.false_groups).max(1);
    let value = |&(level, keys, group): &(Level, Keys, u32)| {
        level.bucket(keys, shard_bits, buckets) * groups + u64::from(group)
    };
    let mut values: Vec<u64> = pairs.iter().map(value).collect();
    values.sort_unstable();
    values.dedup();

    let mut out = Vec::new();
    varint::write(&mut out, common.len() as u64);
    let frame_len = |payload: &Vec<u8>| (payload.len() + frame::SEAL_LEN) as u64;
    let counted = common.iter().filter_map(|(.., counted)| counted.as_ref());
    // Bytes from the statistics of the next position that has some to the shard.
    let mut distance: u64 = counted.map(frame_len).sum();
    let mut statistics = Vec::new();
    for (key, found, counted) in common {
        out.extend_from_slice(&key.to_le_bytes());
        let mut list = Vec::new();
        if let Some(counted) = counted {
            let len = frame_len(&counted);
            varint::write(&mut list, distance);
            varint::write(&mut list, len);
            distance -= len;
            statistics.push(counted);
        } else {
            varint::write(&mut list, 0);
        }
        found.write(&mut list);
        varint::write(&mut out, list.len() as u64);
        out.extend_from_slice(&list);
    }
    for (level, listed) in LISTED.into_iter().zip(&not_rare) {
        let (_, bits) = level.key(Keys::default(), shard_bits);
        gaps::write_sequence(&mut out, listed, 1 << bits);
    }
    varint::write(&mut out, buckets);
    gaps::write_sequence(&mut out, &values, buckets * groups);
    Ok(Shard {
        statistics,
        bytes: out,
    })
}

impl Occurrences {
    fn write(&self, out: &mut Vec<u8>) {
        varint::write(out, self.nodes.len() as u64);
        let mut before = 0;
        for &node in &self.nodes {
            varint::write(out, u64::from(node - before));
            before = node;
        }
        before = 0;
        for &(place, ordinal) in &self.places {
            varint::write(out, u64::from(place - before));
            out.push(ordinal);
            before = place;
        }
    }

    /// Reads a list of the shard that starts at byte `shard` of the file.
    fn read(mut input: &[u8], shard: u64) -> Result<Self> {
        let input = &mut input;
        let mut found = Self::default();
        let distance = varint::read_at_most(input, shard, "the distance of statistics")?;
        if distance > 0 {
            let len = varint::read_at_most(input, distance, "the length of statistics")?;
            found.statistics = Some(Extent {
                offset: shard - distance,
                len,
            });
        }
        let count = varint::read_limited(input, input.len() as u64, "the nodes of a position")?;
        let mut before = 0u32;
        let next = |input: &mut &[u8], before: &mut u32| -> Result<u32> {
            let gap = varint::read_limited(input, u64::from(u32::MAX - *before), "a gap")?;
            *before += gap as u32;
            Ok(*before)
        };
        for _ in 0..count {
            let node = next(input, &mut before)?;
            if found.nodes.last() == Some(&node) {
                return Err(malformed());
            }
            found.nodes.push(node);
        }
        before = 0;
        while !input.is_empty() {
            let place = next(input, &mut before)?;
            if found.places.last().is_some_and(|&(last, _)| last == place) {
                return Err(malformed());
            }
            let ordinal = input.split_off_first().ok_or_else(malformed)?;
            found.places.push((place, *ordinal));
        }
        Ok(found)
    }
}

fn malformed() -> Error {
    Error::corrupt("a list of positions of the index is malformed")
}

/// Searches a shard, whose frame starts at byte `at` of the file, for a position.
///
/// # Errors
/// Corrupt.
pub fn find(mut shard: &[u8], at: u64, shard_bits: u32, groups: u64, keys: Keys) -> Result<Found> {
    let input = &mut shard;
    let wanted = common_key(keys);
    let count = varint::read_limited(input, input.len() as u64, "the number of positions")?;
    for _ in 0..count {
        let bytes = input.split_off(..8).ok_or_else(malformed)?;
        let key = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let len = varint::read_limited(input, input.len() as u64, "the list of a position")?;
        let list = input.split_off(..len).ok_or_else(malformed)?;
        if key == wanted {
            return Occurrences::read(list, at).map(Found::All);
        }
    }
    // The coarsest level on which the position is rare.
    let mut rare = None;
    for level in LISTED {
        let (key, bits) = level.key(keys, shard_bits);
        let listed = Sequence::read(input, 1 << bits)?;
        if listed.range(key, key + 1)?.is_empty() {
            rare = rare.or(Some(level));
        }
    }
    let rare = rare.unwrap_or(Level::Position);
    let max = u64::MAX >> 8;
    let buckets = varint::read_at_most(input, max / groups.max(1), "the number of buckets")?;
    let pairs = Sequence::read(input, buckets * groups)?;
    let from = rare.bucket(keys, shard_bits, buckets) * groups;
    let found = pairs.range(from, from + groups)?;
    let candidates = found.into_iter().map(|pair| pair - from);
    Ok(Found::Candidates(candidates.collect()))
}

/// The number of bits that choose a shard, for an index of games with `plies` plies in all.
pub fn shard_bits(plies: u64) -> u32 {
    /// Plies of a shard, about: it is then a few hundred kilobytes.
    const PLIES: u64 = 1 << 17;
    /// More shards would be open at a time than memory for them is worth.
    const MAX: u32 = 12;
    (plies / PLIES)
        .checked_ilog2()
        .map_or(0, |bits| bits + 1)
        .min(MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUPS: u64 = 5000;

    /// The occurrences of `games` games: position `p` of structure `s` in each slot.
    fn occurrences(of: impl IntoIterator<Item = (u64, u64, u32)>) -> Vec<Occurrence> {
        let mut all: Vec<_> = of
            .into_iter()
            .map(|(structure, position, slot)| {
                let keys = Keys {
                    structure,
                    position,
                };
                Occurrence::new(keys, slot, 7, (slot % 30) as u8)
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// Games in the order of their slots, of which the first ones are those of node 9.
    struct InSlots(u32);

    impl Placed for InSlots {
        fn place(&self, slot: u32) -> u32 {
            slot
        }

        fn node(&self, occurrence: Occurrence) -> Option<u32> {
            (occurrence.slot() < self.0).then_some(9)
        }
    }

    /// The shard of occurrences without an opening tree and statistics.
    fn written(occurrences: &[Occurrence], shard_bits: u32) -> Vec<u8> {
        let occurrences = occurrences.iter().copied().map(Ok);
        let shard = write(occurrences, shard_bits, GROUPS, &InSlots(0), |_| Ok(None));
        shard.unwrap().bytes
    }

    fn search(shard: &[u8], structure: u64, position: u64) -> Found {
        find(
            shard,
            1 << 20,
            4,
            GROUPS,
            Keys {
                structure,
                position,
            },
        )
        .unwrap()
    }

    #[test]
    fn rare_structures_and_positions_are_candidates_and_common_positions_complete() {
        let rare = (0..3).map(|i| (1 << 27, i, 100 * i as u32));
        let common = (0..40).map(|i| (2 << 27, 5, 160 * i));
        let inside = [(2 << 27, 6, 17), (2 << 27, 6, 4000)];
        let all = occurrences(rare.chain(common).chain(inside));
        let shard = write(
            all.iter().copied().map(Ok),
            4,
            GROUPS,
            &InSlots(320),
            |found| Ok((!found.nodes.is_empty()).then(|| vec![1, 2, 3])),
        );
        let shard = shard.unwrap();
        assert_eq!(shard.statistics, [[1, 2, 3]]);
        let shard = shard.bytes;
        let Found::Candidates(groups) = search(&shard, 1 << 27, 0) else {
            panic!("a rare structure has a list");
        };
        assert!(
            [0, 6, 12].iter().all(|group| groups.contains(group)),
            "{groups:?}"
        );
        let Found::Candidates(groups) = search(&shard, 2 << 27, 6) else {
            panic!("a rare position has a list");
        };
        assert!(
            [1, 250].iter().all(|group| groups.contains(group)),
            "{groups:?}"
        );
        let places = (2..40u32)
            .map(|i| (160 * i, (160 * i % 30) as u8))
            .collect();
        let len = 3 + frame::SEAL_LEN as u64;
        let expected = Occurrences {
            nodes: vec![9],
            places,
            statistics: Some(Extent {
                offset: (1 << 20) - len,
                len,
            }),
        };
        assert_eq!(search(&shard, 2 << 27, 5), Found::All(expected));
    }

    #[test]
    fn positions_that_occur_only_after_the_depth_are_left_out() {
        let of = |position: u64, slot: u32| {
            let keys = Keys {
                structure: 1,
                position,
            };
            Occurrence::new(keys, slot, 3, 0)
        };
        // Position 1 is late, 2 is late in its first game, and 3 is early in its first game.
        let all = [
            of(1, 4).late(),
            of(1, 5).late(),
            of(2, 1).late(),
            of(2, 2),
            of(2, 3).late(),
            of(3, 1),
            of(3, 9).late(),
            of(4, 2).late(),
        ];
        let kept: Vec<_> = WithinDepth::of(all.into_iter().map(Ok))
            .map(Result::unwrap)
            .collect();
        assert_eq!(kept, all[2..7]);
    }

    #[test]
    fn few_groups_are_found_in_vain() {
        let all = occurrences((0..20_000u64).map(|i| {
            let hash = i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (hash >> 32, hash & 0xfff_ffff, (hash >> 40) as u32 % 80_000)
        }));
        let shard = written(&all, 0);
        let found: usize = (0..1000u64)
            .map(|i| {
                let keys = Keys {
                    structure: i << 22 | 12_345,
                    position: (i * 7919 % 1024) << 40 | 77,
                };
                match find(&shard, 0, 0, GROUPS, keys).unwrap() {
                    Found::Candidates(groups) => groups.len(),
                    Found::All(_) => 0,
                }
            })
            .sum();
        // One bucket for each position.
        assert!(found > 2500 && found < 5500, "{found}");
    }

    #[test]
    fn cut_off_shards_are_errors_or_find_something_else() {
        let all = occurrences((0..300).map(|i| (2 << 27, u64::from(i) % 4, 16 * i)));
        let shard = written(&all, 4);
        for len in 0..shard.len() {
            let keys = Keys {
                structure: 2 << 27,
                position: 9,
            };
            assert!(find(&shard[..len], 0, 4, GROUPS, keys).is_err(), "{len}");
        }
        for byte in 0..shard.len() {
            let mut damaged = shard.clone();
            damaged[byte] ^= 0x81;
            let _ = find(
                &damaged,
                0,
                4,
                GROUPS,
                Keys {
                    structure: 2 << 27,
                    position: 9,
                },
            );
        }
    }
}
