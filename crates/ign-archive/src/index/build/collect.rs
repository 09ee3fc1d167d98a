//! What has been collected from the blocks, and how it becomes sections.

use std::thread;

use ign_format::error::Result;
use rustc_hash::FxHashMap;

use super::{
    examine::{Coded, Part},
    file::IndexFile,
};
use crate::{
    index::{
        columns::IndexColumn,
        facts::{self, Facts},
        keys::Occurrence,
        materials::{self, Counts},
        openings::{self, OpeningTree},
        players::{self, GameLists, PlayerGame},
        positions::{self, WithinDepth},
        sections::IndexSections,
        slots::{SlotBlock, Slots},
        spill::{Shards, Sorter},
        spool::Spool,
        statistics::{Counter, Stored},
    },
    ordered::ordered,
    values::Speed,
};

/// Values of a dictionary, at most; a column with more has no dictionary and is left out.
const MAX_DICTIONARY: usize = 1 << 12;

/// Bytes of the record of a game of a player.
const PLAYER_RECORD: usize = 12;

/// Bytes of the record of a game with a material.
const MATERIAL_RECORD: usize = 12;

/// What has been collected from the blocks so far.
pub(super) struct Collected {
    /// WhiteElo, BlackElo, Date, Result, Eco.
    numbers: [Spool; 5],
    texts: [Text; 2],
    plies: Spool,
    endings: Spool,
    /// For each game and each material that it has the code and the game.
    materials: Sorter<MATERIAL_RECORD>,
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
    codes: Spool,
    values: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl Text {
    fn add(&mut self, column: Coded) -> Result<()> {
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
        let mut codes = column.codes.into_iter();
        codes.try_for_each(|code| self.codes.push(code.map(|code| map[code as usize])))
    }

    /// The column with its values in order: those of the same speed follow each other, so that a
    /// speed is a range of codes.
    fn sorted(mut self) -> Result<(Spool, Vec<Vec<u8>>)> {
        self.values
            .sort_by_cached_key(|value| (Speed::of_time_control(value), value.clone()));
        let mut map = vec![0; self.values.len()];
        for (place, value) in (0..).zip(&self.values) {
            map[self.numbers[value] as usize] = place;
        }
        let mut codes = Spool::default();
        self.codes
            .each(|code| codes.push(code.map(|code| map[code as usize])))?;
        Ok((codes, self.values))
    }
}

impl Collected {
    /// Nothing yet. `memory` bytes of records are sorted in memory.
    pub fn new(shard_bits: u32, memory: u64) -> Self {
        let memory = usize::try_from(memory).unwrap_or(usize::MAX);
        Self {
            numbers: Default::default(),
            texts: Default::default(),
            plies: Spool::default(),
            endings: Spool::default(),
            materials: Sorter::new(memory / 8),
            names: FxHashMap::default(),
            player_games: Sorter::new(memory / 8),
            shards: Shards::new(shard_bits, memory / 2 / size_of::<Occurrence>()),
            shard_bits,
            first_moves: Sorter::new(memory / 4),
            unplayed: Vec::new(),
        }
    }

    /// Adds a block.
    ///
    /// # Errors
    /// Io of temporary files.
    pub fn add(&mut self, part: Part, block: &SlotBlock) -> Result<()> {
        let columns = self.numbers.iter_mut().zip(part.numbers);
        let own = [
            (&mut self.plies, part.plies),
            (&mut self.endings, part.endings),
        ];
        for (all, new) in columns.chain(own) {
            new.into_iter().try_for_each(|value| all.push(value))?;
        }
        for (all, new) in self.texts.iter_mut().zip(part.texts) {
            all.add(new)?;
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
        for (counts, game) in part.materials {
            let mut record = [0; MATERIAL_RECORD];
            record[..8].copy_from_slice(&counts.code().to_be_bytes());
            record[8..].copy_from_slice(&(game as u32).to_be_bytes());
            self.materials.push(record)?;
        }
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
        sections: IndexSections,
        stored: Stored,
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
            file.column(IndexColumn::Ending, &self.endings)?;
            for (column, text) in [TimeControl, Termination].into_iter().zip(self.texts) {
                if text.values.len() <= MAX_DICTIONARY {
                    let (codes, values) = text.sorted()?;
                    file.column(column, &codes)?;
                    let place = file.section(column.name(), &dictionary(&values))?;
                    file.directory.dictionaries.push((column, place));
                }
            }
        }
        drop((self.numbers, self.plies, self.endings));
        if sections.players {
            write_players(self.names, self.player_games, games, file)?;
        }
        if sections.materials {
            write_materials(self.materials, games, file)?;
        }
        if !(sections.openings || sections.positions) {
            return Ok(());
        }
        // The slots and the facts of the games in the order of the opening tree.
        let (mut in_order, mut facts) = (Spool::default(), <[Spool; 5]>::default());
        let mut places = vec![u32::MAX; (slots.groups() * u64::from(positions::GROUP)) as usize];
        let mut next = 0;
        let tree = openings::build(self.first_moves, |slot, bytes| {
            places[slot as usize] = next;
            next += 1;
            in_order.push(slots.game(slot.into()).map(|game| game as u32))?;
            let numbers = facts::from_bytes(bytes).into_iter();
            facts
                .iter_mut()
                .zip(numbers)
                .try_for_each(|(column, number)| column.push(number))
        })?;
        if sections.openings {
            for (next, chunk) in tree.chunks() {
                let place = file.section("openings", &chunk)?;
                file.directory.tree.push((next, place));
            }
        }
        file.column(IndexColumn::TreeGames, &in_order)?;
        if sections.columns {
            for (column, values) in Facts::COLUMNS.into_iter().zip(&facts) {
                file.column(column, values)?;
            }
        }
        if sections.positions {
            let order = Order { places, tree };
            let counter = Counter {
                stored,
                tree: &order.tree,
                games: &in_order,
                facts: &facts,
            };
            // Statistics replace what the columns would say.
            let counter = (sections.openings && sections.columns).then_some(&counter);
            write_positions(
                &self.shards,
                self.shard_bits,
                slots,
                &order,
                counter,
                threads,
                file,
            )?;
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
    // The games come by the number of the player, and a shard needs them by name.
    let mut lists = GameLists::default();
    let (mut last, mut list) = (0, Vec::new());
    for record in player_games.finish()? {
        let [a, b, c, d, played @ ..] = record?;
        let player = u32::from_be_bytes([a, b, c, d]);
        if player != last {
            lists.add(&list, games)?;
            list.clear();
            last = player;
        }
        list.push(PlayerGame::from_bytes(played));
    }
    if !list.is_empty() {
        lists.add(&list, games)?;
    }
    let lists = lists.finish()?;
    let mut sorted: Vec<(Vec<u8>, u32)> = names.into_iter().collect();
    players::sort(&mut sorted);
    for shard in sorted.chunks(players::SHARD_NAMES) {
        let players = shard
            .iter()
            .map(|(name, number)| Ok((&name[..], lists.read(*number)?)));
        let place = file.section("players", &players::write(players)?)?;
        file.directory.players.push((shard[0].0.clone(), place));
    }
    Ok(())
}

fn write_materials(
    records: Sorter<MATERIAL_RECORD>,
    games: u64,
    file: &mut IndexFile,
) -> Result<()> {
    let mut writer = materials::Writer::new(games);
    let mut write = |shard: Option<(u64, Vec<u8>)>| -> Result<()> {
        if let Some((first, bytes)) = shard {
            let place = file.section("materials", &bytes)?;
            file.directory.materials.push((first, place));
        }
        Ok(())
    };
    let (mut last, mut list) = (0, Vec::new());
    for record in records.finish()? {
        let record = record?;
        let (code, game) = record.split_at(8);
        let code = u64::from_be_bytes(code.try_into().expect("eight bytes"));
        let game = u32::from_be_bytes(game.try_into().expect("four bytes"));
        if code != last && !list.is_empty() {
            write(writer.add(Counts::from_code(last), &list))?;
            list.clear();
        }
        last = code;
        list.push(u64::from(game));
    }
    if !list.is_empty() {
        write(writer.add(Counts::from_code(last), &list))?;
    }
    write(writer.finish())
}

/// The order of the opening tree.
struct Order {
    /// For each slot the place of its game.
    places: Vec<u32>,
    tree: OpeningTree,
}

impl positions::Placed for Order {
    fn place(&self, slot: u32) -> u32 {
        self.places[slot as usize]
    }

    fn node(&self, occurrence: Occurrence) -> Option<u32> {
        let place = self.place(occurrence.slot());
        self.tree.node_of(place, occurrence.ply().into())
    }
}

fn write_positions(
    shards: &Shards,
    bits: u32,
    slots: &Slots,
    order: &Order,
    counter: Option<&Counter>,
    threads: usize,
    file: &mut IndexFile,
) -> Result<()> {
    let groups = slots.groups();
    let count = |found: &positions::Occurrences| match counter {
        Some(counter) => counter.count(found),
        None => Ok(None),
    };
    let has_depth = file.directory.depth.is_some();
    let encode = |shard: usize| {
        let sorted = shards.sorted(shard)?;
        if has_depth {
            positions::write(WithinDepth::of(sorted), bits, groups, order, count)
        } else {
            positions::write(sorted, bits, groups, order, count)
        }
    };
    thread::scope(|scope| {
        let jobs = (0..shards.count()).map(Ok);
        for shard in ordered(scope, threads, jobs, encode) {
            let shard = shard?;
            for counted in &shard.statistics {
                file.section("statistics", counted)?;
            }
            let place = file.section("positions", &shard.bytes)?;
            file.directory.positions.push(place);
        }
        Ok(())
    })
}
