//! Streams in frames: text through zstd, codes as they are; short ones in the head of the block.
//!
//! Each thread keeps its zstd contexts; a frame carries its content's size and
//! checksum, so that `zstd -t` proves it without us.

use std::{borrow::Cow, cell::RefCell};

use zstd::{
    bulk::{Compressor, Decompressor},
    zstd_safe::CParameter,
};

use crate::{
    error::{Error, Result},
    format::{
        MAX_HERE,
        block::{Frame, Stream, Wrapping},
        checksum,
        frame::{SKIPPABLE_HEADER_LEN, is_zstd_of, skippable_len, write_skippable_header},
    },
};

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
    let start = out.len();
    write_skippable_header(out, bytes.len());
    out.extend_from_slice(bytes);
    describe(&out[start..], bytes.len(), Wrapping::Plain)
}

/// A stream of these bytes, compressed in a frame that is appended, or as they are where that is
/// shorter.
///
/// # Errors
/// Internal, when zstd fails, as it does without memory.
pub fn compress(out: &mut Vec<u8>, bytes: &[u8], level: i32) -> Result<Stream> {
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
    if compressed.len() + ENTRY_LEN >= cost(bytes.len()) {
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

/// What a frame holds, at most so many bytes.
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
        Stream::Framed(described) => described,
    };
    if frame.len() != stream.stored_len || checksum(frame) != stream.checksum {
        return Err(Error::corrupt("the checksum of a column differs"));
    }
    let wrong = || Error::corrupt("a column is not wrapped as the directory says");
    match stream.wrapping {
        Wrapping::Plain => {
            if skippable_len(frame) != Some(frame.len() as u64)
                || stream.len + SKIPPABLE_HEADER_LEN != frame.len()
            {
                return Err(wrong());
            }
            Ok(Cow::Borrowed(&frame[SKIPPABLE_HEADER_LEN..]))
        }
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
        for (bytes, wrapping) in [(&noise, Wrapping::Plain), (&long, Wrapping::Zstd)] {
            let mut out = b"before".to_vec();
            let stream = compress(&mut out, bytes, 3).unwrap();
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
            let stream = compress(&mut out, bytes, 3).unwrap();
            assert_eq!(stream, Stream::Here(bytes.to_vec()));
            assert_eq!(unwrap(&stream, &out).unwrap(), bytes);
            assert!(out.is_empty());
        }
    }

    #[test]
    fn a_claim_that_does_not_fit_is_refused_before_memory_is_set_aside() {
        let mut out = Vec::new();
        let mut stream = compress(&mut out, &b"x".repeat(1000), 3).unwrap();
        let Stream::Framed(described) = &mut stream else {
            panic!("{stream:?} is not framed");
        };
        described.len = usize::MAX >> 1;
        assert!(unwrap(&stream, &out).is_err());
    }
}
