//! Builds an index from archives, in bounded memory.
//!
//! ```text
//! blocks ─► examine (threads): columns, names, occurrences of positions, first moves ─► collect, in order
//!        ─► columns, players, opening tree ─► shards of positions (threads) ─► file
//! ```
//!
//! What grows with the number of games is sorted in pieces that are kept in temporary files
//! ([`spill`](super::spill)). In memory are about 40 bytes a game, the names of the players, and
//! [`MEMORY`] bytes of what is sorted.

use std::{io::Write, ops::ControlFlow, thread};

use ign_format::{
    block::decode::Block,
    container::frame::{self, Kind},
    error::{Error, Result},
    pgn::{render::Moves as _, start::Start},
};
use ign_notation::chess::{Position, rules::Board};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    columns::{IndexColumn, Layout, date_number, result_number},
    directory::{Directory, Member, Place},
    keys::{GAME_OVER, Keys, LARGE_ORDINAL, Occurrence},
    openings::{self, MAX_PLY},
    players::{self, Seat},
    positions,
    slots::{SlotBlock, Slots},
    spill::{Partitioned, Shards, Sorter},
};
use crate::{
    archive::Archive,
    ordered::ordered,
    progress::{Counters, Progress},
    scan::{Column, ColumnData, columns_of_block},
};

/// Bytes of occurrences that are held in memory, and of other records that are sorted.
const MEMORY: usize = 96 << 20;
/// Values of a dictionary, at most; a column with more has no dictionary and is left out.
const MAX_DICTIONARY: usize = 1 << 12;

/// The tag columns of a batch, in this order.
const TAG_COLUMNS: [Column; 9] = [
    Column::White,
    Column::Black,
    Column::WhiteElo,
    Column::BlackElo,
    Column::Date,
    Column::Result,
    Column::Eco,
    Column::TimeControl,
    Column::Termination,
];

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
                examine(archive, block, sections, shard_bits)
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
    let mut file = File::new(out);
    file.directory.members = archives.iter().map(Archive::member).collect();
    slots.set_unplayed(std::mem::take(&mut collected.unplayed));
    collected.write(&slots, sections, games, threads, &mut file)?;
    file.finish(games)
}

/// What a block has for the index.
struct Part {
    /// The columns of numbers, in the order of [`Collected::numbers`].
    numbers: Vec<Vec<Option<u32>>>,
    /// Time controls and terminations: the number of each game's value, and the values.
    texts: Vec<(Vec<Option<u32>>, Vec<Vec<u8>>)>,
    /// White and Black: the same.
    names: Vec<(Vec<Option<u32>>, Vec<Vec<u8>>)>,
    plies: Vec<Option<u32>>,
    occurrences: Partitioned,
    first_moves: Vec<[u8; openings::RECORD]>,
    /// Games that cannot be replayed, counted from 0 over all archives.
    unplayed: Vec<u64>,
}

fn examine(
    archive: &Archive,
    block: SlotBlock,
    sections: Sections,
    shard_bits: u32,
) -> Result<Part> {
    let wanted = match (sections.columns, sections.players) {
        (true, _) => &TAG_COLUMNS[..],
        (false, true) => &TAG_COLUMNS[..2],
        (false, false) => &[],
    };
    let batch = columns_of_block(archive, block.block, wanted)?;
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for data in batch.columns() {
        match data {
            ColumnData::Text(text) => {
                let codes = (0..text.len())
                    .map(|row| text.validity().is_valid(row).then(|| text.codes()[row]));
                let values = (0..text.distinct() as u32).map(|code| text.value(code).to_vec());
                texts.push((codes.collect(), values.collect()));
            }
            ColumnData::Rating(values) => {
                numbers.push(values.iter().map(|v| v.map(u32::from)).collect())
            }
            ColumnData::Date(values) => {
                numbers.push(values.iter().map(|v| v.map(date_number)).collect())
            }
            ColumnData::Result(values) => {
                numbers.push(values.iter().map(|v| v.map(result_number)).collect())
            }
            ColumnData::Eco(values) => {
                numbers.push(
                    values
                        .iter()
                        .map(|v| v.map(|eco| eco.number().into()))
                        .collect(),
                );
            }
            _ => return Err(Error::internal("a column of the index has another type")),
        }
    }
    let names = texts.drain(..texts.len().min(2)).collect();
    let mut walk = Walk::default();
    walk.block(archive, block, sections.positions)?;
    Ok(Part {
        numbers,
        texts,
        names,
        plies: walk.plies,
        occurrences: Partitioned::new(&walk.occurrences, shard_bits),
        first_moves: if sections.openings {
            walk.first_moves
        } else {
            Vec::new()
        },
        unplayed: walk.unplayed,
    })
}

/// The games of a block, replayed.
#[derive(Default)]
struct Walk {
    plies: Vec<Option<u32>>,
    occurrences: Vec<Occurrence>,
    first_moves: Vec<[u8; openings::RECORD]>,
    unplayed: Vec<u64>,
}

impl Walk {
    fn block(&mut self, archive: &Archive, place: SlotBlock, with_positions: bool) -> Result<()> {
        let bytes = archive.block_bytes(place.block)?;
        let block = Block::open(&bytes)?;
        let records = block.records()?;
        if with_positions {
            let plies = block.head().plies + place.games;
            self.occurrences.reserve(plies as usize);
        }
        let mut games = records.games().zip(0..);
        let mut slot = place.first_slot as u32;
        block.walk_some(
            &records,
            |record| records.has_moves(record),
            |mut game| {
                for (record, number) in games.by_ref() {
                    if record == game.record {
                        break;
                    }
                    self.plies.push(None);
                    self.unplayed.push(place.first_game + number);
                }
                let mut ordinals = [GAME_OVER; MAX_PLY];
                let mut ply = 0;
                let occurrences = &mut self.occurrences;
                let moves = &mut game.moves;
                let is_standard = match game.start {
                    Start::Chess(start) => {
                        let mut position = start.position;
                        loop {
                            let legal = position.legal();
                            let next = moves.next_numbered(&legal)?;
                            let ordinal = next.map_or(GAME_OVER, |(ordinal, _)| ordinal as u8);
                            if with_positions {
                                occurrences.push(Occurrence::new(
                                    Keys::of(&legal),
                                    slot,
                                    ply,
                                    ordinal,
                                ));
                            }
                            let Some((_, played)) = next else {
                                break;
                            };
                            if let Some(place) = ordinals.get_mut(ply) {
                                *place = ordinal;
                            }
                            position.play(played);
                            ply += 1;
                        }
                        start.position == Position::default()
                    }
                    Start::Variant(start) => {
                        let mut board = start.board.clone();
                        loop {
                            let legal = board.legal();
                            let keys = Keys::of_variant(&board, &legal).filter(|_| with_positions);
                            // Its moves are numbered by other rules than those of chess.
                            occurrences.extend(
                                keys.map(|keys| Occurrence::new(keys, slot, ply, LARGE_ORDINAL)),
                            );
                            let Some(played) = moves.next_move(&legal)? else {
                                break;
                            };
                            board.play(played);
                            ply += 1;
                        }
                        false
                    }
                };
                self.plies.push(Some(ply as u32));
                if is_standard {
                    self.first_moves.push(openings::record(&ordinals, slot));
                }
                slot += 1;
                Ok(())
            },
        )?;
        for (_, number) in games {
            self.plies.push(None);
            self.unplayed.push(place.first_game + number);
        }
        Ok(())
    }
}

/// What has been collected from the blocks so far.
struct Collected {
    /// WhiteElo, BlackElo, Date, Result, Eco.
    numbers: [Vec<Option<u32>>; 5],
    texts: [Text; 2],
    plies: Vec<Option<u32>>,
    names: FxHashMap<Vec<u8>, u32>,
    seats: Sorter<12>,
    shards: Shards,
    shard_bits: u32,
    first_moves: Sorter<{ openings::RECORD }>,
    unplayed: Vec<u64>,
}

/// A column of text with few distinct values.
#[derive(Default)]
struct Text {
    codes: Vec<Option<u32>>,
    values: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
}

impl Text {
    fn add(&mut self, codes: &[Option<u32>], values: Vec<Vec<u8>>) {
        let map: Vec<u32> = values
            .into_iter()
            .map(|value| {
                let next = self.values.len() as u32;
                *self.numbers.entry(value).or_insert_with_key(|value| {
                    self.values.push(value.clone());
                    next
                })
            })
            .collect();
        self.codes
            .extend(codes.iter().map(|code| code.map(|code| map[code as usize])));
    }
}

impl Collected {
    fn new(shard_bits: u32) -> Self {
        Self {
            numbers: Default::default(),
            texts: Default::default(),
            plies: Vec::new(),
            names: FxHashMap::default(),
            seats: Sorter::new(MEMORY / 4),
            shards: Shards::new(shard_bits, MEMORY / size_of::<Occurrence>()),
            shard_bits,
            first_moves: Sorter::new(MEMORY / 2),
            unplayed: Vec::new(),
        }
    }

    fn add(&mut self, part: Part, block: &SlotBlock) -> Result<()> {
        for (all, new) in self.numbers.iter_mut().zip(part.numbers) {
            all.extend(new);
        }
        for (all, (codes, values)) in self.texts.iter_mut().zip(part.texts) {
            all.add(&codes, values);
        }
        for (is_black, (codes, values)) in [false, true].into_iter().zip(part.names) {
            let number = |name: Vec<u8>| {
                let next = self.names.len() as u32;
                *self.names.entry(name).or_insert(next)
            };
            let players: Vec<u32> = values.into_iter().map(number).collect();
            for (game, code) in (block.first_game..).zip(codes) {
                if let Some(code) = code {
                    let seat = 2 * game + u64::from(is_black);
                    let mut record = [0; 12];
                    record[..4].copy_from_slice(&players[code as usize].to_be_bytes());
                    record[4..].copy_from_slice(&seat.to_be_bytes());
                    self.seats.push(record)?;
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

    fn write(
        self,
        slots: &Slots,
        sections: Sections,
        games: u64,
        threads: usize,
        file: &mut File,
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
            write_players(self.names, self.seats, games, file)?;
        }
        let (tree, in_order) = openings::build(self.first_moves)?;
        if sections.openings {
            let game = |&slot: &u32| slots.game(slot.into()).map(|game| game as u32);
            let listed: Vec<_> = in_order.iter().map(game).collect();
            file.directory.tree = Some(file.section("openings", &tree.write())?);
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
    seats: Sorter<12>,
    games: u64,
    file: &mut File,
) -> Result<()> {
    // The seats come by the number of the player; a shard needs them by name. Each player's seats are
    // written to memory as they come, compressed, and collected by shard.
    let mut sorted: Vec<(Vec<u8>, u32)> = names.into_iter().collect();
    sorted.par_sort_unstable_by(|a, b| players::order(&a.0, &b.0));
    let mut seats_of: Vec<Vec<Seat>> = Vec::new();
    seats_of.resize_with(sorted.len(), Vec::new);
    for record in seats.finish()? {
        let record = record?;
        let number = |bytes: &[u8]| bytes.iter().fold(0u64, |n, &byte| n << 8 | u64::from(byte));
        let seat = number(&record[4..]);
        seats_of[number(&record[..4]) as usize].push(Seat::new(seat / 2, seat % 2 == 1));
    }
    for shard in sorted.chunks(players::SHARD_NAMES) {
        let players = shard
            .iter()
            .map(|(name, number)| (&name[..], std::mem::take(&mut seats_of[*number as usize])));
        let place = file.section("players", &players::write(players, games))?;
        file.directory.players.push((shard[0].0.clone(), place));
    }
    Ok(())
}

/// The nodes of the opening tree that a game passes.
struct NodeOfGame {
    /// For each slot the place of its game in the list of the tree.
    places: Vec<u32>,
    /// For each place the number of nodes on the way of its game.
    depths: Vec<u8>,
    /// For each ply the first place of each node and its number, ascending.
    nodes: Vec<Vec<(u64, u32)>>,
}

impl NodeOfGame {
    fn new(tree: &openings::Tree, slots: &[u32], groups: u64) -> Self {
        let mut places = vec![u32::MAX; (groups * u64::from(positions::GROUP)) as usize];
        for (place, &slot) in (0..).zip(slots) {
            places[slot as usize] = place;
        }
        let mut depths = vec![0; slots.len()];
        let mut nodes = vec![Vec::new(); MAX_PLY + 1];
        tree.walk(|ply, node, range| {
            nodes[ply].push((range.start, node));
            depths[range.start as usize..range.end as usize].fill(ply as u8 + 1);
        });
        nodes
            .iter_mut()
            .for_each(|level: &mut Vec<_>| level.sort_unstable());
        Self {
            places,
            depths,
            nodes,
        }
    }

    fn of(&self, occurrence: Occurrence) -> Option<u32> {
        let place = self.places[occurrence.slot() as usize];
        let ply = occurrence.ply();
        let depth = *self.depths.get(place as usize)?;
        if ply >= depth {
            return None;
        }
        let level = &self.nodes[usize::from(ply)];
        let after = level.partition_point(|&(first, _)| first <= u64::from(place));
        level.get(after.checked_sub(1)?).map(|&(_, node)| node)
    }
}

fn write_positions(
    shards: &Shards,
    bits: u32,
    slots: &Slots,
    nodes: &NodeOfGame,
    threads: usize,
    file: &mut File,
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

/// The file as it is written.
struct File<'o> {
    out: &'o mut dyn Write,
    len: u64,
    directory: Directory,
    sections: Vec<(&'static str, u64)>,
}

impl<'o> File<'o> {
    fn new(out: &'o mut dyn Write) -> Self {
        Self {
            out,
            len: 0,
            directory: Directory::default(),
            sections: Vec::new(),
        }
    }

    fn append(&mut self, name: &'static str, bytes: &[u8]) -> Result<Place> {
        self.out.write_all(bytes)?;
        let place = Place {
            offset: self.len,
            len: bytes.len() as u64,
        };
        self.len += place.len;
        match self
            .sections
            .iter_mut()
            .find(|(section, _)| *section == name)
        {
            Some((_, len)) => *len += place.len,
            None => self.sections.push((name, place.len)),
        }
        Ok(place)
    }

    fn section(&mut self, name: &'static str, payload: &[u8]) -> Result<Place> {
        self.append(name, &frame::seal(Kind::Section, payload))
    }

    fn column(&mut self, column: IndexColumn, values: &[Option<u32>]) -> Result<()> {
        let layout = Layout::of(values);
        self.directory.columns.push((column, layout, self.len));
        for chunk in layout.write(values) {
            self.section(column.name(), &chunk)?;
        }
        Ok(())
    }

    fn finish(mut self, games: u64) -> Result<IndexSummary> {
        let directory = self.directory.write(self.len);
        self.append("directory", &directory)?;
        self.out.flush()?;
        Ok(IndexSummary {
            games,
            len: self.len,
            sections: self.sections,
        })
    }
}

impl Archive {
    /// What an index keeps of the archive to recognize it.
    pub(crate) fn member(&self) -> Member {
        let name = self.path().file_name().unwrap_or_default();
        Member {
            name: name.to_string_lossy().into_owned(),
            file_len: self.file_len(),
            identity: self.identity(),
            games: self.len(),
        }
    }
}
