//! The variations of a block: what else might have been played (spec §4.6).
//!
//! A variation is a line of moves as the game is: it starts before a move of the
//! game, or of another variation, and replaces it. So it is taken apart as
//! movetext is, into moves, gaps and payloads, by a parser and a layout model of
//! its own; what cannot be played is a gap that keeps text. The lines of a record
//! stand in the order of their opening_prefix ("pre-order"), each behind the one that
//! it is beside.
//!
//! * *codes*: of each line how many moves it has, and its layout. They need no
//!   moves, so a reader can pass over records, and stand in [`parts`];
//! * *text*: templates, comments, and what cannot be expressed;
//! * *moves*: choices among the legal moves ([`choices`]), in parts of a few games.
//!
//! [`Packer`] takes the variations of a record as text and the moves that they
//! stand beside, [`Unpacker`] gives that text back.

pub mod choices;

use std::num::NonZeroU32;

use self::choices::{Choices, Known};
use super::{
    comments::repeats::Repeats,
    gaps::Templates,
    layout::{Layout, LayoutModel},
    movetext::{Movetext, Parser},
    parts,
    payloads::Section,
    render::{Moves, NoNames, Renderer, check_room},
    start::Start,
    wrap::Wrap,
};
use crate::{
    container::MAX_PLIES,
    error::{Error, Result},
};
use ign_entropy::{
    adaptive::{Coder, Decoder, Number},
    varint,
};
use ign_notation::chess::{Move, rules::LegalMoves};

/// A variation within so many lines, the game being one, is text (spec §7).
pub const MAX_DEPTH: usize = 64;

/// A part of the lines ends behind the record with which it has so many; if that is the last game
/// of a part of the moves, so that a game is in one of each.
const PART: usize = 1024;

/// Before so many moves it is early in a game: engines are asked for shorter lines there.
const EARLY: usize = 16;
/// Lines of so many moves are breaks where a search stopped; others are as long as they may be.
const BROKEN: usize = 2;
/// Lines as long as this and longer have one context.
const LONG: usize = 15;

/// The streams of the column.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Lengths and layouts of all lines; their comments and other text behind the templates.
    pub lines: parts::Packed,
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

    /// Of the variations in gaps that the layout tells, where they begin; and how many variations
    /// stand behind the last move.
    fn told(&self) -> (Vec<OpeningPrefix>, usize) {
        let Layout {
            gaps, told, last, ..
        } = self.layout;
        let places = gaps.iter().take(*told).enumerate();
        let opening_prefix = places.flat_map(|(ply, &gap)| {
            let beginning = OpeningPrefix {
                of_second: ply > 0 && ply.is_multiple_of(2),
                is_early: ply < EARLY,
            };
            std::iter::repeat_n(beginning, self.gaps.variations(gap) as usize)
        });
        (
            opening_prefix.collect(),
            self.gaps.variations(*last) as usize,
        )
    }
}

/// Where a line begins, as far as that can be told without the moves.
#[derive(Debug, Clone, Copy, Default)]
struct OpeningPrefix {
    /// Whether it replaces a move of the second side.
    of_second: bool,
    /// Whether it, or the one it is within, stands early in a game.
    is_early: bool,
}

impl OpeningPrefix {
    /// That of a line that stands behind so many moves of one that begins here.
    fn within(self, place: usize) -> Self {
        Self {
            of_second: self.of_second ^ (place > 0 && place.is_multiple_of(2)),
            ..self
        }
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
#[derive(Clone, Default)]
struct Structure {
    layouts: LayoutModel,
    /// How many templates have been introduced where a part begins.
    known: Number<3>,
    /// Variations of a record beyond those in gaps that its layout tells.
    more: Number<3>,
    /// Moves of a line, by whether it begins early and how long the last one was that was no break.
    plies: [[Number<4>; LONG + 1]; 2],
    last_plies: usize,
}

impl Structure {
    /// Codes how many variations of a record are beyond those that its layout tells; in front of
    /// all others of a part how many templates the parts before have introduced.
    fn begin(
        &mut self,
        coder: &mut impl Coder,
        is_first: bool,
        known: u32,
        more: usize,
    ) -> Result<u64> {
        if is_first {
            let known = self.known.code(coder, u64::from(known));
            let known = u32::try_from(known).map_err(|_| wrong())?;
            self.layouts.set_known(known);
        }
        Ok(self.more.code(coder, more as u64))
    }

    fn line(
        &mut self,
        coder: &mut impl Coder,
        is_early: bool,
        plies: &mut usize,
        layout: &mut Layout,
    ) -> Result<()> {
        let number = &mut self.plies[usize::from(is_early)][self.last_plies.min(LONG)];
        *plies = number.code(coder, *plies as u64) as usize;
        if *plies > BROKEN {
            self.last_plies = *plies;
        }
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
    parts: parts::Packer<Structure>,
    /// Templates introduced so far.
    known: u32,
    /// Lines of the part.
    lines: usize,
    choices: Choices,
    /// What lines are taken apart into: one for each depth.
    room: Vec<Movetext>,
}

impl Packer {
    /// Adds a record: its variations, each with its `)`, and the game beside which they stand if
    /// it can be played.
    ///
    /// # Errors
    /// None but those of a model that fails on what it is given.
    pub fn push(&mut self, record: &Record, game: Option<Game>, variations: &[u8]) -> Result<()> {
        if record.layout.variations {
            self.push_lines(record, game, variations)?;
        }
        let ends = game.is_some_and(|game| (game.number + 1).is_multiple_of(choices::PART));
        let ends_part = ends && self.lines >= PART;
        if ends_part {
            self.lines = 0;
        }
        self.parts.end_record(ends_part);
        Ok(())
    }

    fn push_lines(&mut self, record: &Record, game: Option<Game>, variations: &[u8]) -> Result<()> {
        let moves = game.map_or(&[][..], |game| game.moves);
        let places = record.places(moves.len())?;
        let (told, last) = record.told();
        let more = places.len() - told.len() - last;
        let turn = self.parts.record();
        turn.model
            .begin(turn.coder, turn.is_first, self.known, more)?;
        let starts = game.map_or(Vec::new(), |game| starts(game.start, moves));
        self.choices.begin(game);
        let mut section = Section {
            variations,
            ..Section::default()
        };
        for (i, place) in places.into_iter().enumerate() {
            let beginning = told.get(i).copied().unwrap_or_default();
            let at = place.checked_sub(1);
            self.line(1, &starts, at, beginning, section.variation()?)?;
        }
        section.finish()
    }

    /// Adds a line with its `)` that replaces a move of one with these starts.
    fn line(
        &mut self,
        depth: usize,
        beside: &[Start],
        at: Option<usize>,
        beginning: OpeningPrefix,
        text: &[u8],
    ) -> Result<()> {
        let text = &text[..text.len() - 1];
        let OpeningPrefix {
            of_second,
            is_early,
        } = beginning;
        let mut line = self.room.pop().unwrap_or_default();
        let start = at.and_then(|at| beside.get(at));
        let turn = self.parts.record();
        match start {
            Some(start) if depth < MAX_DEPTH => {
                let expected = &turn.model.layouts;
                self.parser
                    .parse_variation(text, start, of_second, expected, &mut line);
            }
            _ => self.parser.parse_as_text(text, None, &mut line),
        }
        let mut plies = line.moves.len();
        line.layout.of_second = of_second;
        let model = turn.model;
        model.line(turn.coder, is_early, &mut plies, &mut line.layout)?;
        turn.text.extend_from_slice(&line.payloads.comments);
        turn.text.extend_from_slice(&line.payloads.text);
        self.known = model.layouts.known();
        self.lines += 1;
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
                let beginning = beginning.within(place);
                self.line(depth + 1, &starts, at, beginning, section.variation()?)?;
            }
        }
        self.room.push(line);
        Ok(())
    }

    /// The streams; all are empty if no record had variations. The moves have frequencies by the model
    /// if they are `weighted`, else all the same; what is known of them is kept where that is asked for.
    pub fn finish(self, weighted: bool, known: Option<&mut Known>) -> Packed {
        if self.choices.is_empty() {
            return Packed::default();
        }
        let templates = self.parser.templates.write();
        let mut lines = self.parts.finish();
        let mut text = Vec::with_capacity(templates.len() + lines.text.len() + 4);
        varint::write(&mut text, templates.len() as u64);
        text.extend_from_slice(&templates);
        text.append(&mut lines.text);
        lines.text = text;
        Packed {
            lines,
            moves: self.choices.write(weighted, known),
        }
    }
}

/// Unpacks the variations of a block, record by record.
pub struct Unpacker<'a> {
    parts: parts::Unpacker<'a, Structure>,
    templates: Templates,
    choices: choices::Reader<'a>,
    /// How many more lines and moves there may be, so that a few bytes cannot ask for endless work.
    lines_left: usize,
    plies_left: usize,
}

/// The lines of a record, of which the moves are not known yet.
#[derive(Default)]
pub struct Lines<'a>(Vec<Line<'a>>);

impl<'a> Unpacker<'a> {
    /// The variations of so many records that have at most so many bytes of text; those of records
    /// that are not wanted may be left out. Whoever wants some of a part of the moves
    /// ([`choices::PART`]) wants all before it.
    ///
    /// # Errors
    /// Corrupt; unsupported when the moves were coded by another move model.
    pub fn new(
        [codes, mut text, part_lens, moves]: [&'a [u8]; 4],
        weighted: bool,
        most: usize,
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        let mut templates = &[][..];
        if !text.is_empty() {
            let most = text.len() as u64;
            let len =
                varint::read_limited(&mut text, most, "the templates of variations")? as usize;
            (templates, text) = text.split_at_checked(len).ok_or_else(wrong)?;
        }
        Ok(Self {
            parts: parts::Unpacker::new([codes, text, part_lens], records, wanted)?,
            templates: Templates::read(templates)?,
            choices: choices::Reader::new(moves, weighted)?,
            lines_left: most,
            plies_left: most,
        })
    }

    /// Has the moves checked by what packing knew of them, instead of read.
    pub fn check_by(&mut self, known: &'a Known) {
        self.choices.check_by(known);
    }

    /// The records whose lines are decoded.
    pub fn needed(&self) -> impl Iterator<Item = usize> {
        self.parts.needed()
    }

    /// Leaves all records out.
    pub fn need_none(&mut self) {
        self.parts.need_none();
    }

    /// Passes the next record over.
    ///
    /// # Errors
    /// Corrupt.
    pub fn pass(&mut self) -> Result<()> {
        self.parts.next_record()
    }

    /// The lines of the next record; none where they are not needed.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read(&mut self, record: &Record) -> Result<Lines<'a>> {
        self.pass()?;
        if !record.layout.variations {
            return Ok(Lines::default());
        }
        let (templates, left) = (
            &self.templates,
            (&mut self.lines_left, &mut self.plies_left),
        );
        self.parts.decode(|turn| {
            let (told, last) = record.told();
            let more = turn.model.begin(turn.coder, turn.is_first, 0, 0)?;
            let count = more.saturating_add((told.len() + last) as u64);
            let mut lines = LineReader {
                structure: turn.model,
                coder: turn.coder,
                text: turn.text,
                templates,
                lines_left: left.0,
                plies_left: left.1,
                lines: Vec::new(),
            };
            for i in 0..count {
                let beginning = told.get(i as usize).copied().unwrap_or_default();
                lines.read(1, None, beginning)?;
            }
            Ok(Lines(lines.lines))
        })
    }

    /// Appends the text of a record's lines, each with its `)`. Those of games before it that
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
            model: &self.parts.model().layouts,
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
        self.parts.finish()
    }
}

/// Reads the lines of a record.
struct LineReader<'r, 'a> {
    structure: &'r mut Structure,
    coder: &'r mut Decoder<'a>,
    text: &'r mut &'a [u8],
    templates: &'r Templates,
    lines_left: &'r mut usize,
    plies_left: &'r mut usize,
    lines: Vec<Line<'a>>,
}

impl<'a> LineReader<'_, 'a> {
    /// Reads a line, and those within it.
    fn read(&mut self, depth: usize, at: Option<usize>, beginning: OpeningPrefix) -> Result<()> {
        let (mut plies, mut layout) = (0, Layout::default());
        layout.of_second = beginning.of_second;
        let is_early = beginning.is_early;
        self.structure
            .line(self.coder, is_early, &mut plies, &mut layout)?;
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
        (*self.lines_left, *self.plies_left) = (lines_left, plies_left);
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
        let places = places(self.templates, &layout.gaps, layout.last);
        self.lines.push(Line {
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
            self.read(depth + 1, at, beginning.within(place))?;
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
            *self.text = rest;
            Some(taken)
        };
        let text_len = layout.text_lens.iter().map(|&len| len as usize).sum();
        Ok(Section {
            comments: take(len).ok_or_else(wrong)?,
            text: take(text_len).ok_or_else(wrong)?,
            variations: &[],
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::movetext::Context;
    use ign_entropy::adaptive::Encoder;
    use proptest::prelude::*;

    impl Packed {
        fn streams(&self) -> [&[u8]; 4] {
            let parts::Packed { codes, text, parts } = &self.lines;
            [codes, text, parts, &self.moves]
        }
    }

    /// Movetexts of games, packed: their layouts, templates, moves and variations.
    #[derive(Default)]
    struct Games {
        layouts: Vec<u8>,
        templates: Vec<u8>,
        moves: Vec<Vec<Move>>,
        variations: Vec<Vec<u8>>,
        packed: Packed,
        known: Known,
    }

    fn pack(movetexts: &[&str], weighted: bool) -> Games {
        let (mut parser, mut model) = (Parser::default(), LayoutModel::default());
        let (mut coder, mut packer) = (Encoder::new(), Packer::default());
        let mut games = Games::default();
        let start = Start::default();
        for (number, text) in movetexts.iter().enumerate() {
            let mut movetext = Movetext::default();
            let context = Context {
                line_end: b"\n",
                start: Some(&start),
                result: None,
            };
            parser.parse(text.as_bytes(), context, &model, &mut movetext);
            model.code(&mut coder, &mut movetext.layout).unwrap();
            let record = Record {
                layout: &movetext.layout,
                model: &model,
                gaps: &parser.templates,
            };
            let game = Game {
                number,
                start: &start,
                moves: &movetext.moves,
            };
            let variations = &movetext.payloads.variations;
            packer.push(&record, Some(game), variations).unwrap();
            games.moves.push(movetext.moves);
            games.variations.push(movetext.payloads.variations);
        }
        games.layouts = coder.finish();
        games.templates = parser.templates.write();
        games.packed = packer.finish(weighted, Some(&mut games.known));
        games
    }

    /// The variations of those records that are wanted.
    fn unpack(
        games: &Games,
        weighted: bool,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Vec<u8>>> {
        unpack_by(None, games, weighted, wanted)
    }

    /// The same, moves checked by what is known of them.
    fn unpack_by(
        known: Option<&Known>,
        games: &Games,
        weighted: bool,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Vec<Vec<u8>>> {
        let records = games.moves.len();
        let of_part = |row| {
            (row - row % choices::PART..)
                .take(choices::PART)
                .any(&wanted)
        };
        let streams = games.packed.streams();
        let mut unpacker = Unpacker::new(streams, weighted, 100_000, records, of_part)?;
        if let Some(known) = known {
            unpacker.check_by(known);
        }
        let (mut model, mut coder) = (LayoutModel::default(), Decoder::new(&games.layouts));
        let templates = Templates::read(&games.templates).unwrap();
        let start = Start::default();
        let mut found = Vec::new();
        for (number, moves) in games.moves.iter().enumerate() {
            let mut layout = Layout::default();
            model.code(&mut coder, &mut layout).unwrap();
            let record = Record {
                layout: &layout,
                model: &model,
                gaps: &templates,
            };
            let mut out = Vec::new();
            let lines = unpacker.read(&record)?;
            let game = Game {
                number,
                start: &start,
                moves,
            };
            if layout.variations && wanted(number) {
                out = unpacker.render(&record, lines, Some(game), 100_000)?;
            }
            found.push(out);
        }
        unpacker.finish()?;
        Ok(found)
    }

    #[test]
    fn variations_of_all_kinds_come_back() {
        let long = format!(
            "1. e4 {}1. d4{} 1... e5 *",
            "(1. c4 ".repeat(3000),
            ")".repeat(3000)
        );
        let games = [
            "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 (2. f4 exf4 3. Nf3 (3. Bc4) 3... g5) 2... Nc6 *",
            "1. e4 {first} (1. d4 {a (b)} d5 $1 {c} 2. c4 (2. Nf3 ) ) e5 *",
            // Such as are no moves, wholly or from somewhere on; and odd spellings.
            "1. e4 (see 1. d4) (1. d4 d5 2. Ke4 (1. d4) Kf6) (1. Nf3! Nf6?! 1-0) (1.d2-d4 d7d5) *",
            "(1. e4) 1. e4 () ( ) (1. O-O) (1. e4 e5) (1. e4 0-1 1-0) (1.Nf3 Nf6 ; c\n2.c4) *",
            // What a variation replaces is the last move, whatever stands between.
            "1. f3 e5 2. g4 Qh4# (2... d5 3. e4) {x} (2... Bc5) *",
            &long,
            "1. e4 e5 *",
        ];
        for weighted in [false, true] {
            let packed = pack(&games, weighted);
            assert_eq!(
                unpack(&packed, weighted, |_| true).unwrap(),
                packed.variations
            );
        }
    }

    #[test]
    fn variations_of_one_game_need_those_of_its_part_only() {
        // New templates come up in parts behind the first.
        let games: Vec<String> = (0..4800)
            .map(|i| match i % 3 {
                0 => format!(
                    "1. e4 ({}. d4{}d5) 1... e5 *",
                    1 + i / 120,
                    " ".repeat(1 + i / 1600)
                ),
                1 => "1. e4 e5 *".into(),
                _ => "1. e4 e5 2. Nf3 (2. Nc3 {why} Nc6 3. f4) 2... Nc6 *".into(),
            })
            .collect();
        let games: Vec<&str> = games.iter().map(String::as_str).collect();
        let packed = pack(&games, true);
        assert!(packed.packed.lines.parts.len() > 3 * 3, "several parts");
        for game in [0, 7, 8, 39, 1535, 1536, 1604, 2000, 3260, 4000, 4799] {
            let part = game - game % choices::PART..=game;
            let found = unpack(&packed, true, |i| part.contains(&i)).unwrap();
            assert_eq!(found[game], packed.variations[game]);
        }
    }

    #[test]
    fn known_moves_prove_their_streams_and_no_others() {
        // A line in every sixteenth game at first: some parts have none.
        let line = "1. e4 e5 2. Nf3 (2. f4 exf4 3. Nf3 (3. Bc4) 3... g5) 2... Nc6 *";
        let games: Vec<&str> = (0..120)
            .map(|i| match i < 80 && i % 16 > 0 {
                true => "1. e4 e5 *",
                false => line,
            })
            .collect();
        for weighted in [false, true] {
            let mut packed = pack(&games, weighted);
            let known = std::mem::take(&mut packed.known);
            let unpack = |packed: &Games| unpack_by(Some(&known), packed, weighted, |_| true);
            assert_eq!(unpack(&packed).unwrap(), packed.variations);
            let mut refused = 0;
            for bit in 0..8 * packed.packed.moves.len() {
                packed.packed.moves[bit / 8] ^= 1 << (bit % 8);
                match unpack(&packed) {
                    Err(_) => refused += 1,
                    // The last bits of a stream may be others that mean the same. One part in
                    // eight is read, so that its text tells.
                    Ok(text) => assert!((8..64).all(|game| text[game] == packed.variations[game])),
                }
                packed.packed.moves[bit / 8] ^= 1 << (bit % 8);
            }
            assert!(refused > 100, "{refused}");
        }
    }

    #[test]
    fn moves_cost_no_text_and_little_else() {
        let games = ["1. e4 e5 (1... c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6) 2. Nf3 *"; 50];
        for (weighted, most) in [(false, 10 * 5 + 4), (true, 10 * 2)] {
            let Packed { lines, moves } = pack(&games, weighted).packed;
            let parts::Packed { codes, text, .. } = lines;
            // The templates "#... ", " #. ", " " and "", and how long they are.
            assert_eq!(text.len(), 1 + 6 + 5 + 2 + 1);
            assert!(codes.len() < 80, "{} bytes", codes.len());
            assert!(8 * moves.len() < 50 * most, "{} bytes", moves.len());
        }
    }

    #[test]
    fn the_move_replaced_is_not_expected() {
        let bytes = |game: &str| pack(&[game; 64], true).packed.moves.len();
        // The best reply there is, beside another and beside itself.
        let other = bytes("1. e4 e5 2. Qh5 Nc6 3. Bc4 g6 4. Qf3 Nd4 (4... Nf6) *");
        let itself = bytes("1. e4 e5 2. Qh5 Nc6 3. Bc4 g6 4. Qf3 Nf6 (4... Nf6) *");
        assert!(other + 64 < itself, "{other}, {itself}");
    }

    #[test]
    fn damage_is_told_or_gives_other_text() {
        let games = [
            "1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 (2. f4 {x} exf4 3. Nf3 (3. Bc4) 3... g5) Nc6 *",
            "1. e4 e5 (1... c5 ; z\n2. Nf3) 2. Nf3 (2. f4 exf4 3. Nf3 (3. Bc4 $1) 3... g5) Nc6 *",
        ];
        for weighted in [false, true] {
            let packed = pack(&games, weighted);
            for stream in 0..4 {
                let len = packed.packed.streams()[stream].len();
                for bit in 0..8 * len {
                    let mut bad = Games {
                        layouts: packed.layouts.clone(),
                        templates: packed.templates.clone(),
                        moves: packed.moves.clone(),
                        variations: Vec::new(),
                        packed: packed.packed.clone(),
                        known: Known::default(),
                    };
                    let Packed { lines, moves } = &mut bad.packed;
                    let streams = [&mut lines.codes, &mut lines.text, &mut lines.parts, moves];
                    streams[stream][bit / 8] ^= 1 << (bit % 8);
                    _ = unpack(&bad, weighted, |_| true);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_in_parentheses_comes_back(
            variations in prop::collection::vec(
                "((1|2)(\\.|\\.\\.\\.| )|e4|e5|d5|Nf3|Nc6|Nf6 |[(){}$;! \n]|c4|O-O|1-0){0,20}", 1..8
            )
        ) {
            let games: Vec<String> = variations
                .iter()
                .map(|text| format!("1. e4 ({text}) 1... e5 ({text}) *"))
                .collect();
            let games: Vec<&str> = games.iter().map(String::as_str).collect();
            let packed = pack(&games, false);
            prop_assert_eq!(&unpack(&packed, false, |_| true).unwrap(), &packed.variations);
        }

        #[test]
        fn foreign_bytes_come_to_an_end(
            codes in prop::collection::vec(any::<u8>(), 0..60),
            text in prop::collection::vec(any::<u8>(), 0..40),
            moves in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let mut games = pack(&["1. e4 (1. d4 d5) 1... e5 (1... c5) *"; 3], false);
            let parts = vec![3, codes.len() as u8, text.len() as u8];
            let text = [&[0][..], &text].concat();
            let lines = parts::Packed { codes, text, parts };
            games.packed = Packed { lines, moves };
            _ = unpack(&games, false, |_| true);
        }
    }
}
