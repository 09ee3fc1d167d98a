//! The comments of a block, decoded record by record.

use super::layouts::Layouts;
use crate::{
    block::{
        Fixed,
        decode::{block::Block, records::Records, selection::Selection},
    },
    columns::{Table, parts},
    error::Result,
    pgn::{
        comments::{
            BY_MOVES, FIRST_WITHOUT, Networks, Record,
            move_features::{self, MoveFeatures},
            parts::Unpacker,
            time_control::TimeControl,
        },
        variations::Game,
    },
};

/// The comments column.
pub struct Comments<'a> {
    unpacker: Unpacker<'a>,
    /// Whether the moves help to predict comments.
    by_moves: bool,
    /// Whether they do not in the first part.
    first_without: bool,
    /// How clocks run in each record, if that helps to predict comments.
    controls: Vec<TimeControl>,
    /// Whether the comments of the current record are predicted from its moves.
    needs_moves: bool,
    /// Features of the moves of the current record.
    features: Vec<MoveFeatures>,
}

impl<'a> Comments<'a> {
    /// The comments of a block, given their streams.
    ///
    /// # Errors
    /// Corrupt.
    pub fn new(block: &Block, streams: [&'a [u8]; 4], selection: &Selection) -> Result<Self> {
        let column = block.fixed_column(Fixed::Comments);
        let flags = column.map_or(0, |column| column.flags);
        let records = block.head().records;
        let networks = match column {
            None => Networks::builtin(),
            Some(_) => Networks {
                clocks: block.model()?,
                evals: block.model()?,
            },
        };
        Ok(Self {
            unpacker: Unpacker::new(networks, streams, records, |row| selection.contains(row))?,
            by_moves: flags & BY_MOVES != 0,
            first_without: flags & FIRST_WITHOUT != 0,
            controls: Vec::new(),
            needs_moves: false,
            features: Vec::new(),
        })
    }

    /// The records whose comments are decoded.
    pub fn needed(&self) -> impl Iterator<Item = usize> {
        self.unpacker.parts.needed()
    }

    /// The records whose moves are needed to decode comments.
    pub fn needing_moves(&self) -> impl Iterator<Item = usize> {
        let without_moves = if self.first_without {
            self.unpacker.parts.lens().next().unwrap_or(0)
        } else {
            0
        };
        let by_moves = self.by_moves;
        self.needed()
            .filter(move |&row| by_moves && row >= without_moves)
    }

    /// Decodes no comments at all.
    pub fn skip_all(&mut self) {
        self.unpacker.parts.skip_all();
    }

    /// Reads how clocks run in the first `rows` records whose comments are decoded, from the tag
    /// that the column refers to. Records that are missing in the table are decoded here.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read_controls(
        &mut self,
        block: &Block,
        records: &Records,
        table: &Table,
        rows: usize,
    ) -> Result<()> {
        let column = block.fixed_column(Fixed::Comments);
        let Some(&control) = column.and_then(|column| column.refs.first()) else {
            return Ok(());
        };
        let mut needed = vec![false; records.len()];
        self.needed().for_each(|row| needed[row] = true);
        let needed = &needed[..rows];
        let is_missing = |row: usize| needed[row] && !table.needs_part(row / parts::PART);
        let missing = (0..rows).rev().find(|&row| is_missing(row));
        let others = match missing {
            Some(last) => Some(block.table_of(records, last + 1, is_missing, |t| t == control)?),
            None => None,
        };
        let value = |row| {
            let elsewhere = || others.as_ref()?.value(control, row);
            table.value(control, row).or_else(elsewhere)
        };
        let of = |row: usize| {
            if needed[row] {
                TimeControl::of_tag(value(row))
            } else {
                TimeControl::default()
            }
        };
        self.controls = (0..rows).map(of).collect();
        Ok(())
    }

    /// Goes to the next record.
    ///
    /// # Errors
    /// Corrupt.
    pub fn skip(&mut self) -> Result<()> {
        self.unpacker.next_record().map(drop)
    }

    /// Goes to the next record, which has comments or not; returns whether decoding them needs the
    /// moves.
    ///
    /// # Errors
    /// Corrupt.
    pub fn next(&mut self, has_comments: bool) -> Result<bool> {
        let needed = self.unpacker.next_record()? && has_comments;
        let without = self.first_without && self.unpacker.parts.is_in_first();
        self.needs_moves = self.by_moves && needed && !without;
        Ok(self.needs_moves)
    }

    /// The comments of the current record, at most `max` bytes. `game` is its game, if it is
    /// playable and [`next`](Self::next) has returned true. If the record is not selected, the
    /// result is meaningless: its comments only train the model.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read(
        &mut self,
        row: usize,
        layouts: &Layouts,
        game: Option<Game>,
        selected: bool,
        max: usize,
    ) -> Result<&[u8]> {
        self.features.clear();
        if let Some(game) = game.filter(|_| self.needs_moves) {
            move_features::of_game(game.start, game.moves, &mut self.features);
        }
        let record = Record {
            layout: &layouts.layout,
            model: &layouts.model,
            gaps: layouts.templates,
            control: self.controls.get(row).copied().unwrap_or_default(),
            moves: self.needs_moves.then_some(&self.features[..]),
        };
        self.unpacker.take(record, selected, max)
    }

    /// Fails unless all has been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(&self) -> Result<()> {
        self.unpacker.parts.finish()
    }
}
