//! The games that begin with given moves, for sequences of moves with which at least 8 games begin.

use std::{hint::black_box, ops::Range};

use ign_archive::index::Segment;
use ign_testing::Random;
use vers_vecs::EliasFanoVec;

use crate::{
    corpus::Corpus,
    packed::{self, Packed},
    report::fastest,
};

/// Plies of the opening tree.
pub const PLIES: usize = 48;
/// Sequences of moves that are searched.
const SEARCHED: usize = 10_000;
/// Bits of a hash of moves.
const HASH_BITS: u32 = 40;

/// The hash of no moves.
const SEED: u64 = 0x243f_6a88_85a3_08d3;

/// A sequence of moves: the ordinals, and its games in the list of the tree.
pub struct Prefix {
    pub ordinals: Vec<u8>,
    pub places: Range<u64>,
}

impl Prefix {
    fn hash(&self) -> u64 {
        hash(&self.ordinals)
    }
}

fn hash(ordinals: &[u8]) -> u64 {
    let step = |hash: u64, &ordinal: &u8| {
        let mixed = (hash ^ u64::from(ordinal)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    };
    ordinals.iter().fold(SEED, step) >> (64 - HASH_BITS)
}

/// All nodes of the opening tree, by number.
pub fn prefixes(index: &Segment) -> Vec<Prefix> {
    let mut all = vec![Vec::new()];
    let mut prefixes = Vec::new();
    // The children of a node have greater numbers.
    while let Some(ordinals) = all.get(prefixes.len()).cloned() {
        let node = index.node(prefixes.len() as u32).unwrap();
        for child in &node.children {
            if let Some(number) = child.node {
                assert_eq!(number as usize, all.len());
                all.push([&ordinals[..], &[child.ordinal]].concat());
            }
        }
        prefixes.push(Prefix {
            ordinals,
            places: node.games(),
        });
    }
    prefixes
}

/// The hash of each sequence of moves (Elias-Fano), and its range of the list of games.
struct Hashed {
    hashes: EliasFanoVec,
    ranges: Vec<u8>,
    bits: u32,
}

impl Hashed {
    fn new(prefixes: &[Prefix], games: u64) -> Self {
        let mut sorted: Vec<_> = prefixes.iter().map(|p| (p.hash(), &p.places)).collect();
        sorted.sort_unstable_by_key(|(hash, _)| *hash);
        let hashes: Vec<u64> = sorted.iter().map(|(hash, _)| *hash).collect();
        assert!(hashes.is_sorted_by(|a, b| a < b), "two hashes are equal");
        let bits = packed::bits_for(games);
        let mut ranges = Vec::new();
        let limits = sorted
            .iter()
            .flat_map(|(_, range)| [range.start, range.end]);
        packed::write(&mut ranges, limits, bits);
        Self {
            hashes: EliasFanoVec::from_slice(&hashes),
            ranges,
            bits,
        }
    }

    fn find(&self, ordinals: &[u8]) -> Option<Range<u64>> {
        let hash = hash(ordinals);
        let at = self.hashes.rank(hash);
        if self.hashes.get(at as usize) != Some(hash) {
            return None;
        }
        let count = 2 * self.hashes.len() as u64;
        let ranges = Packed::read(&mut &self.ranges[..], count, self.bits).unwrap();
        Some(ranges.get(2 * at)..ranges.get(2 * at + 1))
    }
}

/// Pairs of the hash of a sequence of moves and a game (Elias-Fano).
struct Postings {
    pairs: EliasFanoVec,
    games: u64,
}

impl Postings {
    fn new(prefixes: &[Prefix], listed: &[u64]) -> Self {
        let games = listed.len() as u64;
        let mut pairs = Vec::new();
        for prefix in prefixes {
            let inside = &listed[prefix.places.start as usize..prefix.places.end as usize];
            pairs.extend(inside.iter().map(|game| prefix.hash() * games + game));
        }
        pairs.sort_unstable();
        Self {
            pairs: EliasFanoVec::from_slice(&pairs),
            games,
        }
    }

    fn find(&self, ordinals: &[u8]) -> Vec<u64> {
        let from = hash(ordinals) * self.games;
        let first = self.pairs.rank(from) as usize;
        let found = (first..self.pairs.len()).map(|at| self.pairs.get_unchecked(at));
        let inside = found.take_while(|&pair| pair < from + self.games);
        inside.map(|pair| pair - from).collect()
    }
}

/// The range of a sequence of moves in the opening tree.
fn walk(index: &Segment, ordinals: &[u8]) -> Option<Range<u64>> {
    let mut number = 0;
    for &ordinal in ordinals {
        let children = &index.node(number).unwrap().children;
        let child = children.iter().find(|child| child.ordinal == ordinal);
        number = child?.node?;
    }
    Some(index.node(number).unwrap().games())
}

/// Prints a table.
pub fn compare(corpus: &Corpus) {
    let index = corpus.segment();
    let mut listed = Vec::new();
    let all = 0..u64::from(corpus.games);
    corpus
        .segment()
        .games_of_tree(all, |game| listed.push(game))
        .unwrap();
    let prefixes = prefixes(index);
    let pairs: u64 = prefixes.iter().map(|p| p.places.end - p.places.start).sum();
    println!(
        "\nOpenings: {} sequences of moves, {pairs} pairs of sequence and game\n\n\
         | structure | bytes a game | µs |\n| --- | ---: | ---: |",
        prefixes.len(),
    );
    let hashed = Hashed::new(&prefixes, listed.len() as u64);
    let postings = Postings::new(&prefixes, &listed);
    for prefix in &prefixes {
        assert_eq!(walk(index, &prefix.ordinals), Some(prefix.places.clone()));
        assert_eq!(hashed.find(&prefix.ordinals), Some(prefix.places.clone()));
        let inside = &listed[prefix.places.start as usize..prefix.places.end as usize];
        let mut games = inside.to_vec();
        games.sort_unstable();
        assert_eq!(postings.find(&prefix.ordinals), games);
    }
    let mut random = Random(5);
    let wanted: Vec<&[u8]> = (0..SEARCHED)
        .map(|_| &prefixes[random.below(prefixes.len())].ordinals[..])
        .collect();
    let line = |name: &str, len: u64, time: f64| {
        let of_game = len as f64 / f64::from(corpus.games);
        println!("| {name} | {of_game:.2} | {time:.2} |");
    };
    let list = corpus.section("tree_games");
    let time = fastest(&wanted, |ordinals| {
        black_box(walk(index, black_box(ordinals)));
    });
    line(
        "tree of moves, list of games in its order",
        corpus.section("openings") + list,
        time,
    );
    let time = fastest(&wanted, |ordinals| {
        black_box(hashed.find(black_box(ordinals)));
    });
    let len = (hashed.hashes.heap_size() + hashed.ranges.len()) as u64;
    line(
        "sorted 40-bit hashes with ranges, the same list",
        len + list,
        time,
    );
    let time = fastest(&wanted, |ordinals| {
        black_box(postings.find(black_box(ordinals)));
    });
    line(
        "pairs of 40-bit hash and game",
        postings.pairs.heap_size() as u64,
        time,
    );
}
