//! Unpacker of the variations column.

use std::num::NonZeroU32;

use super::{
    choices::{self, Choices, KnownMoves},
    line::{Game, Line, LineModel, LineShape, MAX_DEPTH, Origin, Record, mismatch, places, starts},
};
use crate::{
    error::{Error, Result},
    model::MoveModel,
    pgn::{
        comments::repeats::Repeats,
        gaps::Templates,
        layout::{Layout, LayoutModel},
        parts,
        payloads::RecordPayloads,
        render::{Missing, Moves, NoNames, Renderer, check_room},
        start::Start,
        wrap::Wrap,
    },
};
use ign_entropy::{adaptive::Decoder, varint};
use ign_notation::chess::{Move, rules::LegalMoves};

/// Unpacks the variations of a block, record by record.
#[derive(Debug)]
pub struct Unpacker<'a> {
    parts: parts::Unpacker<'a, LineModel>,
    templates: Templates,
    choices: choices::Reader<'a>,
    /// Remaining number of lines and of plies. The limits bound the work for malformed input.
    lines_left: usize,
    plies_left: usize,
}

/// The lines of a record without their moves.
#[derive(Debug, Default)]
pub struct Lines<'a>(Vec<Line<'a>>);

impl<'a> Unpacker<'a> {
    /// An unpacker for a number of records, in a block of `text_len` bytes. Records that are not
    /// wanted may be skipped; but if a game is wanted, so must be all games before it in its part
    /// of the moves ([`choices::PART`]).
    ///
    /// # Errors
    /// Returns a corruption error if the input is malformed.
    pub fn new(
        [codes, mut text, part_lens, moves]: [&'a [u8]; 4],
        model: Option<MoveModel>,
        text_len: usize,
        records: usize,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self> {
        let mut templates = &[][..];
        if !text.is_empty() {
            let max = text.len() as u64;
            let len = varint::read_limited(&mut text, max, "the templates of variations")? as usize;
            (templates, text) = text.split_at_checked(len).ok_or_else(mismatch)?;
        }
        Ok(Self {
            parts: parts::Unpacker::new(
                LineModel::default(),
                [codes, text, part_lens],
                records,
                wanted,
            )?,
            templates: Templates::read(templates)?,
            choices: choices::Reader::new(moves, model)?,
            lines_left: text_len,
            plies_left: text_len,
        })
    }

    /// Checks the moves against those of the packer, instead of decoding them.
    pub fn check_by(&mut self, known: &'a KnownMoves) {
        self.choices.check_by(known);
    }

    /// Numbers of the records whose lines are decoded.
    pub fn needed(&self) -> impl Iterator<Item = usize> {
        self.parts.needed()
    }

    /// Skips all records.
    pub fn skip_all(&mut self) {
        self.parts.skip_all();
    }

    /// Skips the next record.
    ///
    /// # Errors
    /// Returns a corruption error if text of the previous part is left over.
    pub fn skip(&mut self) -> Result<()> {
        self.parts.next_record()
    }

    /// Decodes the lines of the next record; none if the record is skipped.
    ///
    /// # Errors
    /// Returns a corruption error if the input is malformed.
    pub fn read(&mut self, record: &Record) -> Result<Lines<'a>> {
        self.skip()?;
        if !record.layout.variations {
            return Ok(Lines::default());
        }
        let (templates, left) = (
            &self.templates,
            (&mut self.lines_left, &mut self.plies_left),
        );
        self.parts.decode(|part| {
            let (origins, last) = record.stored_origins();
            let more = part.model.code_record(part.coder, part.is_first, 0, 0)?;
            let count = more.saturating_add((origins.len() + last) as u64);
            let mut lines = LineReader {
                model: part.model,
                coder: part.coder,
                text: part.text,
                templates,
                lines_left: left.0,
                plies_left: left.1,
                lines: Vec::new(),
            };
            for i in 0..count {
                let origin = origins.get(i as usize).copied().unwrap_or_default();
                lines.read(1, None, origin)?;
            }
            Ok(Lines(lines.lines))
        })
    }

    /// The text of a record's lines, each with its `)`, of at most `max_len` bytes. The games
    /// before it in its part of the moves ([`choices::PART`]) must have been rendered.
    ///
    /// # Errors
    /// Returns a corruption error if the lines do not fit the game.
    pub fn render(
        &mut self,
        record: &Record,
        lines: Lines<'a>,
        game: Option<Game>,
        max_len: usize,
    ) -> Result<Vec<u8>> {
        let mut lines = lines.0;
        let moves = self.moves(record, &mut lines, game)?;
        let mut writer = Writer {
            templates: &self.templates,
            model: &self.parts.model().layouts,
            lines: &lines,
            moves: &moves,
            next: 0,
            max_len,
        };
        let starts = game.map_or(Vec::new(), |game| starts(game.start, game.moves));
        let mut out = Vec::new();
        while writer.next < lines.len() {
            writer.line(&starts, &mut out)?;
        }
        Ok(out)
    }

    /// Adds the moves of a record's lines to `choices`. The games before it in its part of the
    /// moves ([`choices::PART`]) must have been added.
    ///
    /// # Errors
    /// Returns a corruption error if the lines do not fit the game.
    pub fn collect(
        &mut self,
        record: &Record,
        lines: Lines<'a>,
        game: Option<Game>,
        choices: &mut Choices,
    ) -> Result<()> {
        let mut lines = lines.0;
        let moves = self.moves(record, &mut lines, game)?;
        choices.begin(game);
        for (line, moves) in lines.iter().zip(&moves) {
            choices.push(line.shape.depth, line.shape.at, moves);
        }
        Ok(())
    }

    /// Decodes the moves of each line of a record, and sets which moves of the game they replace.
    ///
    /// # Errors
    /// Returns a corruption error if the lines do not fit the game.
    fn moves(
        &mut self,
        record: &Record,
        lines: &mut [Line],
        game: Option<Game>,
    ) -> Result<Vec<Vec<Move>>> {
        let plies = game.map_or(0, |game| game.moves.len());
        let mut places = record.places(plies)?.into_iter();
        for line in lines.iter_mut().filter(|line| line.shape.depth == 1) {
            line.shape.at = places.next().ok_or_else(mismatch)?.checked_sub(1);
        }
        if places.next().is_some() {
            return Err(mismatch());
        }
        let shapes = lines.iter().map(|line| line.shape);
        self.choices.moves(game, shapes)
    }

    /// Checks that no text is left over.
    ///
    /// # Errors
    /// Returns a corruption error otherwise.
    pub fn finish(&self) -> Result<()> {
        self.parts.finish()
    }
}

/// Decodes the lines of a record.
struct LineReader<'r, 'a> {
    model: &'r mut LineModel,
    coder: &'r mut Decoder<'a>,
    text: &'r mut &'a [u8],
    templates: &'r Templates,
    lines_left: &'r mut usize,
    plies_left: &'r mut usize,
    lines: Vec<Line<'a>>,
}

impl<'a> LineReader<'_, 'a> {
    /// Decodes a line and the lines within it.
    fn read(&mut self, depth: usize, at: Option<usize>, origin: Origin) -> Result<()> {
        let (mut plies, mut layout) = (0, Layout::default());
        layout.second_side = origin.second_side;
        self.model
            .code_line(self.coder, origin.is_early, &mut plies, &mut layout)?;
        self.model.layouts.check_templates(self.templates.len())?;
        let left = (
            self.lines_left.checked_sub(1),
            self.plies_left.checked_sub(plies),
        );
        let (Some(lines_left), Some(plies_left)) = left else {
            return Err(Error::corrupt("a block has more variations than text"));
        };
        (*self.lines_left, *self.plies_left) = (lines_left, plies_left);
        // The model predicts these gaps only until the next line adapts it.
        if layout.gaps.len() > plies || layout.wrap != Wrap::None {
            return Err(Error::corrupt("a variation has an impossible layout"));
        }
        for ply in layout.gaps.len()..plies {
            let before = layout.gaps.last().copied();
            let gap = self.model.layouts.gap(&layout, ply, before)?;
            layout.gaps.push(gap);
        }
        let payloads = self.payloads(&layout)?;
        let places = places(self.templates, &layout.gaps, layout.last);
        self.lines.push(Line {
            shape: LineShape { depth, at, plies },
            layout,
            payloads,
        });
        if depth == MAX_DEPTH && !places.is_empty() {
            return Err(Error::corrupt("variations are nested too deeply"));
        }
        for place in places {
            let at = place.checked_sub(1);
            self.read(depth + 1, at, origin.nested(place))?;
        }
        Ok(())
    }

    /// Takes the comments and the literal text of a line.
    fn payloads(&mut self, layout: &Layout) -> Result<RecordPayloads<'a>> {
        let gaps = layout.gaps.iter().chain([&layout.last]);
        let comments: u32 = gaps.map(|&gap| self.templates.comments(gap)).sum();
        let mut len = 0;
        for _ in 0..comments {
            len += memchr::memchr(b'}', &self.text[len..]).ok_or_else(mismatch)? + 1;
        }
        let mut take = |len: usize| {
            let (taken, rest) = self.text.split_at_checked(len)?;
            *self.text = rest;
            Some(taken)
        };
        let text_len = layout.text_lens.iter().map(|&len| len as usize).sum();
        Ok(RecordPayloads {
            comments: take(len).ok_or_else(mismatch)?,
            text: take(text_len).ok_or_else(mismatch)?,
            variations: &[],
        })
    }
}

/// Renders the lines of a record.
struct Writer<'u, 'a> {
    templates: &'u Templates,
    model: &'u LayoutModel,
    lines: &'u [Line<'a>],
    /// The moves of each line.
    moves: &'u [Vec<Move>],
    /// Index of the next line.
    next: usize,
    max_len: usize,
}

impl Writer<'_, '_> {
    /// Appends the next line with its `)`. `parent` has the positions before each move of the
    /// parent line.
    fn line(&mut self, parent: &[Start], out: &mut Vec<u8>) -> Result<()> {
        let (line, moves) = (&self.lines[self.next], &self.moves[self.next]);
        self.next += 1;
        let start = line.shape.at.and_then(|at| parent.get(at));
        let own_starts = start.map_or(Vec::new(), |start| starts(start, moves));
        let mut nested = Vec::new();
        while self
            .lines
            .get(self.next)
            .is_some_and(|next| next.shape.depth > line.shape.depth)
        {
            self.line(&own_starts, &mut nested)?;
        }
        let renderer = Renderer {
            templates: self.templates,
            model: self.model,
            layout: &line.layout,
            payloads: RecordPayloads {
                variations: &nested,
                ..line.payloads
            },
            missing: Missing::default(),
            in_san: false,
            result: None,
            repeats: Repeats::default(),
            white_starts: start.is_none_or(Start::white_starts),
            line_end: b"\n",
            max_len: self.max_len,
        };
        match start {
            None => _ = renderer.render(NonZeroU32::MIN, &mut NoNames, out)?,
            Some(start) => _ = renderer.play(start, List(moves.iter()), out)?,
        }
        out.push(b')');
        check_room(out, b"", self.max_len)
    }
}

/// A list of moves as their source.
struct List<'a>(std::slice::Iter<'a, Move>);

impl Moves for List<'_> {
    fn next_move(&mut self, _: &impl LegalMoves) -> Result<Option<Move>> {
        Ok(self.0.next().copied())
    }
}
