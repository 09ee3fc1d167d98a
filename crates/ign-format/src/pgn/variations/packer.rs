//! Packer of the variations column.

use std::fmt;

use super::{
    choices::{self, Choices, KnownMoves},
    line::{Game, LineModel, MAX_DEPTH, Origin, Record, places, starts},
};
use crate::{
    error::Result,
    model::MoveModel,
    pgn::{
        movetext::{Movetext, Parser},
        parts,
        payloads::RecordPayloads,
        start::Start,
    },
};
use ign_entropy::varint;

/// Number of lines after which a part ends, at the next end of a part of the moves. So a game is in
/// one part of each.
const PART: usize = 1024;

/// Streams of the variations column.
#[derive(Debug, Clone, Default)]
pub struct Packed {
    /// Lengths and layouts of all lines; the templates, then comments and literal text.
    pub lines: parts::Packed,
    /// The moves of all lines.
    pub moves: Vec<u8>,
}

/// Packs the variations of a block, record by record.
#[derive(Default)]
pub struct Packer {
    parser: Parser,
    parts: parts::Packer<LineModel>,
    /// Number of templates introduced so far.
    template_count: u32,
    /// Number of lines in the current part.
    lines: usize,
    choices: Choices,
    /// Buffers for parsed lines, one for each depth.
    buffers: Vec<Movetext>,
}

impl fmt::Debug for Packer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packer")
            .field("template_count", &self.template_count)
            .field("lines", &self.lines)
            .finish_non_exhaustive()
    }
}

impl Packer {
    /// Adds a record: its variations, each with its `)`, and the game if it can be replayed.
    ///
    /// # Errors
    /// Returns an error only if the model rejects its input.
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
        let (origins, last) = record.stored_origins();
        let more = places.len() - origins.len() - last;
        let part = self.parts.record();
        part.model
            .code_record(part.coder, part.is_first, self.template_count, more)?;
        let starts = game.map_or(Vec::new(), |game| starts(game.start, moves));
        self.choices.begin(game);
        let mut section = RecordPayloads {
            variations,
            ..RecordPayloads::default()
        };
        for (i, place) in places.into_iter().enumerate() {
            let origin = origins.get(i).copied().unwrap_or_default();
            let at = place.checked_sub(1);
            self.push_line(1, &starts, at, origin, section.variation()?)?;
        }
        section.finish()
    }

    /// Adds a line, with its `)`, and the lines within it. `parent` has the positions before each
    /// move of the parent line.
    fn push_line(
        &mut self,
        depth: usize,
        parent: &[Start],
        at: Option<usize>,
        origin: Origin,
        text: &[u8],
    ) -> Result<()> {
        let text = &text[..text.len() - 1];
        let Origin {
            second_side,
            is_early,
        } = origin;
        let mut line = self.buffers.pop().unwrap_or_default();
        let start = at.and_then(|at| parent.get(at));
        let part = self.parts.record();
        match start {
            Some(start) if depth < MAX_DEPTH => {
                let layouts = &part.model.layouts;
                self.parser
                    .parse_variation(text, start, second_side, layouts, &mut line);
            }
            _ => self.parser.parse_as_text(text, None, &mut line),
        }
        let mut plies = line.moves.len();
        line.layout.second_side = second_side;
        let model = part.model;
        model.code_line(part.coder, is_early, &mut plies, &mut line.layout)?;
        part.text.extend_from_slice(&line.payloads.comments);
        part.text.extend_from_slice(&line.payloads.text);
        self.template_count = model.layouts.template_count();
        self.lines += 1;
        self.choices.push(depth, at, &line.moves);
        if let Some(start) = start
            && !line.payloads.variations.is_empty()
        {
            let starts = starts(start, &line.moves);
            let mut section = RecordPayloads {
                variations: &line.payloads.variations,
                ..RecordPayloads::default()
            };
            for place in places(&self.parser.templates, &line.layout.gaps, line.layout.last) {
                let at = place.checked_sub(1);
                let origin = origin.nested(place);
                self.push_line(depth + 1, &starts, at, origin, section.variation()?)?;
            }
        }
        self.buffers.push(line);
        Ok(())
    }

    /// The streams; all empty if no record has variations. The model gives the frequencies of
    /// moves; without one they are equal. `known` receives what checks the moves later.
    pub fn finish(self, model: Option<&MoveModel>, known: Option<&mut KnownMoves>) -> Packed {
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
            moves: self.choices.write(model, known),
        }
    }
}
