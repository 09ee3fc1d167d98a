//! The text of a block, all of it or some of its records.
//!
//! Each record passes the columns in the order in which they depend on each other: layout, moves,
//! comments, variations, opening tags; then its movetext and its tags are written. When only some
//! records are selected, moves are decoded in the background while the tags are read, and the
//! records in a long gap are skipped.

use std::{borrow::Cow, num::NonZeroU32};

#[cfg(feature = "go")]
use crate::block::{Kind, go};
use crate::{
    block::{
        Coding, Fixed,
        decode::{
            block::Block,
            comments::Comments,
            layouts::Layouts,
            moves::decode_list,
            openings::OpeningTags,
            played::{Gathered, Landings},
            records::Records,
            selection::{Selection, Survey},
            tags::TagWriter,
            unreadable::Unreadable,
        },
        moves::{MoveLists, MovesColumn, ProvenMoves},
        starts::Starts,
    },
    columns::{Table, derived::GameEnd},
    container::checksum,
    error::{Error, Result},
    pgn::{
        comments::repeats::Repeats,
        gaps::Templates,
        payloads::{Section, Sections},
        render::{NoNames, Renderer, check_room},
        start::Start,
        variations::{Game, Lines, Record, Unpacker},
    },
};
use ign_notation::{chess::Move, signature::Signature};

/// What is known of the moves of a block before its text is written, or done with them besides.
pub(super) enum Pass<'a> {
    /// Nothing: they are decoded.
    Read,
    /// Most are compared with these moves of the whole block instead of being decoded.
    Check(&'a ProvenMoves),
    /// The moves of all games are decoded already.
    Lists(&'a MoveLists),
    /// They are decoded, and what they show is gathered.
    Gather(&'a mut Gathered),
    /// They are decoded, and what cannot be read is left out.
    Reduced(&'a Unreadable),
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
        let pass = moves.map_or(Pass::Read, Pass::Lists);
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
        self.render_each(records, rows, wanted, Pass::Read, out, &mut |_| Ok(()))
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
        let pass = moves.map_or(Pass::Read, Pass::Lists);
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
        #[cfg(feature = "go")]
        if self.kind() == Kind::Go {
            let table = self.table_of(records, rows, &wanted, |_| true)?;
            let gathered = match pass {
                Pass::Gather(gathered) => Some(gathered),
                Pass::Read | Pass::Check(_) | Pass::Lists(_) | Pass::Reduced(_) => None,
            };
            return go::render(self, records, &table, rows, wanted, gathered, out, look);
        }
        let whole_block = Unreadable::default();
        let (proven, lists, gathered, unreadable) = match pass {
            Pass::Read => (None, None, None, &whole_block),
            Pass::Check(proven) => (Some(proven), None, None, &whole_block),
            Pass::Lists(lists) => (None, Some(lists), None, &whole_block),
            Pass::Gather(gathered) => (None, None, Some(gathered), &whole_block),
            Pass::Reduced(unreadable) => (None, None, None, unreadable),
        };
        let selection = Selection::new(records.len(), rows, wanted);
        let readable = |tag: u16| !unreadable.has_tag(tag);
        let whole = if selection.all {
            Some(self.table_of(records, records.len(), |_| true, readable)?)
        } else {
            None
        };
        let starts = match &whole {
            Some(table) => Starts::of_table(table, |row| records.has_moves(row)),
            None => self.starts(records)?,
        };

        // The moves first: they take longest, and may be decoded in the background.
        let comments: [Cow<[u8]>; 4] = if unreadable.comments {
            Default::default()
        } else {
            self.fixed(Fixed::Comments)?
        };
        let comments = comments.each_ref().map(AsRef::as_ref);
        let mut comments = Comments::new(self, comments, &selection)?;
        let with_variations = selection.variations(&starts);
        let variations: [Cow<[u8]>; 4] = if unreadable.variations {
            Default::default()
        } else {
            self.fixed(Fixed::Variations)?
        };
        let mut variations = Unpacker::new(
            variations.each_ref().map(AsRef::as_ref),
            self.coding() == Coding::Weighted,
            self.head().text_len,
            records.len(),
            |row| with_variations[row],
        )?;
        if let Some(proven) = proven {
            variations.check_by(&proven.lines);
        }
        let [moves] = self.fixed(Fixed::Moves)?;
        let mut moves = match lists {
            Some(lists) => MovesColumn::of_lists(&starts, lists),
            None => self.moves_column(&moves, records, &starts)?,
        };
        if !selection.all {
            let mut needed = with_variations[..rows].to_vec();
            let by_comments = comments.needing_moves().filter(|&row| row < rows);
            by_comments.for_each(|row| needed[row] = true);
            let needed = (0..rows).filter(|&row| needed[row]);
            moves.prefetch(needed, self.preload_book());
        }

        let [layouts, templates] = self.fixed(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let layouts = Layouts::new(&layouts, &templates);
        let mut survey = Survey::default();
        if !selection.all {
            let payloads = comments.needed().chain(variations.needed());
            survey = Survey::new(layouts.clone(), &selection, payloads)?;
            if !survey.with_comments {
                comments.skip_all();
            }
            if !survey.with_variations {
                variations.skip_all();
            }
        }
        let table = match whole {
            Some(table) => table,
            None => self.table_of(records, rows, |row| selection.contains(row), readable)?,
        };
        if !unreadable.comments {
            comments.read_controls(self, records, &table, rows)?;
        }
        let [text] = if unreadable.text {
            Default::default()
        } else {
            self.fixed(Fixed::Text)?
        };
        let is_readable = |&tag: &u16| readable(tag);
        let openings = OpeningTags::of(self)?;

        let renders_variations = selection.all || survey.with_variations;
        let mut columns = Columns {
            block: self,
            records,
            selection,
            starts: &starts,
            proven,
            gathered,
            with_variations,
            renders_variations,
            layouts,
            moves,
            comments,
            variations,
            text: Sections::new(&text),
            openings: openings.filter(|openings| openings.tags().all(readable)),
            tags: TagWriter::new(&self.head().tag_names, |tag| readable(tag as u16)),
            result: table.tag(b"Result").filter(is_readable),
            repeated: Repeats::TAGS.map(|name| table.tag(name.as_bytes())),
            table,
            unreadable,
            // A forged block could expand to endless text: its real text is never this long.
            max: 2 * self.head().text_len + 1024,
            played: 0,
            games: 0,
            list: Vec::new(),
            movetext: Vec::new(),
        };
        for row in 0..rows {
            if survey.gap.contains(&row) {
                columns.skip(row)?;
                continue;
            }
            if let Some((layouts, text_len)) = survey.resume(row) {
                columns.layouts = layouts;
                columns.text.take_len(text_len)?;
            }
            if columns.record(row, out)? {
                look(out)?;
            }
        }
        columns.finish()
    }
}

/// The columns of a block, read record by record.
struct Columns<'a> {
    block: &'a Block<'a>,
    records: &'a Records,
    selection: Selection,
    starts: &'a Starts,
    /// The moves of the whole block, when it is verified.
    proven: Option<&'a ProvenMoves>,
    /// Collects what the moves show.
    gathered: Option<&'a mut Gathered>,
    /// For each record whether the moves of its variations are decoded, if any selected record has
    /// variations.
    with_variations: Vec<bool>,
    /// Whether any selected record has variations.
    renders_variations: bool,
    layouts: Layouts<'a>,
    moves: MovesColumn<'a>,
    comments: Comments<'a>,
    variations: Unpacker<'a>,
    text: Sections<'a>,
    openings: Option<OpeningTags>,
    tags: TagWriter,
    /// What is left out.
    unreadable: &'a Unreadable,
    /// The Result tag.
    result: Option<u16>,
    /// The tags that comments repeat.
    repeated: [Option<u16>; 2],
    table: Table,
    /// Limit of the length of the output.
    max: usize,
    /// Playable records before the current one.
    played: usize,
    /// Rendered records with a start.
    games: usize,
    /// Moves of the current record, if comments or variations need them.
    list: Vec<Move>,
    /// Movetext of the current record.
    movetext: Vec<u8>,
}

impl Columns<'_> {
    /// Skips a record of which nothing is needed.
    fn skip(&mut self, row: usize) -> Result<()> {
        self.comments.skip()?;
        self.variations.skip()?;
        self.moves.skip()?;
        self.played += usize::from(self.starts.is_played(row));
        Ok(())
    }

    /// Reads a record and appends its text if it is selected; returns whether it is.
    fn record(&mut self, row: usize, out: &mut Vec<u8>) -> Result<bool> {
        let Self { layouts, table, .. } = self;
        let (starts, max, unreadable) = (self.starts, self.max, self.unreadable);
        let selected = self.selection.contains(row);

        layouts.next()?;
        let (model, layout) = (&layouts.model, &layouts.layout);
        let text = if unreadable.text {
            &[][..]
        } else {
            self.text.take_len(layouts.text_len())?
        };
        if self.selection.all && self.proven.is_none() {
            self.moves.look_ahead(Some(layout.naming));
        }
        let start = starts.of(row);
        let number = starts.is_played(row).then_some(self.played);
        self.played += usize::from(number.is_some());
        let proven = self.proven.filter(|_| !self.moves.decodes(self.games));

        // The moves, as far as comments and variations need them.
        let record = Record {
            layout,
            model,
            gaps: layouts.templates,
        };
        let lines = if unreadable.variations {
            Lines::default()
        } else {
            self.variations.read(&record)?
        };
        let lines_needed = layout.variations
            && !unreadable.variations
            && self.renders_variations
            && self.with_variations[row];
        let comments_by_moves = !unreadable.comments && self.comments.next(layout.comments)?;
        self.list.clear();
        let mut game = None;
        let mut list: &[Move] = &[];
        if let Some(start) = start.filter(|_| lines_needed || comments_by_moves) {
            if let Some(proven) = proven {
                self.list.extend(proven.moves(self.games)?);
                list = &self.list;
            } else {
                let decoded = decode_list(self.moves.next_game()?, start, &mut self.list)?;
                list = decoded.list().unwrap_or_default();
                game = Some(decoded);
            }
        }

        let by_moves = comments_by_moves.then_some((start, list));
        let mut payloads = Section {
            comments: if unreadable.comments {
                &[]
            } else {
                self.comments.read(row, layouts, by_moves, selected, max)?
            },
            variations: &[],
            text,
        };
        let rendered;
        if lines_needed {
            let game = number.zip(start).map(|(number, start)| Game {
                number,
                start,
                moves: list,
            });
            rendered = self.variations.render(&record, lines, game, max)?;
            payloads.variations = &rendered;
        }
        if !selected {
            if game.is_none() {
                self.moves.skip()?;
            }
            return Ok(false);
        }
        if start.is_some() && proven.is_none() && game.is_none() {
            game = Some(self.moves.next_game()?);
        }

        // Opening tags come before the movetext, which may repeat them in comments.
        if let (Some(openings), Some(start)) = (&mut self.openings, start)
            && openings.follow(table, row)
        {
            let mut lookup = openings.lookup();
            if let Some(game) = &mut game {
                game.first_moves(start, |played| lookup.play(played))?;
            } else if let Some(proven) = proven {
                _ = proven.moves(self.games)?.all(|played| lookup.play(played));
            }
            openings.fill(table, row, start, lookup.found());
        }

        self.movetext.clear();
        let renderer = Renderer {
            templates: layouts.templates,
            model,
            layout,
            payloads,
            missing: unreadable.of_records(self.result.is_none()),
            result: self.result.and_then(|tag| table.value(tag, row)),
            repeats: Repeats {
                tags: self.repeated.map(|tag| {
                    if unreadable.has_tag(tag?) {
                        Some(&b"?"[..])
                    } else {
                        table.value(tag?, row)
                    }
                }),
            },
            line_end: self.records.line_end(row).bytes(),
            white_starts: start.is_none_or(Start::white_starts),
            max_len: max,
        };
        let movetext = &mut self.movetext;
        let end = match (start, game, proven) {
            (Some(start), Some(game), _) => {
                let mut signature = game.signature().unwrap_or_default();
                let end = match (game.names(layout.naming), &self.gathered) {
                    (Some(names), _) => renderer.named(start, names, movetext)?,
                    (None, None) => renderer.play(start, game, movetext)?,
                    (None, Some(_)) => {
                        signature = Signature::default();
                        let moves = Landings::new(game, &mut signature);
                        renderer.play(start, moves, movetext)?
                    }
                };
                if let Some(gathered) = &mut self.gathered {
                    gathered.add(row, signature, end.0.as_ref(), end.1);
                }
                Some(end)
            }
            (Some(start), None, Some(proven)) => {
                let names = self.moves.next_proven_game(proven, self.games)?;
                Some(renderer.named(start, names, movetext)?)
            }
            _ => {
                self.moves.skip()?;
                renderer.render(NonZeroU32::MIN, &mut NoNames, movetext)?;
                None
            }
        };
        self.games += usize::from(start.is_some());

        // Tags may be derived from the end of the game.
        let end = start.zip(end).map(|(start, (position, plies))| GameEnd {
            position,
            plies,
            first: (start.fullmoves().get(), start.white_starts()),
        });
        let source = (self.block, self.records, &*table);
        self.tags.write(source, row, end.as_ref(), max, out)?;
        out.extend_from_slice(movetext);
        if unreadable.text && !layout.text_lens.is_empty() && !out.ends_with(b"\n\n") {
            // The text may have ended the record.
            out.extend_from_slice(b"\n\n");
        }
        check_room(out, b"", max)?;
        Ok(true)
    }

    /// Fails unless the columns have been read to their ends, where all records have been.
    fn finish(self) -> Result<()> {
        if self.selection.rows == self.records.len() {
            self.moves.finish()?;
            if !self.unreadable.comments {
                self.comments.finish()?;
            }
            if !self.unreadable.variations {
                self.variations.finish()?;
            }
            self.text.finish()?;
        }
        Ok(())
    }
}
