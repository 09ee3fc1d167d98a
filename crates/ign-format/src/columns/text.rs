//! Streams in frames: text through zstd or told by its contexts, codes as they are; short ones in
//! the head of the block.
//!
//! Each thread keeps its zstd contexts; a frame carries its content's size and
//! checksum, so that `zstd -t` proves it without us.

use std::{borrow::Cow, cell::RefCell};

use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe::CParameter,
};

use super::check_overrun;
use crate::{
    container::{
        MAX_HERE, MAX_MIXED, MAX_MIXED_RATIO,
        block::{Frame, Stream, Wrapping},
        checksum,
        frame::{SKIPPABLE_HEADER_LEN, is_zstd_of, skippable_len, write_skippable_header},
    },
    error::{Error, Result},
};
use ign_entropy as bits;
use ign_entropy::adaptive::Decoder;

thread_local! {
    static COMPRESSOR: RefCell<Option<(i32, Compressor<'static>)>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// What a frame takes besides its bytes: in the directory its length and checksum.
const ENTRY_LEN: usize = 10;

/// What a stream of so many bytes as they are takes, in the head and behind it.
pub fn cost(len: usize) -> usize {
    match len as u64 <= MAX_HERE {
        true => len,
        false => len + SKIPPABLE_HEADER_LEN + ENTRY_LEN,
    }
}

/// A stream of these bytes as they are: here if there are few, else in a frame that is appended.
pub fn store(out: &mut Vec<u8>, bytes: &[u8]) -> Stream {
    if bytes.len() as u64 <= MAX_HERE {
        return Stream::Here(bytes.to_vec());
    }
    frame(out, bytes, bytes.len(), Wrapping::Plain)
}

/// A stream of so many bytes in a skippable frame, which is appended.
fn frame(out: &mut Vec<u8>, bytes: &[u8], len: usize, wrapping: Wrapping) -> Stream {
    let start = out.len();
    write_skippable_header(out, bytes.len());
    out.extend_from_slice(bytes);
    describe(&out[start..], len, wrapping)
}

/// What is shorter gains a byte or two, if any.
const WORTH_MIXING: usize = 32;

/// A stream of these bytes told by their contexts, if it takes less than so much.
pub fn mix(out: &mut Vec<u8>, bytes: &[u8], most: usize) -> Option<Stream> {
    let len = bytes.len();
    let codes = (WORTH_MIXING..=MAX_MIXED as usize)
        .contains(&len)
        .then(|| bits::text_model::encode(bytes))?;
    if cost(codes.len()) >= most || len as u64 > MAX_MIXED_RATIO * codes.len() as u64 {
        return None;
    }
    Some(match codes.len() as u64 <= MAX_HERE {
        true => Stream::HereMixed { len, codes },
        false => frame(out, &codes, len, Wrapping::Mixed),
    })
}

/// A stream of these bytes, compressed by zstd in a frame that is appended, or as they are, or, where
/// that may be, told by their contexts: whatever is shortest.
///
/// # Errors
/// Internal, when zstd fails, as it does without memory.
pub fn compress(out: &mut Vec<u8>, bytes: &[u8], level: i32, may_mix: bool) -> Result<Stream> {
    let compressed = COMPRESSOR.with_borrow_mut(|slot| -> std::io::Result<_> {
        if slot.as_ref().is_none_or(|(l, _)| *l != level) {
            let mut compressor = Compressor::new(level)?;
            compressor.set_parameter(CParameter::ChecksumFlag(true))?;
            compressor.set_parameter(CParameter::ContentSizeFlag(true))?;
            *slot = Some((level, compressor));
        }
        let (_, compressor) = slot.as_mut().expect("just made");
        compressor.compress(bytes)
    });
    let compressed =
        compressed.map_err(|e| Error::internal(format!("zstd cannot compress: {e}")))?;
    let (by_zstd, plain) = (compressed.len() + ENTRY_LEN, cost(bytes.len()));
    let mixed = may_mix.then(|| mix(out, bytes, by_zstd.min(plain)));
    if let Some(mixed) = mixed.flatten() {
        return Ok(mixed);
    }
    if by_zstd >= plain {
        return Ok(store(out, bytes));
    }
    out.extend_from_slice(&compressed);
    Ok(describe(&compressed, bytes.len(), Wrapping::Zstd))
}

fn describe(frame: &[u8], len: usize, wrapping: Wrapping) -> Stream {
    Stream::Framed(Frame {
        wrapping,
        len,
        stored_len: frame.len(),
        checksum: checksum(frame),
    })
}

/// The text of so many bytes that these codes tell.
///
/// # Errors
/// Corrupt when there are not as many.
fn unmix(codes: &[u8], len: usize) -> Result<Vec<u8>> {
    bits::text_model::decode(&mut Decoder::new(codes), len, check_overrun)
}

/// What a frame of zstd holds, at most so many bytes.
fn decompress(frame: &[u8], most: usize) -> std::io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(Decompressor::new()?),
        };
        decompressor.decompress(frame, most)
    })
}

/// The bytes of a stream, from its frame if it has one.
///
/// # Errors
/// Corrupt when the frame is not the one described.
pub fn unwrap<'f>(stream: &Stream, frame: &'f [u8]) -> Result<Cow<'f, [u8]>> {
    let stream = match stream {
        Stream::Here(bytes) => return Ok(Cow::Owned(bytes.clone())),
        Stream::HereMixed { len, codes } => return unmix(codes, *len).map(Cow::Owned),
        Stream::Framed(described) => described,
    };
    if frame.len() != stream.stored_len || checksum(frame) != stream.checksum {
        return Err(Error::corrupt("the checksum of a column differs"));
    }
    let wrong = || Error::corrupt("a column is not wrapped as the directory says");
    let content = || match skippable_len(frame) == Some(frame.len() as u64) {
        true => Ok(&frame[SKIPPABLE_HEADER_LEN..]),
        false => Err(wrong()),
    };
    match stream.wrapping {
        Wrapping::Plain => {
            let bytes = content()?;
            if bytes.len() != stream.len {
                return Err(wrong());
            }
            Ok(Cow::Borrowed(bytes))
        }
        Wrapping::Mixed => unmix(content()?, stream.len).map(Cow::Owned),
        Wrapping::Zstd => {
            // The frame's own claim is checked before memory is set aside for it.
            if !is_zstd_of(frame, stream.len) {
                return Err(wrong());
            }
            let bytes = decompress(frame, stream.len)
                .map_err(|e| Error::corrupt(format!("zstd cannot decompress a column: {e}")))?;
            Ok(Cow::Owned(bytes))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_come_back_compressed_or_not_and_flips_are_seen() {
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
        for (bytes, wrapping) in [
            (&noise, Wrapping::Plain),
            (&long, Wrapping::Zstd),
            (&mixed, Wrapping::Mixed),
        ] {
            let mut out = b"before".to_vec();
            let may_mix = wrapping == Wrapping::Mixed;
            let stream = compress(&mut out, bytes, 3, may_mix).unwrap();
            let Stream::Framed(described) = &stream else {
                panic!("{stream:?} is not framed");
            };
            assert_eq!(described.wrapping, wrapping);
            let frame = &out[6..];
            assert_eq!(unwrap(&stream, frame).unwrap(), *bytes);
            for bit in 0..frame.len() * 8 {
                let mut bad = frame.to_vec();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert!(unwrap(&stream, &bad).is_err());
            }
        }
    }

    #[test]
    fn short_streams_have_no_frames() {
        for bytes in [&b""[..], b"short"] {
            let mut out = Vec::new();
            let stream = compress(&mut out, bytes, 3, true).unwrap();
            assert_eq!(stream, Stream::Here(bytes.to_vec()));
            assert_eq!(unwrap(&stream, &out).unwrap(), bytes);
            assert!(out.is_empty());
        }
    }

    #[test]
    fn a_claim_that_does_not_fit_is_refused_before_memory_is_set_aside() {
        let mut out = Vec::new();
        let mut stream = compress(&mut out, &b"x".repeat(1000), 3, false).unwrap();
        let Stream::Framed(described) = &mut stream else {
            panic!("{stream:?} is not framed");
        };
        described.len = usize::MAX >> 1;
        assert!(unwrap(&stream, &out).is_err());
    }
}
