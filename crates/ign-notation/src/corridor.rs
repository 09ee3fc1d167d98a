//! A game simple enough to count by hand, for unit tests.

use crate::Game;

/// At each ply as many moves as its list says, numbered from 0. The end of the list is the end of
/// the game.
#[derive(Clone)]
pub struct Corridor<'a> {
    widths: &'a [u32],
}

impl<'a> Corridor<'a> {
    pub fn new(widths: &'a [u32]) -> Self {
        Corridor { widths }
    }

    /// The number of plies left.
    pub fn left(&self) -> usize {
        self.widths.len()
    }
}

impl Game for Corridor<'_> {
    type Move = u32;

    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend(0..self.widths.first().copied().unwrap_or(0));
    }

    fn play(&mut self, _: u32) {
        self.widths = &self.widths[1..];
    }
}
