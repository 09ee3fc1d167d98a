//! Decodes the text and the moves of a block of Go.

use std::{borrow::Cow, ops::Range};

use crate::block::{
    Fixed,
    decode::{Block, Pass, Records, Selection, TextSource, append_selected, played::Gathered},
    go::moves::{GROUP, Reader},
};
use crate::{
    columns::{self, Table},
    error::{Error, Result},
    sgf::{
        layout::{Layout, LayoutModel, Templates},
        parse::Played,
        render::{self, Parts, take_value},
        start::Heading,
    },
};
use ign_entropy::adaptive::Decoder;
use ign_notation::go::{Position, signature::Gathering};

/// State of a walk over the records of a block, in order.
struct Walk<'a> {
    templates: Templates,
    layouts: Decoder<'a>,
    model: LayoutModel,
    moves: Reader<'a>,
    layout: Layout,
    /// The records of the current group whose moves must be decoded for a later wanted record.
    to_decode: Range<usize>,
}

/// The decompressed streams of the columns.
struct Streams<'a> {
    layout: Cow<'a, [u8]>,
    templates: Cow<'a, [u8]>,
    moves: Cow<'a, [u8]>,
}

impl<'a> Streams<'a> {
    fn of(block: &Block<'a>) -> Result<Self> {
        let [layout, templates] = block.fixed(Fixed::Layout)?;
        let [moves] = block.fixed(Fixed::Moves)?;
        Ok(Self {
            layout,
            templates,
            moves,
        })
    }
}

impl<'a> Walk<'a> {
    fn new(block: &Block, streams: &'a Streams) -> Result<Self> {
        let head = block.head();
        let model = block.move_model(&streams.moves)?;
        Ok(Self {
            templates: Templates::read(&streams.templates)?,
            layouts: Decoder::new(&streams.layout),
            model: LayoutModel::new(head.text_len),
            moves: Reader::new(&streams.moves, model, block.coding(), head.records)?,
            layout: Layout::default(),
            to_decode: 0..0,
        })
    }

    /// Advances to the next record, number `record`: reads its layout and its integer.
    fn next(&mut self, records: &Records, record: usize, start: Option<&Position>) -> Result<()> {
        self.layout.gaps.clear();
        self.layout.text_len = 0;
        self.model.code(
            &mut self.layouts,
            records.list(record),
            &self.templates,
            &mut self.layout,
        )?;
        columns::check_overrun(&self.layouts)?;
        self.moves.begin(record, start)
    }

    /// Number of explicit moves in the variations of the current record.
    fn variation_moves(&self) -> usize {
        self.layout.gaps.len() - self.layout.main_moves(&self.templates)
    }

    /// Whether the moves of a record must be decoded even if it is not wanted, because a later
    /// record of its group is.
    fn must_decode(&mut self, record: usize, wanted: impl Fn(usize) -> bool, rows: usize) -> bool {
        if !self.moves.has_groups() {
            return false;
        }
        if record.is_multiple_of(GROUP) {
            let group = record..rows.min(record + GROUP);
            let last = group.rev().find(|&row| wanted(row)).unwrap_or(record);
            self.to_decode = record..last;
        }
        self.to_decode.contains(&record)
    }
}

impl Walk<'_> {
    /// Skips the moves of the current record, by decoding them if `must_decode` is set.
    fn pass(&mut self, must_decode: bool, start: Option<&Position>) -> Result<()> {
        if !must_decode {
            return self.moves.skip(self.variation_moves());
        }
        let (templates, layout) = (&self.templates, &self.layout);
        render::walk(templates, layout, start, &mut self.moves, |_| ())
    }
}

/// The properties of the start among the tags of a record.
fn heading(table: &Table, row: usize) -> Heading<'_> {
    Heading::new(|name| table.value(table.tag(name.as_bytes())?, row))
}

/// Appends the text of the selected records to `out`, and calls `look` with `out` after each.
///
/// # Errors
/// Corrupt, and those of `look`.
pub(in crate::block) fn render(
    block: &Block,
    records: &Records,
    selection: &Selection,
    pass: Pass,
    out: &mut Vec<u8>,
    look: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    let selected = |row| selection.contains(row);
    let table = block.table_of(records, selection.rows, selected, |_| true)?;
    let streams = Streams::of(block)?;
    let mut walk = Walk::new(block, &streams)?;
    walk.moves.know(pass.intervals);
    let starts = block.table(records, Some(&Heading::NAMES))?;
    let [values] = block.fixed(Fixed::Comments)?;
    let [text] = block.fixed(Fixed::Text)?;
    let texts = Texts {
        records,
        selection,
        walk,
        table,
        starts,
        values: &values,
        text: &text,
        gathered: pass.gathered,
        // A small corrupt block can expand to much text: limit the output.
        most: 2 * block.head().text_len + 1024,
    };
    append_selected(texts, selection, out, look)
}

/// The texts of the records of a block.
struct Texts<'a> {
    records: &'a Records,
    selection: &'a Selection,
    walk: Walk<'a>,
    /// The tags of the selected records.
    table: Table,
    /// The starts of all records: one that is not selected may be decoded for its group.
    starts: Table,
    /// The extracted values, and the text, of the records from the next on.
    values: &'a [u8],
    text: &'a [u8],
    gathered: Option<&'a mut Gathered>,
    /// Limit of the length of a record.
    most: usize,
}

impl<'a> Texts<'a> {
    /// The values and the text of the current record.
    fn take_values_and_text(&mut self, row: usize) -> Result<(&'a [u8], &'a [u8])> {
        let walk = &self.walk;
        let (mut tags, mut len) = (0, 0);
        for template in walk.layout.templates() {
            let outline = walk.templates.outline(template);
            tags += outline.tags as usize;
            for _ in 0..outline.values {
                len += take_value(&self.values[len..])?.0.len();
            }
        }
        if tags != self.records.tags(row).len() {
            return Err(Error::corrupt("a record's tags do not match its templates"));
        }
        let text = self.text.split_off(..walk.layout.text_len as usize);
        let text = text.ok_or_else(|| Error::corrupt("a text is truncated"))?;
        let (values, rest) = self.values.split_at(len);
        self.values = rest;
        Ok((values, text))
    }
}

impl TextSource for Texts<'_> {
    fn next(&mut self, row: usize, selected: bool, out: &mut Vec<u8>) -> Result<()> {
        let heading = heading(&self.starts, row);
        let (start, has_handicap) = (heading.start(), heading.has_handicap());
        self.walk.next(self.records, row, start.as_ref())?;
        let (values, text) = self.take_values_and_text(row)?;
        let (walk, selection) = (&mut self.walk, self.selection);
        let must_decode = walk.must_decode(row, |row| selection.contains(row), selection.rows);
        if !selected {
            return walk.pass(must_decode, start.as_ref());
        }
        let value = |&tag: &u16| {
            let value = self.table.value(tag, row);
            value.ok_or_else(|| Error::corrupt("a tag has no value"))
        };
        let parts = Parts {
            templates: &walk.templates,
            layout: &walk.layout,
            start: start.as_ref(),
            tags: self.records.tags(row).iter().map(value),
            values,
            text,
            most: out.len() + self.most,
        };
        // The signature of the game (spec §14.5).
        let gathers = self.gathered.is_some();
        let start = start.as_ref().filter(|_| gathers);
        let mut gathering = start.map(|start| Gathering::new(start.size(), has_handicap));
        let mut plies = 0;
        let visit = |played: Played| {
            plies += usize::from(played.main);
            if let Some(gathering) = &mut gathering {
                played.gather(gathering);
            }
        };
        render::render(parts, &mut walk.moves, visit, out)?;
        walk.moves.end()?;
        if let Some(gathered) = &mut self.gathered {
            let signature = gathering.as_ref().map(Gathering::signature);
            gathered.add(row, signature.unwrap_or_default(), None, plies);
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        self.walk.moves.finish()?;
        match (self.values, self.text) {
            ([], []) => Ok(()),
            _ => Err(Error::corrupt("a block has text that belongs to no record")),
        }
    }
}

/// A record, passed to a visitor before its moves.
#[derive(Debug)]
pub struct Opening<'a> {
    /// Its number, from 0.
    pub record: usize,
    /// Whether it is a game.
    pub is_game: bool,
    /// The starting position, if its tags describe one.
    pub start: Option<&'a Position>,
    /// Whether the game has a handicap.
    pub handicap: bool,
    /// The integer of its main line, in limbs, lowest first; `None` if the coding is weighted or
    /// the record has no start.
    pub integer: Option<&'a [u64]>,
}

impl Opening<'_> {
    /// Creates the collector of the game's signature; `None` without a start.
    pub fn gathering(&self) -> Option<Gathering> {
        let start = self.start?;
        Some(Gathering::new(start.size(), self.handicap))
    }
}

/// Receives the records of a block and their moves, in order.
pub trait Visitor {
    /// Called at the beginning of a record.
    fn open(&mut self, opening: Opening);

    /// Called for each move of the record, in the order of the text.
    fn played(&mut self, played: Played);

    /// Called at the end of the record.
    ///
    /// # Errors
    /// Any error of the visitor; it ends the walk.
    fn close(&mut self) -> Result<()>;
}

/// Passes all records to the visitor.
///
/// # Errors
/// Corrupt, and those of the visitor.
pub fn walk(block: &Block, records: &Records, visitor: &mut impl Visitor) -> Result<()> {
    walk_some(block, records, |_| true, visitor)
}

/// Passes the wanted records to the visitor.
///
/// # Errors
/// Corrupt, and those of the visitor.
pub fn walk_some(
    block: &Block,
    records: &Records,
    wanted: impl Fn(usize) -> bool,
    visitor: &mut impl Visitor,
) -> Result<()> {
    let streams = Streams::of(block)?;
    let mut walk = Walk::new(block, &streams)?;
    let table = block.table(records, Some(&Heading::NAMES))?;
    for record in 0..records.len() {
        let heading = heading(&table, record);
        let start = heading.start();
        walk.next(records, record, start.as_ref())?;
        let must_decode = walk.must_decode(record, &wanted, records.len());
        if !wanted(record) {
            walk.pass(must_decode, start.as_ref())?;
            continue;
        }
        visitor.open(Opening {
            record,
            is_game: records.is_game(record),
            start: start.as_ref(),
            handicap: heading.has_handicap(),
            integer: walk.moves.integer().filter(|_| start.is_some()),
        });
        render::walk(
            &walk.templates,
            &walk.layout,
            start.as_ref(),
            &mut walk.moves,
            |played| visitor.played(played),
        )?;
        walk.moves.end()?;
        visitor.close()?;
    }
    walk.moves.finish()
}

/// Returns for each record whether it may keep moves as text: it ends with text or has an extracted
/// value of `B` or `W`.
///
/// # Errors
/// Corrupt.
pub fn keeps_text(block: &Block, records: &Records) -> Result<Vec<bool>> {
    let [layout, templates] = block.fixed(Fixed::Layout)?;
    let templates = Templates::read(&templates)?;
    let mut layouts = Decoder::new(&layout);
    let mut model = LayoutModel::new(block.head().text_len);
    let mut layout = Layout::default();
    let mut kept = Vec::new();
    for record in 0..records.len() {
        layout.gaps.clear();
        model.code(&mut layouts, records.list(record), &templates, &mut layout)?;
        columns::check_overrun(&layouts)?;
        let keeps = |template| templates.outline(template).keeps_moves;
        kept.push(layout.templates().any(keeps));
    }
    Ok(kept)
}
