//! Games in which a draw could be claimed.

use super::blocks;
use crate::reader::Archive;
use ign_format::error::Result;
use ign_notation::chess::repetition::{Claimable, Watch};

/// Numbers of the games of chess and its variants, counted from zero, that showed what is wanted.
///
/// # Errors
/// Io; corrupt; unsupported when moves were coded by another move model.
pub fn find(
    archive: &Archive,
    wanted: impl Fn(&Claimable) -> bool + Sync,
    threads: usize,
) -> Result<Vec<u64>> {
    blocks::games(archive, threads, |block, records| {
        let mut found = Vec::new();
        let mut watch = Watch::default();
        block.walk_games(records, |mut game| {
            let moves = &mut game.moves;
            moves.play_through(game.start, |legal, played| watch.see(legal, played))?;
            if wanted(&watch.finish()) {
                found.push(game.record);
            }
            Ok(())
        })?;
        Ok(found)
    })
}
