//! Slots: the games that can be replayed, numbered so that each block begins with a new group.
//!
//! The groups of a block are as many as its games would fill, so the slots of a block do not depend
//! on what the blocks before it hold. Of the games of a block that can be replayed, the first has
//! the first slot of the block, and so on.

use std::ops::Range;

use ign_entropy::varint;
use ign_format::error::{Error, Result};

use super::positions::GROUP;
use crate::archive::Archive;

/// A block of one of the archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotBlock {
    /// The index of the archive.
    pub member: usize,
    /// The number of the block in its archive.
    pub block: usize,
    /// Its first game, counted from 0 over these blocks.
    pub first_game: u64,
    /// The number of its games.
    pub games: u64,
    /// Its first slot.
    pub first_slot: u64,
}

/// Consecutive blocks of archives, and those of their games that have no slot.
#[derive(Debug, Default)]
pub struct Slots {
    blocks: Vec<SlotBlock>,
    /// Games without a slot, ascending, counted from 0.
    unplayed: Vec<u64>,
}

impl Slots {
    /// The slots of the games of some blocks, counted over all archives.
    pub fn new<'a>(
        archives: impl IntoIterator<Item = &'a Archive>,
        blocks: Range<u64>,
        unplayed: Vec<u64>,
    ) -> Self {
        let all = archives
            .into_iter()
            .enumerate()
            .flat_map(|(member, archive)| {
                let entries = archive.blocks().iter().enumerate();
                entries.map(move |(block, entry)| (member, block, entry.games))
            });
        let count = blocks.end.saturating_sub(blocks.start);
        let (mut first_game, mut first_slot) = (0, 0);
        let slot_block = |(member, block, games): (usize, usize, u64)| {
            let new = SlotBlock {
                member,
                block,
                first_game,
                games,
                first_slot,
            };
            first_game += games;
            first_slot += games.next_multiple_of(GROUP.into());
            new
        };
        let some = all.skip(blocks.start as usize).take(count as usize);
        Self {
            blocks: some.map(slot_block).collect(),
            unplayed,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        let last = self.blocks.last();
        last.map_or(0, |last| last.first_game + last.games)
    }

    /// The number of groups.
    pub fn groups(&self) -> u64 {
        let last = self.blocks.last();
        let end = last.map_or(0, |last| {
            last.first_slot + last.games.next_multiple_of(GROUP.into())
        });
        end / u64::from(GROUP)
    }

    /// The blocks.
    pub fn blocks(&self) -> &[SlotBlock] {
        &self.blocks
    }

    /// The games without a slot, ascending.
    pub fn unplayed(&self) -> &[u64] {
        &self.unplayed
    }

    /// Sets the games without a slot, ascending.
    pub fn set_unplayed(&mut self, unplayed: Vec<u64>) {
        self.unplayed = unplayed;
    }

    /// The block with a slot, and the games without a slot in it.
    fn block_of_slot(&self, slot: u64) -> Option<(&SlotBlock, &[u64])> {
        let after = self
            .blocks
            .partition_point(|block| block.first_slot <= slot);
        let block = self.blocks.get(after.checked_sub(1)?)?;
        let unplayed = &self.unplayed[self.unplayed_in(block)];
        Some((block, unplayed))
    }

    fn unplayed_in(&self, block: &SlotBlock) -> Range<usize> {
        let before = |game| self.unplayed.partition_point(|&unplayed| unplayed < game);
        before(block.first_game)..before(block.first_game + block.games)
    }

    /// The game in a slot, counted from 0; `None` if there is none.
    pub fn game(&self, slot: u64) -> Option<u64> {
        let (block, unplayed) = self.block_of_slot(slot)?;
        let mut game = block.first_game + (slot - block.first_slot);
        for &missing in unplayed {
            if missing > game {
                break;
            }
            game += 1;
        }
        (game < block.first_game + block.games).then_some(game)
    }

    /// The games of a group, counted from 0.
    pub fn games_of_group(&self, group: u64) -> impl Iterator<Item = u64> {
        let first = group * u64::from(GROUP);
        (first..first + u64::from(GROUP)).map_while(|slot| self.game(slot))
    }

    /// The bytes of the games without a slot.
    pub fn write_unplayed(unplayed: &[u64]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut next = 0;
        for &game in unplayed {
            varint::write(&mut out, game - next);
            next = game + 1;
        }
        out
    }

    /// Reads the games without a slot, of `games` games.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read_unplayed(mut input: &[u8], games: u64) -> Result<Vec<u64>> {
        let (mut unplayed, mut next) = (Vec::new(), 0);
        while !input.is_empty() {
            let gap = varint::read_at_most(&mut input, games - next, "a game without moves")?;
            if next + gap >= games {
                return Err(Error::corrupt("the index names a game that does not exist"));
            }
            unplayed.push(next + gap);
            next += gap + 1;
        }
        Ok(unplayed)
    }
}
