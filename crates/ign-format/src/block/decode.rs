//! Text from a block, all of it or some of its records.
//!
//! [`Block`] is cheap to open: it reads the head and knows where the columns
//! are. Columns are unwrapped when something asks for them, so walking the
//! moves touches no tags and listing the players no moves.

use std::{borrow::Cow, num::NonZeroU32, ops::Range};

#[cfg(feature = "go")]
use crate::block::go;
use crate::block::{
    Coding, Fixed, Kind, directory, groups,
    moves::{GameBits, GameMoves, Known, MovesColumn},
    openings::Openings,
    schemas::{Schema, Schemas},
    starts::Starts,
};
use crate::{
    columns::{
        self, Codec, Span, Table,
        derived::{End, Form, Outcome},
        openings::Book,
        parts,
    },
    container::{
        block::{Column, Head},
        checksum,
        frame::skippable_len,
    },
    error::{Error, Result},
    pgn::{
        comments::{
            self, move_features, parts::Unpacker, repeats::Repeats, time_control::TimeControl,
        },
        gaps::Templates,
        layout::{Layout, LayoutModel},
        payloads::{Section, Sections},
        render::{NoNames, Renderer, check_room},
        start::Start,
        variations::{self, choices::PART},
    },
};
use ign_entropy::{adaptive::Decoder, prefixed};

/// A block of an archive.
pub struct Block<'a> {
    head: Head,
    kind: Kind,
    coding: Coding,
    body: &'a [u8],
}

/// The schemas of all records of a block.
pub struct Records {
    schemas: Vec<Schema>,
    lists: Schemas,
}

impl Records {
    /// The number of a record's list of tags.
    pub(super) fn list(&self, record: usize) -> u32 {
        self.schemas[record].list
    }

    /// The record that holds a game, both counted from zero.
    pub fn of_game(&self, game: usize) -> Option<usize> {
        (0..self.len())
            .filter(|&record| self.is_game(record))
            .nth(game)
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.schemas.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.schemas.is_empty()
    }

    /// Whether a record is a game: it has tags, or moves.
    pub fn is_game(&self, record: usize) -> bool {
        self.has_moves(record) || !self.tags(record).is_empty()
    }

    /// Whether a record has moves.
    pub fn has_moves(&self, record: usize) -> bool {
        self.schemas[record].moves
    }

    pub(super) fn tags(&self, record: usize) -> &[u16] {
        self.lists.tags(self.schemas[record].list)
    }
}

/// A game while the moves of a block are walked.
pub struct Game<'a> {
    /// Its record.
    pub record: usize,
    /// Where it starts.
    pub start: &'a Start,
    /// Its moves, to be played.
    pub moves: GameMoves<'a>,
}

impl Game<'_> {
    /// Bits of its integer; none where the coding makes none.
    pub fn bits(&self) -> Option<GameBits> {
        let limbs = self.moves.stored()?;
        Some(GameBits::of(prefixed::bit_length(limbs)))
    }

    /// Its plain Integer Game Notation, in limbs, the lowest first, whatever the coding.
    ///
    /// # Errors
    /// Corrupt.
    pub fn ign(&mut self) -> Result<Vec<u64>> {
        self.moves.ign(self.start)
    }
}

impl<'a> Block<'a> {
    /// Opens the block that is exactly `bytes`.
    ///
    /// # Errors
    /// Corrupt when the head is malformed or the columns are not all there.
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let head_len =
            skippable_len(bytes).map_or(bytes.len(), |len| len.min(bytes.len() as u64) as usize);
        let (head, body) = bytes.split_at(head_len);
        let head = Head::read(head)?;
        directory::check(&head)?;
        if head.body_len() != body.len() as u64 {
            return Err(Error::corrupt(
                "the columns of a block are not as long as its directory says",
            ));
        }
        let kind = Kind::from_number(head.game)?;
        kind.check_supported()?;
        Ok(Self {
            kind,
            coding: Coding::from_number(head.coding)?,
            head,
            body,
        })
    }

    /// The head.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Which game it holds.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How moves became integers.
    pub fn coding(&self) -> Coding {
        self.coding
    }

    /// The frames of the streams of a column, by its place in the directory; empty for those that
    /// have none.
    fn frames(&self, column: usize) -> impl Iterator<Item = &'a [u8]> {
        let mut at = self.head.frames_at(column);
        let body = self.body;
        self.head.columns[column].streams.iter().map(move |stream| {
            at += stream.frame_len();
            &body[at - stream.frame_len()..at]
        })
    }

    /// The streams of a column, by its place in the directory.
    ///
    /// # Errors
    /// Corrupt when a checksum differs.
    pub fn streams(&self, column: usize) -> Result<Vec<Cow<'a, [u8]>>> {
        let streams = &self.head.columns[column].streams;
        streams
            .iter()
            .zip(self.frames(column))
            .map(|(stream, frame)| columns::text::unwrap(stream, frame))
            .collect()
    }

    /// The streams of a column that is not a tag; empty ones where the block
    /// has no such column.
    pub(super) fn fixed<const N: usize>(&self, fixed: Fixed) -> Result<[Cow<'a, [u8]>; N]> {
        let Some(place) = self.head.place_of(fixed as u8) else {
            return Ok(std::array::from_fn(|_| Cow::default()));
        };
        let wrong = |_| Error::corrupt(format!("the {} column has not its streams", fixed.name()));
        self.streams(place)?.try_into().map_err(wrong)
    }

    /// Bytes of the streams of a column that is not a tag, without their frames.
    pub fn fixed_len(&self, fixed: Fixed) -> usize {
        let columns = &self.head.columns;
        let columns = columns.iter().filter(|c| c.codec == fixed as u8);
        columns
            .flat_map(|c| &c.streams)
            .map(|s| s.stream_len())
            .sum()
    }

    /// The style of play that the move model took the games for; none where it took no part.
    ///
    /// # Errors
    /// Corrupt; unsupported when the moves were coded by another move model.
    pub fn style(&self) -> Result<Option<u8>> {
        let [column] = self.fixed(Fixed::Moves)?;
        if self.kind != Kind::Chess || self.coding != Coding::Weighted || column.is_empty() {
            return Ok(None);
        }
        groups::read_style(&column).map(Some)
    }

    /// The schemas of all records.
    ///
    /// # Errors
    /// Corrupt.
    pub fn records(&self) -> Result<Records> {
        let [codes] = self.fixed(Fixed::Schemas)?;
        let mut coder = Decoder::new(&codes);
        let mut lists = Schemas::default();
        let names = self.head.tag_names.len();
        let mut schemas = Vec::with_capacity(self.head.records.min(self.head.text_len));
        for _ in 0..self.head.records {
            schemas.push(lists.code(&mut coder, Schema::default(), &[], names)?);
            columns::check_overrun(&coder)?;
        }
        let records = Records { schemas, lists };
        let games = (0..records.len()).filter(|&record| records.is_game(record));
        if games.count() != self.head.games {
            return Err(Error::corrupt(
                "a block has not as many games as its head says",
            ));
        }
        Ok(records)
    }

    /// The tags of all records: all tags, or those that `wanted` names and what they depend on.
    ///
    /// # Errors
    /// Corrupt.
    pub fn table(&self, records: &Records, wanted: Option<&[&str]>) -> Result<Table> {
        let wanted = |tag: u16| {
            let name = &self.head.tag_names[usize::from(tag)];
            wanted.is_none_or(|names| names.iter().any(|n| n.as_bytes() == name))
        };
        self.table_of(records, records.len(), |_| true, wanted)
    }

    /// The tags that are `wanted`, and what they depend on, of the parts of the records before
    /// `until` in which any is `needed`.
    fn table_of(
        &self,
        records: &Records,
        until: usize,
        needed: impl Fn(usize) -> bool,
        wanted: impl Fn(u16) -> bool,
    ) -> Result<Table> {
        let names = &self.head.tag_names;
        let mut asked: Vec<bool> = (0..names.len() as u16).map(wanted).collect();
        let is_asked = |asked: &[bool], tags: &[u16]| tags.iter().any(|&t| asked[usize::from(t)]);
        for column in self.head.columns.iter().rev() {
            // A column tells all its tags at once.
            if is_asked(&asked, &column.tags) {
                for &tag in column.tags.iter().chain(&column.refs) {
                    asked[usize::from(tag)] = true;
                }
            }
        }
        let parts: Vec<bool> = parts::of(until).map(|mut rows| rows.any(&needed)).collect();
        let before = parts.iter().take_while(|&&asked| !asked).count();
        let first = until.min(before * parts::PART);
        let rows_of = |&asked: &bool| vec![Span::ABSENT; if asked { until - first } else { 0 }];
        let mut table = Table {
            names: names.clone(),
            values: asked.iter().map(rows_of).collect(),
            rows: records.len(),
            first,
            parts,
            until: Some(until),
            read: (first..until).map(&needed).collect(),
            ..Table::default()
        };
        for (part, rows) in parts::of(until).enumerate() {
            if !table.asks_for(part) {
                continue;
            }
            for row in rows {
                for &tag in records.tags(row) {
                    if asked[usize::from(tag)] {
                        table.set(tag, row, Span::PENDING);
                    }
                }
            }
        }
        for (place, column) in self.head.columns.iter().enumerate() {
            if is_asked(&asked, &column.tags) {
                let codec = Codec::from_number(column.codec)?;
                codec.decode(&mut table, column, &self.streams(place)?)?;
            }
        }
        Ok(table)
    }

    /// The whole text.
    ///
    /// # Errors
    /// Corrupt, also when all is well-formed but the text is not the one packed.
    pub fn text(&self) -> Result<Vec<u8>> {
        let records = self.records()?;
        let mut out = Vec::with_capacity(self.head.text_len);
        self.render(&records, records.len(), |_| true, &mut out)?;
        if out.len() != self.head.text_len || checksum(&out) != self.head.text_checksum {
            return Err(Error::corrupt("the checksum of the text differs"));
        }
        Ok(out)
    }

    /// Fails unless the block gives this text back. Where `known` can tell what the moves are, one
    /// game in eight is played, as a reader would, and of the others the integers, or the streams
    /// of their groups, are only taken apart; so are those of the moves of variations.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check_text(&self, text: &[u8], known: Option<&Known>) -> Result<()> {
        let records = self.records()?;
        let mut rest = text;
        let mut compare = |out: &mut Vec<u8>| {
            rest = rest
                .strip_prefix(&out[..])
                .ok_or_else(|| Error::corrupt("the text differs"))?;
            out.clear();
            Ok(())
        };
        let mut out = Vec::new();
        let rows = records.len();
        self.render_each(&records, rows, |_| true, known, &mut out, &mut compare)?;
        if !rest.is_empty() || self.head.text_len != text.len() {
            return Err(Error::corrupt("the text is cut off"));
        }
        Ok(())
    }

    /// Appends the text of those of the first `rows` records that are wanted.
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
        self.render_each(records, rows, wanted, None, out, &mut |_| Ok(()))
    }

    /// [`render`](Block::render), with a look at the output after each record.
    fn render_each(
        &self,
        records: &Records,
        rows: usize,
        wanted: impl Fn(usize) -> bool,
        known: Option<&Known>,
        out: &mut Vec<u8>,
        look: &mut impl FnMut(&mut Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        #[cfg(feature = "go")]
        if self.kind == Kind::Go {
            let table = self.table_of(records, rows, &wanted, |_| true)?;
            return go::render(self, records, &table, rows, wanted, out, look);
        }
        let all = rows == records.len() && (0..rows).all(&wanted);
        let of_wanted = |row| row < rows && wanted(row);
        let whole = match all {
            true => Some(self.table(records, None)?),
            false => None,
        };
        let starts = match &whole {
            Some(table) => Starts::of_table(table, |row| records.has_moves(row)),
            None => self.starts(records)?,
        };
        let switches = self.comments().map_or(0, |column| column.switches);
        let by_moves = switches & comments::BY_MOVES != 0;
        let first_without = switches & comments::FIRST_WITHOUT != 0;
        let comments: [Cow<[u8]>; 4] = self.fixed(Fixed::Comments)?;
        let comments = comments.each_ref().map(AsRef::as_ref);
        let mut comments = Unpacker::new(comments, records.len(), of_wanted)?;
        let beside = beside(&starts, records.len(), of_wanted);
        let variations: [Cow<[u8]>; 4] = self.fixed(Fixed::Variations)?;
        let mut variations = variations::Unpacker::new(
            variations.each_ref().map(AsRef::as_ref),
            self.coding == Coding::Weighted,
            self.head.text_len,
            records.len(),
            |row| beside[row],
        )?;
        if let Some(known) = known {
            variations.check_by(&known.lines);
        }
        let [moves] = self.fixed(Fixed::Moves)?;
        let mut moves = self.moves_column(&moves, records, &starts)?;
        if !all {
            // What takes longest comes first, for a thread of its own: the moves of what is wanted,
            // and those by which its comments and variations are told, if it has some.
            let mut asked = beside[..rows].to_vec();
            let without_moves = if first_without {
                comments.parts.lens().next().unwrap_or(0)
            } else {
                0
            };
            let by_them = comments.parts.needed();
            let by_them = by_them.filter(|&row| by_moves && row >= without_moves && row < rows);
            by_them.for_each(|row| asked[row] = true);
            moves.prefetch((0..rows).filter(|&row| asked[row]), self.read_book());
        }
        let [codes, templates] = self.fixed(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let mut layouts = Layouts::new(&codes, &templates);
        let mut glance = Glance::default();
        if !all {
            let payloads = comments.parts.needed().chain(variations.needed());
            glance = Glance::of_some(layouts.clone(), rows, &wanted, payloads)?;
            if !glance.with_comments {
                comments.parts.skip_all();
            }
            if !glance.with_variations {
                variations.skip_all();
            }
        }
        let mut needed = vec![false; records.len()];
        comments.parts.needed().for_each(|row| needed[row] = true);
        let with_lines = |row: usize| beside[row] && (all || glance.with_variations);
        let mut table = match whole {
            Some(table) => table,
            None => self.table_of(records, rows, &wanted, |_| true)?,
        };
        let controls = self.controls(records, &table, &needed[..rows])?;
        let [text] = self.fixed(Fixed::Text)?;
        let mut text = Sections::new(&text);
        let mut played = 0usize;
        let heads = TagHeads::new(&self.head.tag_names);
        let result_tag = table.tag(b"Result");
        let repeated = Repeats::TAGS.map(|name| table.tag(name.as_bytes()));
        let (mut movetext, mut seen) = (Vec::new(), Vec::new());
        // Few bytes can ask for much text: no more is written than can be right.
        let most = 2 * self.head.text_len + 1024;
        let mut openings = Openings::of(self)?;
        // Records with a start so far, of those that are wanted.
        let mut games = 0usize;
        for row in 0..rows {
            if glance.gap.contains(&row) {
                comments.next_record()?;
                variations.skip()?;
                moves.skip()?;
                played += usize::from(starts.is_played(row));
                continue;
            }
            if let Some(behind) = glance.behind.take_if(|_| row == glance.gap.end) {
                layouts = behind;
                text.take_len(glance.text_in_gap())?;
            }
            layouts.next()?;
            let Layouts { model, layout, .. } = &layouts;
            let text_len = layouts.text_len();
            if all && known.is_none() {
                moves.look_ahead(layout.naming);
            }
            let number = starts.is_played(row).then_some(played);
            played += usize::from(number.is_some());
            let start = starts.of(row);
            let known = known.filter(|_| !moves.is_to_be_played(games));
            let record = variations::Record {
                layout,
                model,
                gaps: &templates,
            };
            let lines = variations.read(&record)?;
            let lines_needed = layout.variations && with_lines(row);
            let needed = comments.next_record()? && layout.comments;
            let without = first_without && comments.parts.is_in_first();
            let by_moves = by_moves && needed && !without;
            // The moves, where comments or variations stand beside them.
            let (mut game, mut room) = (None, Vec::new());
            let listed = match (start, known) {
                (Some(start), None) if lines_needed || by_moves => {
                    let mut next = moves.next_game()?;
                    if next.list().is_none() {
                        next.play(start, |_, played| room.push(played))?;
                        next = GameMoves::of_list(&room);
                    }
                    let list = next.list().unwrap_or_default();
                    game = Some(next);
                    list
                }
                (Some(_), Some(known)) if lines_needed || by_moves => {
                    room = known.moves(games)?;
                    &room
                }
                _ => &[],
            };
            seen.clear();
            if let Some(start) = start.filter(|_| by_moves) {
                move_features::of_game(start, listed, &mut seen);
            }
            let place = comments::Record {
                layout,
                model,
                gaps: &templates,
                control: controls.get(row).copied().unwrap_or_default(),
                moves: by_moves.then_some(&seen),
            };
            let mut payloads = Section {
                comments: comments.take(place, wanted(row), most)?,
                variations: &[],
                text: text.take_len(text_len)?,
            };
            let section;
            if lines_needed {
                let game = number.zip(start).map(|(number, start)| variations::Game {
                    number,
                    start,
                    moves: listed,
                });
                section = variations.render(&record, lines, game, most)?;
                payloads.variations = &section;
            }
            if !wanted(row) {
                if game.is_none() {
                    moves.skip()?;
                }
                continue;
            }
            // Tags may follow from the moves, so the moves come first.
            movetext.clear();
            if start.is_some() && known.is_none() && game.is_none() {
                game = Some(moves.next_game()?);
            }
            if let (Some(openings), Some(start)) = (&mut openings, start)
                && openings.follow(&table, row)
            {
                let mut lookup = openings.lookup();
                match (&mut game, known) {
                    (Some(game), _) => game.begin(start, |played| lookup.play(played))?,
                    (None, Some(known)) => {
                        _ = known
                            .moves(games)?
                            .into_iter()
                            .all(|played| lookup.play(played));
                    }
                    (None, None) => {}
                }
                openings.tell(&mut table, row, start, &lookup);
            }
            let line_end = records.schemas[row].line_end.bytes();
            let result = result_tag.and_then(|tag| table.value(tag, row));
            let renderer = Renderer {
                templates: &templates,
                model,
                layout,
                payloads,
                result,
                repeats: Repeats {
                    tags: repeated.map(|tag| table.value(tag?, row)),
                },
                line_end,
                white_starts: start.is_none_or(Start::white_starts),
                max_len: most,
            };
            let end = match (start, game, known) {
                (Some(start), Some(game), _) => Some(match game.names(layout.naming) {
                    Some(names) => renderer.named(start, names, &mut movetext)?,
                    None => renderer.play(start, game, &mut movetext)?,
                }),
                (Some(start), None, Some(known)) => {
                    let names = moves.next_known_game(known, games)?;
                    Some(renderer.named(start, names, &mut movetext)?)
                }
                _ => {
                    moves.skip()?;
                    renderer.render(NonZeroU32::MIN, &mut NoNames, &mut movetext)?;
                    None
                }
            };
            let end = start.zip(end).map(|(start, (position, plies))| End {
                position,
                plies,
                first: (start.fullmoves().get(), start.white_starts()),
            });
            for &tag in records.tags(row) {
                let told;
                let value = match table.value(tag, row) {
                    Some(value) => value,
                    None => {
                        told = self.outcome(&table, tag, row, end.as_ref())?;
                        &told
                    }
                };
                check_room(out, value, most)?;
                heads.write(tag, value, line_end, out);
            }
            out.extend_from_slice(&movetext);
            games += usize::from(start.is_some());
            check_room(out, b"", most)?;
            look(out)?;
        }
        if rows == records.len() {
            moves.finish()?;
            comments.parts.finish()?;
            variations.finish()?;
            text.finish()?;
        }
        Ok(())
    }

    /// What reads the book of openings that a column needs, if one does.
    fn read_book(&self) -> impl FnOnce() + Send + 'static {
        let codec = Codec::Openings as u8;
        let column = self.head.columns.iter().find(|c| c.codec == codec);
        let number = column.map(|column| column.switches.into());
        move || {
            if let Some(book) = number.and_then(Book::of_number) {
                book.preload();
            }
        }
    }

    /// The entry of the comments, if there are any.
    fn comments(&self) -> Option<&Column> {
        let of_comments = |c: &&Column| c.codec == Fixed::Comments as u8;
        self.head.columns.iter().find(of_comments)
    }

    /// The tag that helps to tell the comments, if one does.
    fn control(&self) -> Option<u16> {
        self.comments()?.refs.first().copied()
    }

    /// How clocks run in the records whose comments are needed, by the tag that helps to tell
    /// them: comments of records that the table does not hold may be needed too.
    fn controls(
        &self,
        records: &Records,
        table: &Table,
        needed: &[bool],
    ) -> Result<Vec<TimeControl>> {
        let Some(control) = self.control() else {
            return Ok(Vec::new());
        };
        let is_missing = |row: usize| needed[row] && !table.asks_for(row / parts::PART);
        let missing = (0..needed.len()).rev().find(|&row| is_missing(row));
        let others = match missing {
            Some(last) => Some(self.table_of(records, last + 1, is_missing, |t| t == control)?),
            None => None,
        };
        let value = |row| {
            let elsewhere = || others.as_ref()?.value(control, row);
            table.value(control, row).or_else(elsewhere)
        };
        let rows = 0..needed.len();
        let of = |row| match needed[row] {
            true => TimeControl::of_tag(value(row)),
            false => TimeControl::default(),
        };
        Ok(rows.map(of).collect())
    }

    /// Where all records start their games.
    ///
    /// # Errors
    /// Corrupt.
    pub fn starts(&self, records: &Records) -> Result<Starts> {
        let names = &self.head.tag_names;
        let told = |name: &&str| names.iter().any(|n| n == name.as_bytes());
        if Starts::TAGS.iter().any(told) {
            let table = self.table(records, Some(&Starts::TAGS))?;
            return Ok(Starts::of_table(&table, |row| records.has_moves(row)));
        }
        let moves = records.schemas.iter().map(|schema| schema.moves);
        Ok(Starts::of_moves(moves))
    }

    /// The moves of all records.
    ///
    /// # Errors
    /// Unsupported when they were coded by another move model; corrupt.
    pub(super) fn moves_column<'m>(
        &self,
        column: &'m [u8],
        records: &Records,
        starts: &'m Starts,
    ) -> Result<MovesColumn<'m>>
    where
        'a: 'm,
    {
        let signatures = self.known_signatures(records, starts)?;
        MovesColumn::new(column, self.coding, starts, signatures, self.head.plies)
    }

    /// Shows each game of chess that has a start, in order; it is for `visit` to play it. A block
    /// of Go has none: `archive::go` walks its games.
    ///
    /// # Errors
    /// Corrupt, and those of `visit`.
    pub fn walk_games(
        &self,
        records: &Records,
        visit: impl FnMut(Game) -> Result<()>,
    ) -> Result<()> {
        self.walk_some(records, |_| true, visit)
    }

    /// [`walk_games`](Self::walk_games), but of the records that are wanted only.
    ///
    /// # Errors
    /// Corrupt, and those of `visit`.
    pub fn walk_some(
        &self,
        records: &Records,
        wanted: impl Fn(usize) -> bool,
        mut visit: impl FnMut(Game) -> Result<()>,
    ) -> Result<()> {
        if self.kind != Kind::Chess {
            return Ok(());
        }
        let starts = self.starts(records)?;
        let [moves] = self.fixed(Fixed::Moves)?;
        let mut moves = self.moves_column(&moves, records, &starts)?;
        for record in 0..records.len() {
            match starts.of(record) {
                Some(start) if records.is_game(record) && wanted(record) => visit(Game {
                    record,
                    start,
                    moves: moves.next_game()?,
                })?,
                _ => moves.skip()?,
            }
        }
        Ok(())
    }

    /// A value that follows from the moves of a game with this end.
    fn outcome(&self, table: &Table, tag: u16, row: usize, end: Option<&End>) -> Result<Vec<u8>> {
        let column = self.head.columns.iter().find(|c| c.tags.contains(&tag));
        let outcome = Outcome::of_switches(column.map_or(0, |c| c.switches));
        let form = table.span(tag, row).form().map(Form::of_number);
        let told = form
            .zip(end)
            .and_then(|(form, end)| outcome.spell(form, end));
        told.ok_or_else(|| Error::corrupt("a tag has no value"))
    }

    /// Which records keep some movetext as text.
    ///
    /// # Errors
    /// Corrupt.
    pub fn keeps_text(&self, records: &Records) -> Result<Vec<bool>> {
        #[cfg(feature = "go")]
        if self.kind == Kind::Go {
            return go::keeps_text(self, records);
        }
        let [layout, templates] = self.fixed(Fixed::Layout)?;
        let templates = Templates::read(&templates)?;
        let mut layouts = Layouts::new(&layout, &templates);
        let mut kept = Vec::new();
        for _ in 0..records.len() {
            layouts.next()?;
            kept.push(templates.keeps_text(layouts.layout.last));
        }
        Ok(kept)
    }

    /// What a column of the directory holds: a word, or the names of its tags.
    pub fn column_name(&self, column: &Column) -> String {
        let fixed = Fixed::ALL.into_iter().find(|f| *f as u8 == column.codec);
        match fixed {
            Some(fixed) => fixed.name().to_string(),
            None => {
                let names = column
                    .tags
                    .iter()
                    .map(|&t| String::from_utf8_lossy(&self.head.tag_names[usize::from(t)]));
                names.collect::<Vec<_>>().join("+")
            }
        }
    }
}

/// For each record whether its variations are needed: if it is wanted, or in a part of the moves of
/// variations with one that is.
fn beside(starts: &Starts, records: usize, wanted: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut needed: Vec<bool> = (0..records).map(wanted).collect();
    for part in starts.played().chunks(PART) {
        let any = part.iter().any(|&row| needed[row as usize]);
        part.iter().for_each(|&row| needed[row as usize] = any);
    }
    needed
}

/// The layouts of the records of a block, one after the other.
#[derive(Clone)]
struct Layouts<'a> {
    coder: Decoder<'a>,
    model: LayoutModel,
    templates: &'a Templates,
    /// That of the record last gone to.
    layout: Layout,
}

impl<'a> Layouts<'a> {
    fn new(codes: &'a [u8], templates: &'a Templates) -> Self {
        Self {
            coder: Decoder::new(codes),
            model: LayoutModel::default(),
            templates,
            layout: Layout::default(),
        }
    }

    /// Goes to the next record.
    fn next(&mut self) -> Result<()> {
        self.layout.gaps.clear();
        self.layout.text_lens.clear();
        self.model.code(&mut self.coder, &mut self.layout)?;
        columns::check_overrun(&self.coder)?;
        self.model.check_templates(self.templates.len())
    }

    /// Bytes of other text that the record has.
    fn text_len(&self) -> usize {
        self.layout.text_lens.iter().map(|&len| len as usize).sum()
    }
}

/// What the layouts tell where some records are wanted, before anything else is decoded.
#[derive(Default)]
struct Glance<'a> {
    /// Whether any that is wanted has comments, or variations.
    with_comments: bool,
    with_variations: bool,
    /// Bytes of other text of each record, up to the last that is wanted.
    text_lens: Vec<usize>,
    /// Records in a row of which nothing is asked, and the layouts of those behind.
    gap: Range<usize>,
    behind: Option<Layouts<'a>>,
}

impl<'a> Glance<'a> {
    /// Where some of the first `rows` are wanted. If they have comments or variations, those of
    /// other records are asked for too: `payloads`, each kind in ascending order.
    ///
    /// # Errors
    /// Corrupt.
    fn of_some(
        mut layouts: Layouts<'a>,
        rows: usize,
        wanted: impl Fn(usize) -> bool,
        payloads: impl Iterator<Item = usize>,
    ) -> Result<Self> {
        let mut asked: Vec<bool> = (0..rows).map(&wanted).collect();
        let first = asked.iter().position(|&asked| asked).unwrap_or(rows);
        payloads
            .filter(|&row| row < rows)
            .for_each(|row| asked[row] = true);
        let gap = longest_gap(&asked);
        let mut glance = Self::default();
        let (mut behind_first, mut behind_gap) = (None, None);
        for row in 0..rows {
            if row == first {
                behind_first = Some(layouts.clone());
            }
            if row == gap.end {
                behind_gap = Some(layouts.clone());
            }
            layouts.next()?;
            let layout = &layouts.layout;
            glance.with_comments |= layout.comments && wanted(row);
            glance.with_variations |= layout.variations && wanted(row);
            glance.text_lens.push(layouts.text_len());
        }
        (glance.gap, glance.behind) = match glance.with_comments || glance.with_variations {
            true => (gap, behind_gap),
            false => (0..first, behind_first),
        };
        Ok(glance)
    }

    /// Bytes of other text that the records in the gap have.
    fn text_in_gap(&self) -> usize {
        let lens = &self.text_lens[self.gap.clone()];
        lens.iter().copied().fold(0, usize::saturating_add)
    }
}

/// The most records in a row that are not asked for, with one behind them that is.
fn longest_gap(asked: &[bool]) -> Range<usize> {
    let mut longest = 0..0;
    let mut start = 0;
    for (row, _) in asked.iter().enumerate().filter(|&(_, &asked)| asked) {
        if row - start > longest.len() {
            longest = start..row;
        }
        start = row + 1;
    }
    longest
}

/// `[Name "` of each tag name.
struct TagHeads(Vec<Vec<u8>>);

impl TagHeads {
    fn new(names: &[Vec<u8>]) -> Self {
        Self(
            names
                .iter()
                .map(|name| [b"[", &name[..], b" \""].concat())
                .collect(),
        )
    }

    #[inline]
    fn write(&self, tag: u16, value: &[u8], line_end: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0[usize::from(tag)]);
        out.extend_from_slice(value);
        out.extend_from_slice(b"\"]");
        out.extend_from_slice(line_end);
    }
}
