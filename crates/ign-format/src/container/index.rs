//! The index: the sources of an archive, and the places of its blocks (spec §5).
//!
//! It precedes the footer. The index stores the lengths of blocks and of the gaps between them, and
//! a reader sums them to offsets. A gap holds what appends have superseded: indexes, footers and
//! parity sets.

use std::{
    borrow::Cow,
    ops::{Range, RangeInclusive},
};

use ign_entropy::varint;

use super::{
    Sha256,
    block_head::{self, Prefix},
    bytes::{take, take_array, take_byte, take_u64},
    frame,
    limits::{
        MAX_BLOCK_TEXT, MAX_INDEX_LEN, MAX_SOURCE_NAME_LEN, MAX_SOURCE_NAMES_LEN, MAX_SOURCES,
        max_frames_len,
    },
};
use crate::error::{Error, Result};

/// Maximum length of the index frame in bytes (spec §7).
pub const MAX_FRAME_LEN: u64 = MAX_INDEX_LEN + frame::SEAL_LEN as u64;

/// One input of the archive, or a part of one, which unpacks to its exact bytes (spec §5.1). Its
/// text is in blocks of its own, or in a block with those of other sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Source {
    /// File name, or path with `/` between its components; empty for standard input.
    pub name: Vec<u8>,
    /// Length of its text in bytes, after decompression.
    pub text_len: u64,
    /// Number of its games.
    pub games: u64,
    /// Whether it is a part of an input: an archive was split, or recovered without some of its
    /// blocks.
    pub is_part: bool,
    /// XXH64 of the text of a whole input; `None` if it is not stored. Texts that share a block,
    /// and parts, have the checksums of their blocks alone.
    pub text_checksum: Option<u64>,
    /// SHA-256 of a whole input as it was read, so of the compressed bytes if it was compressed;
    /// `None` if it was not stated when the input was packed.
    pub sha256: Option<Sha256>,
}

/// The kinds of sources (spec §5.1).
mod kind {
    /// A whole input, with the checksum of its text.
    pub const CHECKSUM: u8 = 0;
    /// A part of one.
    pub const PART: u8 = 1;
    /// A whole input, with the checksum of its text and its SHA-256.
    pub const CHECKSUM_SHA256: u8 = 2;
    /// A whole input.
    pub const WHOLE: u8 = 3;
    /// A whole input, with its SHA-256.
    pub const SHA256: u8 = 4;
}

impl Source {
    /// A whole input without checksums.
    #[doc(hidden)]
    pub const fn new(name: Vec<u8>, text_len: u64, games: u64) -> Self {
        Self {
            name,
            text_len,
            games,
            is_part: false,
            text_checksum: None,
            sha256: None,
        }
    }

    /// A part of an input.
    #[doc(hidden)]
    pub const fn part(name: Vec<u8>, text_len: u64, games: u64) -> Self {
        let mut part = Self::new(name, text_len, games);
        part.is_part = true;
        part
    }

    /// The name for messages.
    pub fn title(&self) -> Cow<'_, str> {
        if self.name.is_empty() {
            "standard input".into()
        } else {
            String::from_utf8_lossy(&self.name)
        }
    }

    /// The most bytes that it takes in the index.
    #[doc(hidden)]
    pub fn max_len(&self) -> u64 {
        MAX_SOURCE_LEN + self.name.len() as u64
    }

    fn write(&self, before: &[u8], out: &mut Vec<u8>) {
        let pairs = self.name.iter().zip(before).take(MAX_SHARED);
        let shared = pairs.take_while(|(own, other)| own == other).count();
        out.push(shared as u8);
        let rest = &self.name[shared..];
        varint::write(out, rest.len() as u64);
        out.extend_from_slice(rest);
        varint::write(out, self.text_len);
        varint::write(out, self.games);
        // A part has neither.
        let checksum = self.text_checksum.filter(|_| !self.is_part);
        let sha256 = self.sha256.as_ref().filter(|_| !self.is_part);
        out.push(match (checksum, sha256) {
            _ if self.is_part => kind::PART,
            (Some(_), None) => kind::CHECKSUM,
            (Some(_), Some(_)) => kind::CHECKSUM_SHA256,
            (None, None) => kind::WHOLE,
            (None, Some(_)) => kind::SHA256,
        });
        out.extend(checksum.into_iter().flat_map(u64::to_le_bytes));
        sha256
            .iter()
            .for_each(|sha256| out.extend(sha256.as_bytes()));
    }

    /// Reads a source; `before` is the name of the one before.
    ///
    /// # Errors
    /// Corrupt.
    fn read(input: &mut &[u8], before: &[u8]) -> Result<Self> {
        let shared = usize::from(take_byte(input)?);
        let shared = before
            .get(..shared)
            .ok_or_else(|| Error::corrupt("a name begins with more than the name before"))?;
        let max = MAX_SOURCE_NAME_LEN - shared.len() as u64;
        let len = varint::read_limited(input, max, "the length of a source's name")?;
        let name = [shared, take(input, len)?].concat();
        let (text_len, games) = (varint::read(input)?, varint::read(input)?);
        if games > text_len {
            return Err(Error::corrupt("a source has more games than bytes of text"));
        }
        let kind = take_byte(input)?;
        let (has_checksum, has_sha256) = match kind {
            kind::CHECKSUM => (true, false),
            kind::PART | kind::WHOLE => (false, false),
            kind::CHECKSUM_SHA256 => (true, true),
            kind::SHA256 => (false, true),
            _ => return Err(Error::corrupt("an unknown kind of source")),
        };
        Ok(Self {
            name,
            text_len,
            games,
            is_part: kind == kind::PART,
            text_checksum: has_checksum.then(|| take_u64(input)).transpose()?,
            sha256: has_sha256
                .then(|| take_array(input).map(Sha256::new))
                .transpose()?,
        })
    }
}

/// The most bytes of a name that it shares with the name before.
const MAX_SHARED: usize = u8::MAX as usize;
/// The most bytes of a source in the index without its name: three numbers, two bytes, the
/// checksums, and a share of the number of sources.
const MAX_SOURCE_LEN: u64 = 3 * 10 + 2 + 8 + 32 + 1;

/// The place and the totals of a block (spec §5.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlockEntry {
    /// Offset of the block in the file, in bytes.
    pub offset: u64,
    /// Length of the head frame in bytes.
    pub head_len: u64,
    /// Length of the head and all frames of streams, in bytes.
    pub stored_len: u64,
    /// Length of the text in bytes.
    pub text_len: u64,
    /// Offset of the text in the text of the archive, in bytes.
    pub text_offset: u64,
    /// Number of games.
    pub games: u64,
    /// Zero-based number of the first game in the archive.
    pub first_game: u64,
    /// The checksum that ends the head frame. The head has the checksums of the text and of the
    /// frames of streams, so it identifies the block.
    pub head_checksum: u64,
}

impl BlockEntry {
    /// A block with these lengths and totals, at the start.
    #[doc(hidden)]
    pub fn new(head_len: usize, stored_len: usize, text_len: usize, games: usize) -> Self {
        Self {
            head_len: head_len as u64,
            stored_len: stored_len as u64,
            text_len: text_len as u64,
            games: games as u64,
            ..Self::default()
        }
    }

    /// The bytes of the block in the file.
    pub fn bytes(&self) -> Range<u64> {
        self.offset..self.offset + self.stored_len
    }

    /// Checks that the head of the block with these bytes is the one that the index lists: a block
    /// with the same totals may be in its place. Checksums are not calculated.
    ///
    /// # Errors
    /// Corrupt.
    #[doc(hidden)]
    pub fn check_head(&self, bytes: &[u8]) -> Result<()> {
        let head = usize::try_from(self.head_len)
            .ok()
            .and_then(|len| bytes.get(..len));
        let is_listed = head.is_some_and(|head| {
            frame::skippable_len(head) == Some(self.head_len)
                && frame::stored_checksum(head) == Some(self.head_checksum)
        });
        if is_listed { Ok(()) } else { Err(mismatch()) }
    }

    /// Checks that a block with this prefix has the totals that the index lists.
    ///
    /// # Errors
    /// Corrupt.
    #[doc(hidden)]
    pub fn check_totals(&self, prefix: &Prefix) -> Result<()> {
        if (prefix.text_len as u64, prefix.games as u64) == (self.text_len, self.games) {
            Ok(())
        } else {
            Err(mismatch())
        }
    }

    /// The numbers of its games in the archive, from 1; `None` if it has none.
    pub fn game_numbers(&self) -> Option<RangeInclusive<u64>> {
        (self.games > 0).then(|| self.first_game + 1..=self.first_game + self.games)
    }

    /// Checks the lengths against the limits of the format (spec §7).
    ///
    /// # Errors
    /// Corrupt.
    fn check_limits(&self) -> Result<()> {
        let head = frame::SEAL_LEN as u64..=block_head::MAX_FRAME_LEN;
        let streams = self.stored_len.checked_sub(self.head_len);
        let problem = match streams {
            _ if self.text_len > MAX_BLOCK_TEXT => "a text that is too long",
            _ if self.games > self.text_len => "more games than bytes of text",
            _ if !head.contains(&self.head_len) => "a head of an impossible length",
            None => "a head that is longer than the block",
            Some(len) if len > max_frames_len(self.text_len) => "streams too long for its text",
            Some(_) => return Ok(()),
        };
        Err(Error::corrupt(format!(
            "the index lists a block with {problem}"
        )))
    }
}

/// The error of a block that is not the one that the index describes.
pub fn mismatch() -> Error {
    Error::corrupt("the block does not match its index entry")
}

/// The index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// The sources in input order.
    pub sources: Vec<Source>,
    /// The blocks in file order. Their text is that of the sources, one after the other.
    pub blocks: Vec<BlockEntry>,
}

impl Index {
    /// Number of games in the archive.
    pub fn games(&self) -> u64 {
        self.blocks.last().map_or(0, |b| b.first_game + b.games)
    }

    /// Length of the text of all blocks, in bytes.
    pub fn text_len(&self) -> u64 {
        self.blocks.last().map_or(0, |b| b.text_offset + b.text_len)
    }

    /// Stored length of all blocks, in bytes.
    pub fn stored_len(&self) -> u64 {
        self.blocks.iter().map(|block| block.stored_len).sum()
    }

    /// Zero-based number of the block that holds this zero-based game.
    pub fn block_of_game(&self, game: u64) -> Option<usize> {
        let after = self
            .blocks
            .partition_point(|b| b.first_game + b.games <= game);
        (after < self.blocks.len()).then_some(after)
    }

    /// Writes the index as a sealed frame.
    ///
    /// # Panics
    /// If the payload is 4 GiB or longer. [`write_checked`](Self::write_checked) excludes that.
    pub fn write(&self) -> Vec<u8> {
        frame::seal(frame::Kind::Index, &self.payload())
    }

    /// Writes the index as a sealed frame, if readers accept it.
    ///
    /// # Errors
    /// Unsupported, if it exceeds a limit of the format (spec §7).
    pub fn write_checked(&self) -> Result<Vec<u8>> {
        for source in &self.sources {
            check_name(&source.name)?;
        }
        let names_len = self
            .sources
            .iter()
            .map(|source| source.name.len() as u64)
            .sum();
        if self.sources.len() as u64 > MAX_SOURCES || check_names_len(names_len).is_err() {
            return Err(Error::unsupported(format!(
                "the archive would have {} files with names of {names_len} bytes; the format has room for {MAX_SOURCES} \
                 and {MAX_SOURCE_NAMES_LEN}",
                self.sources.len()
            ))
            .with_remedy("write several archives"));
        }
        let payload = self.payload();
        check_payload_len(payload.len() as u64)?;
        Ok(frame::seal(frame::Kind::Index, &payload))
    }

    fn payload(&self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::write(&mut out, self.sources.len() as u64);
        let mut before: &[u8] = &[];
        for source in &self.sources {
            source.write(before, &mut out);
            before = &source.name;
        }
        varint::write(&mut out, self.blocks.len() as u64);
        let mut end = 0;
        for block in &self.blocks {
            for value in [
                block.offset - end,
                block.head_len,
                block.stored_len,
                block.text_len,
                block.games,
            ] {
                varint::write(&mut out, value);
            }
            out.extend_from_slice(&block.head_checksum.to_le_bytes());
            end = block.offset + block.stored_len;
        }
        out
    }

    /// Reads the index from its sealed frame, which must be all of `bytes`. No block may end
    /// beyond `file_len`.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read(bytes: &[u8], file_len: u64) -> Result<Self> {
        let input = &mut frame::open(frame::Kind::Index, bytes)?;
        let mut index = Self::default();
        // An entry takes at least one byte, so no count exceeds the number of bytes left.
        let max = MAX_SOURCES.min(input.len() as u64);
        let mut names_len = 0;
        for _ in 0..varint::read_limited(input, max, "the number of sources")? {
            let before = index.sources.last().map_or(&[][..], |source| &source.name);
            let source = Source::read(input, before)?;
            names_len += source.name.len() as u64;
            check_names_len(names_len)?;
            index.sources.push(source);
        }
        let (mut end, mut text_offset, mut first_game) = (0u64, 0u64, 0u64);
        for _ in 0..varint::read_limited(input, input.len() as u64, "the number of blocks")? {
            let [gap, head_len, stored_len, text_len, games] = read_array(input)?;
            let offset = within(end.checked_add(gap), file_len)?;
            end = within(offset.checked_add(stored_len), file_len)?;
            let entry = BlockEntry {
                offset,
                head_len,
                stored_len,
                text_len,
                text_offset,
                games,
                first_game,
                head_checksum: take_u64(input)?,
            };
            entry.check_limits()?;
            index.blocks.push(entry);
            text_offset = within(text_offset.checked_add(text_len), u64::MAX)?;
            first_game = within(first_game.checked_add(games), u64::MAX)?;
        }
        if !input.is_empty() {
            return Err(Error::corrupt("the index has excess bytes"));
        }
        index.check_sums()?;
        Ok(index)
    }

    /// Checks that sources and blocks have the same text and the same games, as far as the ends of
    /// blocks say.
    fn check_sums(&self) -> Result<()> {
        let contradict = || Error::corrupt("sources and blocks of the index contradict each other");
        let mut blocks = self.blocks.iter().peekable();
        let (mut text, mut games) = (0u64, 0u64);
        for source in &self.sources {
            let ends = text
                .checked_add(source.text_len)
                .zip(games.checked_add(source.games));
            (text, games) = ends.ok_or_else(contradict)?;
            while blocks
                .next_if(|block| block.text_offset + block.text_len < text)
                .is_some()
            {}
            // The block that has the last byte of the sources so far.
            let may_be = blocks.peek().map_or(0..=self.games(), |block| {
                let end = block.first_game + block.games;
                if block.text_offset + block.text_len == text {
                    end..=end
                } else {
                    block.first_game..=end
                }
            });
            if text > 0 && !may_be.contains(&games) || text == 0 && games > 0 {
                return Err(contradict());
            }
        }
        if games != self.games() || text != self.text_len() {
            return Err(contradict());
        }
        Ok(())
    }
}

/// Checks the length of the name of a source.
///
/// # Errors
/// Usage, if it exceeds the limit of the format (spec §7).
pub fn check_name(name: &[u8]) -> Result<()> {
    if name.len() as u64 <= MAX_SOURCE_NAME_LEN {
        Ok(())
    } else {
        Err(Error::usage(format!(
            "the name of an input has {} bytes; the format has room for {MAX_SOURCE_NAME_LEN}",
            name.len()
        ))
        .with_remedy("give it a shorter name"))
    }
}

/// Checks the length of the names of all sources.
fn check_names_len(len: u64) -> Result<()> {
    if len <= MAX_SOURCE_NAMES_LEN {
        Ok(())
    } else {
        Err(Error::corrupt(
            "the names of the sources are too long together",
        ))
    }
}

/// Checks the length of the index payload.
fn check_payload_len(len: u64) -> Result<()> {
    if len <= MAX_INDEX_LEN {
        Ok(())
    } else {
        Err(Error::unsupported(format!(
            "the index would have {len} bytes; the format has room for {MAX_INDEX_LEN}"
        ))
        .with_remedy("use larger blocks, or several archives"))
    }
}

fn read_array<const N: usize>(input: &mut &[u8]) -> Result<[u64; N]> {
    let mut values = [0; N];
    for value in &mut values {
        *value = varint::read(input)?;
    }
    Ok(values)
}

/// The position, if it did not overflow and is at most `limit`.
fn within(position: Option<u64>, limit: u64) -> Result<u64> {
    position
        .filter(|&p| p <= limit)
        .ok_or_else(|| Error::corrupt("the index points beyond the end of the file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> Index {
        let block = |n: u64| BlockEntry {
            offset: 100 + n * 50,
            head_len: 20,
            stored_len: 50,
            text_len: 1000,
            text_offset: n * 1000,
            games: 3,
            first_game: n * 3,
            head_checksum: u64::MAX - n,
        };
        Index {
            sources: vec![Source {
                name: b"a.pgn".to_vec(),
                text_len: 2000,
                games: 6,
                text_checksum: Some(9),
                ..Source::default()
            }],
            blocks: vec![block(0), block(1)],
        }
    }

    #[test]
    fn indexes_round_trip_and_find_the_block_of_a_game() {
        let sha256 = Some(Sha256::new(std::array::from_fn(|i| i as u8)));
        let bare_len = index().write().len() - 8;
        for (is_part, text_checksum, sha256, len) in [
            (true, None, None, 0),
            (false, None, None, 0),
            (false, Some(9), None, 8),
            (false, None, sha256, 32),
            (false, Some(9), sha256, 40),
        ] {
            let mut index = index();
            let source = &mut index.sources[0];
            (source.is_part, source.text_checksum, source.sha256) =
                (is_part, text_checksum, sha256);
            let bytes = index.write();
            assert_eq!(bytes.len(), bare_len + len);
            assert_eq!(Index::read(&bytes, 1000).unwrap(), index);
        }
        let bytes = index().write();
        let back = Index::read(&bytes, 1000).unwrap();
        assert_eq!(back, index());
        assert_eq!((back.games(), back.text_len()), (6, 2000));
        let found: Vec<_> = (0..7).map(|g| back.block_of_game(g)).collect();
        assert_eq!(
            found,
            [Some(0), Some(0), Some(0), Some(1), Some(1), Some(1), None]
        );
    }

    #[test]
    fn blocks_with_equal_totals_differ_by_the_checksum_of_their_heads() {
        let heads = [&b"one"[..], b"two"].map(|payload| frame::seal(frame::Kind::Block, payload));
        let entry = BlockEntry {
            head_len: heads[0].len() as u64,
            head_checksum: frame::stored_checksum(&heads[0]).unwrap(),
            ..BlockEntry::default()
        };
        let block = |head: &[u8]| [head, b"streams"].concat();
        entry.check_head(&block(&heads[0])).unwrap();
        assert!(entry.check_head(&block(&heads[1])).is_err());
        assert!(entry.check_head(&heads[0][1..]).is_err());
        let longer = frame::seal(frame::Kind::Block, b"longer");
        let of_another_length = [&longer[..8], &heads[0][8..]].concat();
        assert!(entry.check_head(&of_another_length).is_err());
    }

    #[test]
    fn rejects_blocks_beyond_the_limits() {
        let read = |change: &dyn Fn(&mut BlockEntry)| {
            let mut index = index();
            index.blocks.truncate(1);
            change(&mut index.blocks[0]);
            let BlockEntry {
                text_len, games, ..
            } = index.blocks[0];
            (index.sources[0].text_len, index.sources[0].games) = (text_len, games.min(text_len));
            Index::read(&index.write(), u64::MAX)
        };
        let message = |change: &dyn Fn(&mut BlockEntry)| {
            let error = read(change).unwrap_err();
            error.message().replace("the index lists a block with ", "")
        };
        read(&|_| ()).unwrap();
        read(&|block| block.text_len = MAX_BLOCK_TEXT).unwrap();
        let too_long = message(&|block| block.text_len = MAX_BLOCK_TEXT + 1);
        assert_eq!(too_long, "a text that is too long");
        read(&|block| block.games = 1000).unwrap();
        let games = message(&|block| block.games = 1001);
        assert_eq!(games, "more games than bytes of text");
        for len in [frame::SEAL_LEN as u64 - 1, block_head::MAX_FRAME_LEN + 1] {
            let head = message(&|block| {
                block.head_len = len;
                block.stored_len = len;
            });
            assert_eq!(head, "a head of an impossible length");
        }
        let head = message(&|block| block.head_len = 51);
        assert_eq!(head, "a head that is longer than the block");
        let max = 20 + max_frames_len(1000);
        read(&|block| block.stored_len = max).unwrap();
        let streams = message(&|block| block.stored_len = max + 1);
        assert_eq!(streams, "streams too long for its text");
    }

    #[test]
    fn writes_no_index_that_readers_reject() {
        let mut named = index();
        named.sources[0].name = vec![b'a'; 1 << 16];
        let bytes = named.write_checked().unwrap();
        assert_eq!(Index::read(&bytes, 1000).unwrap(), named);
        named.sources[0].name.push(b'a');
        assert!(Index::read(&named.write(), 1000).is_err());
        let error = named.write_checked().unwrap_err();
        assert_eq!(error.kind(), crate::error::Kind::Usage);
        check_payload_len(MAX_INDEX_LEN).unwrap();
        assert!(check_payload_len(MAX_INDEX_LEN + 1).is_err());
    }

    #[test]
    fn rejects_contradictions_and_blocks_beyond_the_file() {
        assert!(Index::read(&index().write(), 150).is_err());
        for (text_len, games) in [(1999, 6), (2000, 5), (2000, 2001)] {
            let mut bad = index();
            (bad.sources[0].text_len, bad.sources[0].games) = (text_len, games);
            assert!(Index::read(&bad.write(), 1000).is_err());
        }
    }

    #[test]
    fn names_share_their_first_bytes_with_the_name_before() {
        let long = "x".repeat(300);
        let names = [
            "", "a/1.pgn", "a/12.pgn", "a/12.pgn", "a/1", "b", &long, &long,
        ];
        let named = |name: &str| Source {
            name: name.into(),
            ..Source::default()
        };
        let mut index = index();
        index.sources.extend(names.map(named));
        let bytes = index.write();
        assert_eq!(Index::read(&bytes, 1000).unwrap(), index);
        let at = memchr::memmem::find(&bytes, b"\x03\x052.pgn\0\0\x03\x08\0").unwrap();
        // More than the name before has.
        let mut payload = bytes[12..bytes.len() - 8].to_vec();
        payload[at - 12] = 8;
        let bad = frame::seal(frame::Kind::Index, &payload);
        assert!(Index::read(&bad, 1000).is_err());
    }

    #[test]
    fn games_of_sources_agree_with_the_blocks_in_which_they_end() {
        // Two blocks of 1,000 bytes and 3 games.
        let read = |sources: &[(u64, u64)]| {
            let source = |&(text_len, games): &(u64, u64)| Source {
                text_len,
                games,
                ..Source::default()
            };
            let sources = sources.iter().map(source).collect();
            Index::read(&Index { sources, ..index() }.write(), 1000).is_ok()
        };
        assert!(read(&[(1000, 3), (0, 0), (1000, 3)]));
        assert!(read(&[
            (0, 0),
            (999, 3),
            (1, 0),
            (500, 1),
            (500, 2),
            (0, 0)
        ]));
        assert!(read(&[(990, 0), (10, 3), (1000, 3)]));
        assert!(!read(&[(1000, 2), (1000, 4)]));
        assert!(!read(&[(1000, 4), (1000, 2)]));
        assert!(!read(&[(999, 4), (1001, 2)]));
        assert!(!read(&[(1001, 2), (999, 4)]));
        assert!(!read(&[(1000, 3), (0, 1), (1000, 2)]));
    }
}
