//! The opening tree: the games that start from the standard position, by their first moves
//! (spec §15.6).
//!
//! A node is a sequence of moves with which at least [`MIN_GAMES`] games begin. Its children are the
//! moves played next, with the number of games of each. Games are listed in the order of the tree, so
//! the games of a node are a range of the list; nothing else is stored for them.

use ign_entropy::varint;
use ign_format::error::{Error, Result};

use super::{
    keys::{GAME_OVER, LARGE_ORDINAL},
    spill::Sorter,
};

/// The number of games of a node, at least.
pub const MIN_GAMES: u32 = 8;
/// The number of plies that the tree is deep.
pub const MAX_PLY: usize = 48;
/// Bytes of a record that is sorted: the ordinals of the first moves, and the slot.
pub const RECORD: usize = MAX_PLY + 4;

/// A move from a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Child {
    /// The ordinal of the move; [`GAME_OVER`] for the games that end here, [`LARGE_ORDINAL`] after
    /// [`MAX_PLY`] plies, where the tree does not have the move.
    pub ordinal: u8,
    /// The number of games.
    pub games: u32,
    /// The place of its first game in the list.
    pub first: u64,
    /// Its node, if it has one.
    pub node: Option<u32>,
}

impl Child {
    /// Whether the tree does not have the move.
    pub fn is_unknown(&self) -> bool {
        self.ordinal == LARGE_ORDINAL
    }

    /// Whether the games end here.
    pub fn is_end(&self) -> bool {
        self.ordinal == GAME_OVER
    }
}

/// A node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Node {
    /// The place of its first game in the list.
    first: u64,
    /// The place of its children in [`OpeningTree::children`].
    children: u64,
    /// The node of its first child that has one.
    first_node: u32,
}

/// The tree in memory. Nodes are numbered level by level, node 0 is the standard starting position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpeningTree {
    nodes: Vec<Node>,
    /// For each node the number of its children, then for each child the ordinal and the number of
    /// games.
    children: Vec<u8>,
}

/// The record of a game for [`build`]: the ordinals of its first moves and its slot.
pub fn record(ordinals: &[u8], slot: u32) -> [u8; RECORD] {
    let mut record = [GAME_OVER; RECORD];
    let len = ordinals.len().min(MAX_PLY);
    record[..len].copy_from_slice(&ordinals[..len]);
    record[MAX_PLY..].copy_from_slice(&slot.to_be_bytes());
    record
}

/// The tree of the games of these records, and the slots in its order.
///
/// # Errors
/// Io of temporary files.
pub fn build(games: Sorter<RECORD>) -> Result<(OpeningTree, Vec<u32>)> {
    /// A node under construction: its children, with the index of a child's own node.
    #[derive(Default)]
    struct Open {
        games: u32,
        first: u64,
        children: Vec<(u8, u32, Option<usize>)>,
    }
    let mut done: Vec<Open> = Vec::new();
    // The nodes on the path to the last record; `path[0]` is the root.
    let mut path = vec![Open::default()];
    let mut slots = Vec::new();
    let mut last = [GAME_OVER; MAX_PLY];
    let mut close = |path: &mut Vec<Open>, last: &[u8; MAX_PLY]| {
        let mut node = path.pop().expect("the path has a node");
        let ordinal = last[path.len() - 1];
        let games = node.games;
        if path.len() == MAX_PLY {
            node.children.push((LARGE_ORDINAL, games, None));
        }
        let is_node = games >= MIN_GAMES && ordinal < LARGE_ORDINAL;
        let index = is_node.then(|| {
            done.push(node);
            done.len() - 1
        });
        let parent = path.last_mut().expect("the root is not closed");
        parent.children.push((ordinal, games, index));
    };
    for record in games.finish()? {
        let record = record?;
        let (ordinals, slot) = record.split_at(MAX_PLY);
        let common = ordinals
            .iter()
            .zip(&last)
            .take_while(|(a, b)| a == b)
            .count();
        while path.len() > common + 1 {
            close(&mut path, &last);
        }
        last.copy_from_slice(ordinals);
        // After the end of the game there are no moves.
        let plies = ordinals
            .iter()
            .position(|&o| o >= LARGE_ORDINAL)
            .map_or(MAX_PLY, |end| end + 1);
        while path.len() <= plies {
            path.push(Open {
                first: slots.len() as u64,
                ..Open::default()
            });
        }
        path.iter_mut().for_each(|node| node.games += 1);
        slots.push(
            slot.iter()
                .fold(0, |slot, &byte| slot << 8 | u32::from(byte)),
        );
    }
    while path.len() > 1 {
        close(&mut path, &last);
    }
    let mut tree = OpeningTree::default();
    if slots.is_empty() {
        return Ok((tree, slots));
    }
    // Level by level: the children of a node that are nodes get consecutive numbers.
    let root = path.pop().expect("the root is left");
    done.push(root);
    let mut level = std::collections::VecDeque::from([done.len() - 1]);
    let mut next = 1;
    while let Some(index) = level.pop_front() {
        let open = &done[index];
        tree.nodes.push(Node {
            first: open.first,
            children: tree.children.len() as u64,
            first_node: next,
        });
        varint::write(&mut tree.children, open.children.len() as u64);
        for &(ordinal, games, node) in &open.children {
            tree.children.push(ordinal);
            varint::write(&mut tree.children, u64::from(games));
            if let Some(node) = node {
                level.push_back(node);
                next += 1;
            }
        }
    }
    Ok((tree, slots))
}

impl OpeningTree {
    /// The number of nodes.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Writes the tree.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::write(&mut out, self.nodes.len() as u64);
        for node in &self.nodes {
            varint::write(&mut out, node.first);
        }
        out.extend_from_slice(&self.children);
        out
    }

    /// Reads a tree of `games` games. Its size is checked, the numbers of games are not: see
    /// [`children`](Self::children).
    ///
    /// # Errors
    /// Corrupt.
    pub fn read(mut input: &[u8], games: u64) -> Result<Self> {
        let input = &mut input;
        let count = varint::read_limited(input, input.len() as u64, "the number of nodes")?;
        let mut nodes = Vec::with_capacity(count);
        for _ in 0..count {
            let first = varint::read_limited(input, games, "the first game of a node")? as u64;
            nodes.push(Node {
                first,
                ..Node::default()
            });
        }
        let all = *input;
        let mut next = 1;
        for node in &mut nodes {
            node.children = (all.len() - input.len()) as u64;
            node.first_node = next;
            let children =
                varint::read_limited(input, input.len() as u64, "the children of a node")?;
            for _ in 0..children {
                let child = read_child(input, games)?;
                next += u32::from(is_node(child));
            }
        }
        if !input.is_empty() || next as usize != count.max(1) {
            return Err(malformed());
        }
        Ok(Self {
            nodes,
            children: all.to_vec(),
        })
    }

    /// The moves from a node, in canonical order; none if there is no such node.
    pub fn children(&self, node: u32) -> Vec<Child> {
        let Some(node) = self.nodes.get(node as usize) else {
            return Vec::new();
        };
        let input = &mut self
            .children
            .get(node.children as usize..)
            .unwrap_or_default();
        let count = varint::read_limited(input, u64::from(u8::MAX), "").unwrap_or(0);
        let (mut first, mut next) = (node.first, node.first_node);
        let read = (0..count).map_while(|_| {
            let (ordinal, games) = read_child(input, u64::from(u32::MAX)).ok()?;
            let is_node = is_node((ordinal, games));
            let child = Child {
                ordinal,
                games,
                first,
                node: is_node.then_some(next),
            };
            first += u64::from(games);
            next += u32::from(is_node);
            Some(child)
        });
        read.collect()
    }

    /// The places of a node's games in the list.
    pub fn games(&self, node: u32) -> std::ops::Range<u64> {
        let children = self.children(node);
        let first = children.first().map_or(0, |child| child.first);
        let count: u64 = children.iter().map(|child| u64::from(child.games)).sum();
        first..first + count
    }

    /// Visits all nodes level by level: the ply, the number and the games of each.
    pub fn walk(&self, mut visit: impl FnMut(usize, u32, std::ops::Range<u64>)) {
        let mut level = match self.nodes.is_empty() {
            true => 0..0,
            false => 0..1u32,
        };
        for ply in 0.. {
            let mut next = level.end;
            for node in level.clone() {
                visit(ply, node, self.games(node));
                next += self
                    .children(node)
                    .iter()
                    .filter(|child| child.node.is_some())
                    .count() as u32;
            }
            level = level.end..next;
            if level.is_empty() {
                break;
            }
        }
    }
}

fn is_node((ordinal, games): (u8, u32)) -> bool {
    games >= MIN_GAMES && ordinal < LARGE_ORDINAL
}

fn read_child(input: &mut &[u8], games: u64) -> Result<(u8, u32)> {
    let ordinal = *input.split_off_first().ok_or_else(malformed)?;
    let games = varint::read_limited(input, games, "the games of a move")?;
    Ok((ordinal, games as u32))
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
            sorter.push(record(ordinals, slot)).unwrap();
        }
        build(sorter).unwrap()
    }

    #[test]
    fn nodes_have_the_games_that_begin_with_their_moves() {
        let mut games: Vec<&[u8]> = vec![&[3, 1, 4]; 9];
        games.extend([&[3, 2][..], &[3], &[3], &[19, 0]]);
        games.extend(vec![&[5, 5, 5, 5][..]; 8]);
        let (tree, slots) = tree(&games);
        assert_eq!(slots.len(), games.len());
        let root = tree.children(0);
        let counts: Vec<_> = root
            .iter()
            .map(|child| (child.ordinal, child.games))
            .collect();
        assert_eq!(counts, [(3, 12), (5, 8), (19, 1)]);
        let nodes: Vec<_> = root.iter().map(|child| child.node).collect();
        assert_eq!(nodes, [Some(1), Some(2), None]);
        let after: Vec<_> = tree
            .children(1)
            .iter()
            .map(|c| (c.ordinal, c.games, c.first))
            .collect();
        assert_eq!(after, [(1, 9, 0), (2, 1, 9), (GAME_OVER, 2, 10)]);
        assert_eq!(tree.games(1), 0..12);
        let mut last_two = slots[10..12].to_vec();
        last_two.sort_unstable();
        assert_eq!(last_two, [10, 11]);
        assert_eq!(
            OpeningTree::read(&tree.write(), slots.len() as u64).unwrap(),
            tree
        );
    }

    #[test]
    fn every_game_of_a_node_begins_with_its_moves() {
        let mut state = 7u64;
        let games: Vec<Vec<u8>> = (0..3000)
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
        let games: Vec<&[u8]> = games.iter().map(Vec::as_slice).collect();
        let (tree, slots) = tree(&games);
        assert!(tree.node_count() > 100);
        // The moves of each node, found through its parent.
        let mut lines = vec![Vec::new(); tree.node_count()];
        tree.walk(|ply, node, range| {
            let line: Vec<u8> = lines[node as usize].clone();
            assert_eq!(line.len(), ply);
            let expected = games.iter().filter(|game| game.starts_with(&line)).count();
            assert_eq!(range.end - range.start, expected as u64);
            for place in range {
                assert!(games[slots[place as usize] as usize].starts_with(&line));
            }
            for child in tree.children(node) {
                if let Some(node) = child.node {
                    lines[node as usize] = [&line[..], &[child.ordinal]].concat();
                }
            }
        });
    }

    #[test]
    fn the_deepest_node_has_its_games_without_their_moves() {
        let long = [7u8; MAX_PLY + 5];
        let (tree, _) = tree(&[&long[..]; 9]);
        let deepest = tree.node_count() as u32 - 1;
        assert_eq!(deepest as usize, MAX_PLY);
        let children = tree.children(deepest);
        assert_eq!(
            (children[0].ordinal, children[0].games, children.len()),
            (LARGE_ORDINAL, 9, 1)
        );
    }

    #[test]
    fn damaged_trees_are_errors_or_trees() {
        let bytes = tree(&[&[3, 1, 4][..]; 20]).0.write();
        for len in 0..bytes.len() {
            assert!(OpeningTree::read(&bytes[..len], 20).is_err(), "{len}");
        }
        for byte in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[byte] ^= 0x55;
            if let Ok(tree) = OpeningTree::read(&damaged, 20) {
                tree.walk(|_, _, _| ());
            }
        }
    }
}
