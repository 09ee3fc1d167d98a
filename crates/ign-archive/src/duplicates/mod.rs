//! Games that were played twice, in one archive or in several.
//!
//! ```text
//! signatures ─► games with equal signatures ─► keys of their lines ─► groups of equal keys
//!     ─► the lines themselves ─► groups of games
//! ```
//!
//! Games with equal moves have equal signatures (seed document 002), so the index leaves few games
//! to look at. (Of Go, records that do not agree on a handicap, or of which one leaves a pass unsaid,
//! may number equal moves differently; those are found where all games are looked at.) Keys of 64
//! bits (see [`line`](super::line)) say which of these may be the same. What is told is not that keys
//! are equal but that moves are: the lines of the candidates are decoded once more, a slice of the
//! games at a time, and compared. Signatures and keys take 16 bytes a game. Of a block no more is
//! decoded than these moves, where games start, and which of them keep text.
//!
//! A game that stands *inside* another is its beginning: a record that breaks off, or was taken
//! down while the game went on. The keys of all opening_prefix of all games are looked up among those
//! of the games; each game that is inside longer ones goes with the longest of them. For this, and
//! for boards that are turned, all games are looked at.

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    hash::{Hash, Hasher},
    ops::ControlFlow,
    sync::Mutex,
    thread,
};

use rayon::slice::ParallelSliceMut as _;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

mod line;

use self::line::{Line, each_line};
use crate::{
    archive::Archive,
    ordered::ordered,
    progress::{Counters, Progress},
};
use ign_format::{
    block::{
        Kind,
        decode::{Block, Records},
    },
    error::Result,
};

/// Games whose lines are in memory at a time, about: a group is not cut.
const SLICE: usize = 1 << 17;

/// What counts as played twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The fewest half-moves of games that are compared.
    pub min_plies: usize,
    /// Whether a game that is the beginning of another goes with it.
    pub inside: bool,
    /// Whether games of Go are the same on a board that is turned or mirrored.
    pub turned: bool,
}

/// A game of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its number in the collection, from 1.
    pub game: u64,
    /// Its half-moves.
    pub plies: usize,
}

/// Games that are the same, or inside the first: the longest stand first, and of these the one that
/// comes first in the collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group(pub Vec<Member>);

impl Group {
    /// The games that are there again: all but the first.
    pub fn again(&self) -> &[Member] {
        &self.0[1..]
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Duplicates {
    /// Groups of two games and more, by their first games.
    pub groups: Vec<Group>,
    /// Games in all.
    pub games: u64,
    /// Games that were not compared as they keep some moves as text.
    pub partly_text: u64,
    /// What the games are games of.
    pub kinds: BTreeSet<&'static str>,
}

/// Archives one after the other, their games counted through.
pub struct Collection<'a> {
    archives: &'a [Archive],
    /// The first game of each, and the number of all.
    firsts: Vec<u64>,
    /// Each block: its archive, and its number there.
    blocks: Vec<(usize, usize)>,
}

impl<'a> Collection<'a> {
    /// That of these archives.
    pub fn new(archives: &'a [Archive]) -> Self {
        let mut firsts = vec![1];
        let mut blocks = Vec::new();
        for (number, archive) in archives.iter().enumerate() {
            firsts.push(firsts[number] + archive.len());
            blocks.extend((0..archive.index().blocks.len()).map(|block| (number, block)));
        }
        Self {
            archives,
            firsts,
            blocks,
        }
    }

    /// The archive of a game, and its number there, from 1.
    pub fn locate(&self, game: u64) -> (usize, u64) {
        let archive = self.firsts.partition_point(|&first| first <= game) - 1;
        (archive, game - self.firsts[archive] + 1)
    }

    /// The games of a block.
    fn games_of(&self, (archive, block): (usize, usize)) -> std::ops::Range<u64> {
        let entry = &self.archives[archive].index().blocks[block];
        let first = self.firsts[archive] + entry.first_game;
        first..first + entry.games
    }

    /// Has blocks looked at by threads, and takes what that gives in their order.
    fn each_block<R: Send>(
        &self,
        blocks: impl Iterator<Item = (usize, usize)> + Send,
        look: impl Fn(&Block, u64) -> Result<R> + Sync,
        mut take: impl FnMut(R) -> Result<()>,
    ) -> Result<()> {
        let threads = self.archives.first().map_or(1, Archive::threads);
        let work = |place: (usize, usize)| {
            let (archive, number) = (&self.archives[place.0], place.1);
            let bytes = archive.block_bytes(number)?;
            archive.in_block(number, || {
                look(&Block::open(&bytes)?, self.games_of(place).start)
            })
        };
        thread::scope(|scope| {
            for done in ordered(scope, threads, blocks.map(Ok), work) {
                take(done?)?;
            }
            Ok(())
        })
    }

    /// Finds the games that were played twice.
    ///
    /// # Errors
    /// Io; corrupt; unsupported when moves were coded by another model.
    pub fn duplicates(
        &self,
        options: &Options,
        mut on_progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Duplicates> {
        let counters = Counters::default();
        let wanted = match options.inside || options.turned {
            true => None,
            false => Some(self.alike()?),
        };
        let wanted = |game| {
            let alike = wanted.as_ref();
            alike.is_none_or(|alike| alike.binary_search(&game).is_ok())
        };
        let mut found = Duplicates::default();
        let mut keys: Vec<(u64, u64)> = Vec::new();
        let look = |block: &Block, first: u64| {
            let mut own = Vec::new();
            let wanted = |number| wanted(first + number);
            let partly_text = each_compared(block, options, wanted, |number, line| {
                own.push((line.key(), first + number));
            })?;
            let games = block.head().games as u64;
            counters.add_games(games);
            Ok((games, partly_text, block.kind(), own))
        };
        let take = |(games, partly_text, kind, own): (u64, u64, Kind, Vec<_>)| {
            found.games += games;
            found.partly_text += partly_text;
            found.kinds.extend((games > 0).then_some(kind.name()));
            keys.extend(own);
            counters.report(&mut on_progress)
        };
        self.each_block(self.blocks.iter().copied(), look, take)?;
        keys.par_sort_unstable();
        let longest = match options.inside {
            true => self.longest(&keys, options)?,
            false => FxHashMap::default(),
        };
        let candidates = candidates(&keys, &longest);
        drop(keys);
        let mut rest = &candidates[..];
        while !rest.is_empty() {
            let groups = rest.chunk_by(|one, other| one.0 == other.0);
            let mut len = 0;
            for group in groups {
                len += group.len();
                if len >= SLICE {
                    break;
                }
            }
            let (slice, others) = rest.split_at(len);
            rest = others;
            self.compare(slice, options, &mut found.groups)?;
        }
        found.groups.sort_unstable_by_key(|group| group.0[0].game);
        Ok(found)
    }

    /// The games that share their signature with others, in order.
    fn alike(&self) -> Result<Vec<u64>> {
        let mut keys = Vec::new();
        for (archive, &first) in self.archives.iter().zip(&self.firsts) {
            for (number, block) in archive.index().blocks.iter().enumerate() {
                let mut hashed = Vec::new();
                for signature in archive.signatures(number)? {
                    let mut hasher = FxHasher::default();
                    signature.hash(&mut hasher);
                    hashed.push(hasher.finish());
                }
                keys.extend(hashed.into_iter().zip(first + block.first_game..));
            }
        }
        keys.sort_unstable();
        let shared = keys.chunk_by(|one, other| one.0 == other.0);
        let shared = shared.filter(|same| same.len() > 1).flatten();
        let mut games: Vec<u64> = shared.map(|&(_, game)| game).collect();
        games.sort_unstable();
        Ok(games)
    }

    /// For each key that is one of a beginning of a longer game: the key of the longest.
    fn longest(&self, keys: &[(u64, u64)], options: &Options) -> Result<FxHashMap<u64, u64>> {
        let known: FxHashSet<u64> = keys.iter().map(|&(key, _)| key).collect();
        // By key of a game inside, the longest around it: half-moves, the game, its key. Of equally
        // long ones the first counts.
        let mut longest: FxHashMap<u64, (usize, Reverse<u64>, u64)> = FxHashMap::default();
        let look = |block: &Block, first: u64| {
            let mut hits = FxHashMap::default();
            let look = |number, line: Line| {
                let all: Vec<u64> = line.keys().collect();
                let Some((&own, opening_prefix)) = all.split_last() else {
                    return;
                };
                let around = (all.len(), Reverse(first + number), own);
                for key in opening_prefix.iter().filter(|&key| known.contains(key)) {
                    let hit = hits.entry(*key).or_insert(around);
                    *hit = around.max(*hit);
                }
            };
            each_compared(block, options, |_| true, look)?;
            Ok(hits)
        };
        self.each_block(self.blocks.iter().copied(), look, |hits| {
            for (key, around) in hits {
                let best = longest.entry(key).or_insert(around);
                *best = around.max(*best);
            }
            Ok(())
        })?;
        let longest = longest.into_iter();
        Ok(longest.map(|(key, (.., around))| (key, around)).collect())
    }

    /// Compares the lines of the games that go together by their keys.
    fn compare(
        &self,
        candidates: &[(u64, u64)],
        options: &Options,
        groups: &mut Vec<Group>,
    ) -> Result<()> {
        let mut wanted: Vec<u64> = candidates.iter().map(|&(_, game)| game).collect();
        wanted.sort_unstable();
        let has_wanted = |place: &(usize, usize)| {
            let games = self.games_of(*place);
            let next = wanted.partition_point(|&game| game < games.start);
            wanted.get(next).is_some_and(|game| games.contains(game))
        };
        let blocks = self.blocks.iter().copied().filter(has_wanted);
        let lines = Mutex::new(FxHashMap::default());
        let look = |block: &Block, first: u64| {
            let mut own = Vec::new();
            let wanted = |number| wanted.binary_search(&(first + number)).is_ok();
            each_compared(block, options, wanted, |number, line| {
                own.push((first + number, line));
            })?;
            lines.lock().expect("nobody panics").extend(own);
            Ok(())
        };
        self.each_block(blocks, look, |()| Ok(()))?;
        let mut lines: FxHashMap<u64, Line> = lines.into_inner().expect("nobody panics");
        for group in candidates.chunk_by(|one, other| one.0 == other.0) {
            let lines = group
                .iter()
                .filter_map(|(_, game)| Some((*game, lines.remove(game)?)));
            groups.extend(same(lines.collect(), options.inside));
        }
        Ok(())
    }
}

/// Shows the lines of those games of a block that are wanted and can be compared, with their numbers
/// in the block. Gives the number of games that cannot, since they keep moves as text.
fn each_compared(
    block: &Block,
    options: &Options,
    wanted: impl Fn(u64) -> bool,
    mut visit: impl FnMut(u64, Line),
) -> Result<u64> {
    let records = block.records()?;
    let kept = block.keeps_text(&records)?;
    let numbers = numbers(&records);
    let compared =
        |record: usize| records.is_game(record) && !kept[record] && wanted(numbers[record]);
    if (0..records.len()).any(compared) {
        each_line(block, &records, options.turned, compared, |record, line| {
            if line.moves.len() >= options.min_plies {
                visit(numbers[record], line);
            }
        })?;
    }
    let kept = (0..)
        .zip(kept)
        .filter(|&(record, kept)| kept && records.is_game(record));
    Ok(kept.count() as u64)
}

/// The number of the game that a record is, or of the next.
fn numbers(records: &Records) -> Vec<u64> {
    let before = (0..records.len()).scan(0, |games, record| {
        let number = *games;
        *games += u64::from(records.is_game(record));
        Some(number)
    });
    before.collect()
}

/// Games that may go together, with the key of their group, those of a group in a row: keys that
/// several games have, and those around which others are.
fn candidates(keys: &[(u64, u64)], longest: &FxHashMap<u64, u64>) -> Vec<(u64, u64)> {
    let around: FxHashSet<u64> = longest.values().copied().collect();
    let mut candidates = Vec::new();
    for same in keys.chunk_by(|one, other| one.0 == other.0) {
        let key = same[0].0;
        let group = longest.get(&key).copied();
        if same.len() > 1 || group.is_some() || around.contains(&key) {
            let group = group.unwrap_or(key);
            candidates.extend(same.iter().map(|&(_, game)| (group, game)));
        }
    }
    candidates.sort_unstable();
    candidates
}

/// Puts games together whose lines are the same, or, where that is asked for, inside the longest.
/// Keys have brought them together, so that hardly ever there is more than one group among them.
fn same(mut lines: Vec<(u64, Line)>, inside: bool) -> Vec<Group> {
    lines.sort_unstable_by_key(|(game, line)| (Reverse(line.moves.len()), *game));
    let mut groups = Vec::new();
    while lines.len() > 1 {
        let (_, first) = &lines[0];
        let goes = |(_, line): &(u64, Line)| {
            (inside || line.moves.len() == first.moves.len()) && first.has_within(line)
        };
        let (own, others): (Vec<_>, Vec<_>) = lines.iter().cloned().partition(goes);
        if own.len() > 1 {
            let member = |(game, line): (u64, Line)| Member {
                game,
                plies: line.moves.len(),
            };
            groups.push(Group(own.into_iter().map(member).collect()));
        }
        lines = others;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::line::Origin;
    use ign_notation::chess::Position;

    fn line(moves: &[u16]) -> Line {
        Line {
            origin: Origin::Chess(Position::default()),
            moves: moves.to_vec(),
        }
    }

    #[test]
    fn games_go_together_by_moves_whatever_their_keys() {
        let lines = vec![
            (1, line(&[1, 2])),
            (2, line(&[1, 3])),
            (5, line(&[1, 2])),
            (7, line(&[1])),
            (9, line(&[4])),
        ];
        let of = |groups: Vec<Group>| -> Vec<Vec<u64>> {
            let games = |group: Group| group.0.iter().map(|m| m.game).collect();
            groups.into_iter().map(games).collect()
        };
        assert_eq!(of(same(lines.clone(), false)), [[1, 5]]);
        assert_eq!(of(same(lines, true)), [[1, 5, 7]]);
    }

    #[test]
    fn what_is_inside_goes_with_the_longest() {
        let keys = [(10, 0), (10, 4), (20, 1), (30, 2), (40, 3), (50, 5)];
        let longest = [(10, 40), (20, 40)].into_iter().collect();
        assert_eq!(
            candidates(&keys, &longest),
            [(40, 0), (40, 1), (40, 3), (40, 4)]
        );
        assert_eq!(candidates(&keys, &FxHashMap::default()), [(10, 0), (10, 4)]);
    }
}
