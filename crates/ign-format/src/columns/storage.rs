//! Storage of streams: plain, compressed by zstd, or compressed by the text model, in the head of
//! the block or in a frame after it (spec §3.3).
//!
//! A stream is inline if it has at most [`MAX_INLINE_LEN`] stored bytes. Codes of the range coder
//! are stored as they are; text takes whichever form is shortest. Each thread keeps its zstd
//! contexts. A zstd frame states its content size and has zstd's own checksum, so `zstd -t`
//! verifies it without this library.

use std::{borrow::Cow, cell::RefCell};

use ign_entropy::{adaptive::Decoder, text_model};
use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe::CParameter,
};

use super::streams::check_overrun;
use crate::{
    container::{
        CHECKSUM_LEN, MAX_INLINE_LEN, MAX_MIXED_LEN, MAX_MIXED_RATIO, checksum,
        frame::{SKIPPABLE_HEADER_LEN, is_zstd_of, skippable_len, write_skippable_header},
        stream::{Compression, Frame, Stream},
    },
    error::{Error, Result},
};

thread_local! {
    static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Typical cost of a frame in the directory: its checksum and a length of two bytes.
const ENTRY_LEN: usize = CHECKSUM_LEN + 2;
/// The text model saves at most a byte or two of a shorter stream.
const MIN_MIXED_LEN: usize = 32;

/// The cost of a stream of `len` stored bytes without zstd, in the head and after it.
pub fn cost(len: usize) -> usize {
    if len as u64 <= MAX_INLINE_LEN {
        len
    } else {
        len + SKIPPABLE_HEADER_LEN + ENTRY_LEN
    }
}

/// Stores bytes without compression: inline if they are few, otherwise in a frame appended to
/// `out`.
pub fn store(out: &mut Vec<u8>, bytes: &[u8]) -> Stream {
    if bytes.len() as u64 <= MAX_INLINE_LEN {
        return Stream::Inline(bytes.to_vec());
    }
    append_frame(out, bytes, bytes.len(), Compression::None)
}

/// Stores text in its shortest form: plain, by zstd at this level, or if `may_mix` is set by the
/// text model. A frame is appended to `out`.
///
/// # Errors
/// Internal, if zstd fails, as it does without memory.
pub fn compress(out: &mut Vec<u8>, bytes: &[u8], level: i32, may_mix: bool) -> Result<Stream> {
    let compressed = COMPRESSOR
        .with_borrow_mut(|slot| -> std::io::Result<_> {
            if slot.as_ref().is_none_or(|(l, _)| *l != level) {
                let mut compressor = Compressor::new(level)?;
                compressor.set_parameter(CParameter::ChecksumFlag(true))?;
                compressor.set_parameter(CParameter::ContentSizeFlag(true))?;
                *slot = Some((level, compressor));
            }
            let (_, compressor) = slot.as_mut().expect("just set");
            compressor.compress(bytes)
        })
        .map_err(|e| Error::internal(format!("zstd cannot compress: {e}")))?;
    let (by_zstd, plain) = (compressed.len() + ENTRY_LEN, cost(bytes.len()));
    let mixed = may_mix.then(|| mix(out, bytes, by_zstd.min(plain)));
    if let Some(mixed) = mixed.flatten() {
        return Ok(mixed);
    }
    if by_zstd >= plain {
        return Ok(store(out, bytes));
    }
    out.extend_from_slice(&compressed);
    Ok(describe(&compressed, bytes.len(), Compression::Zstd))
}

/// Stores text by the text model, if that costs less than `limit` and keeps to the limits of the
/// format.
fn mix(out: &mut Vec<u8>, bytes: &[u8], limit: usize) -> Option<Stream> {
    let len = bytes.len();
    let codes = (MIN_MIXED_LEN..=MAX_MIXED_LEN as usize)
        .contains(&len)
        .then(|| text_model::encode(bytes))?;
    if cost(codes.len()) >= limit || len as u64 > MAX_MIXED_RATIO * codes.len() as u64 {
        return None;
    }
    Some(if codes.len() as u64 <= MAX_INLINE_LEN {
        Stream::InlineMixed { len, codes }
    } else {
        append_frame(out, &codes, len, Compression::Mixed)
    })
}

/// Appends a skippable frame with the stored bytes of a stream of `len` bytes.
fn append_frame(out: &mut Vec<u8>, bytes: &[u8], len: usize, compression: Compression) -> Stream {
    let start = out.len();
    write_skippable_header(out, bytes.len());
    out.extend_from_slice(bytes);
    describe(&out[start..], len, compression)
}

fn describe(frame: &[u8], len: usize, compression: Compression) -> Stream {
    Stream::Framed(Frame {
        compression,
        len,
        stored_len: frame.len(),
        checksum: checksum(frame),
    })
}

/// Whether a frame has the length and the checksum of its description. An inline stream is part of
/// the head, whose seal covers it.
pub fn is_whole(stream: &Stream, frame: &[u8]) -> bool {
    match stream {
        Stream::Inline(_) | Stream::InlineMixed { .. } => true,
        Stream::Framed(described) => {
            frame.len() == described.stored_len && checksum(frame) == described.checksum
        }
    }
}

/// Reads a stream from its description and its frame, which is empty for an inline stream.
///
/// # Errors
/// Corrupt, if the frame is not the described one.
pub fn read<'f>(stream: &Stream, frame: &'f [u8]) -> Result<Cow<'f, [u8]>> {
    let described = match stream {
        Stream::Inline(bytes) => return Ok(Cow::Owned(bytes.clone())),
        Stream::InlineMixed { len, codes } => return unmix(codes, *len).map(Cow::Owned),
        Stream::Framed(described) => described,
    };
    if !is_whole(stream, frame) {
        return Err(Error::corrupt("the checksum of a column differs"));
    }
    let wrong = || Error::corrupt("the frame of a column contradicts the directory");
    let content = || {
        if skippable_len(frame) == Some(frame.len() as u64) {
            Ok(&frame[SKIPPABLE_HEADER_LEN..])
        } else {
            Err(wrong())
        }
    };
    match described.compression {
        Compression::None => {
            let bytes = content()?;
            if bytes.len() != described.len {
                return Err(wrong());
            }
            Ok(Cow::Borrowed(bytes))
        }
        Compression::Mixed => unmix(content()?, described.len).map(Cow::Owned),
        Compression::Zstd => {
            // The frame's own claim is checked before memory is allocated for it.
            if !is_zstd_of(frame, described.len) {
                return Err(wrong());
            }
            let bytes = decompress(frame, described.len)
                .map_err(|e| Error::corrupt(format!("zstd cannot decompress a column: {e}")))?;
            Ok(Cow::Owned(bytes))
        }
    }
}

/// Decodes `len` bytes by the text model.
///
/// # Errors
/// Corrupt, if the codes end too early.
fn unmix(codes: &[u8], len: usize) -> Result<Vec<u8>> {
    text_model::decode(&mut Decoder::new(codes), len, check_overrun)
}

/// Decompresses a zstd frame of at most `max` bytes of content.
fn decompress(frame: &[u8], max: usize) -> std::io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(Decompressor::new()?),
        };
        decompressor.decompress(frame, max)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_round_trip_in_every_form_and_reject_flipped_bits() {
        let long = b"Sicilian Defense ".repeat(100);
        let noise: Vec<u8> = (0..600u32)
            .map(|i| ((i * i).wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let mut state = 1u32;
        let mixed: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [
                "better ", "was ", "the ", "knight ", "bishop ", "pawn ", "takes. ",
            ][(state >> 29) as usize % 7]
        })
        .take(3000)
        .collect::<String>()
        .into_bytes();
        for (bytes, compression) in [
            (&noise, Compression::None),
            (&long, Compression::Zstd),
            (&mixed, Compression::Mixed),
        ] {
            let mut out = b"before".to_vec();
            let may_mix = compression == Compression::Mixed;
            let stream = compress(&mut out, bytes, 3, may_mix).unwrap();
            let Stream::Framed(described) = &stream else {
                panic!("{stream:?} is not framed");
            };
            assert_eq!(described.compression, compression);
            let frame = &out[6..];
            assert_eq!(read(&stream, frame).unwrap(), *bytes);
            for bit in 0..frame.len() * 8 {
                let mut bad = frame.to_vec();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert!(read(&stream, &bad).is_err());
            }
        }
    }

    #[test]
    fn short_streams_are_inline() {
        for bytes in [&b""[..], b"short"] {
            let mut out = Vec::new();
            let stream = compress(&mut out, bytes, 3, true).unwrap();
            assert_eq!(stream, Stream::Inline(bytes.to_vec()));
            assert_eq!(read(&stream, &out).unwrap(), bytes);
            assert!(out.is_empty());
        }
    }

    #[test]
    fn rejects_a_false_length_before_allocating() {
        let mut out = Vec::new();
        let mut stream = compress(&mut out, &b"x".repeat(1000), 3, false).unwrap();
        let Stream::Framed(described) = &mut stream else {
            panic!("{stream:?} is not framed");
        };
        described.len = usize::MAX >> 1;
        assert!(read(&stream, &out).is_err());
    }
}
