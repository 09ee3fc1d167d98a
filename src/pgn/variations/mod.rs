//! The variations of a block: what else might have been played (spec §4.6).
//!
//! A variation is a line of moves as the game is: it starts before a move of the
//! game, or of another variation, and replaces it. So it is taken apart as
//! movetext is, into moves, gaps and payloads, by a parser and a layout model of
//! its own; what cannot be played is a gap that keeps text. The lines of a record
//! stand in the order of their beginnings ("pre-order"), each behind the one that
//! it is beside.
//!
//! * *codes*: of each line how many moves it has, and its layout. They need no
//!   moves, so a reader can pass over records;
//! * *text*: templates, comments, and what cannot be expressed;
//! * *moves*: choices among the legal moves ([`choices`]), in parts of a few games.
//!
//! [`Packer`] takes the variations of a record as text and the moves that they
//! stand beside, [`Unpacker`] gives that text back.

pub mod choices;

use std::num::NonZeroU32;

use self::choices::Choices;
use super::{
    comments::repeats::Repeats,
    gaps::Templates,
    layout::{Layout, LayoutModel},
    movetext::{Movetext, Parser},
    payloads::Section,
    render::{Moves, NoNames, Renderer, check_room},
    start::Start,
    wrap::Wrap,
};
use crate::{
    bits::{
        range::{Coder, Decoder, Encoder, Number},
        varint,
    },
    chess::{Move, rules::LegalMoves},
    error::{Error, Result},
    format::MAX_PLIES,
};

/// Variations may stand within variations so deep (spec §7); one that is deeper is text.
pub const MAX_DEPTH: usize = 64;

/// The streams of the column.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Lengths and layouts of all lines.
    pub codes: Vec<u8>,
    /// Templates, then comments and other text of all lines.
    pub text: Vec<u8>,
    /// The moves of all lines.
    pub moves: Vec<u8>,
}

/// The game that variations stand beside.
#[derive(Debug, Clone, Copy)]
pub struct Game<'a> {
    /// Its number among the games of the block that are played.
    pub number: usize,
    /// Where it starts.
    pub start: &'a Start,
    /// Its moves.
    pub moves: &'a [Move],
}

/// How the variations of a record stand in its movetext.
pub struct Record<'a> {
    /// The record's layout.
    pub layout: &'a Layout,
    /// What gaps to expect behind those that the layout tells.
    pub model: &'a LayoutModel,
    /// The templates of the block's gaps.
    pub gaps: &'a Templates,
}

impl Record<'_> {
    /// Behind how many moves the variations stand, in a game of so many.
    fn places(&self, plies: usize) -> Result<Vec<usize>> {
        let mut gaps = Vec::with_capacity(plies);
        for ply in 0..plies {
            let before = gaps.last().copied();
            gaps.push(self.model.gap(self.layout, ply, before)?);
        }
        Ok(places(self.gaps, &gaps, self.layout.last))
    }

    /// Of the variations in gaps that the layout tells, whether they replace a move of the second
    /// side; and how many variations stand behind the last move.
    fn told(&self) -> (Vec<bool>, usize) {
        let Layout {
            gaps, told, last, ..
        } = self.layout;
        let places = gaps.iter().take(*told).enumerate();
        let of_second = places.flat_map(|(ply, &gap)| {
            let of_second = ply.wrapping_sub(1) % 2 == 1;
            std::iter::repeat_n(of_second, self.gaps.variations(gap) as usize)
        });
        (of_second.collect(), self.gaps.variations(*last) as usize)
    }
}

/// Behind how many moves of a line its variations stand, each place as often as it has some:
/// `gaps` are those before its moves, `last` the one behind them.
fn places(templates: &Templates, gaps: &[u32], last: u32) -> Vec<usize> {
    let gaps = gaps.iter().chain([&last]).enumerate();
    let times = |&gap: &u32| templates.variations(gap) as usize;
    gaps.flat_map(|(moves, gap)| std::iter::repeat_n(moves, times(gap)))
        .collect()
}

/// Where a line would start that stood before each of these moves.
fn starts(start: &Start, moves: &[Move]) -> Vec<Start> {
    let mut here = start.clone();
    let next = |&played: &Move| {
        let before = here.clone();
        here.play(played);
        before
    };
    moves.iter().map(next).collect()
}

/// A line of a record.
#[derive(Debug, Clone, Default)]
struct Line<'a> {
    /// How many lines it is within, the game being one.
    depth: usize,
    /// Which move it replaces, of the line that it is beside; none if there is no move before it.
    at: Option<usize>,
    plies: usize,
    layout: Layout,
    /// Its comments and its text.
    payloads: Section<'a>,
}

/// The estimates behind lengths and layouts.
#[derive(Default)]
struct Structure {
    layouts: LayoutModel,
    /// Variations of a record beyond those in gaps that its layout tells.
    more: Number<3>,
    /// Moves of a line.
    plies: Number<4>,
}

impl Structure {
    fn line(
        &mut self,
        coder: &mut impl Coder,
        plies: &mut usize,
        layout: &mut Layout,
    ) -> Result<()> {
        *plies = self.plies.code(coder, *plies as u64) as usize;
        if *plies > MAX_PLIES {
            return Err(Error::corrupt("a variation has too many moves"));
        }
        self.layouts.code(coder, layout)
    }
}

/// Packs the variations of a block, record by record.
#[derive(Default)]
pub struct Packer {
    parser: Parser,
    structure: Structure,
    coder: Encoder,
    /// Comments and text.
    text: Vec<u8>,
    choices: Choices,
    /// What lines are taken apart into: one for each depth.
    room: Vec<Movetext>,
}

impl Packer {
    /// Adds a record that has variations, each with its `)`, and the game beside which they stand
    /// if it can be played.
    ///
    /// # Errors
    /// None but those of a model that fails on what it is given.
    pub fn push(&mut self, record: &Record, game: Option<Game>, variations: &[u8]) -> Result<()> {
        let moves = game.map_or(&[][..], |game| game.moves);
        let places = record.places(moves.len())?;
        let (of_second, last) = record.told();
        let more = places.len() - of_second.len() - last;
        self.structure.more.code(&mut self.coder, more as u64);
        let starts = game.map_or(Vec::new(), |game| starts(game.start, moves));
        self.choices.begin(game);
        let mut section = Section {
            variations,
            ..Section::default()
        };
        for (i, place) in places.into_iter().enumerate() {
            let of_second = of_second.get(i).copied().unwrap_or(false);
            let at = place.checked_sub(1);
            self.line(1, &starts, at, of_second, section.variation()?)?;
        }
        section.finish()
    }

    /// Adds a line with its `)` that replaces a move of one with these starts.
    fn line(
        &mut self,
        depth: usize,
        beside: &[Start],
        at: Option<usize>,
        of_second: bool,
        text: &[u8],
    ) -> Result<()> {
        let text = &text[..text.len() - 1];
        let mut line = self.room.pop().unwrap_or_default();
        let start = at.and_then(|at| beside.get(at));
        match start {
            Some(start) if depth <= MAX_DEPTH => {
                let expected = &self.structure.layouts;
                self.parser
                    .parse_variation(text, start, of_second, expected, &mut line);
            }
            _ => self.parser.parse_as_text(text, None, &mut line),
        }
        let mut plies = line.moves.len();
        line.layout.of_second = of_second;
        self.structure
            .line(&mut self.coder, &mut plies, &mut line.layout)?;
        self.text.extend_from_slice(&line.payloads.comments);
        self.text.extend_from_slice(&line.payloads.text);
        self.choices.push(depth, at, &line.moves);
        if let Some(start) = start
            && !line.payloads.variations.is_empty()
        {
            let starts = starts(start, &line.moves);
            let mut section = Section {
                variations: &line.payloads.variations,
                ..Section::default()
            };
            for place in places(&self.parser.templates, &line.layout.gaps, line.layout.last) {
                let at = place.checked_sub(1);
                let of_second = of_second ^ (at.unwrap_or(0) % 2 == 1);
                self.line(depth + 1, &starts, at, of_second, section.variation()?)?;
            }
        }
        self.room.push(line);
        Ok(())
    }

    /// The streams; all are empty if no record had variations. The moves have shares by the model
    /// if they are `weighted`, else all the same.
    pub fn finish(self, weighted: bool) -> Packed {
        if self.choices.is_empty() {
            return Packed::default();
        }
        let templates = self.parser.templates.write();
        let mut text = Vec::with_capacity(templates.len() + self.text.len() + 4);
        varint::write(&mut text, templates.len() as u64);
        text.extend_from_slice(&templates);
        text.extend_from_slice(&self.text);
        Packed {
            codes: self.coder.finish(),
            text,
            moves: self.choices.write(weighted),
        }
    }
}

/// Unpacks the variations of a block, record by record.
pub struct Unpacker<'a> {
    structure: Structure,
    coder: Decoder<'a>,
    templates: Templates,
    text: &'a [u8],
    choices: choices::Reader<'a>,
    /// How many more lines and moves there may be, so that a few bytes cannot ask for endless work.
    lines_left: usize,
    plies_left: usize,
}

/// The lines of a record, of which the moves are not known yet.
pub struct Lines<'a>(Vec<Line<'a>>);

impl<'a> Unpacker<'a> {
    /// The variations of records that have at most so many bytes of text.
    ///
    /// # Errors
    /// Corrupt; unsupported when the moves were coded by another move model.
    pub fn new(
        [codes, mut text, moves]: [&'a [u8]; 3],
        weighted: bool,
        most: usize,
    ) -> Result<Self> {
        let mut templates = &[][..];
        if !text.is_empty() {
            let most = text.len() as u64;
            let len =
                varint::read_limited(&mut text, most, "the templates of variations")? as usize;
            (templates, text) = text.split_at_checked(len).ok_or_else(wrong)?;
        }
        Ok(Self {
            structure: Structure::default(),
            coder: Decoder::new(codes),
            templates: Templates::read(templates)?,
            text,
            choices: choices::Reader::new(moves, weighted)?,
            lines_left: most,
            plies_left: most,
        })
    }

    /// Passes over the codes of a record that has variations, of the game of this number if it is
    /// one that is played.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read(&mut self, record: &Record, game: Option<usize>) -> Result<Lines<'a>> {
        let (of_second, last) = record.told();
        let more = self.structure.more.code(&mut self.coder, 0);
        let count = more.saturating_add((of_second.len() + last) as u64);
        let mut lines = Vec::new();
        for i in 0..count {
            let of_second = of_second.get(i as usize).copied().unwrap_or(false);
            self.line(1, None, of_second, &mut lines)?;
        }
        if lines.iter().any(|line| line.plies > 0) {
            self.choices.enter(game.ok_or_else(wrong)?)?;
        }
        Ok(Lines(lines))
    }

    /// Reads a line, and those within it.
    fn line(
        &mut self,
        depth: usize,
        at: Option<usize>,
        of_second: bool,
        lines: &mut Vec<Line<'a>>,
    ) -> Result<()> {
        let (mut plies, mut layout) = (0, Layout::default());
        layout.of_second = of_second;
        self.structure
            .line(&mut self.coder, &mut plies, &mut layout)?;
        self.structure
            .layouts
            .check_templates(self.templates.len())?;
        let left = (
            self.lines_left.checked_sub(1),
            self.plies_left.checked_sub(plies),
        );
        let (Some(lines_left), Some(plies_left)) = left else {
            return Err(Error::corrupt("a block has more variations than text"));
        };
        (self.lines_left, self.plies_left) = (lines_left, plies_left);
        // What habit tells must be known before the next line changes it.
        if layout.gaps.len() > plies || layout.wrap != Wrap::None {
            return Err(Error::corrupt("a variation has an impossible layout"));
        }
        for ply in layout.gaps.len()..plies {
            let before = layout.gaps.last().copied();
            let gap = self.structure.layouts.gap(&layout, ply, before)?;
            layout.gaps.push(gap);
        }
        let payloads = self.payloads(&layout)?;
        let places = places(&self.templates, &layout.gaps, layout.last);
        lines.push(Line {
            depth,
            at,
            plies,
            layout,
            payloads,
        });
        if depth == MAX_DEPTH && !places.is_empty() {
            return Err(Error::corrupt("variations are nested too deeply"));
        }
        for place in places {
            let at = place.checked_sub(1);
            let of_second = of_second ^ (at.unwrap_or(0) % 2 == 1);
            self.line(depth + 1, at, of_second, lines)?;
        }
        Ok(())
    }

    /// The comments and the text of a line.
    fn payloads(&mut self, layout: &Layout) -> Result<Section<'a>> {
        let gaps = layout.gaps.iter().chain([&layout.last]);
        let comments: u32 = gaps.map(|&gap| self.templates.comments(gap)).sum();
        let mut len = 0;
        for _ in 0..comments {
            len += memchr::memchr(b'}', &self.text[len..]).ok_or_else(wrong)? + 1;
        }
        let mut take = |len: usize| {
            let (taken, rest) = self.text.split_at_checked(len)?;
            self.text = rest;
            Some(taken)
        };
        let text_len = layout.text_lens.iter().map(|&len| len as usize).sum();
        Ok(Section {
            comments: take(len).ok_or_else(wrong)?,
            text: take(text_len).ok_or_else(wrong)?,
            variations: &[],
        })
    }

    /// Appends the text of a record's lines, each with its `)`. All lines of games before it that
    /// are of its part ([`choices::PART`]) must have been asked for.
    ///
    /// # Errors
    /// Corrupt.
    pub fn render(
        &mut self,
        record: &Record,
        lines: Lines<'a>,
        game: Option<Game>,
        most: usize,
    ) -> Result<Vec<u8>> {
        let mut lines = lines.0;
        let moves = game.map_or(&[][..], |game| game.moves);
        let mut places = record.places(moves.len())?.into_iter();
        for line in lines.iter_mut().filter(|line| line.depth == 1) {
            line.at = places.next().ok_or_else(wrong)?.checked_sub(1);
        }
        if places.next().is_some() {
            return Err(wrong());
        }
        let shapes = lines.iter().map(|line| (line.depth, line.at, line.plies));
        let moves = self.choices.moves(game, shapes)?;
        let mut writer = Writer {
            templates: &self.templates,
            model: &self.structure.layouts,
            lines: &lines,
            moves: &moves,
            next: 0,
            most,
        };
        let starts = game.map_or(Vec::new(), |game| starts(game.start, game.moves));
        let mut out = Vec::new();
        while writer.next < lines.len() {
            writer.line(&starts, &mut out)?;
        }
        Ok(out)
    }

    /// Fails unless all has been taken.
    ///
    /// # Errors
    /// Corrupt.
    pub fn finish(&self) -> Result<()> {
        if self.text.is_empty() && self.choices.is_over() {
            Ok(())
        } else {
            Err(wrong())
        }
    }
}

/// Writes the lines of a record.
struct Writer<'u, 'a> {
    templates: &'u Templates,
    model: &'u LayoutModel,
    lines: &'u [Line<'a>],
    /// The moves of each.
    moves: &'u [Vec<Move>],
    /// The next line.
    next: usize,
    most: usize,
}

impl Writer<'_, '_> {
    /// Appends the next line, with its `)`, which replaces a move of one with these starts.
    fn line(&mut self, beside: &[Start], out: &mut Vec<u8>) -> Result<()> {
        let (line, moves) = (&self.lines[self.next], &self.moves[self.next]);
        self.next += 1;
        let start = line.at.and_then(|at| beside.get(at));
        let own = start.map_or(Vec::new(), |start| starts(start, moves));
        let mut within = Vec::new();
        while self
            .lines
            .get(self.next)
            .is_some_and(|next| next.depth > line.depth)
        {
            self.line(&own, &mut within)?;
        }
        let renderer = Renderer {
            templates: self.templates,
            model: self.model,
            layout: &line.layout,
            payloads: Section {
                variations: &within,
                ..line.payloads
            },
            result: None,
            repeats: Repeats::default(),
            white_starts: start.is_none_or(Start::white_starts),
            line_end: b"\n",
            most: self.most,
        };
        match start {
            None => _ = renderer.render(NonZeroU32::MIN, &mut NoNames, out)?,
            Some(start) => _ = renderer.play(start, List(moves.iter()), out)?,
        }
        out.push(b')');
        check_room(out, b"", self.most)
    }
}

/// Moves that are known.
struct List<'a>(std::slice::Iter<'a, Move>);

impl Moves for List<'_> {
    fn next_move(&mut self, _: &impl LegalMoves) -> Result<Option<Move>> {
        Ok(self.0.next().copied())
    }
}

fn wrong() -> Error {
    Error::corrupt("the variations of a block do not fit its games")
}
