//! Games that were recorded twice, in one archive or in several.
//!
//! ```text
//! signatures ─► games with equal signatures ─► keys of their lines ─► groups of equal keys
//!     ─► the lines themselves ─► groups of games
//! ```
//!
//! Games with equal moves have equal signatures, so few games remain after the first step. (Records
//! of a Go game that disagree on a handicap, or of which one omits a pass, may number equal moves
//! differently; they are found only where all games are compared.) Keys of 64 bits select
//! candidates among these. The result does not rest on keys: the lines of the candidates are
//! decoded again, a slice of the games at a time, and compared. Signatures and keys take 16 bytes
//! per game. Of a block only moves, starting positions and the layout are decoded.
//!
//! A game is *inside* another if it is a prefix of it: a record that breaks off, or was saved while
//! the game went on. The keys of all prefixes of all games are looked up among the keys of the
//! games; a game that is inside longer ones joins the longest. For this, and for boards that are
//! rotated or mirrored, all games are compared.
//!
//! ```
//! use ign_archive::{Archive, Archives, Input, Packer, Query, duplicates::DuplicateFinder};
//!
//! let text = "[Event \"A\"]\n\n1. e4 e5 *\n\n[Event \"B\"]\n\n1. e4 e5 *\n\n";
//! let (bytes, _) = Packer::new().pack([Input::reader("a", text.as_bytes())], Vec::new())?;
//! let archives = Archives::from(vec![Archive::from_source(bytes, "a.ign")?]);
//! let found = DuplicateFinder::new().find(&archives, &Query::new())?;
//! assert_eq!(found.groups[0].copies()[0].game, 2);
//! # Ok::<(), ign_archive::Error>(())
//! ```

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    hash::{Hash, Hasher},
    sync::Mutex,
    thread,
};

use rayon::slice::ParallelSliceMut as _;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

mod line;

use self::line::{Line, each_line};
use ign_notation::signature::Signature;

use crate::{
    archive::Archive,
    archives::Archives,
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
    query::Query,
};
use ign_format::{
    block::{
        Kind,
        decode::{Block, Records},
    },
    error::Result,
    game_number::GameNumber,
};

/// The approximate number of games whose lines are in memory at a time. A group is not divided.
const SLICE: usize = 1 << 17;

/// Which games count as equal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Options {
    /// The minimum number of plies of the games compared.
    min_plies: usize,
    /// Whether a game that is a prefix of another joins its group.
    inside: bool,
    /// Whether Go games on a rotated or mirrored board count as equal.
    rotated: bool,
}

/// Finds the games that were recorded twice. By default games with equal moves, of any length.
#[derive(Debug, Default)]
pub struct DuplicateFinder<'p> {
    options: Options,
    on_progress: OnProgress<'p>,
}

impl<'p> DuplicateFinder<'p> {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// The minimum number of plies of the games compared.
    #[must_use]
    pub fn min_plies(mut self, plies: usize) -> Self {
        self.options.min_plies = plies;
        self
    }

    /// Whether a game that is a prefix of another joins its group.
    #[must_use]
    pub fn inside(mut self, inside: bool) -> Self {
        self.options.inside = inside;
        self
    }

    /// Whether Go games on a rotated or mirrored board count as equal.
    #[must_use]
    pub fn rotated(mut self, rotated: bool) -> Self {
        self.options.rotated = rotated;
        self
    }

    progress_setter!();

    /// Finds the duplicates among the games that match a query. The progress is that of the first
    /// pass.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io); [`Corrupt`](crate::ErrorKind::Corrupt);
    /// [`Unsupported`](crate::ErrorKind::Unsupported) if moves were coded by another move model;
    /// [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn find(mut self, archives: &Archives, query: &Query) -> Result<Duplicates> {
        let compared = Compared::new(archives, query)?;
        compared.duplicates(&self.options, &mut self.on_progress)
    }
}

/// A game of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member {
    /// Its number in the collection.
    pub game: GameNumber,
    /// Its number of plies.
    pub plies: usize,
}

/// Games that are equal to the first or inside it: the longest first, among equal lengths in the
/// order of the collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group(pub Vec<Member>);

impl Group {
    /// The copies: all games but the first.
    pub fn copies(&self) -> &[Member] {
        &self.0[1..]
    }
}

/// The result of a search for duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicates {
    /// Groups of two or more games, in the order of their first games.
    pub groups: Vec<Group>,
    /// The games that take part: all games of the collection, or those that match its query.
    pub games: u64,
    /// Games of these that were not compared because some of their moves are kept as text.
    pub partly_text: u64,
    /// The names of the kinds of games: `chess`, `go`.
    pub kinds: BTreeSet<&'static str>,
}

/// The games that take part, counted from 0.
struct Compared<'a> {
    archives: &'a Archives,
    /// The blocks with games that take part: archive, and number within the archive.
    blocks: Vec<(usize, usize)>,
    /// The games that take part, in order; `None` if all do.
    matching: Option<Vec<u64>>,
}

impl<'a> Compared<'a> {
    fn new(archives: &'a Archives, query: &Query) -> Result<Self> {
        let numbered = archives.archives().iter().enumerate();
        let blocks = numbered.flat_map(|(number, archive)| {
            (0..archive.blocks().len()).map(move |block| (number, block))
        });
        let mut compared = Self {
            archives,
            blocks: blocks.collect(),
            matching: None,
        };
        if !query.is_empty() {
            let matching = archives.find(query)?.into_iter();
            let matching: Vec<u64> = matching.map(GameNumber::index).collect();
            let mut blocks = std::mem::take(&mut compared.blocks);
            blocks.retain(|&place| !among(&matching, compared.games_of(place)).is_empty());
            compared.blocks = blocks;
            compared.matching = Some(matching);
        }
        Ok(compared)
    }

    /// Whether a game takes part.
    fn takes_part(&self, game: u64) -> bool {
        let matching = self.matching.as_ref();
        matching.is_none_or(|matching| matching.binary_search(&game).is_ok())
    }

    fn archive(&self, number: usize) -> &'a Archive {
        &self.archives.archives()[number]
    }

    /// The games of a block.
    fn games_of(&self, (archive, block): (usize, usize)) -> std::ops::Range<u64> {
        let entry = &self.archive(archive).blocks()[block];
        let first = self.archives.games_before(archive) + entry.first_game;
        first..first + entry.games
    }

    /// Does work on blocks by several threads; `take` receives the results in order.
    fn each_block<R: Send>(
        &self,
        blocks: impl Iterator<Item = (usize, usize)> + Send,
        look: impl Fn(&Block, u64) -> Result<R> + Sync,
        mut take: impl FnMut(R) -> Result<()>,
    ) -> Result<()> {
        let threads = self.archives.threads();
        let work = |place: (usize, usize)| {
            let (archive, number) = (self.archive(place.0), place.1);
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

    fn duplicates(&self, options: &Options, on_progress: &mut OnProgress) -> Result<Duplicates> {
        let counters = Counters::default();
        let shared = if options.inside || options.rotated {
            None
        } else {
            Some(self.with_shared_signature()?)
        };
        let wanted = |game| {
            let shared = shared.as_ref();
            self.takes_part(game) && shared.is_none_or(|shared| shared.binary_search(&game).is_ok())
        };
        let mut found = Duplicates::default();
        let mut keys: Vec<(u64, u64)> = Vec::new();
        let look = |block: &Block, first: u64| {
            let mut own = Vec::new();
            let wanted = |number| wanted(first + number);
            let takes_part = |number| self.takes_part(first + number);
            let partly_text = each_compared(block, options, takes_part, wanted, |number, line| {
                own.push((line.key(), first + number));
            })?;
            let all = block.head().games as u64;
            counters.add_games(all);
            let games = match &self.matching {
                None => all,
                Some(matching) => among(matching, first..first + all).len() as u64,
            };
            Ok((games, partly_text, block.kind(), own))
        };
        let take = |(games, partly_text, kind, own): (u64, u64, Kind, Vec<_>)| {
            found.games += games;
            found.partly_text += partly_text;
            found.kinds.extend((games > 0).then_some(kind.name()));
            keys.extend(own);
            counters.report(on_progress)
        };
        self.each_block(self.blocks.iter().copied(), look, take)?;
        keys.par_sort_unstable();
        let longest = if options.inside {
            self.longest(&keys, options)?
        } else {
            FxHashMap::default()
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

    /// The games whose signature others have too, in order.
    fn with_shared_signature(&self) -> Result<Vec<u64>> {
        let mut keys = Vec::new();
        for &place in &self.blocks {
            let hash = |signature: Signature| {
                let mut hasher = FxHasher::default();
                signature.hash(&mut hasher);
                hasher.finish()
            };
            let signatures = self.archive(place.0).signatures(place.1)?;
            let numbered = signatures.into_iter().map(hash).zip(self.games_of(place));
            keys.extend(numbered.filter(|&(_, game)| self.takes_part(game)));
        }
        keys.sort_unstable();
        let shared = keys
            .chunk_by(|one, other| one.0 == other.0)
            .filter(|same| same.len() > 1)
            .flatten();
        let mut games: Vec<u64> = shared.map(|&(_, game)| game).collect();
        games.sort_unstable();
        Ok(games)
    }

    /// For each key of a game that is a prefix of longer games: the key of the longest.
    fn longest(&self, keys: &[(u64, u64)], options: &Options) -> Result<FxHashMap<u64, u64>> {
        let known: FxHashSet<u64> = keys.iter().map(|&(key, _)| key).collect();
        // By the key of the inner game, the longest game around it: plies, game, key. Among equally
        // long games the first is chosen.
        let mut longest: FxHashMap<u64, (usize, Reverse<u64>, u64)> = FxHashMap::default();
        let look = |block: &Block, first: u64| {
            let mut hits = FxHashMap::default();
            let look = |number, line: Line| {
                let all: Vec<u64> = line.keys().collect();
                let Some((&own, prefixes)) = all.split_last() else {
                    return;
                };
                let around = (all.len(), Reverse(first + number), own);
                for key in prefixes.iter().filter(|&key| known.contains(key)) {
                    let hit = hits.entry(*key).or_insert(around);
                    *hit = around.max(*hit);
                }
            };
            let wanted = |number| self.takes_part(first + number);
            each_compared(block, options, wanted, wanted, look)?;
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

    /// Compares the lines of the candidates.
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
            each_compared(block, options, wanted, wanted, |number, line| {
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

/// The part of ascending numbers that is in a range.
fn among(games: &[u64], range: std::ops::Range<u64>) -> &[u64] {
    let place = |limit| games.partition_point(|&game| game < limit);
    &games[place(range.start)..place(range.end)]
}

/// Passes the lines of the wanted games of a block to `visit`, with their numbers in the block.
/// Returns the number of games among those that take part that cannot be compared because some of
/// their moves are kept as text.
fn each_compared(
    block: &Block,
    options: &Options,
    takes_part: impl Fn(u64) -> bool,
    wanted: impl Fn(u64) -> bool,
    mut visit: impl FnMut(u64, Line),
) -> Result<u64> {
    let records = block.records()?;
    let kept = block.keeps_text(&records)?;
    let numbers = numbers(&records);
    let compared =
        |record: usize| records.is_game(record) && !kept[record] && wanted(numbers[record]);
    if (0..records.len()).any(compared) {
        each_line(
            block,
            &records,
            options.rotated,
            compared,
            |record, line| {
                if line.moves.len() >= options.min_plies {
                    visit(numbers[record], line);
                }
            },
        )?;
    }
    let kept = (0..)
        .zip(kept)
        .filter(|&(record, kept)| kept && records.is_game(record))
        .filter(|&(record, _)| takes_part(numbers[record]));
    Ok(kept.count() as u64)
}

/// For each record its number among the games of the block, or that of the next game.
fn numbers(records: &Records) -> Vec<u64> {
    let before = (0..records.len()).scan(0, |games, record| {
        let number = *games;
        *games += u64::from(records.is_game(record));
        Some(number)
    });
    before.collect()
}

/// Candidates with the key of their group, sorted by group: games with equal keys, and games around
/// others.
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

/// Groups games whose lines are equal or, with `inside`, prefixes of the longest. They have equal
/// keys, so there is nearly always one group.
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
                game: GameNumber::from_index(game),
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
    use super::line::Origin;
    use super::*;
    use ign_notation::chess::Position;

    fn line(moves: &[u16]) -> Line {
        Line {
            origin: Origin::Chess(Position::default()),
            moves: moves.to_vec(),
        }
    }

    #[test]
    fn groups_games_by_moves_whatever_their_keys() {
        let lines = vec![
            (1, line(&[1, 2])),
            (2, line(&[1, 3])),
            (5, line(&[1, 2])),
            (7, line(&[1])),
            (9, line(&[4])),
        ];
        let of = |groups: Vec<Group>| -> Vec<Vec<u64>> {
            let games = |group: Group| group.0.iter().map(|m| m.game.index()).collect();
            groups.into_iter().map(games).collect()
        };
        assert_eq!(of(same(lines.clone(), false)), [[1, 5]]);
        assert_eq!(of(same(lines, true)), [[1, 5, 7]]);
    }

    #[test]
    fn an_inner_game_joins_the_longest() {
        let keys = [(10, 0), (10, 4), (20, 1), (30, 2), (40, 3), (50, 5)];
        let longest = [(10, 40), (20, 40)].into_iter().collect();
        assert_eq!(
            candidates(&keys, &longest),
            [(40, 0), (40, 1), (40, 3), (40, 4)]
        );
        assert_eq!(candidates(&keys, &FxHashMap::default()), [(10, 0), (10, 4)]);
    }
}
