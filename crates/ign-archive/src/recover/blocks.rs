//! A block of a damaged archive: copied if it is whole, encoded again if its moves are.

use ign_format::{
    block::{
        decode::{self, RecordTexts},
        encode::{Encoded, Options, encode_texts},
        encode_model_of, is_model,
    },
    container::{
        block_head::{Head, Prefix},
        checksum,
        index::BlockEntry,
    },
    error::{Error, Kind, Remedy, Result},
    models::{ModelId, Models},
};
use ign_notation::chess::Move;

use crate::{
    check::outline::Listed,
    list::known_fields,
    sources::{Piece, Places},
};

/// A block of the new archive.
pub(super) enum Block {
    /// The bytes of a whole block.
    Copied {
        /// The block.
        bytes: Vec<u8>,
        /// The number of its plies.
        plies: u64,
    },
    /// The bytes of a block that this program cannot read: it needs a later version of the format,
    /// or a model that is missing.
    Unread {
        /// The block.
        bytes: Vec<u8>,
        /// The start of its head.
        prefix: Prefix,
        /// What it needs.
        why: String,
    },
    /// The games of a damaged one without what is lost.
    Encoded {
        /// The block.
        block: Encoded,
        /// The number of each source that it has text of, with the length of the text.
        sources: Vec<(usize, u64)>,
    },
    /// A model of which a copy was damaged.
    Model(Encoded, ModelId),
}

/// What became of a block.
pub(super) struct Outcome {
    /// The block of the new archive, and its text, unless it was not read.
    pub block: Option<(Block, Option<Vec<u8>>)>,
    /// What is wrong with the block; `None` if it is whole.
    pub error: Option<Error>,
    /// The names of the damaged columns, if its head is whole.
    pub columns: Vec<String>,
    /// The names of columns that are whole, but are lost with these.
    pub lost_with: Vec<String>,
    /// Of each game of a damaged block what is known: the fields of a list.
    pub known: Vec<Vec<u8>>,
}

impl Outcome {
    /// Whether the block is not whole.
    pub fn is_damaged(&self) -> bool {
        self.error.is_some()
    }
}

/// Recovers the block with these bytes, which may need one of these models. Columns beyond the end
/// of the file are zeros. `lost` is the model that a block without text is if its head is lost.
pub(super) fn recovered(
    bytes: Vec<u8>,
    listed: &Listed,
    models: &Models,
    lost: Option<ModelId>,
    places: &Places,
    options: &Options,
) -> Outcome {
    let mut outcome = Outcome {
        block: None,
        error: None,
        columns: Vec::new(),
        lost_with: Vec::new(),
        known: Vec::new(),
    };
    let Some(damage) = &listed.damage else {
        let decoded = decode::Block::open_with(&bytes, models)
            .and_then(|block| Ok((block.head().plies, block.verified_text()?)));
        match decoded {
            Ok((plies, text)) => outcome.block = Some((Block::Copied { bytes, plies }, Some(text))),
            Err(error) => match complete_prefix(&bytes, &listed.entry, &error) {
                Some(prefix) => outcome.block = Some(unread(bytes, prefix, &error)),
                None => outcome.error = Some(error),
            },
        }
        return outcome;
    };
    if let Some(prefix) = complete_prefix(&bytes, &listed.entry, &damage.error) {
        outcome.block = Some(unread(bytes, prefix, &damage.error));
        return outcome;
    }
    if let Some((model, id)) = whole_copy(&bytes, &listed.entry, models, lost, options.level) {
        outcome.block = Some((Block::Model(model, id), Some(Vec::new())));
        return outcome;
    }
    outcome.columns.clone_from(&damage.columns);
    outcome.error = Some(Error::new(damage.error.kind(), damage.error.message()));
    if damage.columns.is_empty() {
        return outcome;
    }
    // Columns that pass their checksums are decoded without surprise, but if not, the games are
    // lost.
    if let Ok(block) = decode::Block::open_with(&bytes, models) {
        let damaged = block.damaged_columns();
        // In their own layout the records keep more. If it is lost, or if games cannot be
        // recognized without what is lost, the layout is plain.
        let again = |texts| encoded(&block, texts, &listed.entry, places, options);
        let own = || again(block.reduced_text(&damaged)?);
        let plain = || again(block.salvaged_text(&damaged)?);
        let own = own().ok().flatten();
        let keeps_layout = own.is_some();
        outcome.block = own.or_else(|| plain().ok().flatten());
        if outcome
            .block
            .as_ref()
            .is_some_and(|(_, text)| text.as_ref().is_some_and(|text| is_text_of(&block, text)))
        {
            // Nothing of the text is in the damaged columns.
            outcome.error = None;
            return outcome;
        }
        if outcome.block.is_some() {
            let places = block.columns_lost_with(&damaged, keeps_layout).into_iter();
            let columns = places.map(|place| &block.head().columns[place]);
            outcome.lost_with = columns.map(|column| block.column_name(column)).collect();
        }
        outcome.known = known_fields(&block, &damaged).unwrap_or_default();
    }
    outcome
}

/// If a damaged block is a model of which there is a whole copy: the model.
fn whole_copy(
    bytes: &[u8],
    entry: &BlockEntry,
    models: &Models,
    lost: Option<ModelId>,
    level: i32,
) -> Option<(Encoded, ModelId)> {
    if (entry.text_len, entry.games) != (0, 0) {
        return None;
    }
    let id = match bytes.get(..entry.head_len as usize).map(Head::read) {
        Some(Ok(head)) => *head.models.first().filter(|_| is_model(&head))?,
        _ => lost?,
    };
    Some((encode_model_of(models, id, level).ok().flatten()?, id))
}

/// The start of the head of a block, if the error is that this program cannot read it, and the
/// block is complete.
fn complete_prefix(bytes: &[u8], entry: &BlockEntry, error: &Error) -> Option<Prefix> {
    let head = bytes.get(..usize::try_from(entry.head_len).ok()?)?;
    let prefix = Prefix::read(head).ok()?;
    let is_complete = (prefix.text_len as u64, prefix.games as u64)
        == (entry.text_len, entry.games)
        && bytes.len() as u64 == entry.head_len + prefix.body_len;
    (is_complete && error.kind() == Kind::Unsupported).then_some(prefix)
}

/// A block that is copied although it cannot be read.
fn unread(bytes: Vec<u8>, prefix: Prefix, error: &Error) -> (Block, Option<Vec<u8>>) {
    let mut why = error.message().to_owned();
    if error.remedy() == Some(&Remedy::OtherModel) {
        why += "; ign recover --model FILE restores it from its file";
    }
    (Block::Unread { bytes, prefix, why }, None)
}

/// Whether this is the whole text of a block.
fn is_text_of(block: &decode::Block, text: &[u8]) -> bool {
    let head = block.head();
    (text.len(), checksum(text)) == (head.text_len, head.text_checksum)
}

/// A block of this text, if its games are those of the damaged block, with the same moves.
fn encoded(
    block: &decode::Block,
    texts: Option<RecordTexts>,
    entry: &BlockEntry,
    places: &Places,
    options: &Options,
) -> Result<Option<(Block, Option<Vec<u8>>)>> {
    let Some(RecordTexts { text, ends }) = texts else {
        return Ok(None);
    };
    // Records without games may have no text any more, so a source ends with its last game.
    let piece = Piece::of_block(entry);
    let records = block.records()?;
    let mut game_ends = records.games().map(|record| ends[record]);
    let (mut sources, mut source_ends) = (Vec::new(), Vec::new());
    for (source, own) in places.within(&piece) {
        let start = source_ends.last().copied().unwrap_or(0);
        let games = own.games.end - own.games.start;
        let last = game_ends.by_ref().take(games as usize).last();
        let is_last = own.text.end == piece.text.end;
        let end = if is_last {
            text.len()
        } else {
            last.unwrap_or(start)
        };
        sources.push((source, (end - start) as u64));
        source_ends.push(end);
    }
    let mut own = text.clone();
    let encoded = encode_texts(block.kind(), &mut own, &source_ends, options)?;
    let Some(encoded) = encoded else {
        return Ok(None);
    };
    let counts = places
        .within(&piece)
        .map(|(_, own)| own.games.end - own.games.start);
    if !counts.eq(encoded.games_of_texts.iter().copied()) {
        return Ok(None);
    }
    let is_same = encoded.games > 0
        && encoded.games == block.head().games
        && encoded.plies == block.head().plies
        && moves(&decode::Block::open(&encoded.bytes)?)? == moves(block)?;
    let block = Block::Encoded {
        block: encoded,
        sources,
    };
    Ok(is_same.then_some((block, Some(text))))
}

/// The moves of each game of a block; `None` for games without a start.
fn moves(block: &decode::Block) -> Result<Vec<Option<Vec<Move>>>> {
    let records = block.records()?;
    let lists = block.move_lists(&records, |_| true)?;
    let games = records
        .games()
        .map(|record| lists.of(record).map(<[Move]>::to_vec));
    Ok(games.collect())
}
