//! The text of a block, all of it or some of its records.
//!
//! One loop over the records asks [`TextSource`] for the text of each. That of chess joins three
//! sources: the moves ([`MoveSource`]), the payloads ([`PayloadSource`]) and the [`Tags`]. Payloads
//! may need the moves of their record, opening tags its first moves, the movetext all of these, and
//! other tags the position after it. When only some records are selected, moves are decoded in the
//! background while the tags are read, and the records in a long gap are skipped.

use std::num::NonZeroU32;

#[cfg(feature = "go")]
use crate::block::{Kind, go};
use crate::{
    block::{
        Fixed,
        decode::{
            block::Block,
            layouts::Layouts,
            moves::decode_list,
            payloads::{Payloads, Streams},
            played::Gathered,
            records::Records,
            selection::{Selection, Survey},
            tags::Tags,
            unreadable::Unreadable,
        },
        moves::{GameMoves, MoveLists, MovesColumn, ProvenMoves},
        starts::Starts,
    },
    columns::derived::GameEnd,
    container::checksum,
    error::{Error, Result},
    pgn::{
        gaps::Templates,
        payloads::RecordPayloads,
        render::{Missing, NoNames, Renderer, check_room},
        start::Start,
        variations::Game,
    },
};
use ign_notation::chess::{Move, san::Naming};

/// What is known of a block before its text is written, and what is gathered meanwhile.
#[derive(Default)]
pub(in crate::block) struct Pass<'a> {
    /// The moves of the whole block: most of it is compared with them instead of being decoded.
    pub proven: Option<&'a ProvenMoves>,
    /// The same for a block of Go.
    #[cfg(feature = "go")]
    pub intervals: Option<&'a [go::Interval]>,
    /// The moves of all games, decoded already.
    pub lists: Option<&'a MoveLists>,
    /// Receives what the moves show.
    pub gathered: Option<&'a mut Gathered>,
    /// What is left out.
    pub unreadable: Unreadable,
}

impl<'a> Pass<'a> {
    /// With the moves of all games, if they are decoded already.
    fn of_lists(lists: Option<&'a MoveLists>) -> Self {
        Self {
            lists,
            ..Self::default()
        }
    }
}

impl Block<'_> {
    /// The whole text.
    ///
    /// # Errors
    /// Corrupt, also when all is well-formed but the text is not the one packed.
    pub fn text(&self) -> Result<Vec<u8>> {
        self.text_by_record(&self.records()?, None, |_| ())
    }

    /// The whole text. After each record `ended` receives the length of the text so far. `moves`
    /// are those of all games, if they are decoded already ([`move_lists`](Self::move_lists)).
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn text_by_record(
        &self,
        records: &Records,
        moves: Option<&MoveLists>,
        ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        let pass = Pass::of_lists(moves);
        self.text_in(records, pass, ended)
    }

    /// [`text_by_record`](Self::text_by_record), with more done in the same pass.
    pub(super) fn text_in(
        &self,
        records: &Records,
        pass: Pass,
        mut ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        let head = self.head();
        let mut out = Vec::with_capacity(self.reserved(head.text_len));
        let mut look = |out: &mut Vec<u8>| {
            ended(out.len());
            Ok(())
        };
        self.render_each(records, records.len(), |_| true, pass, &mut out, &mut look)?;
        if out.len() != head.text_len || checksum(&out) != head.text_checksum {
            return Err(Error::corrupt("the checksum of the text differs"));
        }
        Ok(out)
    }

    /// Appends the text of those of the first `rows` records that are `wanted`.
    ///
    /// # Errors
    /// Corrupt.
    pub fn render(
        &self,
        records: &Records,
        rows: usize,
        wanted: impl Fn(usize) -> bool,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        self.render_each(records, rows, wanted, Pass::default(), out, &mut |_| Ok(()))
    }

    /// The text of the `wanted` records. After each of them `ended` receives the length of the text
    /// so far. `moves` are those of all games of the block, if they are decoded already.
    ///
    /// # Errors
    /// Corrupt.
    pub fn text_of_some(
        &self,
        records: &Records,
        moves: Option<&MoveLists>,
        wanted: impl Fn(usize) -> bool,
        mut ended: impl FnMut(usize),
    ) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let mut look = |out: &mut Vec<u8>| {
            ended(out.len());
            Ok(())
        };
        let rows = (0..records.len())
            .rev()
            .find(|&row| wanted(row))
            .map_or(0, |row| row + 1);
        let pass = Pass::of_lists(moves);
        self.render_each(records, rows, wanted, pass, &mut out, &mut look)?;
        Ok(out)
    }

    /// [`render`](Block::render), calling `look` with the output after each record.
    pub(super) fn render_each(
        &self,
        records: &Records,
        rows: usize,
        wanted: impl Fn(usize) -> bool,
        pass: Pass,
        out: &mut Vec<u8>,
        look: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let selection = Selection::new(records.len(), rows, wanted);
        #[cfg(feature = "go")]
        if self.kind() == Kind::Go {
            return go::render(self, records, &selection, pass, out, look);
        }
        let Pass {
            proven,
            lists,
            gathered,
            unreadable,
            ..
        } = pass;
        let table = |rows| {
            let readable = |tag: u16| !unreadable.has_tag(tag);
            self.table_of(records, rows, |row| selection.contains(row), readable)
        };
        let whole = selection.all.then(|| table(records.len())).transpose()?;
        let starts = match &whole {
            Some(table) => records.starts(table)?,
            None => self.starts(records)?,
        };

        // The moves first: they take longest, and may be decoded in the background.
        let streams = Streams::of(self, &unreadable)?;
        let mut payloads = Payloads::new(self, &streams, &starts, &selection, proven)?;
        let [moves] = self.fixed(Fixed::Moves)?;
        let mut moves = match lists {
            Some(lists) => MovesColumn::of_lists(&starts, lists),
            None => self.moves_column(&moves, records, &starts)?,
        };
        if let Some(proven) = proven {
            moves.check_by(proven);
        }
        if !selection.all {
            let needed = payloads.needing_moves(rows);
            moves.prefetch((0..rows).filter(|&row| needed[row]), self.preload_book());
        }

        let [layouts, templates] = self.fixed(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let layouts = Layouts::new(&layouts, &templates);
        let mut survey = Survey::default();
        if !selection.all {
            survey = payloads.survey(layouts.clone(), &selection)?;
        }
        let table = whole.map_or_else(|| table(rows), Ok)?;
        payloads.read_controls(self, records, &table, rows)?;
        let tags = Tags::new(self, records, table, &unreadable)?;
        let texts = Texts {
            moves: MoveSource {
                column: moves,
                starts: &starts,
                looks_ahead: selection.all,
                list: Vec::new(),
            },
            payloads: PayloadSource {
                payloads,
                layouts,
                survey,
            },
            writer: Writer {
                missing: unreadable.of_records(tags.lack_result()),
                tags,
                gathered,
                // A forged block could expand to endless text: its real text is never this long.
                max: 2 * self.head().text_len + 1024,
                movetext: Vec::new(),
            },
        };
        append_selected(texts, &selection, out, look)
    }
}

/// The source of the texts of the records of a block, in order.
pub(in crate::block) trait TextSource {
    /// Goes to the next record, and appends its text to `out` if it is selected.
    ///
    /// # Errors
    /// Corrupt.
    fn next(&mut self, row: usize, selected: bool, out: &mut Vec<u8>) -> Result<()>;

    /// Fails if columns hold more than the records.
    ///
    /// # Errors
    /// Corrupt.
    fn finish(self) -> Result<()>;
}

/// Appends the texts of the selected records, and calls `look` after each.
///
/// # Errors
/// Corrupt, and those of `look`.
pub(in crate::block) fn append_selected(
    mut texts: impl TextSource,
    selection: &Selection,
    out: &mut Vec<u8>,
    look: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    for row in 0..selection.rows {
        let selected = selection.contains(row);
        texts.next(row, selected, out)?;
        if selected {
            look(out)?;
        }
    }
    if selection.rows == selection.records() {
        texts.finish()?;
    }
    Ok(())
}

/// The texts of a block of chess.
struct Texts<'a> {
    moves: MoveSource<'a>,
    payloads: PayloadSource<'a>,
    writer: Writer<'a>,
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
        let naming = payloads.layouts.layout.naming;
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
struct MoveSource<'a> {
    column: MovesColumn<'a>,
    starts: &'a Starts,
    /// Whether games are decoded in advance.
    looks_ahead: bool,
    /// The moves of the current record, if they are needed as a list.
    list: Vec<Move>,
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
struct PayloadSource<'a> {
    payloads: Payloads<'a>,
    layouts: Layouts<'a>,
    survey: Survey<'a>,
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
struct Writer<'a> {
    tags: Tags<'a>,
    gathered: Option<&'a mut Gathered>,
    /// What of each record is left out.
    missing: Missing,
    /// Limit of the length of the output.
    max: usize,
    /// The movetext of the current record: tags may be derived from the position after it.
    movetext: Vec<u8>,
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
            result: tags.result(row),
            repeats: tags.repeats(row),
            line_end: tags.line_end(row),
            white_starts: game.as_ref().is_none_or(|(start, _)| start.white_starts()),
            max_len: self.max,
        };
        movetext.clear();
        let mut end = None;
        if let Some((start, game)) = game {
            let (position, plies) = match (&mut self.gathered, game.names(layout.naming)) {
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
