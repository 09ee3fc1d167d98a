//! What has been collected from the blocks, and how it becomes sections.

use std::thread;

use ign_format::error::Result;
use rustc_hash::FxHashMap;

use super::{
    examine::{Coded, Part},
    file::IndexFile,
    nodes::NodeOfGame,
};
use crate::{
    index::{
        columns::IndexColumn,
        keys::Occurrence,
        openings,
        players::{self, GameList, PlayerGame},
        positions,
        sections::Sections,
        slots::{SlotBlock, Slots},
        spill::{Shards, Sorter},
    },
    ordered::ordered,
};

/// Bytes of occurrences that are held in memory, and of other records that are sorted.
const MEMORY: usize = 64 << 20;
/// Values of a dictionary, at most; a column with more has no dictionary and is left out.
const MAX_DICTIONARY: usize = 1 << 12;

/// Bytes of the record of a game of a player.
const PLAYER_RECORD: usize = 12;

/// What has been collected from the blocks so far.
pub(super) struct Collected {
    /// WhiteElo, BlackElo, Date, Result, Eco.
    numbers: [Vec<Option<u32>>; 5],
    texts: [Text; 2],
    plies: Vec<Option<u32>>,
    names: FxHashMap<Vec<u8>, u32>,
    /// For each game of a player the number of the player and the [`PlayerGame`].
    player_games: Sorter<PLAYER_RECORD>,
    shards: Shards,
    shard_bits: u32,
    first_moves: Sorter<{ openings::RECORD }>,
    pub unplayed: Vec<u64>,
}

/// A column of text with few distinct values.
#[derive(Default)]
struct Text {
    codes: Vec<Option<u32>>,
    values: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl Text {
    fn add(&mut self, column: Coded) {
        let map: Vec<u32> = column
            .values
            .into_iter()
            .map(|value| {
                let next = self.values.len() as u32;
                *self.numbers.entry(value).or_insert_with_key(|value| {
                    self.values.push(value.clone());
                    next
                })
            })
            .collect();
        self.codes.extend(
            column
                .codes
                .iter()
                .map(|code| code.map(|code| map[code as usize])),
        );
    }
}

impl Collected {
    pub fn new(shard_bits: u32) -> Self {
        Self {
            numbers: Default::default(),
            texts: Default::default(),
            plies: Vec::new(),
            names: FxHashMap::default(),
            player_games: Sorter::new(MEMORY / 4),
            shards: Shards::new(shard_bits, MEMORY / size_of::<Occurrence>()),
            shard_bits,
            first_moves: Sorter::new(MEMORY / 2),
            unplayed: Vec::new(),
        }
    }

    /// Adds a block.
    ///
    /// # Errors
    /// Io of temporary files.
    pub fn add(&mut self, part: Part, block: &SlotBlock) -> Result<()> {
        for (all, new) in self.numbers.iter_mut().zip(part.numbers) {
            all.extend(new);
        }
        for (all, new) in self.texts.iter_mut().zip(part.texts) {
            all.add(new);
        }
        for (is_black, column) in [false, true].into_iter().zip(part.names) {
            let number = |name: Vec<u8>| {
                let next = self.names.len() as u32;
                *self.names.entry(name).or_insert(next)
            };
            let players: Vec<u32> = column.values.into_iter().map(number).collect();
            for (game, code) in (block.first_game..).zip(column.codes) {
                if let Some(code) = code {
                    let played = PlayerGame::new(game, is_black).to_bytes();
                    let mut record = [0; PLAYER_RECORD];
                    record[..4].copy_from_slice(&players[code as usize].to_be_bytes());
                    record[4..].copy_from_slice(&played);
                    self.player_games.push(record)?;
                }
            }
        }
        self.plies.extend(part.plies);
        self.shards.add(part.occurrences)?;
        for record in part.first_moves {
            self.first_moves.push(record)?;
        }
        self.unplayed.extend(part.unplayed);
        Ok(())
    }

    /// Writes all sections.
    ///
    /// # Errors
    /// Io.
    pub fn write(
        self,
        slots: &Slots,
        sections: Sections,
        games: u64,
        threads: usize,
        file: &mut IndexFile,
    ) -> Result<()> {
        use IndexColumn::{BlackElo, Date, Eco, Plies, Result, Termination, TimeControl, WhiteElo};
        file.directory.unplayed =
            file.section("games", &Slots::write_unplayed(slots.unplayed()))?;
        if sections.columns {
            for (column, values) in [WhiteElo, BlackElo, Date, Result, Eco]
                .into_iter()
                .zip(&self.numbers)
            {
                file.column(column, values)?;
            }
            file.column(Plies, &self.plies)?;
            for (column, text) in [TimeControl, Termination].into_iter().zip(&self.texts) {
                if text.values.len() <= MAX_DICTIONARY {
                    file.column(column, &text.codes)?;
                    let place = file.section(column.name(), &dictionary(&text.values))?;
                    file.directory.dictionaries.push((column, place));
                }
            }
        }
        drop((self.numbers, self.plies, self.texts));
        if sections.players {
            write_players(self.names, self.player_games, games, file)?;
        }
        let (tree, in_order) = openings::build(self.first_moves)?;
        if sections.openings {
            let game = |&slot: &u32| slots.game(slot.into()).map(|game| game as u32);
            let listed: Vec<_> = in_order.iter().map(game).collect();
            for (next, chunk) in tree.chunks() {
                let place = file.section("openings", &chunk)?;
                file.directory.tree.push((next, place));
            }
            file.column(IndexColumn::TreeGames, &listed)?;
        }
        if sections.positions {
            let nodes = NodeOfGame::new(&tree, &in_order, slots.groups());
            drop((tree, in_order));
            write_positions(&self.shards, self.shard_bits, slots, &nodes, threads, file)?;
        }
        Ok(())
    }
}

/// The values of a dictionary.
fn dictionary(values: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    for value in values {
        ign_entropy::varint::write(&mut out, value.len() as u64);
        out.extend_from_slice(value);
    }
    out
}

fn write_players(
    names: FxHashMap<Vec<u8>, u32>,
    player_games: Sorter<PLAYER_RECORD>,
    games: u64,
    file: &mut IndexFile,
) -> Result<()> {
    // The games come by the number of the player, and a shard needs them by name. In between they
    // are held coded.
    let mut lists = Vec::new();
    lists.resize_with(names.len(), GameList::default);
    let (mut last, mut list) = (0, Vec::new());
    for record in player_games.finish()? {
        let [a, b, c, d, played @ ..] = record?;
        let player = u32::from_be_bytes([a, b, c, d]) as usize;
        if player != last {
            lists[last] = GameList::new(&list, games);
            list.clear();
            last = player;
        }
        list.push(PlayerGame::from_bytes(played));
    }
    if !list.is_empty() {
        lists[last] = GameList::new(&list, games);
    }
    let mut sorted: Vec<(Vec<u8>, u32)> = names.into_iter().collect();
    players::sort(&mut sorted);
    for shard in sorted.chunks(players::SHARD_NAMES) {
        let players = shard
            .iter()
            .map(|(name, number)| (&name[..], &lists[*number as usize]));
        let place = file.section("players", &players::write(players))?;
        file.directory.players.push((shard[0].0.clone(), place));
    }
    Ok(())
}

fn write_positions(
    shards: &Shards,
    bits: u32,
    slots: &Slots,
    nodes: &NodeOfGame,
    threads: usize,
    file: &mut IndexFile,
) -> Result<()> {
    let groups = slots.groups();
    let encode = |shard: usize| {
        let occurrences = shards.sorted(shard)?;
        let game = |slot: u32| slots.game(slot.into()).map_or(0, |game| game as u32);
        Ok(positions::write(
            &occurrences,
            bits,
            groups,
            |o| nodes.of(o),
            game,
        ))
    };
    thread::scope(|scope| {
        let jobs = (0..shards.count()).map(Ok);
        for shard in ordered(scope, threads, jobs, encode) {
            let place = file.section("positions", &shard?)?;
            file.directory.positions.push(place);
        }
        Ok(())
    })
}
