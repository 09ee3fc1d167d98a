//! Sealed frames, read at a place of the file.

use std::{thread, time::Duration};

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

/// Attempts of a scan to read marks of appends again while a writer may be changing them.
pub(crate) const ATTEMPTS: u32 = 200;
/// Time between attempts.
const PAUSE: Duration = Duration::from_millis(5);

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

/// The sealed frame at `offset` of a file of `size` bytes, if there is one with a correct seal.
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
    Ok(frame::open(kind, &bytes).is_ok().then_some((kind, bytes)))
}

/// As [`sealed_at`], between the blocks of an archive: the mark of an append that a writer is
/// changing is read again until it is whole, or no `attempts` are left.
///
/// # Errors
/// Io.
pub(crate) fn settled_at(
    source: &dyn ReadAt,
    size: u64,
    offset: u64,
    attempts: &mut u32,
) -> Result<Option<(Kind, Vec<u8>)>> {
    const LEN: u64 = append_mark::LEN as u64;
    loop {
        let sealed = sealed_at(source, size, offset)?;
        if sealed.is_some() || size.saturating_sub(offset) < LEN || *attempts == 0 {
            return Ok(sealed);
        }
        let bytes = read_at(source, size, offset, LEN)?;
        if append_mark::read(&bytes, offset).is_err()
            && !append_mark::is_between_states(&bytes, offset)
        {
            return Ok(None);
        }
        *attempts -= 1;
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use ign_format::container::append_mark::State;

    use super::*;

    /// A mark of which the first bytes have been changed, a byte more at each read.
    struct Changing(AtomicUsize);

    impl ReadAt for Changing {
        fn size(&self) -> io::Result<u64> {
            Ok(append_mark::LEN as u64)
        }

        fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
            let cut = self.0.fetch_add(1, Ordering::Relaxed);
            let [old, new] = [State::Appending, State::Complete].map(|s| append_mark::write(0, s));
            let cut = cut.min(append_mark::LEN);
            [&new[..cut], &old[cut..]]
                .concat()
                .read_exact_at(buffer, offset)
        }
    }

    #[test]
    fn a_mark_is_read_again_while_a_writer_changes_it() {
        for start in 0..=append_mark::LEN {
            let source = Changing(start.into());
            let size = source.size().unwrap();
            let (kind, mark) = settled_at(&source, size, 0, &mut { ATTEMPTS })
                .unwrap()
                .unwrap();
            assert_eq!(kind, Kind::Append);
            append_mark::read(&mark, 0).unwrap();
        }
        // Other damage is no change.
        let mut bad = append_mark::write(0, State::Complete);
        bad[20] ^= 1;
        let mut attempts = ATTEMPTS;
        let mut settled =
            |mark: &Vec<u8>| settled_at(mark, mark.len() as u64, 0, &mut attempts).unwrap();
        assert!(settled(&bad).is_none());
        // Nobody changes this one. Many of them do not take longer than one.
        let [old, new] = [State::Appending, State::Complete].map(|s| append_mark::write(0, s));
        let between = [&new[..20], &old[20..]].concat();
        for _ in 0..1_000_000 {
            assert!(settled(&between).is_none());
        }
        assert_eq!(attempts, 0);
    }
}
