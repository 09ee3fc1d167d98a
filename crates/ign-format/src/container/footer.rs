//! The footer: the last frame of an archive, with the place of the index and totals (spec §6).
//!
//! Its length is fixed, so a reader finds it from the end of the file. Bytes after it belong to an
//! append that was interrupted; [`find_last`] finds the footer before them.

use super::{CHECKSUM_LEN, bytes::take_u64, frame, header, index, version};
use crate::error::{Error, Kind, Remedy, Result};
use memchr::memmem;

/// Length of the payload: version, flags, and six 64-bit integers (spec §6).
const PAYLOAD_LEN: usize = 2 + 6 * size_of::<u64>();
/// Length of the footer frame in bytes (spec §6).
pub const LEN: usize = PAYLOAD_LEN + frame::SEAL_LEN;

/// The footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footer {
    /// Offset of the index frame in the file, in bytes.
    pub index_offset: u64,
    /// Length of the index frame in bytes.
    pub index_len: u64,
    /// Number of games in the archive.
    pub games: u64,
    /// Number of plies of the main lines of all games of the archive.
    pub plies: u64,
    /// Length of the text of all blocks, in bytes.
    pub text_len: u64,
    /// Length of the archive in bytes, including this frame: the byte at which the frame ends.
    pub file_len: u64,
}

impl Footer {
    /// Writes the footer as a sealed frame.
    pub fn write(&self) -> Vec<u8> {
        let mut out = vec![version::STRUCTURE, header::RESERVED_FLAGS];
        for value in [
            self.index_offset,
            self.index_len,
            self.games,
            self.plies,
            self.text_len,
            self.file_len,
        ] {
            out.extend_from_slice(&value.to_le_bytes());
        }
        frame::seal(frame::Kind::Footer, &out)
    }

    /// Reads the footer from the last [`LEN`] bytes of a file of `file_len` bytes.
    ///
    /// # Errors
    /// Corrupt, if there is no footer, as in a truncated file, or if it contradicts the file.
    /// Unsupported, if it is one of a version that is not read, or with a reserved flag.
    pub fn read(bytes: &[u8], file_len: u64) -> Result<Self> {
        if !frame::is_kind(bytes, frame::Kind::Footer) {
            return Err(Error::corrupt(
                "no footer at its end: the archive is cut off or overwritten",
            )
            .at_byte(file_len)
            .with_remedy(Remedy::CopyOrRecover));
        }
        let input = &mut frame::open(frame::Kind::Footer, bytes)?;
        // The place is stated in every version. A footer at another place is none.
        let end = input.last_chunk().copied().map(u64::from_le_bytes);
        if end != Some(file_len) {
            let stated = end.unwrap_or_default();
            return Err(Error::corrupt(format!(
                "the footer states a file length of {stated} bytes; the file has {file_len}"
            )));
        }
        header::take_version(input)?;
        let footer = Self {
            index_offset: take_u64(input)?,
            index_len: take_u64(input)?,
            games: take_u64(input)?,
            plies: take_u64(input)?,
            text_len: take_u64(input)?,
            file_len: take_u64(input)?,
        };
        let index_end = footer.index_offset.checked_add(footer.index_len);
        if index_end != Some(file_len - LEN as u64) || footer.index_len > index::MAX_FRAME_LEN {
            return Err(Error::corrupt("the footer does not point to an index"));
        }
        Ok(footer)
    }
}

/// Whether the last [`LEN`] bytes of a file of `file_len` bytes are those of a footer that was written
/// in full: they begin as one or state the length, and bytes of the seal are there. Before a system
/// crashes, the first bytes of a frame may be written, and the others be zeros.
pub fn is_like(bytes: &[u8], file_len: u64) -> bool {
    let Some((before, seal)) = bytes.split_last_chunk::<CHECKSUM_LEN>() else {
        return false;
    };
    let states_len = before.last_chunk() == Some(&file_len.to_le_bytes());
    (before.starts_with(&start()) || states_len) && *seal != [0; CHECKSUM_LEN]
}

/// The first bytes of all footers: magic number, length and kind.
fn start() -> Vec<u8> {
    let mut footer = frame::seal(frame::Kind::Footer, &[0; PAYLOAD_LEN]);
    footer.truncate(frame::PREFIX_LEN);
    footer
}

/// The last footer in bytes that are at `offset` of a file, and its frame. Only a frame that ends
/// at the byte that it states is a footer: others are text, or were copied from another place.
///
/// # Errors
/// Unsupported, if the last one is of a version that is not read, or has a reserved flag.
pub fn find_last(bytes: &[u8], offset: u64) -> Option<Result<(Footer, &[u8])>> {
    memmem::rfind_iter(bytes, &start()).find_map(|at| {
        let frame = bytes.get(at..at + LEN)?;
        match Footer::read(frame, offset + (at + LEN) as u64) {
            Err(error) if error.kind() == Kind::Corrupt => None,
            footer => Some(footer.map(|footer| (footer, frame))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_last_footer_that_ends_where_it_states() {
        let footer = |file_len: u64| Footer {
            index_offset: 10,
            index_len: file_len - LEN as u64 - 10,
            games: 1,
            plies: 2,
            text_len: 3,
            file_len,
        };
        let len = LEN as u64;
        let [first, second] = [footer(100 + len), footer(200 + 2 * len)];
        let mut bytes = [first.write(), vec![0; 100], second.write()].concat();
        // A copy of the first footer at another place.
        bytes.extend(first.write());
        bytes.extend(&second.write()[..LEN - 1]);
        fn found(bytes: &[u8], offset: u64) -> Option<(Footer, &[u8])> {
            find_last(bytes, offset).map(Result::unwrap)
        }
        assert_eq!(found(&bytes, 100).unwrap().0, second);
        assert_eq!(found(&bytes[..LEN + 120], 100).unwrap().0, first);
        assert_eq!(found(&bytes[..LEN - 1], 100), None);
        assert_eq!(found(&bytes, 101), None);
        let end = LEN + 100 + LEN;
        bytes[end - 1] ^= 1;
        assert_eq!(found(&bytes, 100).unwrap(), (first, &first.write()[..]));
    }

    #[test]
    fn a_footer_of_a_later_version_is_not_passed_over() {
        let footer = |at: u64| Footer {
            index_offset: at,
            index_len: 10,
            games: 1,
            plies: 2,
            text_len: 3,
            file_len: at + 10 + LEN as u64,
        };
        let first = footer(0).write();
        for (at, value) in [(0, version::LATEST + 1), (1, 1)] {
            let second = footer(first.len() as u64 + 20).write();
            let mut payload = frame::open(frame::Kind::Footer, &second).unwrap().to_vec();
            payload[at] = value;
            let later = frame::seal(frame::Kind::Footer, &payload);
            let bytes = [&first, &[0; 20][..], &later, &[7; 5]].concat();
            let error = find_last(&bytes, 10).unwrap().unwrap_err();
            assert_eq!(error.kind(), Kind::Unsupported);
            // At another place it is none.
            assert_eq!(
                find_last(&bytes[..10 + later.len()], 9).map(|f| f.is_ok()),
                None
            );
            let moved = [&first, &[0; 21][..], &later].concat();
            assert_eq!(find_last(&moved, 10).unwrap().unwrap().0, footer(0));
        }
    }

    #[test]
    fn footers_round_trip_and_reject_another_file_length() {
        let footer = Footer {
            index_offset: 10,
            index_len: 20,
            games: 1,
            plies: 2,
            text_len: 3,
            file_len: 30 + LEN as u64,
        };
        let bytes = footer.write();
        assert_eq!(bytes.len(), LEN);
        assert_eq!(Footer::read(&bytes, footer.file_len).unwrap(), footer);
        assert!(Footer::read(&bytes, footer.file_len + 1).is_err());
        assert!(Footer::read(&[0; LEN], LEN as u64).is_err());
    }
}
