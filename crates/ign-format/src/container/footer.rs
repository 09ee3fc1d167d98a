//! The last frame of an archive: where the index is, and the totals (spec §6).
//!
//! Its length is fixed, so a reader finds it from the end of the file.

use crate::container::{
    VERSION,
    block::{take_byte, take_u64},
    frame, header,
};
use crate::error::{Error, Result};

/// Length of the footer frame in bytes (spec §6).
pub const LEN: usize = PAYLOAD_LEN + frame::SEAL_LEN;
const PAYLOAD_LEN: usize = 2 + 6 * 8;

/// The footer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Footer {
    /// Byte offset of the index frame.
    pub index_offset: u64,
    /// Bytes of the index frame.
    pub index_len: u64,
    /// All games.
    pub games: u64,
    /// All plies in integers.
    pub plies: u64,
    /// All bytes of text.
    pub text_len: u64,
    /// Bytes of the file, this frame included.
    pub file_len: u64,
}

impl Footer {
    /// The sealed frame.
    pub fn write(&self) -> Vec<u8> {
        let mut out = vec![VERSION, 0];
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

    /// Reads the frame from the last [`LEN`] bytes of a file of `file_len` bytes.
    ///
    /// # Errors
    /// Corrupt when there is no footer, as in a file that was cut off, or when
    /// what it says does not fit the file.
    pub fn read(bytes: &[u8], file_len: u64) -> Result<Self> {
        if !frame::is_kind(bytes, frame::Kind::Footer) {
            return Err(Error::corrupt(
                "no footer at its end: the archive is cut off or overwritten",
            )
            .at_byte(file_len)
            .with_remedy("copy it again from where it was whole"));
        }
        let mut input = frame::open(frame::Kind::Footer, bytes)?;
        let input = &mut input;
        header::check_version(take_byte(input)?)?;
        header::check_reserved(take_byte(input)?)?;
        let footer = Self {
            index_offset: take_u64(input)?,
            index_len: take_u64(input)?,
            games: take_u64(input)?,
            plies: take_u64(input)?,
            text_len: take_u64(input)?,
            file_len: take_u64(input)?,
        };
        let index_end = footer.index_offset.checked_add(footer.index_len);
        if footer.file_len != file_len {
            return Err(Error::corrupt(format!(
                "the footer says the file has {} bytes, where it has {file_len}",
                footer.file_len
            )));
        }
        if index_end != Some(file_len - LEN as u64)
            || footer.index_len > super::index::MAX_FRAME_LEN
        {
            return Err(Error::corrupt("the footer points to no index"));
        }
        Ok(footer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_footer_reads_back_only_at_the_end_of_its_own_file() {
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
