//! Descriptions of a column's streams in the directory of a block (spec §3.3).
//!
//! A short stream is *inline*: the directory holds its bytes. A longer one is *framed*: the
//! directory holds the length and checksum of a frame after the head. Either form may be
//! *mixed*, which means that a text model with context mixing compresses the bytes (spec §9.6).
//! This module reads and writes descriptions; `columns::storage` compresses and decompresses.

use ign_entropy::varint;

use super::{
    MAX_INLINE_LEN, MAX_MIXED_LEN, MAX_MIXED_RATIO, MAX_STREAM_LEN,
    bytes::{take, take_byte, take_u64},
};
use crate::error::{Error, Result};

/// How the frame of a stream holds its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// A skippable frame with the bytes as they are.
    None,
    /// A zstd frame.
    Zstd,
    /// A skippable frame with range coder codes of the
    /// [text model](ign_entropy::text_model).
    Mixed,
}

/// One stream of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stream {
    /// The bytes of the stream, in the directory.
    Inline(Vec<u8>),
    /// Codes of the text model, in the directory.
    InlineMixed {
        /// Length of the decoded stream in bytes.
        len: usize,
        /// Codes of the range coder.
        codes: Vec<u8>,
    },
    /// A frame after the head.
    Framed(Frame),
}

/// The description of a stream's frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// How the frame holds the stream.
    pub compression: Compression,
    /// Length of the decoded stream in bytes.
    pub len: usize,
    /// Length of the whole frame in bytes.
    pub stored_len: usize,
    /// XXH64 of the whole frame.
    pub checksum: u64,
}

/// The first byte of a stream's description (spec §3.3).
mod storage_byte {
    pub const FRAME: u8 = 0;
    pub const ZSTD_FRAME: u8 = 1;
    pub const INLINE: u8 = 2;
    pub const MIXED_FRAME: u8 = 3;
    pub const INLINE_MIXED: u8 = 4;
}

impl Stream {
    /// Length of the decoded stream in bytes.
    pub fn stream_len(&self) -> usize {
        match self {
            Self::Inline(bytes) => bytes.len(),
            Self::InlineMixed { len, .. } => *len,
            Self::Framed(frame) => frame.len,
        }
    }

    /// Length of its frame in bytes; 0 if it is inline.
    pub fn frame_len(&self) -> usize {
        match self {
            Self::Inline(_) | Self::InlineMixed { .. } => 0,
            Self::Framed(frame) => frame.stored_len,
        }
    }

    /// Number of bytes that it takes in the head or after it, without its description.
    pub fn stored_len(&self) -> usize {
        match self {
            Self::Inline(bytes) | Self::InlineMixed { codes: bytes, .. } => bytes.len(),
            Self::Framed(frame) => frame.stored_len,
        }
    }

    /// Whether the text model compresses it.
    pub fn is_mixed(&self) -> bool {
        match self {
            Self::Inline(_) => false,
            Self::InlineMixed { .. } => true,
            Self::Framed(frame) => frame.compression == Compression::Mixed,
        }
    }

    /// Appends its description.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Inline(bytes) => {
                out.push(storage_byte::INLINE);
                varint::write(out, bytes.len() as u64);
                out.extend_from_slice(bytes);
            }
            Self::InlineMixed { len, codes } => {
                out.push(storage_byte::INLINE_MIXED);
                varint::write(out, *len as u64);
                varint::write(out, codes.len() as u64);
                out.extend_from_slice(codes);
            }
            Self::Framed(frame) => {
                out.push(match frame.compression {
                    Compression::None => storage_byte::FRAME,
                    Compression::Zstd => storage_byte::ZSTD_FRAME,
                    Compression::Mixed => storage_byte::MIXED_FRAME,
                });
                varint::write(out, frame.len as u64);
                varint::write(out, frame.stored_len as u64);
                out.extend_from_slice(&frame.checksum.to_le_bytes());
            }
        }
    }

    /// Reads a description.
    ///
    /// # Errors
    /// Corrupt, if it is truncated, of an unknown form, or exceeds a limit.
    pub(super) fn read(input: &mut &[u8]) -> Result<Self> {
        let compression = match take_byte(input)? {
            storage_byte::FRAME => Compression::None,
            storage_byte::ZSTD_FRAME => Compression::Zstd,
            storage_byte::MIXED_FRAME => Compression::Mixed,
            storage_byte::INLINE => {
                let len = varint::read_limited(input, MAX_INLINE_LEN, "a stream's length")?;
                return Ok(Self::Inline(take(input, len)?.to_vec()));
            }
            storage_byte::INLINE_MIXED => {
                let len = varint::read_limited(input, MAX_MIXED_LEN, "a stream's length")?;
                let codes = varint::read_limited(input, MAX_INLINE_LEN, "a stream's codes")?;
                check_mixed(len, codes)?;
                let codes = take(input, codes)?.to_vec();
                return Ok(Self::InlineMixed { len, codes });
            }
            other => {
                return Err(Error::corrupt(format!(
                    "a stream is stored in an unknown way, {other}"
                )));
            }
        };
        let frame = Frame {
            compression,
            len: varint::read_limited(input, MAX_STREAM_LEN, "a stream's length")?,
            stored_len: varint::read_limited(input, MAX_STREAM_LEN, "a stream's stored length")?,
            checksum: take_u64(input)?,
        };
        if compression == Compression::Mixed {
            check_mixed(frame.len, frame.stored_len)?;
        }
        Ok(Self::Framed(frame))
    }
}

/// Checks the length of a mixed stream against that of its codes: the text model is slow, so a
/// few bytes must not demand much decoding.
///
/// # Errors
/// Corrupt.
fn check_mixed(len: usize, stored: usize) -> Result<()> {
    if len as u64 > MAX_MIXED_LEN.min(MAX_MIXED_RATIO * stored as u64) {
        return Err(Error::corrupt(
            "a stream compressed by the text model is too long",
        ));
    }
    Ok(())
}
