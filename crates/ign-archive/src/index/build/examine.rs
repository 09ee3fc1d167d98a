//! What the index needs of a block: its columns, its names, and its games replayed.

use std::{num::NonZeroU32, sync::Arc};

use ign_format::{
    block::decode::{Block, Records},
    error::{Error, Result},
    pgn::{render::Moves as _, start::Start},
};
use ign_notation::chess::{
    Position,
    rules::{Board as _, LegalMoves as _},
};

use crate::{
    archive::Archive,
    index::{
        columns::{date_number, ending_number, result_number, result_of, speed_number},
        facts::{Facts, to_bytes},
        keys::{GAME_OVER, Keys, LARGE_ORDINAL, OF_VARIANT, Occurrence},
        materials::Counts,
        openings::{self, MAX_PLY},
        sections::IndexSections,
        slots::SlotBlock,
        spill::Partitioned,
    },
    loaded::{LoadedBlock, Scope},
    plan::LastSeen,
    scan::{ColumnData, ScanColumn, columns_of_loaded},
    values::{GameResult, Speed, Termination},
};

/// The tag columns of a batch, in this order.
const TAG_COLUMNS: [ScanColumn; 9] = [
    ScanColumn::White,
    ScanColumn::Black,
    ScanColumn::WhiteElo,
    ScanColumn::BlackElo,
    ScanColumn::Date,
    ScanColumn::Result,
    ScanColumn::Eco,
    ScanColumn::TimeControl,
    ScanColumn::Termination,
];

/// The values of a tag in a block: for each game the number of its value, and the values.
pub(super) struct Coded {
    pub codes: Vec<Option<u32>>,
    pub values: Vec<Vec<u8>>,
}

/// What a block has for the index.
pub(super) struct Part {
    /// The columns of numbers, in the order of [`Collected::numbers`].
    pub numbers: Vec<Vec<Option<u32>>>,
    /// Time controls and terminations.
    pub texts: Vec<Coded>,
    /// White and Black.
    pub names: Vec<Coded>,
    pub plies: Vec<Option<u32>>,
    pub endings: Vec<Option<u32>>,
    /// The materials with few pieces, with the games that have them.
    pub materials: Vec<(Counts, u64)>,
    pub occurrences: Partitioned,
    pub first_moves: Vec<[u8; openings::RECORD]>,
    /// Games that cannot be replayed, counted from 0 in the segment.
    pub unplayed: Vec<u64>,
}

/// What the index needs of a block.
///
/// # Errors
/// Io; corrupt; unsupported if another move model coded the moves.
pub(super) fn examine(
    archive: &Archive,
    block: SlotBlock,
    sections: IndexSections,
    depth: Option<NonZeroU32>,
    shard_bits: u32,
) -> Result<Part> {
    let wanted = match (sections.columns, sections.players) {
        (true, _) => &TAG_COLUMNS[..],
        (false, true) => &TAG_COLUMNS[..2],
        (false, false) => &[],
    };
    let loaded = Arc::new(LoadedBlock::read(archive, block.block, |_| Ok(Scope::All))?);
    let batch = columns_of_loaded(loaded.clone(), wanted, &|_| true)?;
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    for data in batch.columns() {
        match data {
            ColumnData::Text(text) => {
                let codes = (0..text.len())
                    .map(|row| text.validity().is_valid(row).then(|| text.codes()[row]));
                let values = text.values().map(<[u8]>::to_vec);
                texts.push(Coded {
                    codes: codes.collect(),
                    values: values.collect(),
                });
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
    let tags = Tags::new(&numbers, &texts);
    let mut walk = Walk {
        depth: depth.map_or(usize::MAX, |plies| plies.get() as usize),
        ..Walk::default()
    };
    loaded.with(|open| walk.block(open, &loaded.records, block, sections, &tags))?;
    Ok(Part {
        numbers,
        texts,
        names,
        plies: walk.plies,
        endings: walk.endings,
        materials: walk.materials,
        occurrences: Partitioned::new(&walk.occurrences, shard_bits),
        first_moves: walk.first_moves,
        unplayed: walk.unplayed,
    })
}

/// What the tags of a block say about its games; nothing without columns.
struct Tags<'c> {
    /// In the order of [`TAG_COLUMNS`].
    numbers: &'c [Vec<Option<u32>>],
    texts: &'c [Coded],
    /// For each time control its speed.
    speeds: Vec<Option<u32>>,
    /// For each text of a Termination tag what it says.
    terminations: Vec<Termination>,
}

impl<'c> Tags<'c> {
    fn new(numbers: &'c [Vec<Option<u32>>], texts: &'c [Coded]) -> Self {
        let values = |column: usize| texts.get(column).into_iter().flat_map(|t| &t.values);
        let speed = |value: &Vec<u8>| Speed::of_time_control(value).map(speed_number);
        Self {
            numbers,
            texts,
            speeds: values(0).map(speed).collect(),
            terminations: values(1).map(|value| Termination::read(value)).collect(),
        }
    }

    fn number(&self, column: usize, game: u64) -> Option<u32> {
        *self.numbers.get(column)?.get(game as usize)?
    }

    fn code(&self, column: usize, game: u64) -> Option<usize> {
        let code = *self.texts.get(column)?.codes.get(game as usize)?;
        code.map(|code| code as usize)
    }

    /// The numbers of the [`Facts`] of a game.
    fn facts(&self, game: u64) -> [u8; Facts::LEN] {
        let [white, black, date, result] = [0, 1, 2, 3].map(|column| self.number(column, game));
        let speed = self.code(0, game).and_then(|code| self.speeds[code]);
        to_bytes([white, black, date, result, speed])
    }

    fn result(&self, game: u64) -> Option<GameResult> {
        self.number(3, game).and_then(result_of)
    }

    fn termination(&self, game: u64) -> Termination {
        self.code(1, game)
            .map(|code| self.terminations[code])
            .unwrap_or_default()
    }
}

/// The games of a block, replayed.
#[derive(Default)]
struct Walk {
    /// The depth of the positions.
    depth: usize,
    plies: Vec<Option<u32>>,
    endings: Vec<Option<u32>>,
    materials: Vec<(Counts, u64)>,
    occurrences: Vec<Occurrence>,
    first_moves: Vec<[u8; openings::RECORD]>,
    unplayed: Vec<u64>,
}

impl Walk {
    fn block(
        &mut self,
        block: &Block,
        records: &Records,
        place: SlotBlock,
        sections: IndexSections,
        tags: &Tags,
    ) -> Result<()> {
        let (with_positions, depth) = (sections.positions, self.depth);
        if with_positions {
            let plies = block.head().plies + place.games;
            self.occurrences.reserve(plies as usize);
        }
        let unplayed = |walk: &mut Self, number: u64| {
            walk.plies.push(None);
            let ending = tags.termination(number).ending(tags.result(number), None);
            walk.endings.push(ending.map(ending_number));
            walk.unplayed.push(place.first_game + number);
        };
        let mut games = records.games().zip(0..);
        let mut slot = place.first_slot as u32;
        block.walk_some(
            records,
            |record| records.has_moves(record),
            |mut game| {
                let mut own = 0;
                for (record, number) in games.by_ref() {
                    own = number;
                    if record == game.record {
                        break;
                    }
                    unplayed(self, number);
                }
                let (result, termination) = (tags.result(own), tags.termination(own));
                let mut end = LastSeen::new(result == Some(GameResult::Draw));
                end.begin(game.start);
                let first_material = self.materials.len();
                let materials = &mut self.materials;
                let mut see = |position: &Position| {
                    let counts = Counts::of(position).filter(|_| sections.materials);
                    if let Some(counts) = counts {
                        // Mostly the last one; in variants an earlier one may come back.
                        let mut seen = materials[first_material..].iter().rev();
                        if seen.all(|&(other, _)| other != counts) {
                            materials.push((counts, place.first_game + own));
                        }
                    }
                };
                let mut ordinals = [GAME_OVER; MAX_PLY];
                let (mut ply, mut has_passed) = (0, false);
                let occurrences = &mut self.occurrences;
                let occurrence = |keys: Keys, ply: usize, ordinal: u8| {
                    let seen = Occurrence::new(keys, slot, ply, ordinal);
                    if ply > depth { seen.late() } else { seen }
                };
                let first_occurrence = occurrences.len();
                let moves = &mut game.moves;
                let is_standard = match game.start {
                    Start::Chess(start) => {
                        let mut position = start.position;
                        loop {
                            let legal = position.legal();
                            let next = moves.next_numbered(&legal)?;
                            end.see(&legal, next.map(|(_, played)| played));
                            see(&position);
                            // A null move has no ordinal: the index does not have the move.
                            let ordinal = next.map_or(GAME_OVER, |(ordinal, _)| {
                                ordinal.map_or(LARGE_ORDINAL, |ordinal| ordinal as u8)
                            });
                            if with_positions {
                                occurrences.push(occurrence(Keys::of(&legal), ply, ordinal));
                            }
                            let Some((_, played)) = next else {
                                break;
                            };
                            // Nor does the opening tree have what follows.
                            if let Some(place) = ordinals.get_mut(ply).filter(|_| !has_passed) {
                                *place = ordinal;
                            }
                            has_passed |= played.is_null();
                            position.play(played);
                            ply += 1;
                        }
                        start.position == Position::default()
                    }
                    Start::Variant(start) => {
                        let mut board = start.board.clone();
                        loop {
                            let legal = board.legal();
                            see(&legal.board());
                            let keys = Keys::of_variant(&board).filter(|_| with_positions);
                            // Its moves are numbered by other rules than those of chess.
                            occurrences.extend(keys.map(|keys| occurrence(keys, ply, OF_VARIANT)));
                            let Some(played) = moves.next_move(&legal)? else {
                                break;
                            };
                            board.play(played);
                            ply += 1;
                        }
                        false
                    }
                };
                Occurrence::keep_first(occurrences, first_occurrence, depth);
                self.plies.push(Some(ply as u32));
                let ending = termination.ending(result, end.last());
                self.endings.push(ending.map(ending_number));
                if sections.openings || sections.positions {
                    let ordinals = (is_standard && sections.openings).then_some(&ordinals);
                    let record = openings::record(ordinals, slot, tags.facts(own));
                    self.first_moves.push(record);
                }
                slot += 1;
                Ok(())
            },
        )?;
        games.for_each(|(_, number)| unplayed(self, number));
        Ok(())
    }
}
