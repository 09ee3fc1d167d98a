//! Text and moves from a block of Go.

use std::{borrow::Cow, ops::Range};

use crate::block::{
    Fixed,
    decode::{Block, Records},
    go::moves::{GROUP, Interval, Reader},
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

/// The columns that a walk over the records takes.
struct Walk<'a> {
    templates: Templates,
    layouts: Decoder<'a>,
    model: LayoutModel,
    moves: Reader<'a>,
    layout: Layout,
    /// Of the group of the next record, the records whose moves must be decoded.
    to_decode: Range<usize>,
}

/// Columns as they come out of their frames.
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
        Ok(Self {
            templates: Templates::read(&streams.templates)?,
            layouts: Decoder::new(&streams.layout),
            model: LayoutModel::new(head.text_len),
            moves: Reader::new(&streams.moves, block.coding(), head.records)?,
            layout: Layout::default(),
            to_decode: 0..0,
        })
    }

    /// Goes to the next record, whose number is `record`: its layout and its integer.
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

    /// How many moves the record's variations say.
    fn variation_moves(&self) -> usize {
        self.layout.gaps.len() - self.layout.main_moves(&self.templates)
    }

    /// Whether the moves of a record, which is not wanted itself, must be decoded for those of one
    /// that is wanted and stands behind it in its group.
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
    /// Passes over the moves of the record.
    fn pass(&mut self, must_decode: bool, start: Option<&Position>) -> Result<()> {
        if !must_decode {
            return self.moves.skip(self.variation_moves());
        }
        let (templates, layout) = (&self.templates, &self.layout);
        render::walk(templates, layout, start, &mut self.moves, |_| ())
    }
}

/// What the tags of a record say about its start.
fn heading(table: &Table, row: usize) -> Heading<'_> {
    Heading::new(|name| table.value(table.tag(name.as_bytes())?, row))
}

/// Fails unless the block gives this text back. Where the choices of its moves are known, most of
/// them are not weighed again.
///
/// # Errors
/// Corrupt.
pub(super) fn check_text(block: &Block, text: &[u8], known: Option<&[Interval]>) -> Result<()> {
    let records = block.records()?;
    let table = block.table(&records, None)?;
    let mut rest = text;
    let mut compare = |out: &mut Vec<u8>| {
        let same = rest.strip_prefix(&out[..]);
        rest = same.ok_or_else(|| Error::corrupt("the text differs"))?;
        out.clear();
        Ok(())
    };
    let (mut out, rows) = (Vec::new(), records.len());
    render_known(
        block,
        &records,
        &table,
        rows,
        |_| true,
        known,
        &mut out,
        &mut compare,
    )?;
    if !rest.is_empty() || block.head().text_len != text.len() {
        return Err(Error::corrupt("the text is cut off"));
    }
    Ok(())
}

/// Appends the text of those of the first `rows` records that are wanted, with a look at the output
/// after each. The table has all tags of those.
///
/// # Errors
/// Corrupt, and those of `look`.
pub fn render(
    block: &Block,
    records: &Records,
    table: &Table,
    rows: usize,
    wanted: impl Fn(usize) -> bool,
    out: &mut Vec<u8>,
    look: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    render_known(block, records, table, rows, wanted, None, out, look)
}

#[expect(clippy::too_many_arguments, reason = "those of `render`, and one")]
fn render_known(
    block: &Block,
    records: &Records,
    table: &Table,
    rows: usize,
    wanted: impl Fn(usize) -> bool,
    known: Option<&[Interval]>,
    out: &mut Vec<u8>,
    look: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    let streams = Streams::of(block)?;
    let mut walk = Walk::new(block, &streams)?;
    walk.moves.know(known);
    // Where records start that are not wanted, is asked too.
    let starts = block.table(records, Some(&Heading::NAMES))?;
    let [values] = block.fixed(Fixed::Comments)?;
    let [text] = block.fixed(Fixed::Text)?;
    let (mut values, mut text) = (&values[..], &text[..]);
    // Few bytes can ask for much text: no more is written than can be right.
    let most = 2 * block.head().text_len + 1024;
    for row in 0..rows {
        let start = heading(&starts, row).start();
        walk.next(records, row, start.as_ref())?;
        let templates = walk.layout.templates().map(|t| walk.templates.outline(t));
        let (mut tags, mut len) = (0, 0);
        for outline in templates {
            tags += outline.tags as usize;
            for _ in 0..outline.values {
                len += take_value(&values[len..])?.0.len();
            }
        }
        if tags != records.tags(row).len() {
            return Err(Error::corrupt("a record has not as many tags as its head"));
        }
        let (own_values, rest) = values.split_at(len);
        values = rest;
        let split = text.split_at_checked(walk.layout.text_len as usize);
        let (own_text, rest) = split.ok_or_else(|| Error::corrupt("a text is cut off"))?;
        text = rest;
        let must_decode = walk.must_decode(row, &wanted, rows);
        if !wanted(row) {
            walk.pass(must_decode, start.as_ref())?;
            continue;
        }
        let value = |&tag: &u16| {
            let value = table.value(tag, row);
            value.ok_or_else(|| Error::corrupt("a tag has no value"))
        };
        let parts = Parts {
            templates: &walk.templates,
            layout: &walk.layout,
            start: start.as_ref(),
            tags: records.tags(row).iter().map(value),
            values: own_values,
            text: own_text,
            most: out.len() + most,
        };
        render::render(parts, &mut walk.moves, out)?;
        walk.moves.end()?;
        look(out)?;
    }
    if rows == records.len() {
        walk.moves.finish()?;
        if !values.is_empty() || !text.is_empty() {
            return Err(Error::corrupt("a block has text that is no record's"));
        }
    }
    Ok(())
}

/// A record, before its moves are shown.
pub struct Opening<'a> {
    /// Its number, from 0.
    pub record: usize,
    /// Whether it is a game.
    pub is_game: bool,
    /// Where it starts.
    pub start: Option<&'a Position>,
    /// Whether the game has a handicap.
    pub handicap: bool,
    /// The integer of its main line, in limbs; none where the coding has none.
    pub integer: Option<&'a [u64]>,
}

impl Opening<'_> {
    /// What gathers the signature of the game.
    pub fn gathering(&self) -> Option<Gathering> {
        let start = self.start?;
        Some(Gathering::new(start.size(), self.handicap))
    }
}

/// Sees the records of a block, one by one, and their moves.
pub trait Visitor {
    /// A record begins.
    fn open(&mut self, opening: Opening);

    /// Its next move, in the order of the text.
    fn played(&mut self, played: Played);

    /// It has no more.
    ///
    /// # Errors
    /// Those that it likes to raise.
    fn close(&mut self) -> Result<()>;
}

/// Shows all records.
///
/// # Errors
/// Corrupt, and those of the visitor.
pub fn walk(block: &Block, records: &Records, visitor: &mut impl Visitor) -> Result<()> {
    walk_some(block, records, |_| true, visitor)
}

/// Shows the records that are wanted.
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

/// Which records keep moves as text: those that end in text, or set aside values behind `B` or `W`.
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
