//! The first moves of games from the standard starting position, which many games share, as a tree
//! of positions: for each the number of legal moves, what it decides, and where the moves lead.
//!
//! A game on its way through the tree takes a division and a lookup for each move. The second game
//! that plays a move adds its position. A position that decides about its games has no moves.

use crate::{
    block::{Coding, integers::digits::take},
    error::Result,
};
use ign_notation::{
    chess::{Legal, Position},
    radix,
};

/// The greatest number of positions in the tree; each takes about 300 bytes.
const MAX_NODES: usize = 1 << 14;

/// What a position decides about the games that reach it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verdict {
    /// Nothing.
    #[default]
    Open,
    /// They match.
    Matches,
    /// None of them matches.
    Dismissed,
}

/// The tree. It is valid for one way to judge positions and one coding.
#[derive(Debug, Default)]
pub struct Prefixes {
    /// The first is the standard starting position; empty until the first game.
    nodes: Vec<Node>,
    /// The position of each node.
    positions: Vec<Position>,
    /// Where the moves of all nodes lead: [`UNSEEN`], [`SEEN`], or a node.
    moves: Vec<u32>,
}

/// A position of the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// The place in [`Prefixes::moves`] of the first legal move.
    first: u32,
    /// The number of legal moves.
    count: u32,
    verdict: Verdict,
}

/// No game has played this move.
const UNSEEN: u32 = 0;
/// One game has played this move, or the tree is full. Greater values are nodes; none is the first.
const SEEN: u32 = u32::MAX;

/// How a game ends its way through the tree.
pub(super) enum Exit {
    /// At a position that decides about it.
    Decided(Verdict),
    /// It is over, in this position.
    Over(Position),
    /// It continues in `position`, after `plies` plies, with the move of this ordinal.
    Leaves {
        position: Position,
        plies: usize,
        ordinal: u32,
    },
}

impl Prefixes {
    /// Follows a game, whose integer is in the decoder.
    ///
    /// # Errors
    /// Corrupt.
    pub(super) fn walk(
        &mut self,
        decoder: &mut radix::Decoder,
        coding: Coding,
        judge: impl Fn(&Position) -> Verdict,
    ) -> Result<Exit> {
        if self.nodes.is_empty() {
            self.add(Position::default(), &judge);
        }
        let mut at = 0;
        for plies in 0.. {
            let node = self.nodes[at];
            if node.verdict != Verdict::Open {
                return Ok(Exit::Decided(node.verdict));
            }
            let Some(ordinal) = take(decoder, coding, node.count)? else {
                return Ok(Exit::Over(self.positions[at]));
            };
            let place = (node.first + ordinal) as usize;
            at = match self.moves[place] {
                SEEN if self.nodes.len() < MAX_NODES => {
                    let mut position = self.positions[at];
                    let played = Legal::new(&position).nth(ordinal);
                    position.play(played);
                    self.moves[place] = self.nodes.len() as u32;
                    self.add(position, &judge)
                }
                UNSEEN | SEEN => {
                    self.moves[place] = SEEN;
                    return Ok(Exit::Leaves {
                        position: self.positions[at],
                        plies: plies + 1,
                        ordinal,
                    });
                }
                node => node as usize,
            };
        }
        unreachable!("the tree has fewer levels than nodes")
    }

    /// Adds a position; returns its node.
    fn add(&mut self, position: Position, judge: impl Fn(&Position) -> Verdict) -> usize {
        let verdict = judge(&position);
        let count = match verdict {
            Verdict::Open => Legal::new(&position).count(),
            _ => 0,
        };
        self.nodes.push(Node {
            first: self.moves.len() as u32,
            count,
            verdict,
        });
        self.positions.push(position);
        self.moves.resize(self.moves.len() + count as usize, UNSEEN);
        self.nodes.len() - 1
    }
}
