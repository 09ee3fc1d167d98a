//! Measuring and printing.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use ign_archive::index::{Found, Keys, Segment};

use crate::{
    corpus::{Corpus, Sample},
    keys::PairSet,
};

/// Passes over what is searched.
const PASSES: usize = 20;
/// Passes that are made even if they take longer than [`ENOUGH`].
const MIN_PASSES: usize = 2;
/// The time after which no pass begins.
const ENOUGH: Duration = Duration::from_secs(4);
/// Searches that are timed together.
const BATCH: usize = 100;

/// Pairs of hash and unit.
pub trait Pairs {
    /// The bytes.
    fn len(&self) -> u64;
    /// Appends the units that may have a hash.
    fn find(&self, hash: u64, units: &mut Vec<u32>);
}

/// What can be searched for positions.
pub trait Search {
    /// The bytes.
    fn bytes(&self, corpus: &Corpus) -> u64;
    /// Games of a unit.
    fn games_of_unit(&self) -> u32;
    /// The unit of a game.
    fn unit(&self, corpus: &Corpus, game: u32) -> u32;
    /// Replaces the content of `units` by the units that may have a position. Returns `false` if its
    /// games are listed instead.
    fn search(&self, keys: Keys, units: &mut Vec<u32>) -> bool;
    /// The games that are listed for a position, ascending.
    fn listed(&self, keys: Keys) -> Vec<u32>;
}

/// Pairs with the lists of positions in many groups.
pub struct Combined<'s, P> {
    set: &'s PairSet,
    pairs: P,
}

impl<'s, P: Pairs> Combined<'s, P> {
    pub fn new(set: &'s PairSet, pairs: P) -> Self {
        Self { set, pairs }
    }
}

impl<P: Pairs> Search for Combined<'_, P> {
    fn bytes(&self, _: &Corpus) -> u64 {
        self.pairs.len() + self.set.common.len()
    }

    fn games_of_unit(&self) -> u32 {
        self.set.games_of_unit
    }

    fn unit(&self, _: &Corpus, game: u32) -> u32 {
        game / self.set.games_of_unit
    }

    fn search(&self, keys: Keys, units: &mut Vec<u32>) -> bool {
        units.clear();
        if black_box(self.set.list(keys)).is_some() {
            return false;
        }
        for hash in self.set.hashes(keys) {
            self.pairs.find(hash, units);
        }
        units.sort_unstable();
        units.dedup();
        true
    }

    fn listed(&self, keys: Keys) -> Vec<u32> {
        let list = self.set.list(keys);
        list.map_or_else(Vec::new, |list| self.set.common.games(list))
    }
}

/// The index as it is, in memory: a lookup copies a shard and verifies its checksum.
impl Search for Segment {
    fn bytes(&self, corpus: &Corpus) -> u64 {
        corpus.section("positions")
    }

    fn games_of_unit(&self) -> u32 {
        crate::GROUP
    }

    fn unit(&self, corpus: &Corpus, game: u32) -> u32 {
        corpus.groups[game as usize]
    }

    fn search(&self, keys: Keys, units: &mut Vec<u32>) -> bool {
        units.clear();
        match self.position(keys).unwrap() {
            Found::All(_) => return false,
            Found::Candidates(groups) => units.extend(groups.iter().map(|&group| group as u32)),
        }
        true
    }

    fn listed(&self, keys: Keys) -> Vec<u32> {
        let Found::All(found) = self.position(keys).unwrap() else {
            return Vec::new();
        };
        let mut games: Vec<u32> = found.games.iter().map(|&(game, _)| game).collect();
        for node in found.nodes {
            let range = Segment::node(self, node).unwrap().games();
            self.games_of_tree(range, |game| games.push(game as u32))
                .unwrap();
        }
        games.sort_unstable();
        games
    }
}

/// Prints the head of the table of [`measure`].
pub fn header() {
    println!(
        "| structure | bytes a game | present: µs | games to replay | absent: µs | games to replay | \
         common: games to replay |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
}

/// Checks and measures a structure, and prints a line.
pub fn measure(corpus: &Corpus, name: &str, structure: &impl Search) {
    let bytes = structure.bytes(corpus) as f64 / f64::from(corpus.games);
    let mut line = format!("| {name} | {bytes:.1} |");
    for samples in [&corpus.present, &corpus.absent] {
        let (time, games) = search(corpus, structure, samples);
        line += &format!(" {time:.2} | {games:.1} |");
    }
    let (_, games) = search(corpus, structure, &corpus.common);
    println!("{line} {games:.0} |");
}

/// The mean microseconds of a lookup, and the mean number of games that it leaves to replay.
fn search(corpus: &Corpus, structure: &impl Search, samples: &[Sample]) -> (f64, f64) {
    let mut units = Vec::new();
    let mut left = 0;
    for sample in samples {
        if !structure.search(sample.keys, &mut units) {
            assert_eq!(structure.listed(sample.keys), sample.games);
            continue;
        }
        for &game in &sample.games {
            let unit = structure.unit(corpus, game);
            assert!(units.binary_search(&unit).is_ok(), "a game is missing");
        }
        left += units.len() as u64 * u64::from(structure.games_of_unit());
    }
    let time = fastest(samples, |sample| {
        black_box(structure.search(black_box(sample.keys), &mut units));
    });
    (time, left as f64 / samples.len() as f64)
}

/// The mean microseconds that `visit` takes: of each [`BATCH`] the fastest of [`PASSES`] passes, so that
/// other programs disturb little.
pub fn fastest<T>(all: &[T], mut visit: impl FnMut(&T)) -> f64 {
    let begin = Instant::now();
    let mut least = vec![f64::INFINITY; all.len().div_ceil(BATCH)];
    for pass in 0..PASSES {
        if pass >= MIN_PASSES && begin.elapsed() > ENOUGH {
            break;
        }
        for (least, batch) in least.iter_mut().zip(all.chunks(BATCH)) {
            let start = Instant::now();
            batch.iter().for_each(&mut visit);
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    least.iter().sum::<f64>() * 1e6 / all.len() as f64
}
