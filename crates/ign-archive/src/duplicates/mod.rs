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
//! Equal moves alone do not make duplicates: most games with equal moves are short games of other
//! players. Games with equal moves are divided into records of one game each, by what they state:
//! their players must agree unless the moves are many ([`SURE_PLIES`]), and a server must not have
//! two addresses for them. Dates, events and results are not compared, because they often differ
//! between sources of the same game. Agreement is not transitive: "Polgar" agrees with two sisters.
//! The longest games come first, then the order of the collection; each game joins the first group
//! all of whose games agree with it. What is left, equal moves of different players, is listed
//! as [different](Duplicates::different) games.
//!
//! A game that is inside games of the same players joins the longest of these, and otherwise the
//! longest game around it.
//!
//! ```
//! use ign_archive::{Archive, Archives, Input, Packer, Query, duplicates::DuplicateFinder};
//!
//! let game = |white| format!("[White \"{white}\"]\n[Black \"Ben\"]\n\n1. e4 e5 *\n\n");
//! let text = [game("Ann Lee"), game("Lee, A."), game("Cid")].concat().into_bytes();
//! let (bytes, _) = Packer::new().pack([Input::reader("a", std::io::Cursor::new(text))], Vec::new())?;
//! let archives = Archives::from(vec![Archive::from_read_at(bytes, "a.ign")?]);
//! let found = DuplicateFinder::new().find(&archives, &Query::new())?;
//! assert_eq!(found.groups[0].copies()[0].game, 2);
//! assert_eq!(found.different[0].members()[1].game, 3);
//! # Ok::<(), ign_archive::Error>(())
//! ```

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    hash::{Hash, Hasher},
    sync::{Arc, Mutex},
    thread,
};

use rayon::slice::ParallelSliceMut as _;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

mod annotated;
mod combine;
mod group;
mod line;
mod output;
mod players;
mod split;

use self::{
    annotated::Annotations,
    line::{Line, each_line},
    players::Identity,
    split::{player_keys, split},
};
pub use self::{
    annotated::Prefer,
    group::{Group, Member},
    output::Unique,
    players::SURE_PLIES,
};
use ign_notation::signature::Signature;

use crate::{
    Game,
    archive::Archive,
    archives::Archives,
    loaded::{LoadedBlock, Scope},
    ordered::ordered,
    progress::{Counters, OnProgress, progress_setter},
    query::Query,
    threads::each,
};
use ign_format::{
    block::{
        Kind,
        decode::{Block, Records},
    },
    columns::Table,
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
    /// Whether equal moves make duplicates, whoever played them.
    any_players: bool,
    /// Which of the games of a group comes first.
    prefer: Prefer,
}

impl Options {
    /// Whether an inner game joins a game of the same players.
    fn inside_by_players(self) -> bool {
        self.inside && !self.any_players
    }
}

/// Finds the games that were recorded twice: equal moves, of any length, by players whose names
/// agree.
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

    /// Whether games with equal moves are duplicates whoever played them.
    #[must_use]
    pub fn any_players(mut self, any_players: bool) -> Self {
        self.options.any_players = any_players;
        self
    }

    /// Which game of a group is the first, the one to keep. By default the first of the longest.
    #[must_use]
    pub fn prefer(mut self, prefer: Prefer) -> Self {
        self.options.prefer = prefer;
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

/// The result of a search for duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicates {
    /// Records of one game: two or more, in the order of their first games.
    pub groups: Vec<Group>,
    /// Games with equal moves that are different games as far as is known: the first of each group
    /// of duplicates, and games without duplicates.
    pub different: Vec<Group>,
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
                look(&archive.block(&bytes)?, self.games_of(place).start)
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
        let mut player_keys: Vec<(u64, u64)> = Vec::new();
        let look = |block: &Block, first: u64| {
            let (mut own, mut own_players) = (Vec::new(), Vec::new());
            let wanted = |number| wanted(first + number);
            let takes_part = |number| self.takes_part(first + number);
            let players = Players::of(block, options.inside_by_players())?;
            let partly_text = each_compared(block, options, takes_part, wanted, |number, line| {
                let (key, game) = (line.key(), first + number);
                own.push((key, game));
                let players = players.keys(number).into_iter();
                own_players.extend(players.map(|players| (game, key ^ players)));
            })?;
            let all = block.head().games as u64;
            counters.add_games(all);
            let games = match &self.matching {
                None => all,
                Some(matching) => among(matching, first..first + all).len() as u64,
            };
            Ok((games, partly_text, block.kind(), own, own_players))
        };
        type Looked = (u64, u64, Kind, Vec<(u64, u64)>, Vec<(u64, u64)>);
        let take = |(games, partly_text, kind, own, own_players): Looked| {
            found.games += games;
            found.partly_text += partly_text;
            found.kinds.extend((games > 0).then_some(kind.name()));
            keys.extend(own);
            player_keys.extend(own_players);
            counters.report(on_progress)
        };
        self.each_block(self.blocks.iter().copied(), look, take)?;
        keys.par_sort_unstable();
        let longest = if options.inside {
            self.longest(&keys, &player_keys, options)?
        } else {
            FxHashMap::default()
        };
        let candidates = candidates(&keys, &player_keys, &longest);
        drop((keys, player_keys, longest));
        let mut sets = Vec::new();
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
            self.compare(slice, options, &mut sets)?;
        }
        self.divide(sets, options, &mut found)?;
        Ok(found)
    }

    /// Divides games with equal moves into records of one game each, the one to keep first.
    fn divide(&self, sets: Vec<Group>, options: &Options, found: &mut Duplicates) -> Result<()> {
        let mut divided: Vec<Vec<Group>> = if options.any_players {
            sets.into_iter().map(|set| vec![set]).collect()
        } else {
            let identities = self.identities(sets.iter().flat_map(|set| &set.0))?;
            let identity = |member: &Member| &identities[&member.game];
            sets.iter().map(|set| split(&set.0, identity)).collect()
        };
        if options.prefer.reads() {
            let groups = divided.iter().flatten().filter(|group| group.0.len() > 1);
            let annotations = self.annotations(groups.flat_map(|group| &group.0))?;
            let groups = divided.iter_mut().flatten();
            for group in groups.filter(|group| group.0.len() > 1) {
                let of = |member: &Member| annotations[&member.game];
                options.prefer.sort(&mut group.0, of);
            }
        }
        for groups in divided {
            if groups.len() > 1 {
                let first = groups.iter().map(|group| group.0[0]);
                found.different.push(Group(first.collect()));
            }
            let several = groups.into_iter().filter(|group| group.0.len() > 1);
            found.groups.extend(several);
        }
        found.groups.sort_unstable_by_key(|group| group.0[0].game);
        found
            .different
            .sort_unstable_by_key(|group| group.0[0].game);
        Ok(())
    }

    /// What games state about their players.
    fn identities<'m>(
        &self,
        games: impl Iterator<Item = &'m Member>,
    ) -> Result<FxHashMap<GameNumber, Identity>> {
        self.read(games, |archive, number, games| {
            let bytes = archive.block_bytes(number)?;
            archive.in_block(number, || {
                let players = Players::of(&archive.block(&bytes)?, true)?;
                let first = archive.blocks()[number].first_game;
                let own = games.iter().map(|game| players.identity(game - first));
                Ok(own.collect())
            })
        })
    }

    /// What games have besides their moves.
    fn annotations<'m>(
        &self,
        games: impl Iterator<Item = &'m Member>,
    ) -> Result<FxHashMap<GameNumber, Annotations>> {
        self.read(games, |archive, number, games| {
            let block = Arc::new(LoadedBlock::read(archive, number, |_| Ok(Scope::All))?);
            let rows: Vec<usize> = block.records.games().collect();
            let own = games.iter().map(|&game| {
                let row = rows[(game - block.first_game()) as usize];
                let number = GameNumber::from_index(game);
                Annotations::of(&Game::new(block.clone(), row, number))
            });
            own.collect()
        })
    }

    /// Reads something of each of some games, by several threads. `read` gets an archive, the
    /// number of a block, and games of the block, ascending and counted from 0 in the archive.
    fn read<'m, R: Send>(
        &self,
        games: impl Iterator<Item = &'m Member>,
        read: impl Fn(&Archive, usize, &[u64]) -> Result<Vec<R>> + Sync,
    ) -> Result<FxHashMap<GameNumber, R>> {
        let mut games: Vec<GameNumber> = games.map(|member| member.game).collect();
        games.sort_unstable();
        let mut jobs: Vec<(&Archive, usize, Vec<u64>)> = Vec::new();
        for (_, archive, own) in self.archives.by_archive(&games)? {
            let mut last = None;
            for game in own {
                let (block, _) = archive.locate(game)?;
                if last.replace(block) != Some(block) {
                    jobs.push((archive, block, Vec::new()));
                }
                jobs.last_mut()
                    .expect("one was pushed")
                    .2
                    .push(game.index());
            }
        }
        let read = each(self.archives.threads(), jobs, |(archive, block, games)| {
            read(archive, block, &games)
        })?;
        Ok(games.into_iter().zip(read.into_iter().flatten()).collect())
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

    /// For each key of a game, with and without keys of its players, that is a prefix of longer
    /// games (of the same players): the longest.
    fn longest(
        &self,
        keys: &[(u64, u64)],
        player_keys: &[(u64, u64)],
        options: &Options,
    ) -> Result<FxHashMap<u64, Around>> {
        let known: FxHashSet<u64> = keys.iter().map(|&(key, _)| key).collect();
        let by_players: FxHashSet<u64> = player_keys.iter().map(|&(_, key)| key).collect();
        let mut longest: FxHashMap<u64, Around> = FxHashMap::default();
        let look = |block: &Block, first: u64| {
            let mut hits: FxHashMap<u64, Around> = FxHashMap::default();
            let players = Players::of(block, options.inside_by_players())?;
            let look = |number, line: Line| {
                let all: Vec<u64> = line.keys().collect();
                let Some((&own, prefixes)) = all.split_last() else {
                    return;
                };
                let around = Around(all.len(), Reverse(first + number), own);
                let mut hit = |key| {
                    let hit = hits.entry(key).or_insert(around);
                    *hit = around.max(*hit);
                };
                let mut players_of_game = None;
                for &key in prefixes.iter().filter(|&key| known.contains(key)) {
                    hit(key);
                    let players = players_of_game.get_or_insert_with(|| players.keys(number));
                    let keys = players.iter().map(|players| key ^ players);
                    keys.filter(|key| by_players.contains(key))
                        .for_each(&mut hit);
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
        Ok(longest)
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

/// The players of the games of a block.
struct Players {
    table: Table,
    /// The record of each game.
    rows: Vec<usize>,
}

impl Players {
    /// Reads the tags, or none if they are not `needed`.
    fn of(block: &Block, needed: bool) -> Result<Self> {
        if !needed {
            return Ok(Self {
                table: Table::default(),
                rows: Vec::new(),
            });
        }
        let records = block.records()?;
        let names: Vec<&str> = Identity::tags().collect();
        Ok(Self {
            table: block.table(&records, Some(&names))?,
            rows: records.games().collect(),
        })
    }

    /// What a game states, by its number in the block.
    fn identity(&self, number: u64) -> Identity {
        let Some(&row) = self.rows.get(number as usize) else {
            return Identity::default();
        };
        Identity::read(|name| self.table.value(self.table.tag(name.as_bytes())?, row))
    }

    /// Keys of the players of a game. Games of players who agree have one in common, if all names
    /// are known.
    fn keys(&self, number: u64) -> Vec<u64> {
        let hash = |pair: (&str, &str)| {
            let mut hasher = FxHasher::default();
            pair.hash(&mut hasher);
            hasher.finish()
        };
        player_keys(&self.identity(number)).map(hash).collect()
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

/// A game around others: its plies, its number and its key. Of equally long games the first is the
/// greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Around(usize, Reverse<u64>, u64);

/// Candidates with the key of their group, sorted by group: games with equal keys, and games around
/// others. An inner game belongs to the longest game of its players around it, or else to the
/// longest of all.
fn candidates(
    keys: &[(u64, u64)],
    player_keys: &[(u64, u64)],
    longest: &FxHashMap<u64, Around>,
) -> Vec<(u64, u64)> {
    let mut around: FxHashMap<u64, Around> = FxHashMap::default();
    for (game, key) in player_keys {
        if let Some(&found) = longest.get(key) {
            let best = around.entry(*game).or_insert(found);
            *best = found.max(*best);
        }
    }
    let mut candidates: Vec<(u64, u64)> = keys
        .iter()
        .map(|&(mut key, game)| {
            let (mut outer, mut plies) = (game, 0);
            // Each game around another is longer, unless different lines have one key.
            while let Some(&Around(len, Reverse(next), next_key)) = around.get(&outer)
                && len > plies
            {
                (outer, plies, key) = (next, len, next_key);
            }
            (longest.get(&key).map_or(key, |around| around.2), game)
        })
        .collect();
    candidates.sort_unstable();
    let several = candidates
        .chunk_by(|one, other| one.0 == other.0)
        .filter(|same| same.len() > 1);
    several.flatten().copied().collect()
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
        let around = Around(9, Reverse(3), 40);
        let longest = [(10, around), (20, around)].into_iter().collect();
        assert_eq!(
            candidates(&keys, &[], &longest),
            [(40, 0), (40, 1), (40, 3), (40, 4)]
        );
        let none = FxHashMap::default();
        assert_eq!(candidates(&keys, &[], &none), [(10, 0), (10, 4)]);
        // Game 4 is inside game 5 by the same players, and game 0 inside game 3.
        let players = [(4, 11), (5, 51)];
        let longest = [(10, around), (11, Around(8, Reverse(5), 50))];
        assert_eq!(
            candidates(&keys, &players, &longest.into_iter().collect()),
            [(40, 0), (40, 3), (50, 4), (50, 5)]
        );
    }
}
