//! From a text of chess games to a block: the stages of packing, in order.
//!
//! Each record passes stages 1 to 8, each of which keeps its own state from record to record; then
//! the columns are completed and framed. Nothing flows back, except that the layout model predicts
//! the gaps of the next record for the parser.
//!
//! | stage | from | to | state |
//! | --- | --- | --- | --- |
//! | 1 records | text | tags and movetext of a record | `RecordReader` |
//! | 2 tags | tags | rows of the table, schemas | `TagTable`, `SchemaEncoder` |
//! | 3 parsing | movetext | moves, layout and payloads | `Parser` |
//! | 4 moves | moves | moves column | `MovesEncoder` |
//! | 5 layout | layout | layout column | `LayoutEncoder` |
//! | 6 comments | comments, tags, moves | comments column | `CommentsEncoder` |
//! | 7 variations | variations, moves | variations column | `VariationsEncoder` |
//! | 8 derived tags | tags, moves | which tag values follow from the moves | `DerivedTags` |
//! | 9 columns | all of these | `Columns`, and the table | |
//! | 10 framing | columns, table | bytes of the block | `Framing` |
//! | 11 verification | bytes, text | | the decoder: `Block::check_text` |

use super::{
    columns::Columns,
    derived::DerivedTags,
    fault,
    framing::Framing,
    layout::LayoutEncoder,
    moves::MovesEncoder,
    payloads::{CommentsEncoder, LaidOut, VariationsEncoder},
    records::RecordReader,
    tags::TagTable,
};
use crate::{
    block::{
        Coding, Encoded, Kind, MovesSample, Options,
        decode::{Block, Pass},
        groups::GROUP,
        moves::ProvenMoves,
        schemas::{Schema, SchemaEncoder},
    },
    columns::{Table, pawns, plan::plan},
    container::{
        MAX_BLOCK_TEXT, MAX_RECORD_TAGS, MAX_TAG_NAMES, NotUnderstood, NotUnderstoodCounts,
    },
    error::{Error, Result},
    pgn::{
        line_end::LineEnd,
        movetext::{Context, Movetext, Parser},
        section::{self, TagSections},
        start,
        tags::Tag,
    },
};
use ign_notation::signature::Signature;
use shakmaty::Bitboard;

/// How much of the text of a block is read as games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::block) enum Reading {
    /// Tags and movetext.
    Games,
    /// The tags. All movetext is kept as text.
    Tags,
    /// Nothing: the block is one record of text.
    Text,
}

/// Packs a text of at most [`MAX_BLOCK_TEXT`] bytes as games of chess.
///
/// A block that does not decode to its text is packed again with its movetext as text, then with
/// all of it as text. Then [`Encoded::is_fallback`] is set.
///
/// # Errors
/// Internal when the text is longer, or when no block decodes to it.
pub fn encode(mut text: Vec<u8>, options: &Options) -> Result<Encoded> {
    let ends = [text.len()];
    match encode_games(&mut text, &ends, options) {
        Ok(Some(encoded)) => Ok(encoded),
        _ => fall_back(&mut text, &[Reading::Tags, Reading::Text], options),
    }
}

/// Packs texts that end here as games of chess. `None` if there is no room for the tags of several
/// texts.
pub(super) fn encode_games(
    text: &mut Vec<u8>,
    ends: &[usize],
    options: &Options,
) -> Result<Option<Encoded>> {
    encode_as(Reading::Games, text, ends, options)
}

/// Packs a text that could not be packed as games.
pub(in crate::block) fn fall_back(
    text: &mut Vec<u8>,
    readings: &[Reading],
    options: &Options,
) -> Result<Encoded> {
    let mut failed = Error::internal("a block was not packed");
    let ends = [text.len()];
    for &reading in readings {
        match encode_as(reading, text, &ends, options) {
            Ok(Some(encoded)) => {
                return Ok(Encoded {
                    is_fallback: true,
                    ..encoded
                });
            }
            Ok(None) => {}
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// Packs texts, which are moved and returned. `None` if there is no room for the tags of several
/// texts.
fn encode_as(
    reading: Reading,
    text: &mut Vec<u8>,
    ends: &[usize],
    options: &Options,
) -> Result<Option<Encoded>> {
    if text.len() as u64 > MAX_BLOCK_TEXT {
        return Err(Error::internal("the text of a block is too long"));
    }
    let mut moves = Vec::new();
    let mut stages = Stages::new(reading, text, ends, options, &mut moves);
    while stages.record()? {
        if stages.is_full && ends.len() > 1 {
            return Ok(None);
        }
    }
    let unread = stages.unread;
    let games_of_texts = std::mem::take(&mut stages.games_of_texts);
    let (mut columns, mut table, (proven, moves_sample)) = stages.finish(options);
    columns.moves = moves;
    if reading != Reading::Text {
        fault::inject("moves", text, &mut columns.moves);
        fault::inject("schemas", text, &mut columns.schemas);
    }
    let text_len = text.len();
    let joined = std::mem::replace(&mut table.bytes, std::mem::take(text));
    table.bytes.extend_from_slice(&joined);
    let framed = frame(&mut columns, &mut table, text_len, proven.as_ref(), options);
    *text = table.bytes;
    text.truncate(text_len);
    let encoded = Encoded {
        unread,
        games_of_texts,
        moves_sample,
        ..framed?
    };
    Ok(Some(encoded))
}

/// Stages 9 to 11: the block, verified. The text is the first bytes of the table's.
fn frame(
    columns: &mut Columns,
    table: &mut Table,
    text_len: usize,
    proven: Option<&ProvenMoves>,
    options: &Options,
) -> Result<Encoded> {
    let mut framing = Framing::new(
        Kind::Chess,
        table,
        text_len,
        columns.signatures.len(),
        columns.plies,
        options,
    );
    columns.frame(&mut framing)?;
    let tag_columns = plan(table);
    framing.tags(table, tag_columns)?;
    columns.frame_comments(&mut framing, table)?;

    let check = |block: &Block| {
        let pass = Pass {
            proven,
            ..Pass::default()
        };
        block.check_text(&table.bytes[..text_len], pass)?;
        let decoded = block.unmoved_pawns(&block.records()?)?;
        let expected = columns.pawns.iter().map(|&(_, pawns)| pawns);
        if decoded.into_iter().flatten().eq(expected) {
            Ok(())
        } else {
            Err(Error::corrupt("the unmoved pawns differ"))
        }
    };
    framing.finish(columns.not_understood, options.verify.then_some(check))
}

/// The stages that each record passes, with their state.
struct Stages<'t> {
    reading: Reading,
    text: &'t [u8],
    records: RecordReader<'t>,
    /// The tags of the current record that are in the table.
    found: Vec<Tag>,
    tags: TagTable,
    schemas: SchemaEncoder,
    sections: TagSections,
    parser: Parser,
    /// The current record, parsed.
    movetext: Movetext,
    moves: MovesEncoder<'t>,
    layout: LayoutEncoder,
    comments: CommentsEncoder,
    variations: VariationsEncoder,
    /// The text column.
    kept_text: Vec<u8>,
    derived: DerivedTags,
    /// Playable records so far.
    played: usize,
    signatures: Vec<Signature>,
    /// The unmoved pawns of the games of chess, each with the number of elements of its signature.
    pawns: Vec<(u8, Bitboard)>,
    plies: u64,
    not_understood: NotUnderstoodCounts,
    /// Bytes of text at the end for whose tags there is no room.
    unread: usize,
    /// Whether there was no room for a tag because of the records before.
    is_full: bool,
    games_of_texts: Vec<u64>,
}

impl<'t> Stages<'t> {
    fn new(
        reading: Reading,
        text: &'t [u8],
        ends: &'t [usize],
        options: &Options,
        moves: &'t mut Vec<u8>,
    ) -> Self {
        Self {
            reading,
            text,
            records: RecordReader::new(text, ends),
            found: Vec::new(),
            tags: TagTable::default(),
            schemas: SchemaEncoder::default(),
            sections: TagSections::default(),
            parser: Parser::default(),
            movetext: Movetext::default(),
            moves: MovesEncoder::new(options, moves),
            layout: LayoutEncoder::default(),
            comments: CommentsEncoder::new(text, &options.models),
            variations: VariationsEncoder::default(),
            kept_text: Vec::new(),
            derived: DerivedTags::default(),
            played: 0,
            signatures: Vec::new(),
            pawns: Vec::new(),
            plies: 0,
            not_understood: NotUnderstoodCounts::default(),
            unread: 0,
            is_full: false,
            games_of_texts: vec![0; ends.len()],
        }
    }

    /// Stages 1 and 2: reads the tags of the next record into the table. Returns its movetext, its
    /// schema as far as it is known, and whether the movetext is only text; `None` at the end.
    fn next_tags(&mut self) -> Option<(&'t [u8], Schema, bool)> {
        let text = self.text;
        let written = self.records.tags(&mut self.found)?;
        let mut schema = Schema::default();
        let is_full = !self.tags.has_room(self.found.len());
        if self.reading == Reading::Text || is_full {
            let rest = self.records.rest();
            if is_full {
                self.unread = rest.len();
                self.is_full = true;
            }
            return Some((rest, schema, true));
        }
        let section = self.records.section();
        // Tags without room are part of a template, if it can contain them.
        let names = self.tags.names() + self.found.len();
        self.is_full |= names as u64 > MAX_TAG_NAMES;
        let has_room = self.found.len() < MAX_RECORD_TAGS && names as u64 <= MAX_TAG_NAMES;
        if !has_room && text[section.clone()].iter().any(|&c| section::is_mark(c)) {
            return Some((self.records.movetext(false), schema, false));
        }
        let tags = self.found.len();
        self.tags.push_record(text, &mut self.found);
        let movetext = self.records.movetext(true);
        match written.standard.filter(|_| self.found.len() == tags) {
            Some(line_end) => schema.line_end = line_end,
            None => {
                let line_end = LineEnd::first_in(movetext);
                schema.line_end = line_end.unwrap_or_default();
                schema.section = 1 + self.sections.number(text, section, &self.found);
            }
        }
        Some((movetext, schema, self.reading == Reading::Tags))
    }

    /// Passes the next record through the stages; returns whether there was one.
    fn record(&mut self) -> Result<bool> {
        let Some((movetext, mut schema, is_text)) = self.next_tags() else {
            return Ok(false);
        };
        let Self { text, tags, .. } = self;
        let game = &mut self.movetext;

        // 3: parsing.
        let value = |name: &[u8]| tags.value(text, name);
        let start = start::of_tags(value(b"FEN"), value(b"Variant"));
        let start = start.as_ref();
        let context = Context {
            line_end: schema.line_end.bytes(),
            start,
            result: value(b"Result"),
        };
        if is_text {
            self.parser.parse_as_text(movetext, start, game);
        } else {
            let expected = self.layout.model();
            self.parser.parse(movetext, context, expected, game);
        }
        let has_moves = !game.digits.is_empty();
        let playable = start.filter(|_| has_moves);
        let number = self.played;
        self.played += usize::from(playable.is_some());

        // 2, 4, 5: schemas, moves, layout.
        schema.moves = has_moves;
        self.schemas.push(tags.list(), schema, &game.nulls)?;
        self.moves.push(start, game);
        self.layout.push(&mut game.layout)?;

        // 6, 7: payloads.
        let record = LaidOut {
            movetext: game,
            model: self.layout.model(),
            templates: &self.parser.templates,
            start: playable,
            number,
        };
        let ends_group = self.played.is_multiple_of(GROUP);
        self.comments.push(text, tags, record, ends_group)?;
        self.variations.push(record)?;
        self.kept_text.extend_from_slice(&game.payloads.text);

        // 8: derived tags.
        self.derived.push(text, tags, start, game);

        if has_moves || !tags.list().is_empty() {
            let keeps_text = self.parser.templates.keeps_text(game.layout.last);
            let reason = NotUnderstood::of_chess(
                start.is_some(),
                value(b"Variant"),
                keeps_text.then(|| game.payloads.last_text()),
                keeps_text && self.parser.templates.has_result(game.layout.last),
                schema
                    .section
                    .checked_sub(1)
                    .map(|number| self.sections.get(number)),
            );
            let reason = reason.map(|reason| reason.of_length(game.digits.len()));
            self.not_understood.count(reason);
            self.signatures.push(game.signature);
            self.games_of_texts[self.records.text_number()] += 1;
        }
        if let Some(last) = game.end.as_ref().filter(|_| has_moves) {
            let elements = game.signature.iter().flatten().count() as u8;
            self.pawns.push((elements, pawns::unmoved(last)));
        }
        self.plies += game.digits.len() as u64;
        tags.end_record();
        Ok(true)
    }

    /// Stage 9: the columns, without the moves column, which is complete in its own buffer; the
    /// table, without the text; and what [`MovesEncoder::finish`] returns.
    fn finish(
        self,
        options: &Options,
    ) -> (Columns, Table, (Option<ProvenMoves>, Option<MovesSample>)) {
        let coding = options.coding;
        let model = (coding == Coding::Weighted).then(|| options.models.preferred());
        let mut table = self.tags.finish();
        self.derived.finish(&mut table);
        let (mut proven, sample) = self.moves.finish();
        let lines = proven.as_mut().map(|proven| &mut proven.lines);
        let columns = Columns {
            schemas: self.schemas.finish(),
            sections: self.sections.write(),
            moves: Vec::new(),
            layout: self.layout.finish(),
            templates: self.parser.templates.write(),
            comments: self.comments.finish(),
            variations: self.variations.finish(model.as_ref(), lines),
            text: self.kept_text,
            signatures: self.signatures,
            pawns: if coding.stores_unmoved_pawns() {
                self.pawns
            } else {
                Vec::new()
            },
            plies: self.plies,
            not_understood: self.not_understood,
        };
        (columns, table, (proven, sample))
    }
}
