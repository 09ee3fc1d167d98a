//! The footer, found from the end of the file: its last frame, or the frame to which the trailer of a
//! parity set points.

use ign_format::{
    container::{
        footer::{self, Footer},
        header,
        parity::trailer,
    },
    error::{Error, Result},
};

use super::frames::read_at;
use crate::source::ReadAt;

/// The footer of a file, and its frame. It ends at [`Footer::file_len`].
///
/// # Errors
/// Io; corrupt; unsupported.
pub(crate) fn read_footer(source: &dyn ReadAt, file_len: u64) -> Result<(Footer, Vec<u8>)> {
    let cut = || Error::corrupt("the archive is cut off").at_byte(file_len);
    let before = |end: u64| {
        let at = end.checked_sub(footer::LEN as u64);
        at.filter(|&at| at >= header::LEN as u64).ok_or_else(cut)
    };
    let last = read_at(source, file_len, before(file_len)?, footer::LEN as u64)?;
    let (_, trailer) = last.split_at(footer::LEN - trailer::LEN);
    if let Ok(end) = trailer::read(trailer, file_len) {
        let bytes = read_at(source, file_len, before(end)?, footer::LEN as u64)?;
        return Ok((Footer::read(&bytes, end)?, bytes));
    }
    Ok((Footer::read(&last, file_len)?, last))
}
