//! How inputs are compressed, and the independent frames of .zst files.

use std::{fs::File, io, ops::Range};

use crate::source::ReadAt;
use ign_format::{
    container::{frame::ZSTD_MAGIC, header},
    error::{Error, Kind, Remedy, Result},
};

/// The number of bytes that decide how an input is compressed.
pub(super) const START: usize = header::LEN;
/// pzstd writes a skippable frame before each frame: this magic number, the length 4, and the
/// frame's compressed size.
const PZSTD_MAGIC: u32 = 0x184D_2A50;
const PZSTD_HEADER_LEN: u64 = 12;

/// The first bytes of a file, which decide how it is compressed.
///
/// # Errors
/// Io.
pub(super) fn start_of(file: &dyn ReadAt, len: u64) -> Result<Vec<u8>> {
    let mut start = vec![0; usize::try_from(len).unwrap_or(usize::MAX).min(START)];
    file.read_exact_at(&mut start, 0)?;
    Ok(start)
}

/// The compression of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    Zstd,
    Gzip,
    Bzip2,
}

impl Compression {
    /// The name for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Bzip2 => "bzip2",
        }
    }

    /// The compression by the first bytes, up to [`START`] of them.
    ///
    /// # Errors
    /// Usage for an archive: its frames are zstd frames, but their content is no text. Unsupported
    /// for one of a draft or a later version of the format.
    pub(super) fn of(start: &[u8]) -> Result<Option<Self>> {
        if header::is_at(start) {
            return Err(match header::read(start) {
                Err(error) if error.kind() == Kind::Unsupported => error,
                _ => Error::usage("is an ign archive already").with_remedy(Remedy::MergeOrUnpack),
            });
        }
        let magic = start.first_chunk().map(|magic| u32::from_le_bytes(*magic));
        Ok(match start {
            // A zstd file may start with any skippable frame.
            _ if magic == Some(ZSTD_MAGIC) || magic.is_some_and(|m| m & !0xf == PZSTD_MAGIC) => {
                Some(Self::Zstd)
            }
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            _ => None,
        })
    }
}

/// An independent frame of a .zst file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    offset: u64,
    pub len: u64,
    /// The length of its text, if its header has it. Lichess's frames have none.
    pub text_len: Option<u64>,
}

impl Frame {
    /// Where the frame before it starts, which has its length.
    pub(super) fn start(&self) -> u64 {
        self.offset - PZSTD_HEADER_LEN
    }

    /// Its bytes, with the frame before it.
    ///
    /// # Errors
    /// Io.
    pub(super) fn read(&self, file: &File) -> Result<Vec<u8>> {
        let mut bytes = vec![0; (PZSTD_HEADER_LEN + self.len) as usize];
        file.read_exact_at(&mut bytes, self.start())
            .map_err(|e| Error::from(e).at_byte(self.start()))?;
        Ok(bytes)
    }

    /// The text of its bytes, which were [read](Self::read).
    ///
    /// # Errors
    /// Corrupt.
    pub(super) fn decompress(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let text_len = self.text_len.unwrap_or_default() as usize;
        let text = zstd::bulk::decompress(&bytes[PZSTD_HEADER_LEN as usize..], text_len);
        text.map_err(|e| not_whole("zstd", &e).at_byte(self.offset))
    }
}

/// The frames between two places of a file that pzstd wrote; `None` for other files and other
/// places.
///
/// # Errors
/// Io.
pub(super) fn frames_between(file: &dyn ReadAt, bytes: Range<u64>) -> Result<Option<Vec<Frame>>> {
    let (mut at, len) = (bytes.start, bytes.end);
    let mut frames = Vec::new();
    while at < len {
        // The header of the skippable frame and the longest header of a zstd frame.
        let mut head = [0; PZSTD_HEADER_LEN as usize + 18];
        let known = (len - at).min(head.len() as u64) as usize;
        file.read_exact_at(&mut head[..known], at)?;
        let word = |i: usize| u32::from_le_bytes(head[i..i + 4].try_into().expect("four bytes"));
        let frame_len = u64::from(word(8));
        let is_pzstd = known > PZSTD_HEADER_LEN as usize
            && word(0) == PZSTD_MAGIC
            && word(4) == 4
            && word(12) == ZSTD_MAGIC;
        let end = at + PZSTD_HEADER_LEN + frame_len;
        let text_len = zstd::zstd_safe::get_frame_content_size(
            &head[PZSTD_HEADER_LEN as usize..known.max(12)],
        );
        match text_len {
            Ok(text_len) if is_pzstd && end <= len => frames.push(Frame {
                offset: at + PZSTD_HEADER_LEN,
                len: frame_len,
                text_len,
            }),
            _ => return Ok(None),
        }
        at = end;
    }
    Ok(Some(frames))
}

/// The error for compressed data that ends early or is damaged.
pub(super) fn not_whole(compression: &str, error: &io::Error) -> Error {
    Error::new(
        Kind::Corrupt,
        format!("the {compression} data is damaged or cut off: {error}"),
    )
    .with_remedy("fetch or copy the file again")
}
