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
    Sha256, block_head,
    bytes::{take, take_array, take_byte, take_u64},
    frame,
    limits::{MAX_BLOCK_TEXT, MAX_INDEX_LEN, MAX_SOURCE_NAME_LEN, max_frames_len},
};
use crate::error::{Error, Result};

/// Maximum length of the index frame in bytes (spec §7).
pub const MAX_FRAME_LEN: u64 = MAX_INDEX_LEN + frame::SEAL_LEN as u64;

/// One input of the archive, or a part of one, which unpacks to its exact bytes (spec §5.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// File name, or path with `/` between its components; empty for standard input.
    pub name: Vec<u8>,
    /// Length of its text in bytes, after decompression.
    pub text_len: u64,
    /// Whether it is a part of an input: an archive was split, or recovered without some of its
    /// blocks.
    pub is_part: bool,
    /// The [`SourceChecksum`](super::SourceChecksum): XXH64 of its text, or for a part that of the
    /// checksums of its blocks.
    pub text_checksum: u64,
    /// SHA-256 of a whole input as it was read, so of the compressed bytes if it was compressed; `None` if it
    /// was not stated when the input was packed.
    pub sha256: Option<Sha256>,
    /// Number of its blocks.
    pub blocks: u64,
}

/// The kinds of sources (spec §5.1).
mod kind {
    /// A whole input.
    pub const WHOLE: u8 = 0;
    /// A part of one.
    pub const PART: u8 = 1;
    /// A whole input whose SHA-256 is stored.
    pub const WHOLE_SHA256: u8 = 2;
}

impl Source {
    /// The name for messages.
    pub fn title(&self) -> Cow<'_, str> {
        if self.name.is_empty() {
            "standard input".into()
        } else {
            String::from_utf8_lossy(&self.name)
        }
    }

    /// Bytes that its SHA-256 takes in the index.
    pub fn sha256_len(&self) -> usize {
        self.sha256.map_or(0, |sha256| sha256.0.len())
    }

    /// Number of its blocks, for what is in memory.
    pub fn block_count(&self) -> usize {
        usize::try_from(self.blocks).unwrap_or(usize::MAX)
    }
}

/// The place and the totals of a block (spec §5.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
    /// The bytes of the block in the file.
    pub fn bytes(&self) -> Range<u64> {
        self.offset..self.offset + self.stored_len
    }

    /// Checks that the head of the block with these bytes is the one that the index lists: a block
    /// with the same totals may be in its place. Checksums are not calculated.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check_head(&self, bytes: &[u8]) -> Result<()> {
        let head = usize::try_from(self.head_len)
            .ok()
            .and_then(|len| bytes.get(..len));
        let is_listed = head.is_some_and(|head| {
            frame::skippable_len(head) == Some(self.head_len)
                && frame::stored_checksum(head) == Some(self.head_checksum)
        });
        if is_listed {
            Ok(())
        } else {
            Err(Error::corrupt("block and index contradict each other"))
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

/// The index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index {
    /// The sources in input order.
    pub sources: Vec<Source>,
    /// The blocks in file order: those of the first source first.
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
        let payload = self.payload();
        check_payload_len(payload.len() as u64)?;
        Ok(frame::seal(frame::Kind::Index, &payload))
    }

    fn payload(&self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::write(&mut out, self.sources.len() as u64);
        for source in &self.sources {
            varint::write(&mut out, source.name.len() as u64);
            out.extend_from_slice(&source.name);
            varint::write(&mut out, source.text_len);
            let sha256 = source.sha256.as_ref().filter(|_| !source.is_part);
            out.push(match sha256 {
                _ if source.is_part => kind::PART,
                None => kind::WHOLE,
                Some(_) => kind::WHOLE_SHA256,
            });
            out.extend_from_slice(&source.text_checksum.to_le_bytes());
            out.extend(sha256.into_iter().flat_map(|sha256| sha256.0));
            varint::write(&mut out, source.blocks);
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
        for _ in 0..varint::read_limited(input, input.len() as u64, "the number of sources")? {
            let len =
                varint::read_limited(input, MAX_SOURCE_NAME_LEN, "the length of a source's name")?;
            let name = take(input, len)?.to_vec();
            let text_len = varint::read(input)?;
            let kind = take_byte(input)?;
            if !matches!(kind, kind::WHOLE | kind::PART | kind::WHOLE_SHA256) {
                return Err(Error::corrupt("an unknown kind of source"));
            }
            index.sources.push(Source {
                name,
                text_len,
                is_part: kind == kind::PART,
                text_checksum: take_u64(input)?,
                sha256: (kind == kind::WHOLE_SHA256)
                    .then(|| take_array(input).map(Sha256))
                    .transpose()?,
                blocks: varint::read(input)?,
            });
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

    /// Checks that sources and blocks add up to the same number of blocks and the same text.
    fn check_sums(&self) -> Result<()> {
        let blocks: u128 = self.sources.iter().map(|s| u128::from(s.blocks)).sum();
        let text: u128 = self.sources.iter().map(|s| u128::from(s.text_len)).sum();
        if blocks != self.blocks.len() as u128 || text != u128::from(self.text_len()) {
            return Err(Error::corrupt(
                "sources and blocks of the index contradict each other",
            ));
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
                is_part: false,
                text_checksum: 9,
                sha256: None,
                blocks: 2,
            }],
            blocks: vec![block(0), block(1)],
        }
    }

    #[test]
    fn indexes_round_trip_and_find_the_block_of_a_game() {
        let mut part = index();
        part.sources[0].is_part = true;
        assert_eq!(Index::read(&part.write(), 1000).unwrap(), part);
        let mut stated = index();
        stated.sources[0].sha256 = Some(Sha256(std::array::from_fn(|i| i as u8)));
        let bytes = stated.write();
        assert_eq!(bytes.len(), index().write().len() + 32);
        assert_eq!(Index::read(&bytes, 1000).unwrap(), stated);
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
            index.sources[0].blocks = 1;
            index.sources[0].text_len = index.blocks[0].text_len;
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
        let mut bad = index();
        bad.sources[0].blocks = 3;
        assert!(Index::read(&bad.write(), 1000).is_err());
        let mut bad = index();
        bad.sources[0].text_len = 1999;
        assert!(Index::read(&bad.write(), 1000).is_err());
    }
}
