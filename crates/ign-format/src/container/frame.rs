//! Sealed frames: skippable zstd frames of our own kinds, checksummed.
//!
//! ```text
//! 4 bytes  0x184D2A5A, little-endian: a skippable frame
//! 4 bytes  length of all that follows, little-endian
//! 4 bytes  kind: "ignH", "ignM", "ignB", "ignI", "ignF", "ignE"
//! n bytes  payload
//! 8 bytes  XXH64 of every byte of the frame before this
//! ```
//!
//! Column streams that are not zstd frames travel in *plain* skippable frames:
//! the eight bytes of magic and length, then the stream. Their checksum stands
//! in the block's directory, as that of zstd frames does.

use zstd::zstd_safe::{find_frame_compressed_size, get_frame_content_size};

use crate::container::{CHECKSUM_LEN, checksum};
use crate::error::{Error, Result};

/// First four bytes of our skippable frames (spec §1.1).
pub const SKIPPABLE_MAGIC: u32 = 0x184D_2A5A;
/// First four bytes of a zstd frame.
pub const ZSTD_MAGIC: u32 = 0xFD2F_B528;
/// Bytes of magic and length before the content of a skippable frame.
pub const SKIPPABLE_HEADER_LEN: usize = 8;
/// Bytes of a sealed frame that are not payload (spec §1.1).
pub const SEAL_LEN: usize = SKIPPABLE_HEADER_LEN + KIND_LEN + CHECKSUM_LEN;
const KIND_LEN: usize = 4;

/// What a sealed frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The first frame of a file.
    Header,
    /// Who packed it, with what options.
    Meta,
    /// The head and directory of a block; its column frames follow.
    Block,
    /// Sources and blocks.
    Index,
    /// The last frame of a file.
    Footer,
    /// The intervals of an endgame, in a file of their own.
    Endgame,
}

impl Kind {
    /// The four bytes that stand for it in the frame.
    pub const fn tag(self) -> [u8; KIND_LEN] {
        match self {
            Kind::Header => *b"ignH",
            Kind::Meta => *b"ignM",
            Kind::Block => *b"ignB",
            Kind::Index => *b"ignI",
            Kind::Footer => *b"ignF",
            Kind::Endgame => *b"ignE",
        }
    }

    /// The word people read for it.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Header => "header",
            Kind::Meta => "meta",
            Kind::Block => "block",
            Kind::Index => "index",
            Kind::Footer => "footer",
            Kind::Endgame => "endgame",
        }
    }
}

/// Wraps a payload into a sealed frame.
///
/// # Panics
/// When the payload exceeds 4 GiB, which every limit of the format rules out.
pub fn seal(kind: Kind, payload: &[u8]) -> Vec<u8> {
    let content = KIND_LEN + payload.len() + CHECKSUM_LEN;
    let mut out = Vec::with_capacity(SKIPPABLE_HEADER_LEN + content);
    write_skippable_header(&mut out, content);
    out.extend_from_slice(&kind.tag());
    out.extend_from_slice(payload);
    let sum = checksum(&out);
    out.extend_from_slice(&sum.to_le_bytes());
    out
}

/// Appends magic and length of a skippable frame with `content` bytes.
///
/// # Panics
/// When `content` exceeds 4 GiB, which every limit of the format rules out.
pub fn write_skippable_header(out: &mut Vec<u8>, content: usize) {
    let content = u32::try_from(content).expect("frames are far below 4 GiB");
    out.extend_from_slice(&SKIPPABLE_MAGIC.to_le_bytes());
    out.extend_from_slice(&content.to_le_bytes());
}

/// Whether these bytes are one zstd frame whose header tells that it holds so many: asked before
/// memory is set aside for them.
pub fn is_zstd_of(bytes: &[u8], len: usize) -> bool {
    bytes.starts_with(&ZSTD_MAGIC.to_le_bytes())
        && get_frame_content_size(bytes).is_ok_and(|told| told == Some(len as u64))
        && find_frame_compressed_size(bytes) == Ok(bytes.len())
}

/// The whole length of the skippable frame that starts with these bytes, if
/// it is one of ours.
pub fn skippable_len(head: &[u8]) -> Option<u64> {
    let (magic, rest) = head.split_first_chunk()?;
    let (len, _) = rest.split_first_chunk()?;
    (u32::from_le_bytes(*magic) == SKIPPABLE_MAGIC)
        .then(|| SKIPPABLE_HEADER_LEN as u64 + u64::from(u32::from_le_bytes(*len)))
}

/// Checks a sealed frame and gives its payload.
///
/// # Errors
/// Corrupt when `bytes` is not exactly one frame of this kind with a true
/// checksum.
pub fn open(kind: Kind, bytes: &[u8]) -> Result<&[u8]> {
    let name = kind.name();
    let len = skippable_len(bytes)
        .ok_or_else(|| Error::corrupt(format!("no {name} frame where one belongs")))?;
    if len != bytes.len() as u64 || bytes.len() < SEAL_LEN {
        return Err(Error::corrupt(format!(
            "the {name} frame says it has {len} bytes where {} are",
            bytes.len()
        )));
    }
    let (sealed, sum) = bytes.split_at(bytes.len() - CHECKSUM_LEN);
    if sealed[SKIPPABLE_HEADER_LEN..][..KIND_LEN] != kind.tag() {
        return Err(Error::corrupt(format!("no {name} frame where one belongs")));
    }
    if checksum(sealed).to_le_bytes() != sum {
        return Err(Error::corrupt(format!(
            "the checksum of the {name} frame differs"
        )));
    }
    Ok(&sealed[SKIPPABLE_HEADER_LEN + KIND_LEN..])
}

/// Whether these first bytes are those of a sealed frame of this kind.
pub fn is_kind(head: &[u8], kind: Kind) -> bool {
    skippable_len(head).is_some()
        && head
            .get(SKIPPABLE_HEADER_LEN..)
            .is_some_and(|rest| rest.starts_with(&kind.tag()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_frame_opens_and_any_flipped_bit_closes_it() {
        let frame = seal(Kind::Meta, b"payload");
        assert_eq!(frame.len(), 7 + SEAL_LEN);
        assert_eq!(open(Kind::Meta, &frame).unwrap(), b"payload");
        assert!(open(Kind::Block, &frame).is_err());
        for bit in 0..frame.len() * 8 {
            let mut bad = frame.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(open(Kind::Meta, &bad).is_err(), "bit {bit}");
        }
        for len in 0..frame.len() {
            assert!(open(Kind::Meta, &frame[..len]).is_err());
        }
    }
}
