//! The opening tree: the games that start from the standard position, by their first moves
//! (spec §15.6).
//!
//! A node is a sequence of moves with which at least [`MIN_GAMES`] games begin. Its children are
//! the moves played next, with the number of games of each. Games are listed in the order of the
//! tree, so the games of a node are a range of the list; nothing else is stored for them.

use std::ops::Range;

use ign_entropy::varint;
use ign_format::error::{Error, Result};

use super::{
    facts::Facts,
    keys::{GAME_OVER, LARGE_ORDINAL},
    spill::Sorter,
};

/// The number of games of a node, at least.
pub const MIN_GAMES: u32 = 8;
/// The number of plies that the tree is deep.
pub const MAX_PLY: usize = 48;
/// Nodes of a part of the tree that is stored by itself.
pub const CHUNK_NODES: usize = 4096;
/// Bytes of a record that is sorted: whether the game is not in the tree, the ordinals of the first
/// moves, the slot, and what is kept of the game in the order of the tree.
pub const RECORD: usize = 1 + MAX_PLY + SLOT + Facts::LEN;
/// Bytes of a slot.
const SLOT: usize = size_of::<u32>();

/// A move from a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Child {
    /// The ordinal of the move; 255 for the games that end here, 254 where the tree does not have
    /// the move: for null moves, and after 48 plies.
    pub ordinal: u8,
    /// The number of games.
    pub games: u32,
    /// The place of its first game in the list.
    pub first: u64,
    /// Its node, if it has one.
    pub node: Option<u32>,
}

/// A node: the moves played next, in canonical order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Node {
    /// The moves, and the end of games.
    pub children: Vec<Child>,
}

impl Node {
    /// The places of its games in the list.
    pub fn games(&self) -> Range<u64> {
        let first = self.children.first().map_or(0, |child| child.first);
        let count: u64 = self
            .children
            .iter()
            .map(|child| u64::from(child.games))
            .sum();
        first..first + count
    }
}

/// The tree while an index is built. Nodes are numbered level by level, node 0 is the standard
/// starting position.
#[derive(Debug, Default)]
pub struct OpeningTree {
    /// The nodes by their number of moves.
    levels: Vec<Level>,
}

/// The nodes of a ply in the order of their games, which is that of their numbers.
#[derive(Debug, Default)]
struct Level {
    /// The number of its first node.
    first_node: u32,
    /// For each node the place of its first game, the place after its last one, and the end of its
    /// children.
    nodes: Vec<[u32; 3]>,
    /// For each child the ordinal of the move, and the number of games.
    ordinals: Vec<u8>,
    games: Vec<u32>,
}

impl Level {
    /// The moves from a node, counted from 0 in the level: ordinals and numbers of games.
    fn children(&self, place: usize) -> impl Iterator<Item = (u8, u32)> {
        let end = |[.., end]: &[u32; 3]| *end as usize;
        let start = place
            .checked_sub(1)
            .map_or(0, |before| end(&self.nodes[before]));
        let range = start..end(&self.nodes[place]);
        let ordinals = self.ordinals[range.clone()].iter().copied();
        ordinals.zip(self.games[range].iter().copied())
    }
}

/// The record of a game for [`build`]: the ordinals of its first moves if it is in the tree, its
/// slot, and its [facts](Facts) as bytes.
pub fn record(
    ordinals: Option<&[u8; MAX_PLY]>,
    slot: u32,
    facts: [u8; Facts::LEN],
) -> [u8; RECORD] {
    let mut record = [GAME_OVER; RECORD];
    let (key, rest) = record.split_at_mut(1 + MAX_PLY);
    key[0] = u8::from(ordinals.is_none());
    if let Some(ordinals) = ordinals {
        key[1..].copy_from_slice(ordinals);
    }
    rest[..SLOT].copy_from_slice(&slot.to_be_bytes());
    rest[SLOT..].copy_from_slice(&facts);
    record
}

/// The tree of the games of these records. `visit` gets the slot and the facts of each game in the
/// order of the tree, then those of the games that are not in it, by slot.
///
/// # Errors
/// Io of temporary files; those of `visit`.
pub fn build(
    games: Sorter<RECORD>,
    mut visit: impl FnMut(u32, &[u8; Facts::LEN]) -> Result<()>,
) -> Result<OpeningTree> {
    /// A node under construction.
    #[derive(Default)]
    struct Open {
        games: u32,
        first: u32,
        children: Vec<(u8, u32)>,
    }
    let mut levels: Vec<Level> = Vec::new();
    levels.resize_with(MAX_PLY + 1, Level::default);
    // The nodes of a level are closed in the order of their games.
    let mut add = |ply: usize, node: Open| {
        let level: &mut Level = &mut levels[ply];
        for (ordinal, games) in node.children {
            level.ordinals.push(ordinal);
            level.games.push(games);
        }
        let end = level.games.len() as u32;
        level.nodes.push([node.first, node.first + node.games, end]);
    };
    // The nodes on the path to the last record; `path[0]` is the root.
    let mut path = vec![Open::default()];
    let mut count = 0;
    let mut last = [GAME_OVER; MAX_PLY];
    let mut close = |path: &mut Vec<Open>, last: &[u8; MAX_PLY]| {
        let mut node = path.pop().expect("the path has a node");
        let (ply, games) = (path.len(), node.games);
        let ordinal = last[ply - 1];
        let parent = path.last_mut().expect("the root is not closed");
        parent.children.push((ordinal, games));
        if is_node(ordinal, games) {
            if ply == MAX_PLY {
                node.children.push((LARGE_ORDINAL, games));
            }
            add(ply, node);
        }
    };
    for record in games.finish()? {
        let record = record?;
        let (is_outside, rest) = (record[0] > 0, &record[1..]);
        let (ordinals, rest) = rest.split_at(MAX_PLY);
        let (slot, facts) = rest.split_at(SLOT);
        let slot = u32::from_be_bytes(slot.try_into().expect("four bytes"));
        visit(slot, facts.try_into().expect("the facts of a game"))?;
        if is_outside {
            continue;
        }
        let common = ordinals
            .iter()
            .zip(&last)
            .take_while(|(a, b)| a == b)
            .count();
        while path.len() > common + 1 {
            close(&mut path, &last);
        }
        last.copy_from_slice(ordinals);
        // After the end of the game, or a null move, there are no moves.
        let plies = ordinals
            .iter()
            .position(|&o| o >= LARGE_ORDINAL)
            .map_or(MAX_PLY, |end| end + 1);
        while path.len() <= plies {
            path.push(Open {
                first: count,
                ..Open::default()
            });
        }
        path.iter_mut().for_each(|node| node.games += 1);
        count += 1;
    }
    while path.len() > 1 {
        close(&mut path, &last);
    }
    if count == 0 {
        return Ok(OpeningTree::default());
    }
    add(0, path.pop().expect("the root is left"));
    let mut next = 0;
    for level in &mut levels {
        level.first_node = next;
        next += level.nodes.len() as u32;
    }
    Ok(OpeningTree { levels })
}

/// Whether a move with this number of games makes a node.
fn is_node(ordinal: u8, games: u32) -> bool {
    games >= MIN_GAMES && ordinal < LARGE_ORDINAL
}

/// Children with the places of their games, of which the first is `first`, and with the numbers of
/// their nodes, of which the first is `next`. `next` becomes the number after them.
fn numbered(
    children: impl Iterator<Item = (u8, u32)>,
    mut first: u64,
    next: &mut u32,
) -> Vec<Child> {
    let number = |(ordinal, games)| {
        let is_node = is_node(ordinal, games);
        let child = Child {
            ordinal,
            games,
            first,
            node: is_node.then_some(*next),
        };
        first += u64::from(games);
        *next = next.saturating_add(u32::from(is_node));
        child
    };
    children.map(number).collect()
}

impl OpeningTree {
    /// The parts in which the tree is stored, of [`CHUNK_NODES`] nodes each: the number of the
    /// first node among the children of the part, and the bytes.
    pub fn chunks(&self) -> impl Iterator<Item = (u32, Vec<u8>)> {
        let levels = self.levels.iter();
        let mut nodes = levels
            .flat_map(|level| (0..level.nodes.len()).map(move |place| (level, place)))
            .peekable();
        let mut next = 1;
        std::iter::from_fn(move || {
            nodes.peek()?;
            let (first, mut out) = (next, Vec::new());
            for (level, place) in nodes.by_ref().take(CHUNK_NODES) {
                let [start, ..] = level.nodes[place];
                varint::write(&mut out, start.into());
                varint::write(&mut out, level.children(place).count() as u64);
                for (ordinal, games) in level.children(place) {
                    out.push(ordinal);
                    varint::write(&mut out, games.into());
                    next += u32::from(is_node(ordinal, games));
                }
            }
            Some((first, out))
        })
    }

    /// The moves from a node: the ordinal, and the places of its games.
    pub fn children(&self, number: u32) -> impl Iterator<Item = (u8, Range<u64>)> {
        let (level, place) = self.find(number);
        let [mut start, ..] = level.nodes[place];
        level.children(place).map(move |(ordinal, games)| {
            let first = start;
            start += games;
            (ordinal, first.into()..start.into())
        })
    }

    /// The number of games of a node.
    pub fn games_of(&self, number: u32) -> u32 {
        let (level, place) = self.find(number);
        let [start, end, _] = level.nodes[place];
        end - start
    }

    /// The level of a node, and its place there.
    fn find(&self, number: u32) -> (&Level, usize) {
        let after = self
            .levels
            .partition_point(|level| level.first_node <= number);
        let level = &self.levels[after - 1];
        (level, (number - level.first_node) as usize)
    }

    /// The node that the game at a place passes at this ply, if there is one.
    pub fn node_of(&self, place: u32, ply: usize) -> Option<u32> {
        let level = self.levels.get(ply)?;
        let after = level.nodes.partition_point(|&[first, ..]| first <= place);
        let node = after.checked_sub(1)?;
        let [_, end, _] = level.nodes[node];
        (place < end).then(|| level.first_node + node as u32)
    }
}

/// Reads a part of a tree of `games` games. `next` is the number of the first node among its
/// children.
///
/// # Errors
/// Corrupt.
pub fn read_chunk(mut input: &[u8], mut next: u32, games: u64) -> Result<Vec<Node>> {
    let input = &mut input;
    let mut nodes = Vec::new();
    while !input.is_empty() {
        let first = varint::read_at_most(input, games, "the first game of a node")?;
        let count = varint::read_limited(input, input.len() as u64, "the children of a node")?;
        let mut children = Vec::with_capacity(count.min(256));
        let mut left = games - first;
        for _ in 0..count {
            let ordinal = *input.split_off_first().ok_or_else(malformed)?;
            let games = varint::read_at_most(input, left, "the games of a move")?;
            left -= games;
            children.push((ordinal, games as u32));
        }
        nodes.push(Node {
            children: numbered(children.into_iter(), first, &mut next),
        });
    }
    if nodes.len() <= CHUNK_NODES {
        Ok(nodes)
    } else {
        Err(malformed())
    }
}

fn malformed() -> Error {
    Error::corrupt("the opening tree of the index is malformed")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games with these first moves, in slots 0, 1, ….
    fn tree(games: &[&[u8]]) -> (OpeningTree, Vec<u32>) {
        let mut sorter = Sorter::new(1000);
        for (slot, ordinals) in (0..).zip(games) {
            let mut first = [GAME_OVER; MAX_PLY];
            let len = ordinals.len().min(MAX_PLY);
            first[..len].copy_from_slice(&ordinals[..len]);
            let facts = [slot as u8; Facts::LEN];
            sorter.push(record(Some(&first), slot, facts)).unwrap();
        }
        let mut slots = Vec::new();
        let tree = build(sorter, |slot, facts| {
            assert_eq!(facts, &[slot as u8; Facts::LEN]);
            slots.push(slot);
            Ok(())
        });
        (tree.unwrap(), slots)
    }

    /// The nodes of a tree as they are read.
    fn nodes(tree: &OpeningTree) -> Vec<Node> {
        let max = u32::MAX.into();
        let read = |(next, bytes): (u32, Vec<u8>)| read_chunk(&bytes, next, max).unwrap();
        tree.chunks().flat_map(read).collect()
    }

    #[test]
    fn games_outside_of_the_tree_come_last_by_slot() {
        let mut sorter = Sorter::new(1000);
        for slot in (0..40).rev() {
            let ordinals = [slot as u8 % 3; MAX_PLY];
            let is_inside = slot % 4 > 0;
            let ordinals = is_inside.then_some(&ordinals);
            let record = record(ordinals, slot, [0; Facts::LEN]);
            sorter.push(record).unwrap();
        }
        let mut slots = Vec::new();
        let tree = build(sorter, |slot, _| {
            slots.push(slot);
            Ok(())
        });
        assert_eq!(nodes(&tree.unwrap())[0].games(), 0..30);
        assert!(slots[30..].iter().copied().eq((0..40).step_by(4)));
        assert_eq!(slots[..10], [3, 6, 9, 15, 18, 21, 27, 30, 33, 39]);
    }

    #[test]
    fn nodes_have_the_games_that_begin_with_their_moves() {
        let mut games: Vec<&[u8]> = vec![&[3, 1, 4]; 9];
        games.extend([&[3, 2][..], &[3], &[3], &[19, 0]]);
        games.extend(vec![&[5, 5, 5, 5][..]; 8]);
        let (tree, slots) = tree(&games);
        assert_eq!(slots.len(), games.len());
        let all = nodes(&tree);
        let root = &all[0].children;
        let counts: Vec<_> = root
            .iter()
            .map(|child| (child.ordinal, child.games))
            .collect();
        assert_eq!(counts, [(3, 12), (5, 8), (19, 1)]);
        let numbers: Vec<_> = root.iter().map(|child| child.node).collect();
        assert_eq!(numbers, [Some(1), Some(2), None]);
        let after: Vec<_> = all[1]
            .children
            .iter()
            .map(|c| (c.ordinal, c.games, c.first))
            .collect();
        assert_eq!(after, [(1, 9, 0), (2, 1, 9), (GAME_OVER, 2, 10)]);
        assert_eq!(all[1].games(), 0..12);
        let mut last_two = slots[10..12].to_vec();
        last_two.sort_unstable();
        assert_eq!(last_two, [10, 11]);
    }

    #[test]
    fn every_game_of_a_node_begins_with_its_moves() {
        let mut state = 7u64;
        let lines: Vec<Vec<u8>> = (0..3000)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let len = (state >> 60) as usize;
                (0..len)
                    .map(|ply| (state >> (3 * ply) & 1) as u8 * 7)
                    .collect()
            })
            .collect();
        let games: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
        let (tree, slots) = tree(&games);
        let all = nodes(&tree);
        assert!(all.len() > 100);
        // The moves of each node, found through its parent.
        let mut lines = vec![Vec::new(); all.len()];
        for (number, node) in (0..).zip(&all) {
            let line: Vec<u8> = lines[number as usize].clone();
            let expected = games.iter().filter(|game| game.starts_with(&line)).count();
            let range = node.games();
            assert_eq!(range.end - range.start, expected as u64);
            assert_eq!(tree.games_of(number), expected as u32);
            for place in range {
                assert!(games[slots[place as usize] as usize].starts_with(&line));
                assert_eq!(tree.node_of(place as u32, line.len()), Some(number));
            }
            let moves = node.children.iter().map(|child| {
                let end = child.first + u64::from(child.games);
                (child.ordinal, child.first..end)
            });
            assert!(tree.children(number).eq(moves));
            for child in &node.children {
                if let Some(node) = child.node {
                    lines[node as usize] = [&line[..], &[child.ordinal]].concat();
                } else {
                    let end = child.first as u32 + child.games - 1;
                    assert_eq!(tree.node_of(end, line.len() + 1), None);
                }
            }
        }
    }

    #[test]
    fn the_deepest_node_has_its_games_without_their_moves() {
        let long = [7u8; MAX_PLY + 5];
        let (tree, _) = tree(&[&long[..]; 9]);
        let all = nodes(&tree);
        assert_eq!(all.len(), MAX_PLY + 1);
        let children = &all[MAX_PLY].children;
        assert_eq!(
            (children[0].ordinal, children[0].games, children.len()),
            (LARGE_ORDINAL, 9, 1)
        );
    }

    #[test]
    fn damaged_parts_are_errors_or_nodes() {
        let (next, bytes) = tree(&[&[3, 1, 4][..]; 20]).0.chunks().next().unwrap();
        for len in 0..bytes.len() {
            // A cut between nodes is found by the checksum only.
            let nodes = read_chunk(&bytes[..len], next, 20).map_or(0, |nodes| nodes.len());
            assert!(nodes < 4, "{len}");
        }
        for byte in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 0x55;
            for node in read_chunk(&damaged, next, 20).unwrap_or_default() {
                assert!(node.games().end <= 20);
            }
        }
    }
}
