//! Lists of positions in many groups, as in the index: nodes of the opening tree, and other games
//! with the move played.

use ign_entropy::varint;

use crate::{
    corpus::{Corpus, Occurrence},
    openings::{PLIES, prefixes},
};

/// Positions with lists.
#[derive(Default)]
pub struct Common {
    keys: Vec<u64>,
    ends: Vec<u32>,
    bytes: Vec<u8>,
    nodes: Nodes,
    unsorted: Vec<(u64, Vec<u8>)>,
}

/// Which node of the opening tree a game passes at a ply.
#[derive(Default)]
struct Nodes {
    /// For each game the place in the list of the tree.
    places: Vec<u32>,
    /// For each ply and place the node, or [`u32::MAX`].
    nodes: Vec<Vec<u32>>,
    /// The games in the order of the tree.
    listed: Vec<u32>,
    /// The first place of each node, and the place after its last.
    ranges: Vec<(u64, u64)>,
}

impl Nodes {
    fn new(corpus: &Corpus) -> Self {
        let games = corpus.games as usize;
        let mut nodes = Self {
            places: vec![u32::MAX; games],
            nodes: vec![vec![u32::MAX; games]; PLIES + 1],
            listed: Vec::new(),
            ranges: Vec::new(),
        };
        let all = corpus
            .segment()
            .games_of_tree(0..games as u64, |game| nodes.listed.push(game as u32));
        all.unwrap();
        for (place, &game) in (0..).zip(&nodes.listed) {
            nodes.places[game as usize] = place;
        }
        for (node, prefix) in (0..).zip(prefixes(corpus.segment())) {
            let (start, end) = (prefix.places.start, prefix.places.end);
            nodes.nodes[prefix.ordinals.len()][start as usize..end as usize].fill(node);
            nodes.ranges.push((start, end));
        }
        nodes
    }

    fn of(&self, occurrence: &Occurrence) -> Option<u32> {
        let place = self.places[occurrence.game as usize] as usize;
        let level = self.nodes.get(usize::from(occurrence.ply))?;
        level.get(place).copied().filter(|&node| node < u32::MAX)
    }
}

impl Common {
    pub fn new(corpus: &Corpus) -> Self {
        Self {
            nodes: Nodes::new(corpus),
            ..Self::default()
        }
    }

    /// Adds a position.
    pub fn add(&mut self, hash: u64, position: &[Occurrence]) {
        let (mut nodes, mut games) = (Vec::new(), Vec::new());
        for occurrence in position {
            match self.nodes.of(occurrence) {
                Some(node) => nodes.push(node),
                None => games.push(occurrence),
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        let mut list = Vec::new();
        varint::write(&mut list, nodes.len() as u64);
        let mut before = 0;
        for node in nodes {
            varint::write(&mut list, u64::from(node - before));
            before = node;
        }
        before = 0;
        for occurrence in games {
            varint::write(&mut list, u64::from(occurrence.game - before));
            list.push(occurrence.ordinal);
            before = occurrence.game;
        }
        self.unsorted.push((hash, list));
    }

    /// Sorts the positions.
    pub fn finish(&mut self) {
        self.unsorted.sort_unstable();
        for (key, list) in std::mem::take(&mut self.unsorted) {
            self.keys.push(key);
            self.bytes.extend_from_slice(&list);
            self.ends.push(self.bytes.len() as u32);
        }
    }

    pub fn count(&self) -> usize {
        self.keys.len()
    }

    /// The bytes: keys, ends and lists.
    pub fn len(&self) -> u64 {
        (self.keys.len() * (8 + 4) + self.bytes.len()) as u64
    }

    /// The list of a position.
    pub fn find(&self, hash: u64) -> Option<&[u8]> {
        let at = self.keys.binary_search(&hash).ok()?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start as usize..self.ends[at] as usize])
    }

    /// The games of a list, ascending.
    pub fn games(&self, mut list: &[u8]) -> Vec<u32> {
        let input = &mut list;
        let next = |input: &mut &[u8]| {
            let max = u64::from(u32::MAX);
            varint::read_limited(input, max, "a list").unwrap() as u32
        };
        let (mut games, mut node) = (Vec::new(), 0);
        for _ in 0..next(input) {
            node += next(input);
            let (from, to) = self.nodes.ranges[node as usize];
            games.extend_from_slice(&self.nodes.listed[from as usize..to as usize]);
        }
        let mut game = 0;
        while !input.is_empty() {
            game += next(input);
            *input = &input[1..];
            games.push(game);
        }
        games.sort_unstable();
        games
    }
}
