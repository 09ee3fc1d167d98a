//! The head of a block: what it holds, and the directory of its columns
//! (spec §3).
//!
//! A block is its head, a sealed frame, followed by its column streams, a
//! frame each, in the order of the directory; short ones stand in the head
//! itself. It tells all that is needed to read it and nothing about where it
//! stands, so it can be copied into another archive as it is.

use crate::container::{
    CHECKSUM_LEN, MAX_BLOCK_TEXT, MAX_BLOCK_VALUES, MAX_COLUMNS, MAX_HERE, MAX_MIXED,
    MAX_MIXED_RATIO, MAX_PLIES, MAX_STREAMS, MAX_STREAMS_LEN, MAX_TAG_NAMES, VERSION, frame,
    header, tag_names,
};
use crate::error::{Error, Result};
use ign_entropy::varint;

/// The head of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// Which game it holds.
    pub game: u8,
    /// How moves became integers.
    pub coding: u8,
    /// Bytes of text.
    pub text_len: usize,
    /// XXH64 of the text.
    pub text_checksum: u64,
    /// Pieces the text was cut into; a game is one, and so is text between games.
    pub records: usize,
    /// Records that are games.
    pub games: usize,
    /// Moves of all games, half-moves that is, that are in the integers.
    pub plies: u64,
    /// The different tag names, in the order of their first appearance.
    pub tag_names: Vec<Vec<u8>>,
    /// The columns, in the order in which they can be decoded.
    pub columns: Vec<Column>,
}

/// One column of the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// What it holds and how: see `columns` and `archive`.
    pub codec: u8,
    /// The tags it covers, as indices into [`Head::tag_names`]; none for the
    /// columns that are not tags.
    pub tags: Vec<u16>,
    /// The tags whose values predict these, as indices; which does what is the
    /// codec's to say.
    pub refs: Vec<u16>,
    /// The codec's own switches.
    pub switches: u8,
    /// Its streams.
    pub streams: Vec<Stream>,
}

/// How a stream's frame holds its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrapping {
    /// A skippable frame with the bytes as they are.
    Plain = 0,
    /// A zstd frame.
    Zstd = 1,
    /// A skippable frame with codes that tell it by its contexts ([`bits::text`](ign_entropy::text_model)).
    Mixed = 3,
}

/// One stream of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stream {
    /// A short one stands in the directory: these are its bytes.
    Here(Vec<u8>),
    /// A short one told by its contexts, too: these are its codes.
    HereMixed {
        /// Bytes of the stream itself.
        len: usize,
        /// What tells them.
        codes: Vec<u8>,
    },
    /// Any other is a frame behind the head.
    Framed(Frame),
}

/// What the directory says of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// How it holds the stream.
    pub wrapping: Wrapping,
    /// Bytes of the stream itself.
    pub len: usize,
    /// Bytes of the whole frame.
    pub stored_len: usize,
    /// XXH64 of the whole frame.
    pub checksum: u64,
}

impl Head {
    /// Bytes of all column frames, which follow the head.
    pub fn body_len(&self) -> u64 {
        self.columns
            .iter()
            .flat_map(|c| &c.streams)
            .map(|s| s.frame_len() as u64)
            .sum()
    }

    /// The first column of this number in the directory.
    pub fn place_of(&self, codec: u8) -> Option<usize> {
        self.columns.iter().position(|c| c.codec == codec)
    }

    /// Bytes between the head and the frames of a column.
    pub fn frames_at(&self, column: usize) -> usize {
        let before = self.columns[..column].iter().flat_map(|c| &c.streams);
        before.map(Stream::frame_len).sum()
    }

    /// The sealed frame.
    pub fn write(&self) -> Vec<u8> {
        let mut out = vec![VERSION, self.game, self.coding];
        out.extend_from_slice(&self.text_checksum.to_le_bytes());
        for value in [self.text_len, self.records, self.games] {
            varint::write(&mut out, value as u64);
        }
        varint::write(&mut out, self.plies);
        varint::write(&mut out, self.tag_names.len() as u64);
        for name in &self.tag_names {
            tag_names::write(name, &mut out);
        }
        varint::write(&mut out, self.columns.len() as u64);
        for column in &self.columns {
            column.write(&mut out);
        }
        frame::seal(frame::Kind::Block, &out)
    }

    /// Reads the sealed frame, exactly `bytes`.
    ///
    /// # Errors
    /// Corrupt or unsupported, as the frame's checks find.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let mut input = frame::open(frame::Kind::Block, bytes)?;
        let input = &mut input;
        header::check_version(take_byte(input)?)?;
        let game = take_byte(input)?;
        let coding = take_byte(input)?;
        let text_checksum = take_u64(input)?;
        let text_len = varint::read_limited(input, MAX_BLOCK_TEXT, "a block's text")?;
        let records = varint::read_limited(
            input,
            MAX_BLOCK_VALUES.min(text_len as u64),
            "a block's number of records",
        )?;
        let games = varint::read_limited(input, records as u64, "a block's number of games")?;
        let plies = varint::read_limited(
            input,
            // Each takes a byte of text at least.
            (games * MAX_PLIES).min(text_len) as u64,
            "a block's number of plies",
        )? as u64;
        let names = varint::read_limited(input, MAX_TAG_NAMES, "a block's number of tag names")?;
        let tag_names = (0..names)
            .map(|_| tag_names::read(input))
            .collect::<Result<Vec<_>>>()?;
        if (records * names) as u64 > MAX_BLOCK_VALUES {
            return Err(Error::corrupt("a block's tag table is over the limit"));
        }
        let count = varint::read_limited(input, MAX_COLUMNS, "a block's number of columns")?;
        let columns = (0..count)
            .map(|_| Column::read(input, names))
            .collect::<Result<Vec<_>>>()?;
        if !input.is_empty() {
            return Err(Error::corrupt("bytes are left over in the head of a block"));
        }
        let head = Self {
            game,
            coding,
            text_len,
            text_checksum,
            records,
            games,
            plies,
            tag_names,
            columns,
        };
        head.check_lens()?;
        Ok(head)
    }

    /// Fails if its streams are longer than the text they tell explains: else a few bytes could ask
    /// for all memory.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check_lens(&self) -> Result<()> {
        let streams = self.columns.iter().flat_map(|column| &column.streams);
        let len: u64 = streams.map(|stream| stream.stream_len() as u64).sum();
        if len > MAX_STREAMS_LEN + 4 * self.text_len as u64 {
            return Err(Error::corrupt(
                "the streams of a block are too long for its text",
            ));
        }
        Ok(())
    }
}

impl Column {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(self.codec);
        out.push(self.switches);
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

    fn read(input: &mut &[u8], names: usize) -> Result<Self> {
        let codec = take_byte(input)?;
        let switches = take_byte(input)?;
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
            switches,
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

impl Stream {
    /// What stands in the directory instead of a wrapping.
    const HERE: u8 = 2;
    const HERE_MIXED: u8 = 4;

    /// Bytes of the stream itself.
    pub fn stream_len(&self) -> usize {
        match self {
            Self::Here(bytes) => bytes.len(),
            Self::HereMixed { len, .. } => *len,
            Self::Framed(frame) => frame.len,
        }
    }

    /// Bytes of its frame, none if it has none.
    pub fn frame_len(&self) -> usize {
        match self {
            Self::Here(_) | Self::HereMixed { .. } => 0,
            Self::Framed(frame) => frame.stored_len,
        }
    }

    /// Bytes it takes, in the head or behind it.
    pub fn stored_len(&self) -> usize {
        match self {
            Self::Here(bytes) | Self::HereMixed { codes: bytes, .. } => bytes.len(),
            Self::Framed(frame) => frame.stored_len,
        }
    }

    /// Whether it is told by its contexts.
    pub fn is_mixed(&self) -> bool {
        match self {
            Self::Here(_) => false,
            Self::HereMixed { .. } => true,
            Self::Framed(frame) => frame.wrapping == Wrapping::Mixed,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Here(bytes) => {
                out.push(Self::HERE);
                varint::write(out, bytes.len() as u64);
                out.extend_from_slice(bytes);
            }
            Self::HereMixed { len, codes } => {
                out.push(Self::HERE_MIXED);
                varint::write(out, *len as u64);
                varint::write(out, codes.len() as u64);
                out.extend_from_slice(codes);
            }
            Self::Framed(frame) => {
                out.push(frame.wrapping as u8);
                varint::write(out, frame.len as u64);
                varint::write(out, frame.stored_len as u64);
                out.extend_from_slice(&frame.checksum.to_le_bytes());
            }
        }
    }

    fn read(input: &mut &[u8]) -> Result<Self> {
        let wrapping = match take_byte(input)? {
            0 => Wrapping::Plain,
            1 => Wrapping::Zstd,
            Self::HERE => {
                let len = varint::read_limited(input, MAX_HERE, "a stream's length")?;
                return Ok(Self::Here(take(input, len)?.to_vec()));
            }
            3 => Wrapping::Mixed,
            Self::HERE_MIXED => {
                let len = varint::read_limited(input, MAX_MIXED, "a stream's length")?;
                let codes = varint::read_limited(input, MAX_HERE, "a stream's codes")?;
                check_mixed(len, codes)?;
                let codes = take(input, codes)?.to_vec();
                return Ok(Self::HereMixed { len, codes });
            }
            other => {
                return Err(Error::corrupt(format!(
                    "a stream is wrapped in an unknown way, {other}"
                )));
            }
        };
        // No stream is longer than what it helps to write, with room for
        // streams of small numbers.
        let limit = MAX_BLOCK_TEXT * 2;
        let frame = Frame {
            wrapping,
            len: varint::read_limited(input, limit, "a stream's length")?,
            stored_len: varint::read_limited(input, limit, "a stream's stored length")?,
            checksum: take_u64(input)?,
        };
        if wrapping == Wrapping::Mixed {
            check_mixed(frame.len, frame.stored_len)?;
        }
        Ok(Self::Framed(frame))
    }
}

/// Fails when so few bytes ask for so much to be told by contexts, which takes its time.
///
/// # Errors
/// Corrupt.
fn check_mixed(len: usize, stored: usize) -> Result<()> {
    if len as u64 > MAX_MIXED.min(MAX_MIXED_RATIO * stored as u64) {
        return Err(Error::corrupt(
            "a stream that is told by its contexts is too long",
        ));
    }
    Ok(())
}

/// Takes `len` bytes off the front.
pub(crate) fn take<'a>(input: &mut &'a [u8], len: usize) -> Result<&'a [u8]> {
    let (taken, rest) = input
        .split_at_checked(len)
        .ok_or_else(|| Error::corrupt("a frame's payload is cut off"))?;
    *input = rest;
    Ok(taken)
}

/// Takes one byte off the front.
pub(crate) fn take_byte(input: &mut &[u8]) -> Result<u8> {
    take(input, 1).map(|bytes| bytes[0])
}

/// Takes a little-endian 64-bit number off the front.
pub(crate) fn take_u64(input: &mut &[u8]) -> Result<u64> {
    take(input, CHECKSUM_LEN)
        .map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            game: 0,
            coding: 1,
            text_len: 1000,
            text_checksum: 7,
            records: 3,
            games: 2,
            plies: 99,
            tag_names: vec![b"Event".to_vec(), b"White".to_vec()],
            columns: vec![
                Column {
                    codec: 0,
                    tags: vec![],
                    refs: vec![],
                    switches: 0,
                    streams: vec![
                        Stream::Framed(Frame {
                            wrapping: Wrapping::Zstd,
                            len: 5,
                            stored_len: 17,
                            checksum: 1,
                        }),
                        Stream::Here(b"here".to_vec()),
                        Stream::HereMixed {
                            len: 80,
                            codes: b"codes".to_vec(),
                        },
                    ],
                },
                Column {
                    codec: 16,
                    tags: vec![1, 0],
                    refs: vec![1],
                    switches: 3,
                    streams: vec![],
                },
            ],
        }
    }

    #[test]
    fn a_head_reads_back_and_no_prefix_of_it_does() {
        let bytes = head().write();
        assert_eq!(Head::read(&bytes).unwrap(), head());
        for len in 0..bytes.len() {
            assert!(Head::read(&bytes[..len]).is_err());
        }
        assert_eq!(head().body_len(), 17);
    }

    #[test]
    fn claims_beyond_the_limits_are_refused() {
        let mut bad = head();
        bad.records = 1001;
        assert!(Head::read(&bad.write()).is_err(), "more records than bytes");
        let mut bad = head();
        bad.columns[1].tags[0] = 2;
        assert!(Head::read(&bad.write()).is_err(), "a tag that is not named");
        let mut bad = head();
        bad.columns[1].refs[0] = 2;
        assert!(
            Head::read(&bad.write()).is_err(),
            "a reference that is not named"
        );
        let mut bad = head();
        bad.columns[1].streams = vec![Stream::Here(vec![0; MAX_HERE as usize + 1])];
        assert!(Head::read(&bad.write()).is_err(), "too long to stand here");
        let framed = |count: u64, len: u64| {
            let mut head = head();
            let frame = Frame {
                wrapping: Wrapping::Zstd,
                len: len as usize,
                stored_len: 20,
                checksum: 1,
            };
            head.columns[1].streams = vec![Stream::Framed(frame); count as usize];
            Head::read(&head.write())
        };
        // What the first column has is 89 bytes long.
        let most = MAX_STREAMS_LEN + 4 * 1000 - 89;
        assert!(framed(1, most).is_ok() && framed(4, most / 4).is_ok());
        assert!(
            framed(1, most + 1).is_err(),
            "longer than the text explains"
        );
        assert!(framed(5, most / 4).is_err(), "longer together");
        let mixed = |len, codes: usize| {
            let mut head = head();
            let codes = vec![7; codes];
            head.columns[1].streams = vec![Stream::HereMixed { len, codes }];
            Head::read(&head.write())
        };
        assert!(mixed(160, 10).is_ok());
        assert!(mixed(161, 10).is_err(), "longer than its codes could tell");
        assert!(mixed(1000, 513).is_err(), "too long to stand here");
    }
}
