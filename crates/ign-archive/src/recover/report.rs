//! What was recovered, and what is lost.

use std::ops::{Range, RangeInclusive};

use ign_format::container::index::BlockEntry;

use super::blocks::Outcome;

/// How an archive was recovered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Nothing of it was damaged: the new file is a copy, without other bytes after the archive.
    Copied,
    /// By its parity: the new file is the archive as it was. These bytes were computed again.
    Repaired(Vec<Range<u64>>),
    /// A new archive was made of the blocks that are whole.
    #[default]
    Rebuilt,
}

/// What was recovered, and what is lost.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Recovered {
    /// How.
    pub method: Method,
    /// Number of games in the new archive.
    pub games: u64,
    /// Length of the new archive in bytes.
    pub archive_len: u64,
    /// Games that are lost.
    pub lost: Vec<Lost>,
    /// Games in the new archive without what was in damaged columns, and without what cannot be
    /// decoded without them: for example without comments.
    pub reduced: Vec<Lost>,
    /// Whether more may be lost than these: the number of games that the archive had is not known,
    /// or blocks are not in their order.
    pub is_uncertain: bool,
    /// What else is to be said, a sentence each.
    pub notes: Vec<String>,
}

impl Recovered {
    /// Whether the new archive has all that the old one had.
    pub fn is_complete(&self) -> bool {
        self.lost.is_empty() && self.reduced.is_empty() && !self.is_uncertain
    }
}

/// A damaged part of the old archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lost {
    /// The number of the block, from 1; `None` for bytes that may have been blocks.
    pub block: Option<u64>,
    /// Its bytes in the old file.
    pub bytes: Range<u64>,
    /// Its games, numbered from 1; `None` if it has none, or their number is not known.
    pub games: Option<RangeInclusive<u64>>,
    /// The names of the damaged columns, if the head of the block is whole.
    pub columns: Vec<String>,
    /// Of games in the new archive, the names of columns that are whole but are lost with the
    /// damaged ones.
    pub lost_with: Vec<String>,
    /// What is wrong.
    pub reason: String,
    /// What is known of each game: the [fields of a list](crate::Archive::LIST_FIELDS), separated by tabs,
    /// `-` for those that are lost. Empty if nothing is known.
    pub known: Vec<Vec<u8>>,
}

impl Lost {
    pub(super) fn of(number: usize, entry: &BlockEntry, outcome: &Outcome) -> Self {
        let reason = outcome
            .error
            .as_ref()
            .map(|error| error.message().to_owned());
        Self {
            block: Some(number as u64 + 1),
            bytes: entry.bytes(),
            games: entry.game_numbers(),
            columns: outcome.columns.clone(),
            lost_with: outcome.lost_with.clone(),
            reason: reason.unwrap_or_default(),
            known: outcome.known.clone(),
        }
    }
}
