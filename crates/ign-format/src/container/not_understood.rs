//! Which games are not, or only partly, understood: the reasons, and their counts in the head of a
//! block (spec §3.1).

use ign_entropy::varint;

use crate::error::Result;

/// Why a game is not, or only partly, understood. Its text is stored in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum NotUnderstood {
    /// The rules that its Variant tag names are unknown: no move is read.
    Variant = 0,
    /// Its FEN is not accepted: no move is read.
    Position = 1,
    /// A move is illegal or ambiguous: the moves end before it.
    Move = 2,
    /// Other text is not understood, as are moves after a result, or there are more plies than the
    /// format allows: the moves end before it.
    Text = 3,
    /// A line in brackets among the tags is not a tag.
    TagLine = 4,
}

impl NotUnderstood {
    /// All reasons, by number.
    pub const ALL: &'static [Self] = &[
        Self::Variant,
        Self::Position,
        Self::Move,
        Self::Text,
        Self::TagLine,
    ];

    /// A name of one or two words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Variant => "unknown variant",
            Self::Position => "invalid position",
            Self::Move => "illegal move",
            Self::Text => "unknown text",
            Self::TagLine => "tag line",
        }
    }
}

/// Number of reasons.
const REASONS: usize = NotUnderstood::ALL.len();

/// The number of games that are not, or only partly, understood, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NotUnderstoodCounts([u64; REASONS]);

impl NotUnderstoodCounts {
    /// The number of these games.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of these games for each reason.
    pub fn by_reason(&self) -> impl Iterator<Item = (NotUnderstood, u64)> {
        NotUnderstood::ALL.iter().copied().zip(self.0)
    }

    /// The number of these games, then that for each reason, with a key for each number.
    pub fn fields(&self) -> impl Iterator<Item = (String, u64)> {
        let by_reason = self
            .by_reason()
            .map(|(reason, count)| (reason.name().replace(' ', "_"), count));
        [("games".to_owned(), self.total())]
            .into_iter()
            .chain(by_reason)
    }

    /// Counts a game, if there is a reason.
    #[doc(hidden)]
    pub fn count(&mut self, reason: Option<NotUnderstood>) {
        if let Some(reason) = reason {
            self.0[reason as usize] += 1;
        }
    }

    /// Adds the counts of other games.
    #[doc(hidden)]
    pub fn add(&mut self, other: &Self) {
        for (count, other) in self.0.iter_mut().zip(other.0) {
            *count += other;
        }
    }

    /// Writes a number for each reason.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        for count in self.0 {
            varint::write(out, count);
        }
    }

    /// Reads the numbers for a block with `games` games.
    pub(super) fn read(input: &mut &[u8], games: usize) -> Result<Self> {
        let mut counts = Self::default();
        let mut left = games as u64;
        for count in &mut counts.0 {
            let read =
                varint::read_limited(input, left, "a block's games that are not understood")?;
            *count = read as u64;
            left -= *count;
        }
        Ok(counts)
    }
}
