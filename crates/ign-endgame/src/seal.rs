//! The sealed frame of an endgame file (format-spec.md §1.1): a skippable zstd frame with a
//! checksum.
//!
//! ```text
//! 4 bytes  0x184D2A5A, little-endian: a skippable frame
//! 4 bytes  length of all that follows, little-endian
//! 4 bytes  kind: "ignE"
//! n bytes  payload
//! 8 bytes  XXH64 of every byte of the frame before this
//! ```

use xxhash_rust::xxh64::xxh64;

use super::error::{Error, Result};

/// The first four bytes of a skippable frame.
const MAGIC: u32 = 0x184D_2A5A;
/// The kind of endgame frames.
const KIND: &[u8; 4] = b"ignE";
/// Bytes of the magic number and the length.
const HEADER_LEN: usize = 8;
const CHECKSUM_LEN: usize = 8;
/// The seed of the checksum (format-spec.md §1.2).
const SEED: u64 = 0;

/// Wraps a payload into a frame.
///
/// # Panics
/// If the payload exceeds 4 GiB.
pub fn seal(payload: &[u8]) -> Vec<u8> {
    let content = KIND.len() + payload.len() + CHECKSUM_LEN;
    let length = u32::try_from(content).expect("endgame files are smaller than 4 GiB");
    let mut out = Vec::with_capacity(HEADER_LEN + content);
    out.extend(MAGIC.to_le_bytes());
    out.extend(length.to_le_bytes());
    out.extend(KIND);
    out.extend(payload);
    let checksum = xxh64(&out, SEED);
    out.extend(checksum.to_le_bytes());
    out
}

/// Checks a frame and returns its payload.
///
/// # Errors
/// [`Corrupt`](super::ErrorKind::Corrupt) unless `bytes` are exactly one endgame frame with a
/// valid checksum.
pub fn open(bytes: &[u8]) -> Result<&[u8]> {
    let no_frame = || Error::corrupt("no endgame frame at the start of the file");
    let (magic, rest) = bytes.split_first_chunk().ok_or_else(no_frame)?;
    let (length, _) = rest.split_first_chunk().ok_or_else(no_frame)?;
    if u32::from_le_bytes(*magic) != MAGIC {
        return Err(no_frame());
    }
    let length = HEADER_LEN as u64 + u64::from(u32::from_le_bytes(*length));
    if length != bytes.len() as u64 || bytes.len() < HEADER_LEN + KIND.len() + CHECKSUM_LEN {
        return Err(Error::corrupt(format!(
            "the endgame frame has {} bytes, its header says {length}",
            bytes.len()
        )));
    }
    let (sealed, checksum) = bytes.split_at(bytes.len() - CHECKSUM_LEN);
    let payload = sealed[HEADER_LEN..]
        .strip_prefix(KIND)
        .ok_or_else(no_frame)?;
    if xxh64(sealed, SEED).to_le_bytes() != checksum {
        return Err(Error::corrupt("the checksum of the endgame frame differs"));
    }
    Ok(payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seals_a_payload_to_fixed_bytes_and_opens_it() {
        let frame = seal(b"abc");
        assert_eq!(&frame[..15], b"\x5a\x2a\x4d\x18\x0f\0\0\0ignEabc");
        assert_eq!(frame.len(), 23);
        assert_eq!(open(&frame).unwrap(), b"abc");
    }

    #[test]
    fn rejects_every_changed_byte_and_every_truncation() {
        let frame = seal(b"abc");
        for at in 0..frame.len() {
            let mut changed = frame.clone();
            changed[at] ^= 1;
            assert!(open(&changed).is_err(), "byte {at}");
            assert!(open(&frame[..at]).is_err(), "{at} bytes");
        }
    }
}
