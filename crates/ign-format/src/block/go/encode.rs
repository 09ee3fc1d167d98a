//! A block from SGF: one pass over the text, as `archive::encode` makes of PGN.

use crate::block::{
    Fixed, Kind,
    decode::Block,
    encode::{Encoded, Options, PartlyText, TagNames},
    framing::{
        Content::{Codes, Text},
        Framing,
    },
    go::{decode::check_text, moves},
    schemas::{Schema, Schemas},
};
use crate::{
    columns::{Span, Table, plan::plan_go},
    container::{MAX_BLOCK_TEXT, MAX_TAG_NAMES},
    error::{Error, Result},
    pgn::records::LineEnd,
    sgf::{
        layout::LayoutModel,
        parse::{Parser, Record},
        syntax::RecordFinder,
    },
};
use ign_entropy::adaptive::Encoder;
use ign_notation::signature::Signature;

/// Packs a text of at most [`MAX_BLOCK_TEXT`] bytes.
///
/// # Errors
/// Internal, when decoding the block does not give the text back.
pub fn encode(text: Vec<u8>, options: &Options) -> Result<Encoded> {
    if text.len() as u64 > MAX_BLOCK_TEXT {
        return Err(Error::internal("a block's text is too long"));
    }
    let mut gathered = Gathered::of(&text, options)?;
    let mut table = std::mem::take(&mut gathered.table);
    table.bytes = text;
    let mut framing = Framing::new(
        Kind::Go,
        options.coding,
        &table,
        gathered.signatures.len(),
        gathered.plies,
        options.level,
    );
    gathered.frame(&mut framing)?;
    let columns = plan_go(&table);
    framing.tags(&mut table, columns)?;
    let known = gathered.known.as_deref();
    let check = |block: &Block| check_text(block, &table.bytes, known);
    framing.seal(gathered.partly_text, options.verify.then_some(check))
}

/// What the pass over the text gathers.
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
    partly_text: PartlyText,
}

impl Gathered {
    fn of(text: &[u8], options: &Options) -> Result<Self> {
        let mut out = Self::default();
        let mut names = TagNames::default();
        let mut values: Vec<Vec<Span>> = Vec::new();
        let mut schemas = Schemas::default();
        let mut shape_coder = Encoder::new();
        let mut parser = Parser::default();
        let mut model = LayoutModel::new(text.len());
        let mut layout_coder = Encoder::new();
        let mut moves = moves::Writer::new(options.coding, options.verify);
        let mut finder = RecordFinder::default();
        let mut record = Record::default();
        let mut list = Vec::new();
        let (mut at, mut rows) = (0, 0);
        while at < text.len() {
            let mut end = finder.record_end(text, at);
            let mut plies = 0;
            parser.parse(&text[at..end], &mut record, |played| {
                plies += u64::from(played.main);
                moves.push(played);
            });
            // A full table: all that is left becomes one record of text.
            let named = names.names.len() + record.tags.len();
            if !names.room(record.tags.len(), rows + 1) || named as u64 > MAX_TAG_NAMES {
                end = text.len();
                parser.parse_as_text(&text[at..end], &mut record);
                moves.forget_record();
                plies = 0;
            }
            let part = &text[at..end];
            list.clear();
            for (i, tag) in record.tags.iter().enumerate() {
                let number = names
                    .number(&part[tag.name.clone()], i)
                    .ok_or_else(|| Error::internal("a tag name has no number"))?;
                list.push(number);
                if values.len() <= usize::from(number) {
                    values.push(Vec::new());
                }
                let values = &mut values[usize::from(number)];
                values.resize(rows, Span::ABSENT);
                values.push(Span {
                    start: (at + tag.value.start) as u32,
                    len: tag.value.len() as u32,
                });
            }
            let schema = Schema {
                list: schemas.number(&list),
                line_end: LineEnd::Lf,
                moves: !record.layout.gaps.is_empty(),
            };
            schemas.code(&mut shape_coder, schema, &list, MAX_TAG_NAMES as usize)?;
            let layout = &mut record.layout;
            model.code(&mut layout_coder, schema.list, &parser.templates, layout)?;
            out.values.extend_from_slice(&record.values);
            out.text.extend_from_slice(&part[record.text.clone()]);
            moves.end_record(record.start.as_ref());
            if schema.moves || !list.is_empty() {
                let keeps = |template| parser.templates.outline(template).keeps_moves;
                if record.layout.templates().any(keeps) {
                    out.partly_text.add(out.signatures.len());
                }
                out.signatures.push(record.signature);
            }
            out.plies += plies;
            at = end;
            rows += 1;
        }
        for values in &mut values {
            values.resize(rows, Span::ABSENT);
        }
        out.table = Table {
            names: names.names,
            values,
            rows,
            ..Table::default()
        };
        out.schemas = shape_coder.finish();
        out.layout = layout_coder.finish();
        out.templates = parser.templates.write();
        (out.moves, out.known) = moves.finish();
        Ok(out)
    }

    /// Frames the columns that are not tags.
    fn frame(&self, framing: &mut Framing) -> Result<()> {
        framing.signatures(&self.signatures)?;
        framing.fixed(Fixed::Schemas, &[Codes(&self.schemas)])?;
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
