//! Stage 10: the columns become the bytes of a block.
//!
//! The streams of the columns are framed one by one, the head is written in front of them, and the
//! block is verified before it is returned.

use crate::{
    block::{Encoded, Fixed, Kind, Options, decode::Block, directory, encode::fault},
    columns::{Codec, Table, dictionary, names, signatures, storage},
    container::{
        NotUnderstoodCounts,
        block_head::{Column, Head},
        checksum,
        stream::Stream,
    },
    error::{Error, Result},
    models::Models,
};
use ign_notation::signature::Signature;

/// The content of a stream of a column.
#[derive(Debug, Clone, Copy)]
pub enum Content<'a> {
    /// Codes, which are stored as they are.
    Codes(&'a [u8]),
    /// Squares of signatures, compressed with zstd so that lookups read them fast.
    Squares(&'a [u8]),
    /// Text, compressed with zstd or the order-N text model.
    Text(&'a [u8]),
    /// The strings of a tag: text that the name model may encode.
    Tokens(&'a [u8]),
}
use Content::{Codes, Squares, Text, Tokens};

/// A block with at most this many bytes of text has so little in it that the text model may encode
/// [`MIXED`] bytes of its streams, which takes some milliseconds.
const SMALL: usize = 1 << 18;
/// Bytes of streams of a small block that the text model may encode.
const MIXED: usize = 1 << 13;
/// The same for a block without games, which is read as a whole.
const MIXED_ALONE: usize = 1 << 20;
/// Above this zstd level the text model may encode all text.
const PATIENT: i32 = 19;

/// The block being built.
#[derive(Debug)]
pub struct Framing {
    head: Head,
    /// The frames of the columns in the head.
    body: Vec<u8>,
    level: i32,
    /// Bytes of text that the text model may still encode.
    may_mix: usize,
    models: Models,
}

impl Framing {
    /// A block without columns, with the records of this table; its text is the first bytes of the
    /// table's.
    pub fn new(
        kind: Kind,
        table: &Table,
        text_len: usize,
        games: usize,
        plies: u64,
        options: &Options,
    ) -> Self {
        let level = options.level;
        let head = Head {
            game: kind as u8,
            coding: options.coding as u8,
            text_len,
            text_checksum: checksum(&table.bytes[..text_len]),
            records: table.rows,
            games,
            plies,
            not_understood: NotUnderstoodCounts::default(),
            models: Vec::new(),
            tag_names: table.names.clone(),
            columns: Vec::new(),
        };
        let may_mix = match head.text_len {
            _ if level > PATIENT => usize::MAX,
            _ if games == 0 => MIXED_ALONE,
            ..=SMALL => MIXED,
            _ => 0,
        };
        Self {
            head,
            body: Vec::new(),
            level,
            may_mix,
            models: options.models.clone(),
        }
    }

    /// Adds a column that is not a tag.
    ///
    /// # Errors
    /// Internal.
    pub fn fixed(&mut self, fixed: Fixed, contents: &[Content]) -> Result<()> {
        self.fixed_with(fixed, Vec::new(), 0, contents)
    }

    /// Adds a column that is not a tag, with flags and the tags that it refers to.
    ///
    /// # Errors
    /// Internal.
    pub fn fixed_with(
        &mut self,
        fixed: Fixed,
        refs: Vec<u16>,
        flags: u8,
        contents: &[Content],
    ) -> Result<()> {
        let column = Column {
            codec: fixed as u8,
            tags: vec![],
            refs,
            flags,
            streams: vec![],
        };
        self.push(column, contents)
    }

    /// Encodes and adds the signatures of the games, if there are games.
    ///
    /// # Errors
    /// Internal.
    pub fn signatures(&mut self, games: &[Signature]) -> Result<()> {
        if games.is_empty() {
            return Ok(());
        }
        let (levels, flags) = signatures::encode(games);
        let levels = levels.each_ref().map(|level| Squares(level));
        self.fixed_with(Fixed::Signatures, Vec::new(), flags, &levels)
    }

    /// Encodes and adds the columns of tags.
    ///
    /// # Errors
    /// Internal.
    pub fn tags(&mut self, table: &mut Table, columns: Vec<Column>) -> Result<()> {
        for mut column in columns {
            let codec = Codec::from_number(column.codec)?;
            let streams = codec.encode(table, &mut column);
            let text = if codec.may_use_name_model() {
                Tokens(&streams.text)
            } else {
                Text(&streams.text)
            };
            self.push(column, &[Codes(&streams.codes), text])?;
        }
        Ok(())
    }

    fn push(&mut self, mut column: Column, contents: &[Content]) -> Result<()> {
        for content in contents {
            column.streams.push(match content {
                Codes(bytes) => storage::store(&mut self.body, bytes),
                Squares(bytes) => storage::compress(&mut self.body, bytes, self.level, false)?,
                Text(bytes) => {
                    let stream = self.compress(bytes)?;
                    self.count(&stream);
                    stream
                }
                Tokens(bytes) => {
                    let (stream, switch) = self.tokens(bytes)?;
                    column.flags |= switch;
                    stream
                }
            });
        }
        self.head.columns.push(column);
        Ok(())
    }

    /// Appends a stream of text, compressed as well as possible.
    fn compress(&mut self, bytes: &[u8]) -> Result<Stream> {
        let may_mix = bytes.len() <= self.may_mix;
        storage::compress(&mut self.body, bytes, self.level, may_mix)
    }

    /// Counts the bytes of a kept stream if the text model has encoded them.
    fn count(&mut self, stream: &Stream) {
        if stream.is_mixed() {
            self.may_mix -= stream.stream_len();
        }
    }

    /// Appends a stream of strings, as text or encoded by the name model, whichever is shorter;
    /// returns the flag of the column that tells which.
    fn tokens(&mut self, bytes: &[u8]) -> Result<(Stream, u8)> {
        let start = self.body.len();
        let stream = self.compress(bytes)?;
        let cost = storage::cost(stream.stored_len());
        // The name model never reaches a third of the length.
        let worth_trying = 3 * cost > bytes.len();
        let encoded = worth_trying
            .then(|| names::encode(&self.models.preferred(), bytes))
            .flatten();
        match encoded.filter(|encoded| storage::cost(encoded.len()) < cost) {
            None => {
                self.count(&stream);
                Ok((stream, 0))
            }
            Some(encoded) => {
                self.body.truncate(start);
                Ok((
                    storage::store(&mut self.body, &encoded),
                    dictionary::NAME_MODEL,
                ))
            }
        }
    }

    /// Completes the block and verifies it with `check` if it is given.
    ///
    /// # Errors
    /// Internal when the check fails.
    pub fn finish(
        mut self,
        not_understood: NotUnderstoodCounts,
        check: Option<impl FnOnce(&Block) -> Result<()>>,
    ) -> Result<Encoded> {
        self.head.not_understood = not_understood;
        let preferred = |&number: &u8| self.models.preferred_id(number);
        let needed = directory::needed_models(&self.head);
        self.head.models = needed.iter().filter_map(preferred).collect();
        complete(&self.head, &self.body, &self.models, check)
    }
}

/// Joins a head and the frames of its columns to a block and verifies it with `check` if it is
/// given. With debug assertions a failed check panics, so that no test overlooks it.
///
/// # Errors
/// Internal when the check fails.
pub fn complete(
    head: &Head,
    body: &[u8],
    models: &Models,
    check: Option<impl FnOnce(&Block) -> Result<()>>,
) -> Result<Encoded> {
    head.check_stream_lens().map_err(failed)?;
    let mut bytes = head.write();
    let head_len = bytes.len();
    bytes.extend_from_slice(body);
    if let Some(check) = check {
        let checked = Block::open_with(&bytes, models).and_then(|block| check(&block));
        debug_assert!(checked.is_ok() || fault::is_expected(), "{checked:?}");
        checked.map_err(failed)?;
    }
    Ok(Encoded {
        head_len,
        text_len: head.text_len,
        models: head.models.clone(),
        games: head.games,
        games_of_texts: vec![head.games as u64],
        plies: head.plies,
        not_understood: head.not_understood,
        unread: 0,
        is_fallback: false,
        moves_sample: None,
        bytes,
    })
}

fn failed(why: Error) -> Error {
    Error::internal(format!("a block does not unpack to its text: {why}"))
        .with_remedy("please report this with the input")
}
