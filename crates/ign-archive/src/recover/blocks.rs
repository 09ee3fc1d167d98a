//! A block of a damaged archive: copied if it is whole, encoded again if its moves are.

use ign_format::{
    block::{
        decode,
        encode::{Encoded, Options, encode_kind},
    },
    error::{Error, Result},
};

use crate::{check::outline::Listed, list::known_fields};

/// A block of the new archive.
pub(super) enum Block {
    /// The bytes of a whole block.
    Copied {
        /// The block.
        bytes: Vec<u8>,
        /// The number of its plies.
        plies: u64,
    },
    /// The games of a damaged one without what is lost.
    Encoded(Encoded),
}

/// What became of a block.
pub(super) struct Outcome {
    /// The block of the new archive, and its text.
    pub block: Option<(Block, Vec<u8>)>,
    /// What is wrong with the block; `None` if it is whole.
    pub error: Option<Error>,
    /// The names of the damaged columns, if its head is whole.
    pub columns: Vec<String>,
    /// Of each game of a damaged block what is known: the fields of a list.
    pub known: Vec<Vec<u8>>,
}

impl Outcome {
    /// Whether the block is not whole.
    pub fn is_damaged(&self) -> bool {
        self.error.is_some()
    }
}

/// Recovers the block with these bytes. Columns beyond the end of the file are zeros.
pub(super) fn recovered(bytes: Vec<u8>, listed: &Listed, options: &Options) -> Outcome {
    let mut outcome = Outcome {
        block: None,
        error: None,
        columns: Vec::new(),
        known: Vec::new(),
    };
    let Some(damage) = &listed.damage else {
        let decoded = decode::Block::open(&bytes)
            .and_then(|block| Ok((block.head().plies, block.verified_text()?)));
        match decoded {
            Ok((plies, text)) => outcome.block = Some((Block::Copied { bytes, plies }, text)),
            Err(error) => outcome.error = Some(error),
        }
        return outcome;
    };
    outcome.columns.clone_from(&damage.columns);
    outcome.error = Some(Error::new(damage.error.kind(), damage.error.message()));
    if damage.columns.is_empty() {
        return outcome;
    }
    // Columns that pass their checksums are decoded without surprise, but if not, the games are lost.
    if let Ok(block) = decode::Block::open(&bytes) {
        let damaged = block.damaged_columns();
        outcome.block = encoded(&block, &damaged, options).ok().flatten();
        outcome.known = known_fields(&block, &damaged).unwrap_or_default();
    }
    outcome
}

/// The games of a block without what is in damaged columns, if all of them are left.
fn encoded(
    block: &decode::Block,
    damaged: &[usize],
    options: &Options,
) -> Result<Option<(Block, Vec<u8>)>> {
    let Some(text) = block.salvaged_text(damaged)? else {
        return Ok(None);
    };
    let encoded = encode_kind(block.kind(), text.clone(), options)?;
    let has_games = encoded.games > 0;
    let is_same =
        has_games && encoded.games == block.head().games && encoded.plies == block.head().plies;
    Ok(is_same.then_some((Block::Encoded(encoded), text)))
}
