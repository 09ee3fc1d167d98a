//! What the index needs of a block: its columns, its names, and its games replayed.

use std::sync::Arc;

use ign_format::{
    block::decode::{Block, Records},
    error::{Error, Result},
    pgn::{render::Moves as _, start::Start},
};
use ign_notation::chess::{Position, rules::Board as _};

use crate::{
    archive::Archive,
    index::{
        columns::{date_number, result_number, speed_number},
        facts::{Facts, to_bytes},
        keys::{GAME_OVER, Keys, LARGE_ORDINAL, OF_VARIANT, Occurrence},
        openings::{self, MAX_PLY},
        sections::Sections,
        slots::SlotBlock,
        spill::Partitioned,
    },
    loaded::{LoadedBlock, Scope},
    scan::{Column, ColumnData, columns_of_loaded},
    values::Speed,
};

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
    sections: Sections,
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
                let values = (0..text.distinct() as u32).map(|code| text.value(code).to_vec());
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
    let facts = facts_of(&numbers, &texts);
    let mut walk = Walk::default();
    loaded.with(|open| walk.block(open, &loaded.records, block, sections, facts))?;
    Ok(Part {
        numbers,
        texts,
        names,
        plies: walk.plies,
        occurrences: Partitioned::new(&walk.occurrences, shard_bits),
        first_moves: walk.first_moves,
        unplayed: walk.unplayed,
    })
}

/// The numbers of the facts of each game of a block, from columns in the order of [`TAG_COLUMNS`]; none without
/// columns.
fn facts_of(numbers: &[Vec<Option<u32>>], texts: &[Coded]) -> impl Fn(u64) -> [u8; Facts::LEN] {
    let speeds = texts.first().map(|time_controls| {
        let speed = |value: &Vec<u8>| Speed::of_time_control(value).map(speed_number);
        time_controls.values.iter().map(speed).collect::<Vec<_>>()
    });
    move |game| {
        let number = |column: usize| *numbers.get(column)?.get(game as usize)?;
        let code = || *texts.first()?.codes.get(game as usize)?;
        let speed = || *speeds.as_ref()?.get(code()? as usize)?;
        to_bytes([number(0), number(1), number(2), number(3), speed()])
    }
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
    fn block(
        &mut self,
        block: &Block,
        records: &Records,
        place: SlotBlock,
        sections: Sections,
        facts: impl Fn(u64) -> [u8; Facts::LEN],
    ) -> Result<()> {
        let with_positions = sections.positions;
        if with_positions {
            let plies = block.head().plies + place.games;
            self.occurrences.reserve(plies as usize);
        }
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
                    self.plies.push(None);
                    self.unplayed.push(place.first_game + number);
                }
                let mut ordinals = [GAME_OVER; MAX_PLY];
                let (mut ply, mut has_passed) = (0, false);
                let occurrences = &mut self.occurrences;
                let moves = &mut game.moves;
                let is_standard = match game.start {
                    Start::Chess(start) => {
                        let mut position = start.position;
                        loop {
                            let legal = position.legal();
                            let next = moves.next_numbered(&legal)?;
                            // A null move has no ordinal: the index does not have the move.
                            let ordinal = next.map_or(GAME_OVER, |(ordinal, _)| {
                                ordinal.map_or(LARGE_ORDINAL, |ordinal| ordinal as u8)
                            });
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
                            let keys = Keys::of_variant(&board).filter(|_| with_positions);
                            // Its moves are numbered by other rules than those of chess.
                            occurrences.extend(
                                keys.map(|keys| Occurrence::new(keys, slot, ply, OF_VARIANT)),
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
                if sections.openings || sections.positions {
                    let ordinals = (is_standard && sections.openings).then_some(&ordinals);
                    let record = openings::record(ordinals, slot, facts(own));
                    self.first_moves.push(record);
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
