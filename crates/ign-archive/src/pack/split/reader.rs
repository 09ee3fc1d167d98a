//! Blocks of an archive as they are, or the texts of their games by part.

use ign_format::{
    block::{Coding, Kind as GameKind},
    container::index::mismatch,
    error::Result,
};

use super::{StoredBlock, plan::Plan};
use crate::{archive::Archive, sources::Piece};

/// A block that was read.
pub(super) enum Read {
    /// All of it goes to one part.
    Whole(usize, StoredBlock, Piece),
    /// Its games go to several parts.
    Cut(Cut),
    /// It is a model.
    Model,
}

/// The text of a block by part.
pub(super) struct Cut {
    pub kind: GameKind,
    pub coding: Coding,
    /// Records that follow each other in the block and go to the same part.
    pub texts: Vec<RecordsText>,
}

/// The text of some records of a source that follow each other.
pub(super) struct RecordsText {
    pub part: usize,
    pub source: usize,
    pub text: Vec<u8>,
    pub piece: Piece,
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
        let piece = Piece::of_block(&archive.blocks()[block]);
        return Ok(Read::Whole(part, StoredBlock::read(archive, block)?, piece));
    }
    let parts = plan.of_games(archive, block)?;
    match parts {
        Some(parts) => cut(
            archive,
            block,
            PartOf::Game(&|game| parts.get(game).copied()),
        ),
        None => cut(
            archive,
            block,
            PartOf::Source(&|source| plan.of_source(source)),
        ),
    }
    .map(Read::Cut)
}

/// What decides to which part a record goes.
#[derive(Clone, Copy)]
pub(super) enum PartOf<'f> {
    /// The number of its game in the block, counted from 0. Text between games goes with the game
    /// before it, and with the first game at the start of a block or of a source.
    Game(&'f dyn Fn(usize) -> Option<usize>),
    /// Its source.
    Source(&'f dyn Fn(usize) -> Option<usize>),
}

/// The text of a block by part.
///
/// # Errors
/// As [`read`].
pub(super) fn cut(archive: &Archive, number: usize, part_of: PartOf) -> Result<Cut> {
    let bytes = archive.block_bytes(number)?;
    let entry = &archive.blocks()[number];
    archive.in_block(number, || {
        let block = archive.block(&bytes)?;
        let records = block.records()?;
        let mut ends = Vec::with_capacity(records.len());
        let text = block.text_by_record(&records, None, |end| ends.push(end))?;
        let places = archive.places();
        let mut texts: Vec<RecordsText> = Vec::new();
        let (mut start, mut game) = (0, 0);
        // The part and the source of the record before.
        let mut before = None;
        for (record, end) in ends.into_iter().enumerate() {
            let is_game = records.is_game(record);
            let source = places
                .of_byte(entry.text_offset + start as u64)
                .ok_or_else(mismatch)?;
            if entry.text_offset + end as u64 > places.of_source(source).text.end {
                return Err(mismatch());
            }
            let part = match (part_of, before) {
                (PartOf::Source(part), _) => part(source),
                // The next game of the same source, at its start.
                (PartOf::Game(part), Some((before, last))) if !is_game => {
                    let next = entry.first_game + game as u64;
                    let has_games = places.of_source(source).games.contains(&next)
                        && (game as u64) < entry.games;
                    if last == source || !has_games {
                        Some(before)
                    } else {
                        part(game)
                    }
                }
                (PartOf::Game(part), _) => part(game),
            };
            let part = part.ok_or_else(mismatch)?;
            before = Some((part, source));
            let games = game..game + usize::from(is_game);
            game = games.end;
            match texts.last_mut() {
                Some(last) if (last.part, last.source) == (part, source) => {
                    last.text.extend_from_slice(&text[start..end]);
                    last.piece.text.end = entry.text_offset + end as u64;
                    last.piece.games.end = entry.first_game + games.end as u64;
                }
                _ => texts.push(RecordsText {
                    part,
                    source,
                    text: text[start..end].to_vec(),
                    piece: Piece {
                        text: entry.text_offset + start as u64..entry.text_offset + end as u64,
                        games: entry.first_game + games.start as u64
                            ..entry.first_game + games.end as u64,
                    },
                }),
            }
            start = end;
        }
        if game as u64 != entry.games {
            return Err(mismatch());
        }
        Ok(Cut {
            kind: block.kind(),
            coding: block.coding(),
            texts,
        })
    })
}
