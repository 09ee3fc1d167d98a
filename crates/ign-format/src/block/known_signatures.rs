//! Signatures that a reader knows before it decodes the moves.
//!
//! Weighted games do not encode what their signatures already determine
//! (`constraints.rs`), so decoding a group needs the signatures of its
//! games.

use std::ops::Range;

use crate::columns::signatures::Levels;
use ign_notation::signature::Signature;

/// The signatures of the playable games of a block, as far as they are known.
#[derive(Debug)]
pub enum KnownSignatures<'a> {
    /// A list with an entry for each game.
    List(Vec<Option<Signature>>),
    /// The signature column of the block.
    Column {
        /// The levels of the column.
        levels: Levels<'a>,
        /// For each playable game its number among all games of the block.
        games: Vec<u32>,
    },
}

impl Default for KnownSignatures<'_> {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl KnownSignatures<'_> {
    /// Number of games.
    pub fn count(&self) -> usize {
        match self {
            Self::List(signatures) => signatures.len(),
            Self::Column { games, .. } => games.len(),
        }
    }

    /// The signatures of consecutive games.
    pub fn of(&self, games: Range<usize>) -> Vec<Option<Signature>> {
        match self {
            Self::List(signatures) => signatures[games].to_vec(),
            Self::Column { levels, games: all } => {
                let mut next = all.get(games.start).copied().unwrap_or(0);
                let mut signatures = levels.from(next as usize);
                let signature = |&game: &u32| {
                    let skipped = (game - next) as usize;
                    next = game + 1;
                    signatures.nth(skipped)
                };
                all[games].iter().map(signature).collect()
            }
        }
    }
}
