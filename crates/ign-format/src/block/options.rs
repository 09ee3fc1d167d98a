//! What packing a block takes and returns beside the bytes.

use crate::{
    block::Coding,
    container::NotUnderstoodCounts,
    models::{ModelId, Models},
};

/// How a block is packed.
#[derive(Debug, Clone)]
pub struct Options {
    /// How moves are coded.
    pub coding: Coding,
    /// The zstd level of text streams.
    pub level: i32,
    /// Whether each block is decoded again and compared with its text.
    pub verify: bool,
    /// Models that are used instead of the built-in ones.
    pub models: Models,
}

impl Default for Options {
    /// Weighted Integer Game Notation, level 16, verified.
    fn default() -> Self {
        Self {
            coding: Coding::Weighted,
            level: 16,
            verify: true,
            models: Models::default(),
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
    /// The models that the block names.
    pub models: Vec<ModelId>,
    /// Number of games.
    pub games: usize,
    /// Number of games of each of the [texts](crate::block::encode::encode_texts) that were
    /// packed.
    pub games_of_texts: Vec<u64>,
    /// Plies of all games.
    pub plies: u64,
    /// The games that are not, or only partly, understood.
    pub not_understood: NotUnderstoodCounts,
    /// Bytes of text at the end that are not read for games, because the table of tags is full.
    pub unread: usize,
    /// Whether the encoding that was asked for did not decode to the text, so that a simpler one
    /// was taken.
    pub is_fallback: bool,
    /// What the moves of a sample of the games take, if they are coded with a model of chess that
    /// is not the built-in one; only of blocks that were packed from text.
    pub moves_sample: Option<MovesSample>,
}

/// What the moves of a sample of games take, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MovesSample {
    /// With the model that they are coded with.
    pub with_model: u64,
    /// With the built-in model.
    pub with_builtin: u64,
}
