//! Sealed frames, read at a place of the file.

use ign_format::{
    container::{
        MAX_HEAD_LEN, MAX_META_LEN, MAX_PARITY_CHECKSUMS, MAX_SHARD_LEN, append_mark, footer,
        frame::{self, Kind, SEAL_LEN, SKIPPABLE_HEADER_LEN, skippable_len},
        header, index,
        parity::trailer,
    },
    error::{Error, Result},
};

use crate::source::{ReadAt, read_exact};

/// Number of bytes that show the kind and the length of a sealed frame.
pub(crate) const START_LEN: usize = SKIPPABLE_HEADER_LEN + frame::KIND_LEN;

/// Reads `len` bytes at `offset`.
///
/// # Errors
/// Io; corrupt, if the file, which has `size` bytes, ends before.
pub(crate) fn read_at(source: &dyn ReadAt, size: u64, offset: u64, len: u64) -> Result<Vec<u8>> {
    let inside = offset.checked_add(len).is_some_and(|end| end <= size);
    if !inside {
        return Err(Error::corrupt("the file ends early").at_byte(size));
    }
    read_exact(source, offset, len)
}

/// The longest frame of a kind, in bytes.
fn max_len(kind: Kind) -> u64 {
    match kind {
        Kind::Header => header::LEN as u64,
        Kind::Meta => MAX_META_LEN + SEAL_LEN as u64,
        Kind::Block => MAX_HEAD_LEN + SEAL_LEN as u64,
        Kind::Index => index::MAX_FRAME_LEN,
        Kind::Footer => footer::LEN as u64,
        Kind::Append => append_mark::LEN as u64,
        Kind::Parity => 8 * u64::from(MAX_PARITY_CHECKSUMS) + 128,
        Kind::Recovery => MAX_SHARD_LEN + 64,
        Kind::Trailer => trailer::LEN as u64,
        _ => 0,
    }
}

/// The kind and the length of the sealed frame of an archive that begins with these bytes, at least
/// [`START_LEN`]; `None` if none does, or it would not fit into `rest` bytes.
pub(crate) fn frame_start(bytes: &[u8], rest: u64) -> Option<(Kind, u64)> {
    let kind = Kind::of(bytes)?;
    let len = skippable_len(bytes)?;
    ((SEAL_LEN as u64..=max_len(kind)).contains(&len) && len <= rest).then_some((kind, len))
}

/// The sealed frame at `offset` of a file of `size` bytes, if there is one with a correct seal. A
/// [mark](append_mark::is_mark) of which only some bytes were written again has none, and is one all
/// the same.
///
/// # Errors
/// Io.
pub(crate) fn sealed_at(
    source: &dyn ReadAt,
    size: u64,
    offset: u64,
) -> Result<Option<(Kind, Vec<u8>)>> {
    let rest = size.saturating_sub(offset);
    if rest < START_LEN as u64 {
        return Ok(None);
    }
    let start = read_at(source, size, offset, START_LEN as u64)?;
    let Some((kind, len)) = frame_start(&start, rest) else {
        return Ok(None);
    };
    let bytes = read_at(source, size, offset, len)?;
    let is_whole = frame::open(kind, &bytes).is_ok()
        || kind == Kind::Append && append_mark::is_mark(&bytes, offset);
    Ok(is_whole.then_some((kind, bytes)))
}
