//! Unpacking: an archive, or some of its games, to text.

use std::{io::Write, ops::Range, thread};

use xxhash_rust::xxh64::Xxh64;

use super::{Progress, ordered::ordered};
use crate::reader::Archive;
use ign_format::{
    block::decode::Block,
    error::{Error, Result},
};

/// Writes the whole text of an archive and checks it against the checksums of
/// its sources. Gives the number of bytes.
///
/// # Errors
/// Io, also of `out`; corrupt.
pub fn unpack(
    archive: &Archive,
    out: &mut impl Write,
    threads: usize,
    progress: &Progress,
) -> Result<u64> {
    let blocks = archive.index().blocks.len();
    thread::scope(|scope| {
        let text = |block: usize| block_text(archive, block);
        let mut texts = ordered(scope, threads, (0..blocks).map(Ok), text);
        let mut written = 0;
        for (number, source) in archive.index().sources.iter().enumerate() {
            let mut checksum = Xxh64::new(0);
            let mut text_len = 0;
            for block in texts
                .by_ref()
                .take(usize::try_from(source.blocks).unwrap_or(usize::MAX))
            {
                let (text, games) = block?;
                out.write_all(&text)?;
                checksum.update(&text);
                text_len += text.len() as u64;
                progress.add_input(text.len() as u64);
                progress.add_games(games);
            }
            if text_len != source.text_len || checksum.digest() != source.text_checksum {
                return Err(Error::corrupt(format!(
                    "the checksum of source {} differs",
                    number + 1
                ))
                .in_file(archive.path()));
            }
            written += text_len;
        }
        out.flush()?;
        Ok(written)
    })
}

/// The text of a block and the number of its games.
///
/// # Errors
/// Io; corrupt, naming the block.
pub(crate) fn block_text(archive: &Archive, number: usize) -> Result<(Vec<u8>, u64)> {
    let read = || {
        let bytes = archive.block_bytes(number)?;
        let block = Block::open(&bytes)?;
        let entry = &archive.index().blocks[number];
        if block.head().text_len as u64 != entry.text_len
            || block.head().games as u64 != entry.games
        {
            return Err(Error::corrupt("block and index contradict each other"));
        }
        Ok((block.text()?, entry.games))
    };
    read().map_err(|e| e.in_block(number as u64).in_file(archive.path()))
}

/// Writes the text of these games, each with what stands between it and the
/// next. Games are counted from zero; the ranges ascend and do not overlap.
///
/// # Errors
/// Io, also of `out`; corrupt; usage when the archive has not so many games.
pub fn unpack_games(
    archive: &Archive,
    ranges: &[Range<u64>],
    out: &mut impl Write,
    threads: usize,
) -> Result<()> {
    let index = archive.index();
    if let Some(beyond) = ranges.iter().find(|range| range.end > index.games()) {
        return Err(Error::usage(format!(
            "there is no game {}: the archive has {}",
            beyond.end,
            index.games()
        ))
        .in_file(archive.path()));
    }
    let mut blocks: Vec<usize> = Vec::new();
    for range in ranges.iter().filter(|range| !range.is_empty()) {
        let [first, last] = [range.start, range.end - 1]
            .map(|game| index.block_of_game(game).expect("checked above"));
        let next = blocks.last().map_or(0, |last| last + 1);
        blocks.extend(first.max(next)..=last);
    }
    archive.preload();
    let text = |block: usize| games_of_block(archive, block, ranges);
    // One block needs no thread of its own, which would take longer to start than most of it.
    if let [block] = blocks[..] {
        out.write_all(&text(block)?)?;
        return Ok(out.flush()?);
    }
    thread::scope(|scope| {
        let threads = threads.min(blocks.len());
        for text in ordered(scope, threads, blocks.into_iter().map(Ok), text) {
            out.write_all(&text?)?;
        }
        out.flush()?;
        Ok(())
    })
}

/// Writes the whole text of an archive but for these games, which ascend, counted from zero. Gives
/// the last byte.
///
/// # Errors
/// Io, also of `out`; corrupt.
pub fn unpack_without(
    archive: &Archive,
    games: &[u64],
    out: &mut impl Write,
    threads: usize,
) -> Result<Option<u8>> {
    let text = |number: usize| {
        let entry = &archive.index().blocks[number];
        let read = || {
            let bytes = archive.block_bytes(number)?;
            let block = Block::open(&bytes)?;
            let records = block.records()?;
            let mut number = entry.first_game..;
            let wanted: Vec<bool> = (0..records.len())
                .map(|record| {
                    let game = records.is_game(record).then(|| number.next()).flatten();
                    game.is_none_or(|game| games.binary_search(&game).is_err())
                })
                .collect();
            let mut out = Vec::new();
            block.render(&records, records.len(), |record| wanted[record], &mut out)?;
            Ok(out)
        };
        read().map_err(|e: Error| e.in_block(number as u64).in_file(archive.path()))
    };
    let blocks = archive.index().blocks.len();
    thread::scope(|scope| {
        let mut last = None;
        for text in ordered(scope, threads, (0..blocks).map(Ok), text) {
            let text = text?;
            last = text.last().copied().or(last);
            out.write_all(&text)?;
        }
        Ok(last)
    })
}

/// The text of those of the games that are in a block.
fn games_of_block(archive: &Archive, number: usize, ranges: &[Range<u64>]) -> Result<Vec<u8>> {
    let entry = &archive.index().blocks[number];
    let games = entry.first_game..entry.first_game + entry.games;
    let after = ranges.partition_point(|range| range.end <= games.start);
    let ranges: Vec<_> = ranges[after..]
        .iter()
        .take_while(|range| range.start < games.end)
        .collect();
    let read = || {
        let bytes = archive.block_bytes(number)?;
        let block = Block::open(&bytes)?;
        let records = block.records()?;
        let mut wanted = vec![false; records.len()];
        let mut rows = 0;
        let game_records = (0..records.len()).filter(|&record| records.is_game(record));
        for (game, record) in games.clone().zip(game_records) {
            wanted[record] = ranges.iter().any(|range| range.contains(&game));
            if wanted[record] {
                rows = record + 1;
            }
        }
        let mut out = Vec::new();
        block.render(&records, rows, |record| wanted[record], &mut out)?;
        Ok(out)
    };
    read().map_err(|e: Error| e.in_block(number as u64).in_file(archive.path()))
}
