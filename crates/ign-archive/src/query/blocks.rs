//! A question put to each block of an archive, by several threads.

use std::thread;

use crate::{pipeline::ordered::ordered, reader::Archive};
use ign_format::{
    block::decode::{Block, Records},
    error::{Error, Result},
};

/// Numbers of the games, counted from zero, of which `look` gives the records, block by block and in
/// each in ascending order.
///
/// # Errors
/// Io; corrupt; those of `look`.
pub(super) fn games(
    archive: &Archive,
    threads: usize,
    look: impl Fn(&Block, &Records) -> Result<Vec<usize>> + Sync,
) -> Result<Vec<u64>> {
    let index = archive.index();
    let find = |number: usize| {
        let read = || {
            let bytes = archive.block_bytes(number)?;
            let block = Block::open(&bytes)?;
            let records = block.records()?;
            let mut found = look(&block, &records)?.into_iter().peekable();
            // Records become games: those before them are counted.
            let games = (0..records.len()).filter(|&record| records.is_game(record));
            let numbered = (index.blocks[number].first_game..).zip(games);
            let found = numbered.filter(|(_, record)| found.next_if_eq(record).is_some());
            Ok(found.map(|(game, _)| game).collect::<Vec<_>>())
        };
        read().map_err(|e: Error| e.in_block(number as u64).in_file(archive.path()))
    };
    thread::scope(|scope| {
        let mut all = Vec::new();
        let blocks = (0..index.blocks.len()).map(Ok);
        for found in ordered(scope, threads, blocks, find) {
            all.extend(found?);
        }
        Ok(all)
    })
}
