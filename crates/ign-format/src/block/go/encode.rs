//! Encodes SGF text as a block, in one pass, like [`encode`](crate::block::encode) for PGN.

use crate::{
    block::{
        Encoded, Fixed, Kind, Options,
        decode::{Block, Pass},
        encode::{
            fault,
            framing::{
                Content::{Codes, Text},
                Framing,
            },
            stages::{Reading, fall_back},
            tags::TagTable,
        },
        go::moves,
        schemas::{Schema, SchemaEncoder},
    },
    columns::{Table, plan::plan_go},
    container::{MAX_BLOCK_TEXT, MAX_TAG_NAMES, NotUnderstood, NotUnderstoodCounts},
    error::{Error, Result},
    sgf::{
        layout::LayoutModel,
        parse::{Parser, Record},
        syntax::RecordFinder,
    },
};
use ign_entropy::adaptive::Encoder;
use ign_notation::signature::Signature;

/// Encodes a text of at most [`MAX_BLOCK_TEXT`] bytes as a block. If the block does not decode to
/// the text, the text is stored as text, and [`Encoded::is_fallback`] is set.
///
/// # Errors
/// Internal if the text is too long, or if no block decodes to the same text.
pub fn encode(mut text: Vec<u8>, options: &Options) -> Result<Encoded> {
    let ends = [text.len()];
    match encode_games(&mut text, &ends, options) {
        Ok(Some(encoded)) => Ok(encoded),
        _ => fall_back(&mut text, &[Reading::Text], options),
    }
}

/// Encodes texts that end here as games. They are moved and returned. `None` if there is no room
/// for the tags of several texts.
pub fn encode_games(
    text: &mut Vec<u8>,
    ends: &[usize],
    options: &Options,
) -> Result<Option<Encoded>> {
    if text.len() as u64 > MAX_BLOCK_TEXT {
        return Err(Error::internal("a block's text is too long"));
    }
    let mut gathered = Gathered::of(text, ends, options)?;
    if gathered.unread > 0 && ends.len() > 1 {
        return Ok(None);
    }
    fault::inject("moves", text, &mut gathered.moves);
    let mut table = std::mem::take(&mut gathered.table);
    table.bytes = std::mem::take(text);
    let framed = frame(&gathered, &mut table, options);
    *text = table.bytes;
    let encoded = Encoded {
        unread: gathered.unread,
        games_of_texts: gathered.games_of_texts,
        ..framed?
    };
    Ok(Some(encoded))
}

/// The columns as a block, verified.
fn frame(gathered: &Gathered, table: &mut Table, options: &Options) -> Result<Encoded> {
    let mut framing = Framing::new(
        Kind::Go,
        table,
        table.bytes.len(),
        gathered.signatures.len(),
        gathered.plies,
        options,
    );
    gathered.frame(&mut framing)?;
    let columns = plan_go(table);
    framing.tags(table, columns)?;
    let check = |block: &Block| {
        let pass = Pass {
            intervals: gathered.known.as_deref(),
            ..Pass::default()
        };
        block.check_text(&table.bytes, pass)
    };
    framing.finish(gathered.not_understood, options.verify.then_some(check))
}

/// The contents of the columns, collected in the pass over the text.
#[derive(Default)]
struct Gathered {
    table: Table,
    schemas: Vec<u8>,
    moves: Vec<u8>,
    known: Option<Vec<moves::Interval>>,
    layout: Vec<u8>,
    templates: Vec<u8>,
    values: Vec<u8>,
    text: Vec<u8>,
    signatures: Vec<Signature>,
    plies: u64,
    not_understood: NotUnderstoodCounts,
    /// Bytes of text at the end for whose tags there is no room.
    unread: usize,
    games_of_texts: Vec<u64>,
}

impl Gathered {
    fn of(text: &[u8], ends: &[usize], options: &Options) -> Result<Self> {
        let mut out = Self {
            games_of_texts: vec![0; ends.len()],
            ..Self::default()
        };
        let mut tags = TagTable::default();
        let mut schemas = SchemaEncoder::default();
        let mut parser = Parser::default();
        let mut model = LayoutModel::new(text.len());
        let mut layout_coder = Encoder::new();
        let mut moves = moves::Writer::new(options);
        let mut finder = RecordFinder::default();
        let mut record = Record::default();
        // The current text, and where it begins.
        let (mut number, mut first, mut own) = (0, 0, &text[..ends[0]]);
        let mut at = 0;
        while at < text.len() {
            while at == first + own.len() {
                (number, first) = (number + 1, at);
                own = &text[at..ends[number]];
                finder = RecordFinder::default();
            }
            let mut end = first + finder.record_end(own, at - first);
            let mut plies = 0;
            parser.parse(&text[at..end], &mut record, |played| {
                plies += u64::from(played.main);
                moves.push(played);
            });
            // The tag table is full: the rest becomes one record of text.
            let named = tags.names() + record.tags.len();
            if !tags.has_room(record.tags.len()) || named as u64 > MAX_TAG_NAMES {
                end = first + own.len();
                out.unread += end - at;
                parser.parse_as_text(&text[at..end], &mut record);
                moves.forget_record();
                plies = 0;
            }
            let part = &text[at..end];
            for tag in &record.tags {
                let value = at + tag.value.start..at + tag.value.end;
                if !tags.push(&part[tag.name.clone()], value) {
                    return Err(Error::internal("a tag name has no number"));
                }
            }
            let has_moves = !record.layout.gaps.is_empty();
            let schema = Schema {
                moves: has_moves,
                ..Schema::default()
            };
            let list = schemas.push(tags.list(), schema, &[])?;
            let layout = &mut record.layout;
            model.code(&mut layout_coder, list, &parser.templates, layout)?;
            out.values.extend_from_slice(&record.values);
            out.text.extend_from_slice(&part[record.text.clone()]);
            moves.end_record(record.start.as_ref());
            if has_moves || !tags.list().is_empty() {
                let keeps = |template| parser.templates.outline(template).keeps_moves;
                let keeps_text = record.layout.templates().any(keeps);
                let reason = keeps_text.then_some(NotUnderstood::Text);
                out.not_understood.count(reason);
                out.signatures.push(record.signature);
                out.games_of_texts[number] += 1;
            }
            out.plies += plies;
            at = end;
            tags.end_record();
        }
        out.table = tags.finish();
        out.schemas = schemas.finish();
        out.layout = layout_coder.finish();
        out.templates = parser.templates.write();
        (out.moves, out.known) = moves.finish();
        Ok(out)
    }

    /// Writes the columns that are not tags.
    fn frame(&self, framing: &mut Framing) -> Result<()> {
        framing.signatures(&self.signatures)?;
        framing.fixed(Fixed::Schemas, &[Codes(&self.schemas), Text(b"")])?;
        framing.fixed(Fixed::Moves, &[Codes(&self.moves)])?;
        let layout = [Codes(&self.layout), Text(&self.templates)];
        framing.fixed(Fixed::Layout, &layout)?;
        for (fixed, stream) in [(Fixed::Comments, &self.values), (Fixed::Text, &self.text)] {
            if !stream.is_empty() {
                framing.fixed(fixed, &[Text(stream)])?;
            }
        }
        Ok(())
    }
}
