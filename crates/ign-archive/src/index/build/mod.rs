//! Builds an index from archives, in bounded memory.
//!
//! ```text
//! blocks ─► examine (threads): columns, names, occurrences of positions, first moves ─► collect, in order
//!        ─► columns, players, opening tree ─► shards of positions (threads) ─► file
//! ```
//!
//! What grows with the number of games is sorted in pieces that are kept in temporary files
//! ([`spill`](super::spill)). In memory are about 70 bytes a game, the names of the players, and
//! 112 MiB of what is sorted.

mod collect;
mod examine;
mod file;
mod nodes;

use std::{io::Write, ops::ControlFlow, thread};

use ign_format::error::{Error, Result};

use self::{collect::Collected, file::IndexFile};
use super::{
    directory::Member,
    positions,
    slots::{SlotBlock, Slots},
};
use crate::{
    archive::Archive,
    ordered::ordered,
    progress::{Counters, Progress},
};

/// What an index has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sections {
    /// Columns of ratings, dates, results, codes, time controls, terminations and plies.
    pub columns: bool,
    /// The players.
    pub players: bool,
    /// The opening tree.
    pub openings: bool,
    /// The positions. Without the opening tree they take more space.
    pub positions: bool,
}

impl Sections {
    /// All sections.
    pub const ALL: Self = Self {
        columns: true,
        players: true,
        openings: true,
        positions: true,
    };
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSummary {
    /// The number of games.
    pub games: u64,
    /// The length of the file.
    pub len: u64,
    /// The bytes of each section, with their frames.
    pub sections: Vec<(&'static str, u64)>,
}

/// Builds the index of archives and writes it. The games of the archives are numbered one after the
/// other.
///
/// # Errors
/// Usage if there are more than 2³² games; io; corrupt; unsupported; cancelled.
pub fn build(
    archives: &[Archive],
    sections: Sections,
    out: &mut dyn Write,
    mut on_progress: impl FnMut(Progress) -> ControlFlow<()>,
) -> Result<IndexSummary> {
    let games: u64 = archives.iter().map(Archive::len).sum();
    let mut slots = Slots::new(archives, Vec::new());
    if slots.groups() * u64::from(positions::GROUP) > u64::from(u32::MAX) {
        return Err(Error::usage("an index has at most 4,294,967,295 games")
            .with_remedy("build one index for each archive"));
    }
    let plies = archives.iter().map(Archive::plies).sum::<u64>() + games;
    let shard_bits = positions::shard_bits(plies);
    let threads = archives.first().map_or(1, Archive::threads);
    let mut collected = Collected::new(shard_bits);
    let counters = Counters::default();
    thread::scope(|scope| -> Result<()> {
        let jobs: Vec<_> = slots.blocks().iter().copied().map(Ok).collect();
        let examine = |block: SlotBlock| {
            let archive = &archives[block.member];
            archive.in_block(block.block, || {
                examine::examine(archive, block, sections, shard_bits)
            })
        };
        let blocks = slots.blocks().iter();
        for (part, block) in ordered(scope, threads, jobs.into_iter(), examine).zip(blocks) {
            collected.add(part?, block)?;
            counters.add_games(block.games);
            let entry = &archives[block.member].index().blocks[block.block];
            counters.add_bytes(entry.stored_len);
            counters.report(&mut on_progress)?;
        }
        Ok(())
    })?;
    let mut file = IndexFile::new(out);
    file.directory.members = archives.iter().map(Archive::member).collect();
    slots.set_unplayed(std::mem::take(&mut collected.unplayed));
    collected.write(&slots, sections, games, threads, &mut file)?;
    file.finish(games)
}

impl Archive {
    /// What an index keeps of the archive to recognize it.
    pub(crate) fn member(&self) -> Member {
        let name = self.path().file_name().unwrap_or_default();
        Member {
            name: name.to_string_lossy().into_owned(),
            file_len: self.footer().file_len,
            identity: self.identity(),
            games: self.len(),
        }
    }
}
