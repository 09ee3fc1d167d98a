//! Searches over all games: by signature, by opening, by claimable draws.
//!
//! Each returns the numbers of the games, from 1, in ascending order.

mod draws;
mod opening;
mod signature;
mod signature_text;

pub use draws::Draws;
pub use opening::parse_opening;
pub use signature_text::{format_a, format_b, parse_signature};

use crate::{archive::Archive, threads::each_block};
use ign_format::{
    block::decode::{Block, Records},
    error::Result,
};

/// The numbers of the games whose records `look` returns, in ascending order for each block.
fn games(
    archive: &Archive,
    look: impl Fn(&Block, &Records) -> Result<Vec<usize>> + Sync,
) -> Result<Vec<u64>> {
    let find = |number: usize| {
        let bytes = archive.block_bytes(number)?;
        archive.in_block(number, || {
            let block = Block::open(&bytes)?;
            let records = block.records()?;
            let mut found = look(&block, &records)?.into_iter().peekable();
            let games = records.games();
            let numbered = (archive.index().blocks[number].first_game + 1..).zip(games);
            let found = numbered.filter(|(_, record)| found.next_if_eq(record).is_some());
            Ok(found.map(|(game, _)| game).collect::<Vec<_>>())
        })
    };
    Ok(each_block(archive, 0..archive.index().blocks.len(), find)?.concat())
}
