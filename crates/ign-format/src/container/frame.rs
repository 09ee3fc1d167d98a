//! Frames: sealed frames of this format, and plain skippable frames of zstd (spec §1).
//!
//! A *sealed* frame is a skippable frame with a kind and a checksum:
//!
//! ```text
//! 4 bytes  0x184D2A5A, little-endian: the magic number of a skippable frame
//! 4 bytes  length of the rest, little-endian
//! 4 bytes  kind: "ignC", "ignM", "ignB", "ignI", "ignF", "ignA", "ignP", "ignR", "ignT", "ignE",
//!          "ignS", "ignD" or "ignX"
//! n bytes  payload
//! 8 bytes  XXH64 of all preceding bytes of the frame
//! ```
//!
//! A *plain* frame holds a stream that zstd does not compress: magic number and length, then the
//! stream. The directory of the block has its checksum, as it has those of zstd frames.

use zstd::zstd_safe::{find_frame_compressed_size, get_frame_content_size};

use super::{CHECKSUM_LEN, checksum};
use crate::error::{Error, Result};

/// Magic number of the skippable frames of this format (spec §1.1).
pub const SKIPPABLE_MAGIC: u32 = 0x184D_2A5A;
/// Magic number of a zstd frame (spec §1).
pub const ZSTD_MAGIC: u32 = 0xFD2F_B528;
/// Length of magic number and length of a skippable frame, in bytes (spec §1.1).
pub const SKIPPABLE_HEADER_LEN: usize = 8;
/// Length of the kind of a sealed frame, in bytes (spec §1.1).
pub const KIND_LEN: usize = 4;
/// Length of what precedes the payload of a sealed frame, in bytes (spec §1.1).
pub const PREFIX_LEN: usize = SKIPPABLE_HEADER_LEN + KIND_LEN;
/// Number of bytes of a sealed frame that are not payload (spec §1.1).
pub const SEAL_LEN: usize = PREFIX_LEN + CHECKSUM_LEN;

/// What a sealed frame holds (spec §1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The header: the first frame of an archive.
    Header,
    /// The header of an archive of a draft of the format (spec §12).
    Draft,
    /// The metadata record.
    Meta,
    /// The head of a block.
    Block,
    /// The index: sources and blocks.
    Index,
    /// The footer: the last frame of an archive without parity.
    Footer,
    /// The mark at the start of an append.
    Append,
    /// A part of the description of a parity set.
    Parity,
    /// A recovery shard of a parity set.
    Recovery,
    /// The trailer: the last frame of a parity set.
    Trailer,
    /// The intervals of an endgame, in a file of their own.
    Endgame,
    /// A section of a search index, in a file of its own.
    Section,
    /// The directory of a search index.
    Directory,
    /// The last frame of a search index.
    IndexEnd,
}

impl Kind {
    /// The kinds of an archive.
    pub const OF_ARCHIVE: [Self; 9] = [
        Self::Header,
        Self::Meta,
        Self::Block,
        Self::Index,
        Self::Footer,
        Self::Append,
        Self::Parity,
        Self::Recovery,
        Self::Trailer,
    ];

    /// The kind of the frame that starts with these bytes, if it is a sealed frame of an archive.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        Self::OF_ARCHIVE
            .into_iter()
            .find(|&kind| is_kind(bytes, kind))
    }

    /// The four bytes that name the kind in the frame.
    pub const fn tag(self) -> [u8; KIND_LEN] {
        match self {
            Kind::Header => *b"ignC",
            Kind::Draft => *b"ignH",
            Kind::Meta => *b"ignM",
            Kind::Block => *b"ignB",
            Kind::Index => *b"ignI",
            Kind::Footer => *b"ignF",
            Kind::Append => *b"ignA",
            Kind::Parity => *b"ignP",
            Kind::Recovery => *b"ignR",
            Kind::Trailer => *b"ignT",
            Kind::Endgame => *b"ignE",
            Kind::Section => *b"ignS",
            Kind::Directory => *b"ignD",
            Kind::IndexEnd => *b"ignX",
        }
    }

    /// The name for messages and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Header => "header",
            Kind::Draft => "header of a draft",
            Kind::Meta => "meta",
            Kind::Block => "block",
            Kind::Index => "index",
            Kind::Footer => "footer",
            Kind::Append => "append mark",
            Kind::Parity => "parity",
            Kind::Recovery => "recovery",
            Kind::Trailer => "trailer",
            Kind::Endgame => "endgame",
            Kind::Section => "section",
            Kind::Directory => "directory",
            Kind::IndexEnd => "index end",
        }
    }
}

/// Writes a payload as a sealed frame.
///
/// # Panics
/// If the payload is 4 GiB or longer. The limits of the format exclude that.
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

/// Checks a sealed frame and returns its payload.
///
/// # Errors
/// Corrupt, if `bytes` is not exactly one frame of this kind with a correct checksum.
pub fn open(kind: Kind, bytes: &[u8]) -> Result<&[u8]> {
    let name = kind.name();
    let missing = || Error::corrupt(format!("no {name} frame where one is expected"));
    let len = skippable_len(bytes).ok_or_else(missing)?;
    if len != bytes.len() as u64 || bytes.len() < SEAL_LEN {
        return Err(Error::corrupt(format!(
            "the {name} frame states a length of {len} bytes; it has {}",
            bytes.len()
        )));
    }
    let (sealed, sum) = bytes.split_at(bytes.len() - CHECKSUM_LEN);
    if sealed[SKIPPABLE_HEADER_LEN..][..KIND_LEN] != kind.tag() {
        return Err(missing());
    }
    if checksum(sealed).to_le_bytes() != sum {
        return Err(Error::corrupt(format!(
            "the checksum of the {name} frame differs"
        )));
    }
    Ok(&sealed[PREFIX_LEN..])
}

/// The checksum that ends a sealed frame, which must be all of `bytes`. It is not compared with
/// them.
pub fn stored_checksum(bytes: &[u8]) -> Option<u64> {
    let sum = bytes.last_chunk::<CHECKSUM_LEN>();
    sum.map(|&sum| u64::from_le_bytes(sum))
}

/// Whether these bytes begin like a sealed frame of this kind.
pub fn is_kind(bytes: &[u8], kind: Kind) -> bool {
    skippable_len(bytes).is_some()
        && bytes
            .get(SKIPPABLE_HEADER_LEN..)
            .is_some_and(|rest| rest.starts_with(&kind.tag()))
}

/// Appends magic number and length of a skippable frame with `content` bytes.
///
/// # Panics
/// If `content` is 4 GiB or more. The limits of the format exclude that.
pub fn write_skippable_header(out: &mut Vec<u8>, content: usize) {
    let content = u32::try_from(content).expect("frames are far below 4 GiB");
    out.extend_from_slice(&SKIPPABLE_MAGIC.to_le_bytes());
    out.extend_from_slice(&content.to_le_bytes());
}

/// The length in bytes of the whole skippable frame that starts with these bytes, or `None` if
/// they do not start a skippable frame of this format.
pub fn skippable_len(bytes: &[u8]) -> Option<u64> {
    let (magic, rest) = bytes.split_first_chunk()?;
    let (len, _) = rest.split_first_chunk()?;
    (u32::from_le_bytes(*magic) == SKIPPABLE_MAGIC)
        .then(|| SKIPPABLE_HEADER_LEN as u64 + u64::from(u32::from_le_bytes(*len)))
}

/// Whether these bytes are one zstd frame whose header states a content of `len` bytes. Readers
/// check this before they allocate `len` bytes.
pub fn is_zstd_of(bytes: &[u8], len: usize) -> bool {
    bytes.starts_with(&ZSTD_MAGIC.to_le_bytes())
        && get_frame_content_size(bytes).is_ok_and(|stated| stated == Some(len as u64))
        && find_frame_compressed_size(bytes) == Ok(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_frames_round_trip_and_reject_every_flipped_bit() {
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
