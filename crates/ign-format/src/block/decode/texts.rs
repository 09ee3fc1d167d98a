//! The texts of a block of chess, joined from three sources: the moves ([`MoveSource`]), the payloads
//! ([`PayloadSource`]) and the [`Tags`].
//!
//! Payloads may need the moves of their record, opening tags its first moves, the movetext all of
//! these, and other tags the position after it. The records in a long gap are skipped.

use std::num::NonZeroU32;

use super::{
    layouts::Layouts, moves::decode_list, payloads::Payloads, played::Gathered, selection::Survey,
    tags::Tags, text_source::TextSource,
};
use crate::{
    block::{
        moves::{GameMoves, MovesColumn},
        starts::Starts,
    },
    columns::derived::GameEnd,
    error::Result,
    pgn::{
        payloads::RecordPayloads,
        render::{Missing, NoNames, Renderer, check_room},
        start::Start,
        variations::Game,
    },
};
use ign_notation::chess::{Move, san::Naming};

/// The texts of a block of chess.
pub(super) struct Texts<'a> {
    pub moves: MoveSource<'a>,
    pub payloads: PayloadSource<'a>,
    pub writer: Writer<'a>,
}

impl TextSource for Texts<'_> {
    fn next(&mut self, row: usize, selected: bool, out: &mut Vec<u8>) -> Result<()> {
        let Self {
            moves,
            payloads,
            writer,
        } = self;
        if payloads.skip(row)? {
            return moves.column.skip();
        }
        let needs_list = payloads.next(row)?;
        let naming = payloads.layouts.layout.written(writer.in_san);
        let start = moves.starts.of(row);
        let number = moves.starts.number(row);
        let game = moves.next(row, naming, selected, needs_list)?;
        let replayed = start.filter(|_| needs_list).and_then(|start| {
            Some(Game {
                number: number?,
                start,
                moves: game.list().unwrap_or_default(),
            })
        });
        let (layouts, section) = payloads.read(row, replayed, selected, writer.max)?;
        if selected {
            let game = start.map(|start| (start, game));
            writer.record(row, layouts, section, game, out)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<()> {
        self.moves.column.finish()?;
        self.payloads.payloads.finish()
    }
}

/// The moves of the records.
pub(super) struct MoveSource<'a> {
    pub column: MovesColumn<'a>,
    pub starts: &'a Starts,
    /// Whether games are decoded in advance.
    pub looks_ahead: bool,
    /// The moves of the current record, if they are needed as a list.
    pub list: Vec<Move>,
}

impl MoveSource<'_> {
    /// The moves of the next record, as a list if `needs_list`; none if it is not selected and
    /// nothing else needs them. `naming` is how its moves are written.
    fn next(
        &mut self,
        row: usize,
        naming: Naming,
        selected: bool,
        needs_list: bool,
    ) -> Result<GameMoves<'_>> {
        if self.looks_ahead {
            self.column.look_ahead(Some(naming));
        }
        if !selected && !needs_list {
            self.column.skip()?;
            return Ok(GameMoves::of_list(&[]));
        }
        let game = self.column.next_game()?;
        match self.starts.of(row).filter(|_| needs_list) {
            Some(start) => decode_list(game, start, &mut self.list),
            None => Ok(game),
        }
    }
}

/// The layouts and the payloads of the records.
pub(super) struct PayloadSource<'a> {
    pub payloads: Payloads<'a>,
    pub layouts: Layouts<'a>,
    /// What is not needed of records that are not selected.
    pub survey: Survey<'a>,
}

impl<'a> PayloadSource<'a> {
    /// Skips the next record if nothing is needed of it; returns whether it did.
    fn skip(&mut self, row: usize) -> Result<bool> {
        let is_in_gap = self.survey.gap.contains(&row);
        if is_in_gap {
            self.payloads.skip()?;
        }
        Ok(is_in_gap)
    }

    /// Goes to the next record; returns whether its payloads need its moves.
    fn next(&mut self, row: usize) -> Result<bool> {
        if let Some((after_gap, text_len)) = self.survey.resume(row) {
            self.layouts = after_gap;
            self.payloads.take_text(text_len)?;
        }
        self.layouts.next()?;
        self.payloads.next(row, &self.layouts)
    }

    /// The layout of the current record, and its payloads; see [`Payloads::read`].
    fn read(
        &mut self,
        row: usize,
        game: Option<Game>,
        selected: bool,
        max: usize,
    ) -> Result<(&Layouts<'a>, RecordPayloads<'_>)> {
        let section = self
            .payloads
            .read(row, &self.layouts, game, selected, max)?;
        Ok((&self.layouts, section))
    }
}

/// Writes the text of records.
pub(super) struct Writer<'a> {
    pub tags: Tags<'a>,
    pub gathered: Option<&'a mut Gathered>,
    /// What of each record is left out.
    pub missing: Missing,
    /// Whether every move is written in SAN, whatever the text has.
    pub in_san: bool,
    /// Limit of the length of the output.
    pub max: usize,
    /// The movetext of the current record: tags may be derived from the position after it.
    pub movetext: Vec<u8>,
}

impl Writer<'_> {
    /// Appends the text of a record. `game` is its start and its moves, if it has a start.
    fn record(
        &mut self,
        row: usize,
        layouts: &Layouts,
        payloads: RecordPayloads,
        mut game: Option<(&Start, GameMoves)>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        // The movetext may repeat opening tags in comments.
        if let Some((start, game)) = &mut game {
            self.tags.fill_openings(row, start, game)?;
        }
        let (layout, tags, movetext) = (&layouts.layout, &self.tags, &mut self.movetext);
        let renderer = Renderer {
            templates: layouts.templates,
            model: &layouts.model,
            layout,
            payloads,
            missing: self.missing,
            in_san: self.in_san,
            result: tags.result(row),
            repeats: tags.repeats(row),
            line_end: tags.line_end(row),
            white_starts: game.as_ref().is_none_or(|(start, _)| start.white_starts()),
            max_len: self.max,
        };
        movetext.clear();
        let mut end = None;
        if let Some((start, game)) = game {
            let (position, plies) = match (&mut self.gathered, game.names(renderer.naming())) {
                (Some(gathered), _) => gathered.render(row, renderer, start, game, movetext)?,
                (None, Some(names)) => renderer.named(start, names, movetext)?,
                (None, None) => renderer.play(start, game, movetext)?,
            };
            end = Some(GameEnd::new(start, position, plies));
        } else {
            renderer.render(NonZeroU32::MIN, &mut NoNames, movetext)?;
        }
        tags.write(row, end.as_ref(), self.max, out)?;
        out.extend_from_slice(movetext);
        if self.missing.text && !layout.text_lens.is_empty() && !out.ends_with(b"\n\n") {
            // The text may have ended the record.
            out.extend_from_slice(b"\n\n");
        }
        check_room(out, b"", self.max)
    }
}
