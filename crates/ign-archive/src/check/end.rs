//! The end of an archive in its file: the footer, which is the last frame, or the frame to which
//! the trailer of a parity set points.
//!
//! After an append that was interrupted other bytes follow: the last footer is searched backwards,
//! piece by piece. The mark of the append shows that it was interrupted. Without it the file was
//! longer once, or its end is damaged.

use ign_format::{
    container::{
        append_mark::{self, State},
        footer::{self, Footer},
        frame::{self, Kind, skippable_len},
        header,
        parity::{Set, trailer},
    },
    error::{Error, Kind as ErrorKind, Remedy, Result},
};

use super::frames::{read_at, sealed_at};
use crate::source::ReadAt;

/// Bytes that are searched at a time.
const PIECE: u64 = 1 << 20;
/// Bytes of a footer.
const LEN: u64 = footer::LEN as u64;

/// The footer of a file, and its frame. It ends at [`Footer::file_len`].
///
/// # Errors
/// Io; corrupt; unsupported.
pub(crate) fn read_footer(source: &dyn ReadAt, file_len: u64) -> Result<(Footer, Vec<u8>)> {
    let cut = || Error::corrupt("the archive is cut off").at_byte(file_len);
    let before = |end: u64| {
        let at = end.checked_sub(LEN);
        at.filter(|&at| at >= header::LEN as u64).ok_or_else(cut)
    };
    let last = read_at(source, file_len, before(file_len)?, LEN)?;
    let (_, trailer) = last.split_at(footer::LEN - trailer::LEN);
    let (bytes, end) = match trailer::read(trailer, file_len) {
        Ok(end) => (read_at(source, file_len, before(end)?, LEN)?, end),
        Err(error) if error.kind() == ErrorKind::Corrupt => (last, file_len),
        Err(error) => return Err(error),
    };
    Ok((Footer::read(&bytes, end)?, bytes))
}

/// The last footer of a file.
pub(crate) struct LastFooter {
    pub footer: Footer,
    /// Its frame.
    pub frame: Vec<u8>,
    /// Where it and the parity sets after it end.
    pub end: u64,
    /// What follows.
    pub rest: Rest,
}

/// What follows the last footer of a file and its parity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Nothing.
    Nothing,
    /// An append that was interrupted, or is running; or fewer bytes than the mark of one.
    Append,
    /// A parity set without its end. Writing it was interrupted, or it is damaged.
    Parity,
    /// Other bytes: the end of the archive is damaged or cut off, or something was appended by
    /// other means.
    Unknown,
}

impl LastFooter {
    /// An error unless the bytes after the archive are those of something that was interrupted.
    /// `size` is the length of the file.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check_rest(&self, size: u64) -> Result<()> {
        match self.rest {
            Rest::Unknown => Err(self.excess(size)),
            Rest::Nothing | Rest::Append | Rest::Parity => Ok(()),
        }
    }

    /// The damage of a file of `size` bytes with bytes after its last footer.
    pub fn excess(&self, size: u64) -> Error {
        self.rest.excess(self.end, size)
    }
}

impl Rest {
    /// The damage of a file of `size` bytes whose last footer and parity end at `end`.
    pub fn excess(self, end: u64, size: u64) -> Error {
        let bytes = match size - end {
            1 => "1 byte follows".to_owned(),
            bytes => format!("{bytes} bytes follow"),
        };
        let (what, remedy) = match self {
            Self::Nothing | Self::Append => (
                "the last footer: an append was interrupted",
                Remedy::AppendOrRecover,
            ),
            Self::Parity => (
                "the last footer: parity that was not finished, or is damaged",
                Remedy::RepairParity,
            ),
            Self::Unknown => (
                "the last whole footer: the end is damaged or cut off, or other bytes were added",
                Remedy::Recover,
            ),
        };
        Error::corrupt(format!("{bytes} {what}"))
            .at_byte(end)
            .with_remedy(remedy)
    }
}

/// The last valid footer that ends where it states.
///
/// # Errors
/// Those of the source; corrupt if there is none, unsupported if the last one has another version.
pub(crate) fn last_footer(source: &dyn ReadAt, size: u64) -> Result<LastFooter> {
    match read_footer(source, size) {
        Ok((footer, frame)) => Ok(LastFooter {
            footer,
            frame,
            end: size,
            rest: Rest::Nothing,
        }),
        // A footer that cannot be read, or is of a later version, is not a missing one.
        Err(error) if error.kind() != ErrorKind::Corrupt => Err(error),
        Err(error) => {
            let (footer, frame) = find_before(source, size)?.ok_or(error)?;
            let end = end_of_parity(source, size, footer.file_len)?;
            let rest = rest(source, size, footer.file_len, end)?;
            Ok(LastFooter {
                footer,
                frame,
                end,
                rest,
            })
        }
    }
}

/// What the bytes from `at` on are, after a footer that ends at `footer_end` and its whole parity sets.
///
/// # Errors
/// Io; unsupported, if they are of a version that is not read.
fn rest(source: &dyn ReadAt, size: u64, footer_end: u64, at: u64) -> Result<Rest> {
    let len = size - at;
    let first = read_at(source, size, at, len.min(append_mark::LEN as u64))?;
    if len < append_mark::LEN as u64 {
        return Ok(if append_mark::starts_other(&first, at) {
            Rest::Unknown
        } else {
            Rest::Append
        });
    }
    // Zeros are a mark that was removed while more was written.
    let is_begun = append_mark::is_begun(&first, at);
    let is_zero = first.iter().all(|&byte| byte == 0);
    let is_appending = match append_mark::read(&first, at) {
        Err(error) if error.kind() == ErrorKind::Unsupported => return Err(error),
        state => state.ok() == Some(State::Appending),
    };
    if is_appending || is_zero || is_begun && first.len() as u64 == len {
        // The last step of an append may be missing. Its footer shows that it is complete.
        return Ok(if ends_as_archive(source, size)? {
            Rest::Unknown
        } else {
            Rest::Append
        });
    }
    if Kind::of(&first) != Some(Kind::Parity) {
        return Ok(Rest::Unknown);
    }
    // Nothing may follow the set.
    let end = match sealed_at(source, size, at)? {
        Some((_, frame)) => set_after(footer_end, at, &frame)?.map(|set| set.file_end()),
        None => skippable_len(&first).map(|len| at + len),
    };
    Ok(if end.is_some_and(|end| size <= end) {
        Rest::Parity
    } else {
        Rest::Unknown
    })
}

/// Whether a file ends as an archive does: with the trailer of a parity set, or with a footer that was
/// written in full. It may be damaged.
///
/// # Errors
/// Io; unsupported, if the trailer is of a version that is not read.
fn ends_as_archive(source: &dyn ReadAt, size: u64) -> Result<bool> {
    let last = read_at(source, size, size.saturating_sub(LEN), LEN.min(size))?;
    match trailer::read(&last[last.len().saturating_sub(trailer::LEN)..], size) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::Corrupt => Ok(footer::is_like(&last, size)),
        Err(error) => Err(error),
    }
}

/// Where the whole parity sets end that follow a footer.
///
/// # Errors
/// Io; unsupported, if a frame of them is of a version that is not read.
fn end_of_parity(source: &dyn ReadAt, size: u64, footer_end: u64) -> Result<u64> {
    let (mut end, mut next) = (footer_end, footer_end);
    let mut set: Option<Set> = None;
    while let Some((kind, frame)) = sealed_at(source, size, next)? {
        match kind {
            Kind::Parity if next == end => set = set_after(footer_end, next, &frame)?,
            Kind::Parity => header::take_version(&mut frame::open(kind, &frame)?)?,
            Kind::Recovery => {}
            Kind::Trailer => match trailer::read(&frame, next + frame.len() as u64) {
                Ok(_) if set.is_some_and(|set| trailer::write(&set) == frame) => {
                    end = next + frame.len() as u64;
                }
                Err(error) if error.kind() == ErrorKind::Unsupported => return Err(error),
                _ => break,
            },
            _ => break,
        }
        next += frame.len() as u64;
    }
    Ok(end)
}

/// The parity set of a footer of which this is the first frame, at this byte of the file.
///
/// # Errors
/// Unsupported.
fn set_after(footer_end: u64, at: u64, frame: &[u8]) -> Result<Option<Set>> {
    match Set::read_description(frame) {
        Ok((set, 0, _)) if (set.at, set.end) == (at, footer_end) => Ok(Some(set)),
        Err(error) if error.kind() == ErrorKind::Unsupported => Err(error),
        _ => Ok(None),
    }
}

/// The last footer that ends before `size`.
///
/// # Errors
/// Io; unsupported, if it is of a version that is not read.
fn find_before(source: &dyn ReadAt, size: u64) -> Result<Option<(Footer, Vec<u8>)>> {
    let first = header::LEN as u64;
    let mut end = size;
    while end >= first + LEN {
        let start = end.saturating_sub(PIECE).max(first);
        let bytes = read_at(source, size, start, end - start)?;
        if let Some(found) = footer::find_last(&bytes, start) {
            return found.map(|(footer, frame)| Some((footer, frame.to_vec())));
        }
        if start == first {
            break;
        }
        // A footer across the border is whole in the next piece.
        end = start + LEN - 1;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn footer(file_len: u64) -> Vec<u8> {
        let footer = Footer {
            index_offset: 30,
            index_len: file_len - LEN - 30,
            games: 1,
            plies: 2,
            text_len: 3,
            file_len,
        };
        footer.write()
    }

    #[test]
    fn finds_the_footer_before_any_number_of_other_bytes() {
        let at = 1000;
        let end = at + LEN;
        let frame = footer(end);
        for more in [
            0,
            1,
            LEN - 1,
            LEN,
            PIECE - LEN - 1,
            PIECE - LEN,
            PIECE - 1,
            PIECE,
            3 * PIECE,
        ] {
            let mut bytes = vec![7; at as usize];
            bytes.extend(&frame);
            bytes.resize((end + more) as usize, 7);
            let found = last_footer(&bytes, bytes.len() as u64).unwrap();
            assert_eq!((found.footer.file_len, found.end), (end, end), "{more}");
            let rest = match more {
                0 => Rest::Nothing,
                1 => Rest::Append,
                _ => Rest::Unknown,
            };
            assert_eq!(found.rest, rest, "{more}");
            assert_eq!(found.frame, frame);
        }
    }

    #[test]
    fn finds_a_footer_across_the_border_of_pieces() {
        for at in PIECE - LEN - 3..PIECE + 3 {
            // The last piece starts at PIECE.
            let mut bytes = vec![7; at as usize];
            bytes.extend(footer(at + LEN));
            bytes.resize(2 * PIECE as usize, 7);
            assert_eq!(last_footer(&bytes, 2 * PIECE).unwrap().end, at + LEN);
        }
    }

    #[test]
    fn the_error_is_that_of_the_end_if_there_is_no_footer() {
        let mut bytes = vec![7; 5000];
        let error = last_footer(&bytes, 5000).err().unwrap();
        assert!(
            error.to_string().contains("no footer at its end"),
            "{error}"
        );
        // This one states another end.
        bytes.extend(footer(9000));
        let error = last_footer(&bytes, bytes.len() as u64).err().unwrap();
        assert!(
            error.to_string().contains("states a file length of 9000"),
            "{error}"
        );
        assert!(
            last_footer(&vec![7; 91], 91)
                .err()
                .unwrap()
                .to_string()
                .contains("cut off")
        );
    }
}
