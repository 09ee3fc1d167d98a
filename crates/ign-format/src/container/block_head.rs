//! The head of a block: its totals, its tag names, and the directory of its columns (spec §3).
//!
//! A block is its head, a sealed frame, followed by the frames of its streams in the order of the
//! directory. The head states everything that reading the block requires, and nothing about its
//! place in a file, so a block can be copied into another archive unchanged.
//!
//! The head begins with a [`Prefix`] that has the same form in every version of the format. It
//! suffices for programs that copy a block of a version that they cannot read.

use std::{borrow::Cow, ops::Range};

use ign_entropy::varint;

use super::{
    bytes::{take_byte, take_u64},
    frame,
    limits::{
        MAX_BLOCK_TEXT, MAX_BLOCK_VALUES, MAX_COLUMNS, MAX_HEAD_LEN, MAX_MODELS, MAX_PLIES,
        MAX_STREAMS, MAX_TAG_NAMES, max_frames_len, max_streams_len,
    },
    not_understood::NotUnderstoodCounts,
    stream::Stream,
    tag_names, version,
};
use crate::{
    error::{Error, Result},
    models::ModelId,
};

/// Maximum length of the head frame in bytes (spec §7).
pub const MAX_FRAME_LEN: u64 = MAX_HEAD_LEN + frame::SEAL_LEN as u64;

/// The start of a head, in the form of every version (spec §3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prefix {
    /// The lowest version of the format that reads the block.
    pub version: u8,
    /// XXH64 of the text.
    pub text_checksum: u64,
    /// Length of the text in bytes.
    pub text_len: usize,
    /// Number of records that are games.
    pub games: usize,
    /// Number of plies of the main lines of all games, with null moves and implicit passes.
    pub plies: u64,
    /// Length of all frames after the head, in bytes.
    pub body_len: u64,
}

impl Prefix {
    fn write(&self) -> Vec<u8> {
        let mut out = vec![self.version];
        out.extend_from_slice(&self.text_checksum.to_le_bytes());
        for value in [
            self.text_len as u64,
            self.games as u64,
            self.plies,
            self.body_len,
        ] {
            varint::write(&mut out, value);
        }
        out
    }

    /// Reads the prefix of the head that is the sealed frame `bytes`.
    ///
    /// # Errors
    /// Corrupt, if the frame or a field is invalid. Unsupported, if there is no such version.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        Ok(Self::split(bytes)?.0)
    }

    /// Reads the prefix of a head. Returns it with the rest of the payload.
    fn split(bytes: &[u8]) -> Result<(Self, &[u8])> {
        if bytes.len() as u64 > MAX_FRAME_LEN {
            return Err(Error::corrupt("the head of a block exceeds its limit"));
        }
        let mut input = frame::open(frame::Kind::Block, bytes)?;
        let rest = &mut input;
        let version = take_byte(rest)?;
        if version < version::FIRST {
            // Drafts have no prefix.
            version::check(version)?;
        }
        let text_checksum = take_u64(rest)?;
        let text_len = varint::read_limited(rest, MAX_BLOCK_TEXT, "a block's text")?;
        let games = varint::read_limited(rest, text_len as u64, "a block's number of games")?;
        let prefix = Self {
            version,
            text_checksum,
            text_len,
            games,
            // Every ply takes at least one byte of text.
            plies: varint::read_limited(
                rest,
                (games * MAX_PLIES).min(text_len) as u64,
                "a block's number of plies",
            )? as u64,
            body_len: varint::read_limited(
                rest,
                max_frames_len(text_len as u64),
                "the length of a block's columns",
            )? as u64,
        };
        Ok((prefix, input))
    }
}

/// The head of a block (spec §3.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Number of the [`Kind`](crate::block::Kind) of game.
    pub game: u8,
    /// Number of the [`Coding`](crate::block::Coding) of moves.
    pub coding: u8,
    /// Length of the text in bytes.
    pub text_len: usize,
    /// XXH64 of the text.
    pub text_checksum: u64,
    /// Number of records: games, and pieces of text between games.
    pub records: usize,
    /// Number of records that are games.
    pub games: usize,
    /// Number of plies of the main lines of all games, with null moves and implicit passes.
    pub plies: u64,
    /// The games that are not, or only partly, understood.
    pub not_understood: NotUnderstoodCounts,
    /// The models that its columns need, ascending by architecture.
    pub models: Vec<ModelId>,
    /// The tag names in order of first appearance. A name occurs again if a record has several
    /// tags with it.
    pub tag_names: Vec<Vec<u8>>,
    /// The directory: the columns in an order in which they can be decoded.
    pub columns: Vec<Column>,
}

/// An entry of the directory (spec §3.2).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Number of the codec: a [`Codec`](crate::columns::Codec) of tags, or a
    /// [`Fixed`](crate::block::Fixed) column.
    pub codec: u8,
    /// The tags of the column, as indices into [`Head::tag_names`]. A fixed column has none.
    pub tags: Vec<u16>,
    /// The tags from which the codec predicts the values, as indices into [`Head::tag_names`].
    /// Each codec defines the role of each.
    pub refs: Vec<u16>,
    /// Flags of the codec. Undefined bits are 0.
    pub flags: u8,
    /// The streams of the column.
    pub streams: Vec<Stream>,
}

impl Head {
    /// Length of all frames after the head, in bytes.
    pub fn body_len(&self) -> u64 {
        self.columns
            .iter()
            .flat_map(|c| &c.streams)
            .map(|s| s.frame_len() as u64)
            .sum()
    }

    /// Index of the first column with this codec number.
    pub fn column_index(&self, codec: u8) -> Option<usize> {
        self.columns.iter().position(|c| c.codec == codec)
    }

    /// The bytes of the frames of a column, by its place in the directory, from the end of the head
    /// on.
    pub fn frames(&self, column: usize) -> Range<usize> {
        let len = |columns: &[Column]| -> usize {
            let streams = columns.iter().flat_map(|c| &c.streams);
            streams.map(Stream::frame_len).sum()
        };
        let start = len(&self.columns[..column]);
        start..start + len(&self.columns[column..=column])
    }

    /// Writes the head as a sealed frame.
    pub fn write(&self) -> Vec<u8> {
        let version = version::of_block(&self.tag_names);
        let mut out = Prefix {
            version,
            text_checksum: self.text_checksum,
            text_len: self.text_len,
            games: self.games,
            plies: self.plies,
            body_len: self.body_len(),
        }
        .write();
        let prefix_len = out.len();
        out.extend_from_slice(&[self.game, self.coding]);
        varint::write(&mut out, self.records as u64);
        self.not_understood.write(&mut out);
        varint::write(&mut out, self.models.len() as u64);
        for model in &self.models {
            model.write(&mut out);
        }
        varint::write(&mut out, self.tag_names.len() as u64);
        for name in &self.tag_names {
            tag_names::write(name, &mut out);
        }
        varint::write(&mut out, self.columns.len() as u64);
        for column in &self.columns {
            column.write(&mut out);
        }
        version::next::convert(version, &mut out[prefix_len..]);
        frame::seal(frame::Kind::Block, &out)
    }

    /// Reads a head from its sealed frame, which must be all of `bytes`.
    ///
    /// # Errors
    /// Corrupt, if the frame or a field is invalid. Unsupported, if the version is unknown.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let (prefix, rest) = Prefix::split(bytes)?;
        version::check(prefix.version)?;
        let Prefix {
            text_checksum,
            text_len,
            games,
            plies,
            ..
        } = prefix;
        let mut rest = Cow::Borrowed(rest);
        if prefix.version > version::LATEST {
            version::next::convert(prefix.version, rest.to_mut());
        }
        let input = &mut &*rest;
        let game = take_byte(input)?;
        let coding = take_byte(input)?;
        let records = varint::read_limited(
            input,
            MAX_BLOCK_VALUES.min(text_len as u64),
            "a block's number of records",
        )?;
        if games > records {
            return Err(Error::corrupt("a block has more games than records"));
        }
        let not_understood = NotUnderstoodCounts::read(input, games)?;
        let count = varint::read_limited(input, MAX_MODELS, "a block's number of models")?;
        let models = (0..count)
            .map(|_| ModelId::read(input))
            .collect::<Result<Vec<_>>>()?;
        let names = varint::read_limited(input, MAX_TAG_NAMES, "a block's number of tag names")?;
        let tag_names = (0..names)
            .map(|_| tag_names::read(input))
            .collect::<Result<Vec<_>>>()?;
        if (records * names) as u64 > MAX_BLOCK_VALUES {
            return Err(Error::corrupt("a block's tag table exceeds its limit"));
        }
        let count = varint::read_limited(input, MAX_COLUMNS, "a block's number of columns")?;
        let columns = (0..count)
            .map(|_| Column::read(input, names))
            .collect::<Result<Vec<_>>>()?;
        if !input.is_empty() {
            return Err(Error::corrupt("the head of a block has excess bytes"));
        }
        let head = Self {
            game,
            coding,
            text_len,
            text_checksum,
            records,
            games,
            plies,
            not_understood,
            models,
            tag_names,
            columns,
        };
        head.check_stream_lens()?;
        if head.body_len() != prefix.body_len {
            return Err(Error::corrupt(
                "the length of a block's columns differs from its directory",
            ));
        }
        Ok(head)
    }

    /// Checks that the streams and their frames are not too long for the text. Without this check a
    /// few bytes could demand all memory.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check_stream_lens(&self) -> Result<()> {
        let streams = self.columns.iter().flat_map(|column| &column.streams);
        let len: u64 = streams.map(|stream| stream.stream_len() as u64).sum();
        let text_len = self.text_len as u64;
        if len > max_streams_len(text_len) || self.body_len() > max_frames_len(text_len) {
            return Err(Error::corrupt(
                "the streams of a block are too long for its text",
            ));
        }
        Ok(())
    }
}

impl Column {
    /// A column without flags and streams, ready for its codec.
    pub fn new(codec: u8, tags: Vec<u16>, refs: Vec<u16>) -> Self {
        Self {
            codec,
            tags,
            refs,
            flags: 0,
            streams: Vec::new(),
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.codec);
        out.push(self.flags);
        for tags in [&self.tags, &self.refs] {
            varint::write(out, tags.len() as u64);
            for &tag in tags {
                varint::write(out, u64::from(tag));
            }
        }
        varint::write(out, self.streams.len() as u64);
        for stream in &self.streams {
            stream.write(out);
        }
    }

    /// Reads an entry of a block with this number of tag names.
    fn read(input: &mut &[u8], names: usize) -> Result<Self> {
        let codec = take_byte(input)?;
        let flags = take_byte(input)?;
        let tags = Self::read_tags(input, names)?;
        let refs = Self::read_tags(input, names)?;
        let count = varint::read_limited(input, MAX_STREAMS, "a column's number of streams")?;
        let streams = (0..count)
            .map(|_| Stream::read(input))
            .collect::<Result<Vec<_>>>()?;
        Ok(Self {
            codec,
            tags,
            refs,
            flags,
            streams,
        })
    }

    fn read_tags(input: &mut &[u8], names: usize) -> Result<Vec<u16>> {
        let count = varint::read_limited(input, names as u64, "a column's number of tags")?;
        (0..count)
            .map(|_| {
                let tag = varint::read_limited(input, names as u64 - 1, "a tag's number")?;
                Ok(tag as u16)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            limits::MAX_INLINE_LEN,
            stream::{Compression, Frame},
        },
        *,
    };
    use crate::models::PUBLISHED;

    fn head() -> Head {
        Head {
            game: 0,
            coding: 1,
            text_len: 1000,
            text_checksum: 7,
            records: 3,
            games: 2,
            plies: 99,
            not_understood: NotUnderstoodCounts::default(),
            models: vec![PUBLISHED[0], ModelId::of_data(5, b"names")],
            tag_names: vec![b"Event".to_vec(), b"White".to_vec()],
            columns: vec![
                Column {
                    codec: 0,
                    tags: vec![],
                    refs: vec![],
                    flags: 0,
                    streams: vec![
                        Stream::Framed(Frame {
                            compression: Compression::Zstd,
                            len: 5,
                            stored_len: 17,
                            checksum: 1,
                        }),
                        Stream::Inline(b"here".to_vec()),
                        Stream::InlineMixed {
                            len: 80,
                            codes: b"codes".to_vec(),
                        },
                    ],
                },
                Column {
                    codec: 16,
                    tags: vec![1, 0],
                    refs: vec![1],
                    flags: 3,
                    streams: vec![],
                },
            ],
        }
    }

    #[test]
    fn heads_round_trip_and_every_truncation_is_rejected() {
        let bytes = head().write();
        assert_eq!(Head::read(&bytes).unwrap(), head());
        for len in 0..bytes.len() {
            assert!(Head::read(&bytes[..len]).is_err());
        }
        assert_eq!(head().body_len(), 17);
    }

    #[test]
    fn the_prefix_of_a_head_is_read_in_every_version() {
        let bytes = head().write();
        let expected = Prefix {
            version: version::LATEST,
            text_checksum: 7,
            text_len: 1000,
            games: 2,
            plies: 99,
            body_len: 17,
        };
        assert_eq!(Prefix::read(&bytes).unwrap(), expected);
        // Nothing is known about the bytes after the prefix in a later version.
        let later = Prefix {
            version: 200,
            ..expected
        };
        let mut payload = later.write();
        payload.extend_from_slice(b"something else");
        let bytes = frame::seal(frame::Kind::Block, &payload);
        assert_eq!(Prefix::read(&bytes).unwrap(), later);
        let error = Head::read(&bytes).unwrap_err();
        assert!(error.message().contains("needs format version 200"));
    }

    #[test]
    fn rejects_a_head_that_exceeds_its_limit() {
        let mut long = head();
        // Each of these tags takes two bytes.
        long.tag_names = vec![b"Event".to_vec(); 4096];
        long.columns = vec![Column::new(16, vec![], vec![4095; 4096]); MAX_COLUMNS as usize];
        assert!(long.write().len() as u64 > MAX_FRAME_LEN);
        let error = Head::read(&long.write()).unwrap_err();
        assert_eq!(error.message(), "the head of a block exceeds its limit");
    }

    #[test]
    fn rejects_values_beyond_the_limits() {
        let mut bad = head();
        bad.records = 1001;
        assert!(Head::read(&bad.write()).is_err(), "more records than bytes");
        let mut bad = head();
        bad.columns[1].tags[0] = 2;
        assert!(Head::read(&bad.write()).is_err(), "a tag without a name");
        let mut bad = head();
        bad.columns[1].refs[0] = 2;
        assert!(
            Head::read(&bad.write()).is_err(),
            "a reference without a name"
        );
        let mut bad = head();
        bad.columns[1].streams = vec![Stream::Inline(vec![0; MAX_INLINE_LEN as usize + 1])];
        assert!(Head::read(&bad.write()).is_err(), "too long to be inline");
        let framed = |count: u64, len: u64| {
            let mut head = head();
            let frame = Frame {
                compression: Compression::Zstd,
                len: len as usize,
                stored_len: 20,
                checksum: 1,
            };
            head.columns[1].streams = vec![Stream::Framed(frame); count as usize];
            Head::read(&head.write())
        };
        // The streams of the first column have 89 bytes.
        let max = max_streams_len(1000) - 89;
        assert!(framed(1, max).is_ok() && framed(4, max / 4).is_ok());
        assert!(framed(1, max + 1).is_err(), "too long for the text");
        assert!(framed(5, max / 4).is_err(), "too long together");
        let stored = |stored_len: u64| {
            let mut head = head();
            let frame = Frame {
                compression: Compression::Zstd,
                len: 5,
                stored_len: stored_len as usize,
                checksum: 1,
            };
            head.columns[0].streams[0] = Stream::Framed(frame);
            Head::read(&head.write())
        };
        let max = max_frames_len(1000);
        assert!(stored(max).is_ok());
        assert!(stored(max + 1).is_err(), "a frame too long for the text");
        let mixed = |len, codes: usize| {
            let mut head = head();
            let codes = vec![7; codes];
            head.columns[1].streams = vec![Stream::InlineMixed { len, codes }];
            Head::read(&head.write())
        };
        assert!(mixed(160, 10).is_ok());
        assert!(mixed(161, 10).is_err(), "too long for its codes");
        assert!(mixed(1000, 513).is_err(), "too long to be inline");
    }
}
