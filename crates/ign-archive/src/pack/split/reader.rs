//! Blocks of an archive as they are, or the texts of their games by part.

use std::collections::BTreeMap;

use ign_format::{
    block::{Coding, Kind as GameKind},
    error::{Error, Result},
};

use super::{StoredBlock, plan::Plan};
use crate::archive::Archive;

/// A block that was read.
pub(super) enum Read {
    /// All of it goes to one part.
    Whole(usize, StoredBlock),
    /// Its games go to several parts.
    Cut(Cut),
    /// It is a model.
    Model,
}

/// The text of a block by part.
pub(super) struct Cut {
    pub kind: GameKind,
    pub coding: Coding,
    /// Texts of games that follow each other in a part.
    pub texts: Vec<GamesText>,
}

/// The text of some games of a block.
pub(super) struct GamesText {
    pub part: usize,
    pub text: Vec<u8>,
    pub games: u64,
}

/// Reads a block, and decodes it if its games go to several parts.
///
/// # Errors
/// Io; corrupt; unsupported.
pub(super) fn read(archive: &Archive, plan: &Plan, block: usize) -> Result<Read> {
    if archive.blocks()[block].text_len == 0 {
        return Ok(Read::Model);
    }
    if let Some(part) = plan.of_block(block) {
        return Ok(Read::Whole(part, StoredBlock::read(archive, block)?));
    }
    let parts = plan.of_games(archive, block)?;
    cut(archive, block, |game| parts.get(game).copied()).map(Read::Cut)
}

/// The text of a block by the parts of its games, which are counted from 0 in the block.
///
/// # Errors
/// As [`read`].
pub(super) fn cut(
    archive: &Archive,
    number: usize,
    part_of: impl Fn(usize) -> Option<usize>,
) -> Result<Cut> {
    let bytes = archive.block_bytes(number)?;
    archive.in_block(number, || {
        let block = archive.block(&bytes)?;
        let records = block.records()?;
        let mut ends = Vec::with_capacity(records.len());
        let text = block.text_by_record(&records, None, |end| ends.push(end))?;
        let contradict = || Error::corrupt("block and index contradict each other");
        let mut texts: Vec<GamesText> = Vec::new();
        // Where the text of each part is.
        let mut places = BTreeMap::new();
        let mut part = part_of(0).ok_or_else(contradict)?;
        let (mut start, mut game) = (0, 0);
        for (record, end) in ends.into_iter().enumerate() {
            let is_game = records.is_game(record);
            if is_game {
                part = part_of(game).ok_or_else(contradict)?;
                game += 1;
            }
            let place = *places.entry(part).or_insert_with(|| {
                texts.push(GamesText {
                    part,
                    text: Vec::new(),
                    games: 0,
                });
                texts.len() - 1
            });
            texts[place].text.extend_from_slice(&text[start..end]);
            texts[place].games += u64::from(is_game);
            start = end;
        }
        if game as u64 != archive.blocks()[number].games {
            return Err(contradict());
        }
        Ok(Cut {
            kind: block.kind(),
            coding: block.coding(),
            texts,
        })
    })
}
