//! The bytes of an index before it is built, from an index of some of its blocks.

use std::io;

use ign_format::error::Result;

use super::{IndexBuilder, IndexOptions, IndexSummary, NewSegment, blocks_of};
use crate::{
    archive::Archive,
    index::{columns::IndexColumn, positions::pair_bits, slots::Slots, statistics::Stored},
};

/// Blocks that are indexed for an estimate, at most.
const BLOCKS: u64 = 16;

/// About how many bytes an index takes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexEstimate {
    /// What building the index would write.
    pub summary: IndexSummary,
    /// The number of games from which it was estimated. If these are all games, it is exact.
    pub sampled: u64,
}

impl IndexBuilder<'_> {
    /// Estimates the bytes of the index of archives, from an index of at most 16 blocks in their
    /// middle. Nothing is kept.
    ///
    /// # Errors
    /// Those of [`build`](Self::build).
    pub fn estimate(mut self, archives: &[Archive]) -> Result<IndexEstimate> {
        let all: u64 = archives.iter().map(blocks_of).sum();
        let first = all.saturating_sub(BLOCKS) / 2;
        let blocks = first..all.min(first + BLOCKS);
        let slots = |blocks| Slots::new(archives, blocks, Vec::new());
        let (some, all) = (slots(blocks.clone()), slots(0..all));
        let (sampled, games) = (some.games(), all.games());
        let share = |number: u64| {
            let part = u128::from(number) * u128::from(sampled) / u128::from(games.max(1));
            part as u64
        };
        // The same positions have statistics as in the whole index.
        let stored = Stored {
            min_games: share(self.options.stored.min_games),
            games_of_cell: share(self.options.stored.games_of_cell),
        };
        let segment = NewSegment {
            archives,
            blocks,
            start: 0,
            options: IndexOptions {
                stored,
                ..self.options
            },
        };
        let mut summary = segment.write(&mut io::sink(), &mut self.on_progress)?;
        if sampled < games {
            let more = games as f64 / sampled.max(1) as f64;
            let pairs = pair_bits(all.groups()) / pair_bits(some.groups());
            let numbers = bits_of(games) / bits_of(sampled);
            for (name, bytes) in &mut summary.sections {
                let growth = match *name {
                    "positions" => more * pairs,
                    "statistics" => 1.0,
                    name if name == IndexColumn::TreeGames.name() => more * numbers,
                    _ => more,
                };
                *bytes = (*bytes as f64 * growth) as u64;
            }
            summary.games = games;
            summary.len = summary.sections.iter().map(|&(_, bytes)| bytes).sum();
        }
        Ok(IndexEstimate { summary, sampled })
    }
}

/// Bits of the number of a game.
fn bits_of(games: u64) -> f64 {
    f64::from((u64::BITS - games.leading_zeros()).max(1))
}
