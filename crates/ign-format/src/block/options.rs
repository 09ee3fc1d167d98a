//! What packing a block takes and returns beside the bytes.

use crate::block::Coding;

/// How a block is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How moves are coded.
    pub coding: Coding,
    /// The zstd level of text streams.
    pub level: i32,
    /// Whether each block is decoded again and compared with its text.
    pub verify: bool,
}

impl Default for Options {
    /// Weighted Integer Game Notation, level 16, verified.
    fn default() -> Self {
        Self {
            coding: Coding::Weighted,
            level: 16,
            verify: true,
        }
    }
}

/// A packed block, with the figures that the archive's indexes need.
#[derive(Debug, Clone)]
pub struct Encoded {
    /// The block: head frame and column frames.
    pub bytes: Vec<u8>,
    /// Bytes of the head frame.
    pub head_len: usize,
    /// Bytes of text.
    pub text_len: usize,
    /// Number of games.
    pub games: usize,
    /// Plies of all games.
    pub plies: u64,
    /// Games that keep some movetext as text.
    pub partly_text: PartlyText,
    /// Whether the encoding that was asked for did not decode to the text, so that a simpler one was taken.
    pub is_fallback: bool,
}

/// Counts the games that keep some movetext as text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartlyText {
    /// Number of such games.
    pub games: u64,
    /// The first such game, counted from zero.
    pub first: Option<u64>,
}

impl PartlyText {
    /// Counts a game, given its number.
    pub fn add(&mut self, game: usize) {
        self.games += 1;
        self.first.get_or_insert(game as u64);
    }

    /// Adds the counts of a block that follows `before` games.
    pub fn append(&mut self, block: Self, before: u64) {
        self.games += block.games;
        self.first = self.first.or(block.first.map(|first| before + first));
    }
}
