//! A block from text.
//!
//! One pass over the text: each record's tags go into the table, its moves into
//! the moves column, its layout and payloads into theirs. Then the tag columns
//! are coded one by one, everything is framed, and, unless told otherwise, the
//! block is decoded again and compared with the text; what parsing has proven
//! of the moves need not be proven twice ([`Known`]).

use std::collections::HashMap;

use crate::block::{
    Coding, Fixed, Kind,
    decode::Block,
    framing::{
        Content::{Codes, Text},
        Framing,
    },
    groups::{GROUP, Played},
    moves::{self, Known},
    opening_prefix::is_usual,
    schemas::{Schema, Schemas},
};
use crate::{
    columns::{
        Span, Table,
        derived::{End, Follows, Form, Outcome},
        openings::{Predicted, TAGS},
        plan::plan,
    },
    container::{MAX_BLOCK_TEXT, MAX_BLOCK_VALUES, MAX_TAG_NAMES},
    error::{Error, Result},
    pgn::{
        comments::{
            self,
            move_features::{self, MoveFeatures},
            repeats::Repeats,
            time_control::TimeControl,
        },
        layout::LayoutModel,
        movetext::{Context, Movetext, Parser},
        payloads::Section,
        records::{RecordFinder, Tag, TagReader},
        start::{self, Start},
        variations,
    },
};
use ign_entropy::{BitWriter, adaptive::Encoder};
use ign_notation::{radix, signature::Signature};

/// How blocks are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How moves are coded.
    pub coding: Coding,
    /// The zstd level of text streams.
    pub level: i32,
    /// Whether each block is decoded again and compared.
    pub verify: bool,
}

impl Default for Options {
    /// Weighted Integer Game Notation, level 16, verified.
    fn default() -> Self {
        Self {
            coding: Coding::Weighted,
            level: 16,
            verify: true,
        }
    }
}

/// A packed block and what the indexes need to know of it.
#[derive(Debug, Clone)]
pub struct Encoded {
    /// The block: head frame and column frames.
    pub bytes: Vec<u8>,
    /// Bytes of the head frame.
    pub head_len: usize,
    /// Bytes of text.
    pub text_len: usize,
    /// Its games.
    pub games: usize,
    /// Half-moves of all games.
    pub plies: u64,
    /// Games of which some movetext is kept as text.
    pub partly_text: PartlyText,
}

/// Games of which some movetext is kept as text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartlyText {
    /// How many.
    pub games: u64,
    /// The number of the first, from zero.
    pub first: Option<u64>,
}

impl PartlyText {
    /// Counts a game.
    pub fn add(&mut self, game: usize) {
        self.games += 1;
        self.first.get_or_insert(game as u64);
    }

    /// Counts those of a block that stands behind so many games.
    pub fn append(&mut self, block: Self, before: u64) {
        self.games += block.games;
        self.first = self.first.or(block.first.map(|first| before + first));
    }
}

/// Encodes a block of games of this kind.
///
/// # Errors
/// As [`encode`]; unsupported for Go in a program that was built without the feature `go`.
pub fn encode_kind(kind: Kind, text: Vec<u8>, options: &Options) -> Result<Encoded> {
    kind.check_supported()?;
    #[cfg(feature = "go")]
    if kind == Kind::Go {
        return crate::block::go::encode(text, options);
    }
    encode(text, options)
}

/// Packs a text of at most [`MAX_BLOCK_TEXT`] bytes.
///
/// # Errors
/// Internal, when decoding the block does not give the text back.
pub fn encode(text: Vec<u8>, options: &Options) -> Result<Encoded> {
    if text.len() as u64 > MAX_BLOCK_TEXT {
        return Err(Error::internal("a block's text is too long"));
    }
    let mut gathered = Gatherer::new(options, &text).gather(&text)?;
    let mut table = std::mem::take(&mut gathered.table);
    table.bytes = text;
    let mut framing = Framing::new(
        Kind::Chess,
        options.coding,
        &table,
        gathered.signatures.len(),
        gathered.plies,
        options.level,
    );
    gathered.frame(&mut framing)?;
    let columns = plan(&table);
    framing.tags(&mut table, columns)?;
    gathered.frame_comments(&mut framing, &table)?;
    let known = Known::checks(options.coding).then_some(&gathered.known);
    let check = |block: &Block| block.check_text(&table.bytes, known);
    framing.seal(gathered.partly_text, options.verify.then_some(check))
}

/// What the pass over the text gathers.
#[derive(Default)]
struct Gathered {
    table: Table,
    schemas: Vec<u8>,
    moves: Vec<u8>,
    layout: Vec<u8>,
    templates: Vec<u8>,
    comments: comments::parts::Packed,
    variations: variations::Packed,
    text: Vec<u8>,
    signatures: Vec<Signature>,
    plies: u64,
    partly_text: PartlyText,
    known: Known,
}

impl Gathered {
    /// Frames the columns that are not tags.
    fn frame(&self, framing: &mut Framing) -> Result<()> {
        framing.signatures(&self.signatures)?;
        framing.fixed(Fixed::Schemas, &[Codes(&self.schemas)])?;
        framing.fixed(Fixed::Moves, &[Codes(&self.moves)])?;
        let layout = [Codes(&self.layout), Text(&self.templates)];
        framing.fixed(Fixed::Layout, &layout)?;
        let variations::Packed { lines, moves } = &self.variations;
        if !lines.parts.is_empty() {
            let streams = [
                Codes(&lines.codes),
                Text(&lines.text),
                Codes(&lines.parts),
                Codes(moves),
            ];
            framing.fixed(Fixed::Variations, &streams)?;
        }
        if !self.text.is_empty() {
            framing.fixed(Fixed::Text, &[Text(&self.text)])?;
        }
        Ok(())
    }

    /// Frames the comments, which stand behind the tags that help to tell them.
    fn frame_comments(&self, framing: &mut Framing, table: &Table) -> Result<()> {
        let comments::parts::Packed {
            streams,
            duplicates,
            flags,
            uses_time_control,
        } = &self.comments;
        if streams.parts.is_empty() {
            return Ok(());
        }
        let control = table.tag(b"TimeControl").filter(|_| *uses_time_control);
        let control = control.into_iter().collect();
        let streams = [
            Codes(&streams.codes),
            Text(&streams.text),
            Codes(&streams.parts),
            Codes(duplicates),
        ];
        framing.fixed_by(Fixed::Comments, control, *flags, &streams)
    }
}

/// Walks the records of a text.
struct Gatherer {
    coding: Coding,
    /// Whether what is known of the moves will be asked for.
    keep_known: bool,
    parser: Parser,
    names: TagNames,
    values: Vec<Vec<Span>>,
    schemas: Schemas,
    shape_coder: Encoder,
    layout: LayoutModel,
    layout_coder: Encoder,
    comments: comments::parts::Packer,
    /// What the moves of the record tell of the time they took.
    move_features: Vec<MoveFeatures>,
    /// Comments of the record, shortened.
    shortened: Vec<u8>,
    variations: variations::Packer,
    /// Games so far that are played.
    played: usize,
    /// For each of [`Outcome::TAGS`] the records where the value follows, and in which form.
    follows: [Vec<Option<Form>>; Outcome::TAGS.len()],
    /// What books of openings say of the records.
    predicted: Predicted,
    radix: radix::Encoder,
    out: Gathered,
}

impl Gatherer {
    fn new(options: &Options, text: &[u8]) -> Self {
        Self {
            coding: options.coding,
            keep_known: options.verify && Known::checks(options.coding),
            parser: Parser::default(),
            names: TagNames::default(),
            values: Vec::new(),
            schemas: Schemas::default(),
            shape_coder: Encoder::new(),
            layout: LayoutModel::default(),
            layout_coder: Encoder::new(),
            comments: comments::parts::Packer::new(text),
            move_features: Vec::new(),
            shortened: Vec::new(),
            variations: variations::Packer::default(),
            played: 0,
            follows: Default::default(),
            predicted: Predicted::default(),
            radix: radix::Encoder::new(),
            out: Gathered::default(),
        }
    }

    fn gather(mut self, text: &[u8]) -> Result<Gathered> {
        let mut integers = Vec::new();
        let mut writer = BitWriter::new(&mut integers);
        let mut games = Played::default();
        let mut finder = RecordFinder::new(text);
        let mut movetext = Movetext::default();
        let mut tag_reader = TagReader::default();
        let (mut tags, mut list) = (Vec::new(), Vec::new());
        let mut position = 0;
        let mut rows = 0;
        while position < text.len() {
            let (line_end, mut tags_end) = tag_reader.read(text, position, &mut tags);
            let room = self.names.room(tags.len(), rows + 1);
            if !room {
                // The table is full: all that is left becomes one record of text.
                tags.clear();
                tags_end = position;
            }
            if let Some(kept) = self.take_tags(text, &tags, &mut list, rows) {
                // More different names than a block may have: the rest is movetext.
                tags_end = tags[kept].name.start - 1;
            }
            let end = if room {
                finder.record_end(tags_end)
            } else {
                text.len()
            };
            let value = |name: &[u8]| self.value(text, name, rows);
            let start = start::of_tags(value(b"FEN"), value(b"Variant"));
            let context = Context {
                line_end: line_end.bytes(),
                start: start.as_ref(),
                result: value(b"Result"),
            };
            let rest = &text[tags_end..end];
            if room {
                self.parser
                    .parse(rest, context, &self.layout, &mut movetext);
            } else {
                self.parser
                    .parse_as_text(rest, start.as_ref(), &mut movetext);
            }
            let has_moves = !movetext.digits.is_empty();
            let game = has_moves || !list.is_empty();
            let schema = Schema {
                list: self.schemas.number(&list),
                line_end,
                moves: has_moves,
            };
            // All names known so far bound the tag numbers; the decoder knows them all.
            self.schemas
                .code(&mut self.shape_coder, schema, &list, MAX_TAG_NAMES as usize)?;
            self.layout
                .code(&mut self.layout_coder, &mut movetext.layout)?;
            let played = start.as_ref().filter(|_| has_moves);
            self.code_comments(text, &movetext, played, rows)?;
            self.code_variations(&movetext, played)?;
            self.out.text.extend_from_slice(&movetext.payloads.text);
            match (played, self.coding) {
                (None, _) => {}
                (Some(start), Coding::Weighted) => {
                    let ordinals = movetext.digits.iter().map(|&(ordinal, _)| ordinal);
                    games.push(start, ordinals, Some(movetext.signature));
                }
                _ => moves::write_game(&mut writer, &mut self.radix, self.coding, &movetext),
            }
            if self.keep_known && start.is_some() {
                self.out.known.push(&movetext);
            }
            if let Some(start) = &start {
                self.follow(text, &movetext, start, rows);
            }
            if start.as_ref().is_some_and(is_usual) {
                self.predict(text, &movetext, rows);
            }
            if game {
                let keeps_text = self.parser.templates.keeps_text(movetext.layout.last);
                if keeps_text {
                    self.out.partly_text.add(self.out.signatures.len());
                }
                self.out.signatures.push(movetext.signature);
            }
            self.out.plies += movetext.digits.len() as u64;
            position = end;
            rows += 1;
        }
        writer.finish();
        for values in &mut self.values {
            values.resize(rows, Span::ABSENT);
        }
        let follows = Outcome::TAGS.into_iter().zip(self.follows);
        let follows = follows.filter_map(|((name, outcome), mut told)| {
            told.resize(rows, None);
            let tag = self.names.find(name.as_bytes())?;
            let told = Follows {
                outcome,
                rows: told,
            };
            Some((tag, told))
        });
        let follows = follows.collect();
        self.out.table = Table {
            follows,
            predicted: self.predicted,
            bytes: Vec::new(),
            names: self.names.names,
            values: self.values,
            rows,
            ..Table::default()
        };
        self.out.schemas = self.shape_coder.finish();
        self.out.layout = self.layout_coder.finish();
        self.out.comments = self.comments.finish();
        let lines = self.keep_known.then_some(&mut self.out.known.lines);
        self.out.variations = self
            .variations
            .finish(self.coding == Coding::Weighted, lines);
        self.out.templates = self.parser.templates.write();
        self.out.moves = match self.coding {
            Coding::Weighted if self.keep_known => games.write(Some(self.out.known.portions())),
            Coding::Weighted => games.write(None),
            _ => integers,
        };
        Ok(self.out)
    }

    /// Notes which tags of a record that has a start follow from its moves.
    fn follow(&mut self, text: &[u8], movetext: &Movetext, start: &Start, row: usize) {
        let end = End {
            position: movetext.end,
            plies: movetext.digits.len(),
            first: (start.fullmoves().get(), start.white_starts()),
        };
        for (i, (name, outcome)) in Outcome::TAGS.into_iter().enumerate() {
            let Some(value) = self.value(text, name.as_bytes(), row) else {
                continue;
            };
            let form = Form::of(outcome, &end, value);
            let rows = &mut self.follows[i];
            rows.resize(row, None);
            rows.push(form);
        }
    }

    /// Notes what books of openings say of a record that starts as usual.
    fn predict(&mut self, text: &[u8], movetext: &Movetext, row: usize) {
        let mut tags = TAGS.iter().map(|name| name.as_bytes());
        let tag = tags.find_map(|name| Some((name, self.value(text, name, row)?)));
        if let Some(tag) = tag {
            let moves = movetext.moves.iter().copied();
            self.predicted.look_up(row, moves, tag);
        }
    }

    /// Codes the variations of a record, of a game that is played if this is its start.
    fn code_variations(&mut self, movetext: &Movetext, start: Option<&Start>) -> Result<()> {
        let game = start.map(|start| variations::Game {
            number: self.played,
            start,
            moves: &movetext.moves,
        });
        self.played += usize::from(game.is_some());
        let record = variations::Record {
            layout: &movetext.layout,
            model: &self.layout,
            gaps: &self.parser.templates,
        };
        let variations = &movetext.payloads.variations;
        self.variations.push(&record, game, variations)
    }

    /// Codes the comments of a record, of a game that is played if this is its start.
    fn code_comments(
        &mut self,
        text: &[u8],
        movetext: &Movetext,
        start: Option<&Start>,
        row: usize,
    ) -> Result<()> {
        let Movetext {
            layout, payloads, ..
        } = movetext;
        let mut comments = std::mem::take(&mut self.shortened);
        comments.clear();
        if layout.comments {
            let section = Section {
                comments: &payloads.comments,
                variations: &payloads.variations,
                text: &[],
            };
            let tags = Repeats::TAGS.map(|name| self.value(text, name.as_bytes(), row));
            let gaps = layout.gaps.iter().chain([&layout.last]).copied();
            let templates = &self.parser.templates;
            Repeats { tags }.shorten(section, gaps, templates, &mut comments)?;
        }
        let mut move_features = std::mem::take(&mut self.move_features);
        move_features.clear();
        let by_moves = layout.comments && self.comments.needs_moves();
        if let Some(start) = start.filter(|_| by_moves) {
            move_features::of_game(start, &movetext.moves, &mut move_features);
        }
        let control = TimeControl::of_tag(self.value(text, b"TimeControl", row));
        let record = comments::Record {
            layout: &movetext.layout,
            model: &self.layout,
            gaps: &self.parser.templates,
            control,
            moves: by_moves.then_some(&move_features),
        };
        // Whether no group is under way behind it.
        let played = self.played + usize::from(start.is_some());
        let ends_group = played.is_multiple_of(GROUP);
        let plies = movetext.moves.len();
        self.comments.push(record, &comments, plies, ends_group)?;
        self.shortened = comments;
        self.move_features = move_features;
        Ok(())
    }

    /// Puts a record's tags into the table and their numbers into `list`. Gives
    /// the first tag that finds no room, if one does not.
    fn take_tags(
        &mut self,
        text: &[u8],
        tags: &[Tag],
        list: &mut Vec<u16>,
        row: usize,
    ) -> Option<usize> {
        list.clear();
        for (i, tag) in tags.iter().enumerate() {
            let Some(number) = self.names.number(&text[tag.name.clone()], i) else {
                return Some(i);
            };
            list.push(number);
            if self.values.len() <= usize::from(number) {
                self.values.push(Vec::new());
            }
            let values = &mut self.values[usize::from(number)];
            values.resize(row, Span::ABSENT);
            values.push(Span {
                start: tag.value.start as u32,
                len: tag.value.len() as u32,
            });
        }
        None
    }

    /// The row's value of a tag.
    fn value<'t>(&self, text: &'t [u8], name: &[u8], row: usize) -> Option<&'t [u8]> {
        let number = self.names.find(name)?;
        let span = self.values[usize::from(number)].get(row)?;
        Some(&text[span.start as usize..][..span.len as usize])
    }
}

/// The tag names of a block, numbered by first appearance.
#[derive(Default)]
pub(super) struct TagNames {
    pub(super) names: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u16, rustc_hash::FxBuildHasher>,
    /// The numbers of the last names asked for, by place in their record:
    /// records of one kind have the same tags in the same order.
    places: Vec<u16>,
}

impl TagNames {
    /// Whether the table has room for one record more, with so many tags.
    pub(super) fn room(&self, tags: usize, rows: usize) -> bool {
        // The record after it, of text, must have room too.
        (self.names.len() + tags).max(1) * (rows + 1) <= MAX_BLOCK_VALUES as usize
    }

    pub(super) fn find(&self, name: &[u8]) -> Option<u16> {
        self.numbers.get(name).copied()
    }

    /// The number of a name that stands at this place of its record; none when
    /// there are too many names.
    pub(super) fn number(&mut self, name: &[u8], place: usize) -> Option<u16> {
        if let Some(&number) = self.places.get(place)
            && self.names[usize::from(number)] == name
        {
            return Some(number);
        }
        let number = match self.find(name) {
            Some(number) => number,
            None if self.names.len() as u64 == MAX_TAG_NAMES => return None,
            None => {
                let number = self.names.len() as u16;
                self.names.push(name.to_vec());
                self.numbers.insert(name.to_vec(), number);
                number
            }
        };
        if self.places.len() <= place {
            self.places.resize(place + 1, number);
        }
        self.places[place] = number;
        Some(number)
    }
}
