//! Games in which a draw could be claimed.

use std::thread;

use crate::{
    archive::{decode::Block, reader::Archive},
    chess::repetition::{Claimable, Watch},
    error::{Error, Result},
    pipeline::ordered::ordered,
};

/// Numbers of the games of chess and its variants, counted from zero, that showed what is wanted.
///
/// # Errors
/// Io; corrupt; unsupported when moves were coded by another move model.
pub fn find(
    archive: &Archive,
    wanted: impl Fn(&Claimable) -> bool + Sync,
    threads: usize,
) -> Result<Vec<u64>> {
    let index = archive.index();
    let find = |number: usize| {
        let read = || {
            let bytes = archive.block_bytes(number)?;
            let block = Block::open(&bytes)?;
            let records = block.records()?;
            let mut found = vec![false; records.len()];
            let mut watch = Watch::default();
            block.walk_games(&records, |mut game| {
                let moves = &mut game.moves;
                moves.play_through(game.start, |legal, played| watch.see(legal, played))?;
                found[game.record] = wanted(&watch.finish());
                Ok(())
            })?;
            let games = (0..records.len()).filter(|&record| records.is_game(record));
            let numbered = (index.blocks[number].first_game..).zip(games);
            let found = numbered.filter(|&(_, record)| found[record]);
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
