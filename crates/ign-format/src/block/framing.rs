//! A block put together: its columns framed one by one, its head written in front of them, and
//! the whole decoded again before anyone gets it.

use crate::block::{
    Coding, Fixed, Kind,
    decode::Block,
    encode::{Encoded, PartlyText},
};
use crate::{
    columns::{Codec, Table, dictionary, names, signatures, storage},
    container::{
        block_head::{Column, Head},
        checksum,
        stream::Stream,
    },
    error::{Error, Result},
};
use ign_notation::signature::Signature;

/// What a stream of a column holds.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    /// Codes, which do not become shorter.
    Codes(&'a [u8]),
    /// Squares, which go through zstd: others wait for them.
    Squares(&'a [u8]),
    /// Text, for zstd, or to be told by its contexts.
    Text(&'a [u8]),
    /// The words of a tag: text that may be spelled.
    Tokens(&'a [u8]),
}
use Content::{Codes, Squares, Text, Tokens};

/// A block of so much text at most has few games and little in it: there is time to tell the first
/// [`MIXED`] bytes of its text by their contexts, which takes some milliseconds.
const SMALL: usize = 1 << 18;
/// So many bytes of streams of a small block may be told by their contexts.
const MIXED: usize = 1 << 13;
/// And so many of one without games, which is read as a whole.
const MIXED_ALONE: usize = 1 << 20;
/// Levels beyond this one are for those who can wait.
const PATIENT: i32 = 19;

/// A block under way.
pub(super) struct Framing {
    head: Head,
    /// The frames of the columns of the head.
    body: Vec<u8>,
    level: i32,
    /// How many more bytes of text may be told by their contexts.
    may_mix: usize,
}

impl Framing {
    /// A block without columns of the text and the records of this table.
    pub fn new(
        kind: Kind,
        coding: Coding,
        table: &Table,
        games: usize,
        plies: u64,
        level: i32,
    ) -> Self {
        let head = Head {
            game: kind as u8,
            coding: coding as u8,
            text_len: table.bytes.len(),
            text_checksum: checksum(&table.bytes),
            records: table.rows,
            games,
            plies,
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
        }
    }

    /// Adds a column that is not a tag.
    pub fn fixed(&mut self, fixed: Fixed, contents: &[Content]) -> Result<()> {
        self.fixed_by(fixed, Vec::new(), 0, contents)
    }

    /// Adds a column that is not a tag, which these tags help to tell, with flags.
    pub fn fixed_by(
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

    /// Codes and adds the signatures of the games, if there are any.
    pub fn signatures(&mut self, games: &[Signature]) -> Result<()> {
        if games.is_empty() {
            return Ok(());
        }
        let (levels, flags) = signatures::encode(games);
        let levels = levels.each_ref().map(|level| Squares(level));
        self.fixed_by(Fixed::Signatures, Vec::new(), flags, &levels)
    }

    /// Codes and adds the columns of tags.
    pub fn tags(&mut self, table: &mut Table, columns: Vec<Column>) -> Result<()> {
        for mut column in columns {
            let codec = Codec::from_number(column.codec)?;
            let streams = codec.encode(table, &mut column);
            let text = match codec.may_use_name_model() {
                true => Tokens(&streams.text),
                false => Text(&streams.text),
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
                    let (stream, switch) = self.words(bytes)?;
                    column.flags |= switch;
                    stream
                }
            });
        }
        self.head.columns.push(column);
        Ok(())
    }

    /// A stream of text, as short as it may be.
    fn compress(&mut self, bytes: &[u8]) -> Result<Stream> {
        let may_mix = bytes.len() <= self.may_mix;
        storage::compress(&mut self.body, bytes, self.level, may_mix)
    }

    /// Counts what is told by its contexts, of a stream that is taken.
    fn count(&mut self, stream: &Stream) {
        if stream.is_mixed() {
            self.may_mix -= stream.stream_len();
        }
    }

    /// A stream of words, as text or spelled, whichever is shorter, with the switch that says so.
    fn words(&mut self, bytes: &[u8]) -> Result<(Stream, u8)> {
        let start = self.body.len();
        let stream = self.compress(bytes)?;
        let cost = storage::cost(stream.stored_len());
        // Letters are not predicted so well that they would take a third.
        let worth_trying = 3 * cost > bytes.len();
        let spelled = worth_trying.then(|| names::encode(bytes)).flatten();
        match spelled.filter(|spelled| storage::cost(spelled.len()) < cost) {
            None => {
                self.count(&stream);
                Ok((stream, 0))
            }
            Some(spelled) => {
                self.body.truncate(start);
                Ok((
                    storage::store(&mut self.body, &spelled),
                    dictionary::NAME_MODEL,
                ))
            }
        }
    }

    /// The block, once `check` has found nothing amiss with it.
    ///
    /// # Errors
    /// Internal, when it has.
    pub fn seal(
        self,
        partly_text: PartlyText,
        check: Option<impl FnOnce(&Block) -> Result<()>>,
    ) -> Result<Encoded> {
        self.head.check_stream_lens().map_err(amiss)?;
        let mut bytes = self.head.write();
        let head_len = bytes.len();
        bytes.extend_from_slice(&self.body);
        if let Some(check) = check {
            Block::open(&bytes)
                .and_then(|block| check(&block))
                .map_err(amiss)?;
        }
        Ok(Encoded {
            head_len,
            text_len: self.head.text_len,
            games: self.head.games,
            plies: self.head.plies,
            partly_text,
            bytes,
        })
    }
}

fn amiss(why: Error) -> Error {
    Error::internal(format!("a block does not give its text back: {why}"))
        .with_remedy("please report this with the input; nothing was written")
}
