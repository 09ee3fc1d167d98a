//! The first moves of games from the standard starting position, which many games share, as a tree
//! of positions: for each the number of legal moves, what a follower knows there, and where the
//! moves lead.
//!
//! A game on its way through the tree takes a division and a lookup for each move. The second game
//! that plays a move adds its position. A position in which
//! enough is known has no moves.

use crate::{
    block::{
        Coding,
        integers::{Follower, digits::take},
    },
    error::Result,
};
use ign_notation::{
    chess::{Legal, Position},
    radix,
};

/// The greatest number of positions in the tree, below 2^16 - 1. Each takes about 250 bytes.
const MAX_NODES: usize = 1 << 14;

/// The tree. It is valid for one follower and one coding.
#[derive(Debug)]
pub struct Prefixes<K> {
    /// The first is the standard starting position; empty until the first game.
    nodes: Vec<Node>,
    /// What is known in each node, and its position.
    known: Vec<(K, Position)>,
    /// Where the moves of all nodes lead: [`UNSEEN`], [`SEEN`], or a node.
    moves: Vec<u16>,
}

/// A position of the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The place in [`Prefixes::moves`] of the first legal move.
    first: u32,
    /// The number of legal moves; 0 if enough is known.
    count: u32,
    /// Whether no more of the game is needed.
    is_enough: bool,
}

/// No game has played this move. No move leads to the first node.
const UNSEEN: u16 = 0;
/// A game has played this move, which leads to no node.
const SEEN: u16 = u16::MAX;

/// How a game leaves the tree.
pub(super) enum Exit {
    /// No more of it is needed.
    Known,
    /// It is over.
    Over,
    /// It continues after `plies` plies with the move of this ordinal, which is the last of these
    /// plies.
    Leaves { plies: usize, ordinal: u32 },
}

impl<K> Default for Prefixes<K> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            known: Vec::new(),
            moves: Vec::new(),
        }
    }
}

impl<K> Prefixes<K> {
    /// Follows a game, whose integer is in the decoder. Returns what is known at the last position
    /// in the tree, and the position.
    ///
    /// # Errors
    /// Corrupt.
    pub(super) fn walk<F: Follower<Known = K>>(
        &mut self,
        decoder: &mut radix::Decoder,
        coding: Coding,
        follower: &F,
    ) -> Result<(&K, &Position, Exit)> {
        if self.nodes.is_empty() {
            let start = Position::default();
            self.add(follower.know(None, &start), start);
        }
        let (mut at, mut plies) = (0, 0);
        let exit = loop {
            let node = self.nodes[at];
            if node.is_enough {
                break Exit::Known;
            }
            let Some(ordinal) = take(decoder, coding, node.count, &mut 0)? else {
                break Exit::Over;
            };
            plies += 1;
            let place = (node.first + ordinal) as usize;
            match self.moves[place] {
                SEEN if self.nodes.len() < MAX_NODES => {
                    self.moves[place] = self.nodes.len() as u16;
                    at = self.add_after(at, ordinal, follower);
                }
                UNSEEN | SEEN => {
                    self.moves[place] = SEEN;
                    break Exit::Leaves { plies, ordinal };
                }
                node => at = node as usize,
            }
        };
        let (known, position) = &self.known[at];
        Ok((known, position, exit))
    }

    /// Adds the position after a move of a node; returns its node.
    fn add_after<F: Follower<Known = K>>(
        &mut self,
        node: usize,
        ordinal: u32,
        follower: &F,
    ) -> usize {
        let (known, position) = &self.known[node];
        let played = Legal::new(position).nth(ordinal);
        let mut next = *position;
        next.play(played);
        self.add(follower.know(Some((known, played)), &next), next)
    }

    /// Adds a position; returns its node.
    fn add(&mut self, (known, is_enough): (K, bool), position: Position) -> usize {
        let count = if is_enough {
            0
        } else {
            Legal::new(&position).count()
        };
        self.nodes.push(Node {
            first: self.moves.len() as u32,
            count,
            is_enough,
        });
        self.known.push((known, position));
        self.moves.resize(self.moves.len() + count as usize, UNSEEN);
        self.nodes.len() - 1
    }
}
