//! Where the lines of a book lead: as a hash table of positions, or as a tree of moves.
//!
//! A line *leads to* the place after its last move, and *passes* the places after each of its
//! moves. In a book by position a place is a position, whatever the move order; in a book by
//! sequence it is the sequence of moves (spec §4.3.8).

use std::ops::Range;

use ign_notation::chess::{Move, Position};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::file::Line;

/// Initial capacity for places; most books have fewer.
const CAPACITY: usize = 1 << 13;

/// The places that the lines of a book pass.
#[derive(Debug)]
pub(super) enum Tree {
    /// By the key of a position, the last line that leads to it.
    Positions(FxHashMap<u64, Option<u32>>),
    /// The tree of the moves of all lines, in preorder.
    Sequences(Vec<Node>),
}

/// A move after a common sequence of moves.
#[derive(Debug)]
pub(super) struct Node {
    played: Move,
    /// The line that leads here.
    line: Option<u32>,
    /// The end of the nodes below this one.
    end: u32,
}

/// The place of a game in a book.
#[derive(Debug, Clone)]
pub(super) enum Reached {
    Position(Position),
    /// The nodes below the moves so far.
    Sequence(Range<u32>),
}

impl Tree {
    /// The tree of a book by position, from its lines with their numbers.
    pub fn by_position<'t>(lines: impl Iterator<Item = (u32, Line<'t>)>) -> Self {
        let mut positions = FxHashMap::with_capacity_and_hasher(CAPACITY, FxBuildHasher);
        let mut path = vec![Position::default()];
        for (number, line) in lines {
            path.truncate(line.shared + 1);
            for played in line.moves() {
                let mut position = path[path.len() - 1];
                position.play(played);
                positions.entry(position.key()).or_default();
                path.push(position);
            }
            if let [_, .., last] = &path[..] {
                positions.insert(last.key(), Some(number));
            }
        }
        Self::Positions(positions)
    }

    /// The tree of a book by sequence, from its lines with their numbers.
    pub fn by_sequence<'t>(lines: impl Iterator<Item = (u32, Line<'t>)>) -> Self {
        let mut nodes: Vec<Node> = Vec::with_capacity(CAPACITY);
        // The nodes of the line before.
        let mut path: Vec<usize> = Vec::new();
        let close = |nodes: &mut Vec<Node>, path: &mut Vec<usize>, shared: usize| {
            let end = nodes.len() as u32;
            for node in path.drain(shared.min(path.len())..) {
                nodes[node].end = end;
            }
        };
        for (number, line) in lines {
            close(&mut nodes, &mut path, line.shared);
            for played in line.moves() {
                path.push(nodes.len());
                nodes.push(Node {
                    played,
                    line: None,
                    end: 0,
                });
            }
            if let Some(&last) = path.last() {
                nodes[last].line = Some(number);
            }
        }
        close(&mut nodes, &mut path, 0);
        Self::Sequences(nodes)
    }

    /// The last line that leads to a position; `None` in a tree of moves.
    pub fn line_at(&self, position: &Position) -> Option<u32> {
        match self {
            Self::Positions(positions) => positions.get(&position.key()).copied().flatten(),
            Self::Sequences(_) => None,
        }
    }

    /// The place of the standard starting position.
    pub fn start(&self) -> Reached {
        match self {
            Self::Positions(_) => Reached::Position(Position::default()),
            Self::Sequences(nodes) => Reached::Sequence(0..nodes.len() as u32),
        }
    }

    /// Plays a move. Returns the line that leads to the new place, if any; `None` if no line passes
    /// the place.
    #[inline]
    pub fn play(&self, place: &mut Reached, played: Move) -> Option<Option<u32>> {
        match (self, place) {
            (Self::Positions(positions), Reached::Position(position)) => {
                position.play(played);
                positions.get(&position.key()).copied()
            }
            (Self::Sequences(nodes), Reached::Sequence(below)) => {
                while let Some(at) = below.next() {
                    let node = &nodes[at as usize];
                    if node.played == played {
                        below.end = node.end;
                        return Some(node.line);
                    }
                    below.start = node.end;
                }
                None
            }
            _ => None,
        }
    }
}
