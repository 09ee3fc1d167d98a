//! The move model: how likely each legal move of a position is, as whole shares.
//!
//! Weighted Integer Game Notation gives each choice of a position a share of the integer. Here
//! the shares come from: a [`Line`] is a game while it is played, a [`Scorer`] gives the
//! [`Shares`] of what may happen next in it. All arithmetic is in whole numbers, so the shares
//! are the same on every machine.

use crate::chess::{Legal, Move, Position, Start};

/// The model's version. Archives name it, and its checksum, and can be read with no other.
pub const VERSION: u8 = 0;

/// The checksum of the model's parameters.
pub fn checksum() -> u64 {
    0
}

/// The most legal moves of any chess position.
pub const MAX_MOVES: usize = 218;

/// A game as far as it has been played: the position, and what the model remembers of the way
/// there.
#[derive(Clone, Debug)]
pub struct Line {
    position: Position,
    ply: u32,
}

impl Line {
    /// A game not begun.
    pub fn new(start: &Start) -> Self {
        Self {
            position: start.position,
            ply: 0,
        }
    }

    /// The position reached.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a legal move.
    pub fn play(&mut self, played: Move) {
        self.position.play(played);
        self.ply += 1;
    }
}

/// The shares of what may happen next: the legal moves in canonical order, then the end of the
/// game. Every share is at least 1. Where no move is legal there is no choice at all.
#[derive(Clone, Debug)]
pub struct Shares {
    moves: Vec<Move>,
    shares: Vec<u32>,
    total: u32,
}

impl Default for Shares {
    fn default() -> Self {
        Self {
            moves: Vec::with_capacity(MAX_MOVES),
            shares: Vec::with_capacity(MAX_MOVES + 1),
            total: 0,
        }
    }
}

impl Shares {
    /// The legal moves, in canonical order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The shares: one for each move, then that of the end. Empty when no move is legal.
    pub fn shares(&self) -> &[u32] {
        &self.shares
    }

    /// The sum of the shares, below 2^24.
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The sum of the shares before this choice, and its own.
    pub fn interval(&self, choice: usize) -> (u32, u32) {
        (self.shares[..choice].iter().sum(), self.shares[choice])
    }

    /// The choice whose interval holds `value`, with that interval.
    ///
    /// # Panics
    /// When `value` is not below [`total`](Shares::total).
    pub fn find(&self, value: u32) -> (usize, u32, u32) {
        let mut before = 0;
        for (choice, &share) in self.shares.iter().enumerate() {
            if value < before + share {
                return (choice, before, share);
            }
            before += share;
        }
        panic!("no choice holds {value} of {}", self.total)
    }
}

/// How many styles of play the model knows: the games of amateurs online, of masters, of engines.
pub const STYLES: u8 = 3;

/// Gives shares: the model with the space it works in, one for each thread.
#[derive(Clone, Debug)]
pub struct Scorer {
    style: u8,
}

impl Scorer {
    /// A scorer for games of one style.
    ///
    /// # Panics
    /// When there is no such style.
    pub fn new(style: u8) -> Self {
        assert!(style < STYLES, "no style {style}");
        Self { style }
    }

    /// The style it scores for.
    pub fn style(&self) -> u8 {
        self.style
    }

    /// Replaces `shares` by those of what may happen next.
    pub fn score(&mut self, line: &Line, shares: &mut Shares) {
        let legal = Legal::new(&line.position);
        shares.moves.clear();
        shares.shares.clear();
        let numbering = legal.numbering();
        let count = numbering.count();
        shares.moves.extend((0..count).map(|k| numbering.nth(k)));
        shares.shares.extend(shares.moves.iter().map(|_| 16));
        shares.total = 16 * count;
        if count > 0 {
            shares.shares.push(4);
            shares.total += 4;
        }
    }
}
