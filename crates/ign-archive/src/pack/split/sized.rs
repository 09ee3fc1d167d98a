//! Dividing by size: whole blocks as long as they fit. A block that is too long for an archive of
//! its own is cut in halves until they fit.

use std::{io::Write, thread};

use ign_format::{
    container::{header, index::Source, meta::Meta},
    error::{Error, Result},
    game_number::GameNumber,
};

use super::{
    SplitBy, StoredBlock, names,
    parts::{NewBlock, NewTexts, Parts, sources_len},
    reader::{PartOf, cut},
    too_many,
};
use crate::{
    archive::Archive,
    ordered::ordered,
    pack::writer::{AROUND_INDEX, MAX_ENTRY_LEN},
    sources::Piece,
};

/// Divides an archive into archives of at most `limit` bytes.
///
/// # Errors
/// As [`split`](super::split); usage if a game alone takes more.
pub(super) fn split<W: Write>(
    archive: &Archive,
    limit: u64,
    meta: &Meta,
    parts: &mut Parts<W>,
) -> Result<()> {
    let longest = archive.sources().iter().map(Source::max_len).max();
    let around = (header::LEN + meta.write()?.len()) as u64
        + AROUND_INDEX
        + MAX_ENTRY_LEN
        + longest.unwrap_or(0)
        + parts.models_len();
    let Some(max) = limit.checked_sub(around).filter(|&max| max > 0) else {
        return Err(
            Error::usage(format!("an archive takes more than {limit} bytes"))
                .with_remedy(format!("{around} bytes are around the games of each")),
        );
    };
    let blocks = 0..archive.blocks().len();
    thread::scope(|scope| {
        let work = |block| fitting(archive, block, max, meta.level);
        let blocks = ordered(scope, archive.threads(), blocks.map(Ok), work);
        let mut part = 0;
        parts.start(&names::numbered(part))?;
        for blocks in blocks {
            for block in blocks? {
                if parts.len_with(part, &block) > limit {
                    part += 1;
                    if part == SplitBy::MAX_PARTS {
                        let more = format!("more than {part}");
                        return Err(too_many(&more).with_remedy("allow more bytes for each"));
                    }
                    parts.start(&names::numbered(part))?;
                }
                parts.write(part, &block)?;
            }
        }
        Ok(())
    })
}

/// A block as it is, if it has at most `max` bytes; else blocks of its games that have.
fn fitting(archive: &Archive, number: usize, max: u64, level: i32) -> Result<Vec<NewBlock>> {
    let entry = archive.blocks()[number];
    // Every part has the models already.
    if entry.text_len == 0 {
        return Ok(Vec::new());
    }
    let fits = |block: &NewBlock| {
        // One of them, and one block, are counted already.
        let own = archive.places().of_byte(block.pieces()[0].text.start);
        let others = sources_len(archive, block, own);
        block.stored_len() + others + (block.count() as u64 - 1) * MAX_ENTRY_LEN <= max
    };
    if entry.stored_len <= max {
        let block = StoredBlock::read(archive, number)?;
        let block = NewBlock::Stored(block, Piece::of_block(&entry));
        if fits(&block) {
            return Ok(vec![block]);
        }
    }
    let games = entry.games as usize;
    let mut fitting = Vec::new();
    // Ranges of games that are not encoded yet, the next one last.
    let mut ranges = match games {
        0 | 1 => vec![],
        _ => vec![games / 2..games, 0..games / 2],
    };
    if ranges.is_empty() {
        return Err(too_long(entry.first_game, max, archive, number));
    }
    // The text of each game.
    let texts = cut(archive, number, PartOf::Game(&Some))?;
    while let Some(range) = ranges.pop() {
        let first = texts.texts.partition_point(|text| text.part < range.start);
        let own = texts.texts[first..].iter();
        let mut new = NewTexts::new(texts.kind, texts.coding);
        let mut source = None;
        for text in own.take_while(|text| text.part < range.end) {
            new.push(source == Some(text.source), &text.text, &text.piece);
            source = Some(text.source);
        }
        let block = archive.in_block(number, || NewBlock::encode(new, level))?;
        if fits(&block) {
            fitting.push(block);
        } else if range.len() == 1 {
            let game = entry.first_game + range.start as u64;
            return Err(too_long(game, max, archive, number));
        } else {
            let middle = range.start + range.len() / 2;
            ranges.extend([middle..range.end, range.start..middle]);
        }
    }
    Ok(fitting)
}

/// The error of a game, counted from 0, that takes more than `max` bytes.
fn too_long(game: u64, max: u64, archive: &Archive, block: usize) -> Error {
    let error = match archive.blocks()[block].games {
        0 => Error::usage(format!("a text without games takes more than {max} bytes")),
        _ => Error::usage(format!("this game alone takes more than {max} bytes"))
            .in_game(GameNumber::from_index(game)),
    };
    error.with_remedy("allow more bytes for each archive")
}
