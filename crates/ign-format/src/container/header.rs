//! The header: the first frame of an archive, with the version of its structure (spec §2).

use super::{bytes::take_byte, frame, version};
use crate::error::{Error, Remedy, Result};

/// Length of the payload: the version and the reserved flags (spec §2).
const PAYLOAD_LEN: usize = 2;
/// Length of the header frame in bytes (spec §2).
pub const LEN: usize = PAYLOAD_LEN + frame::SEAL_LEN;
/// All flags of header and footer are reserved (spec §2, §6).
pub const RESERVED_FLAGS: u8 = 0;

/// Writes the header frame.
pub fn write() -> Vec<u8> {
    frame::seal(frame::Kind::Header, &[version::STRUCTURE, RESERVED_FLAGS])
}

/// Checks the header frame in the first [`LEN`] bytes of a file.
///
/// # Errors
/// Corrupt, if there is no header. Unsupported, if it is that of a draft of the format, or if the
/// version or a flag is unknown.
pub fn read(bytes: &[u8]) -> Result<()> {
    reject_draft(bytes)?;
    if !frame::is_kind(bytes, frame::Kind::Header) {
        return Err(no_archive());
    }
    let payload = frame::open(frame::Kind::Header, bytes.get(..LEN).unwrap_or(bytes))?;
    let &[version, flags] = payload else {
        return Err(Error::corrupt(format!(
            "the header has {} bytes of content, not {PAYLOAD_LEN}",
            payload.len()
        )));
    };
    version::check(version)?;
    check_flags(flags)
}

/// Rejects a file that begins as archives of drafts of the format do.
///
/// # Errors
/// Unsupported.
fn reject_draft(bytes: &[u8]) -> Result<()> {
    if frame::is_kind(bytes, frame::Kind::Draft) {
        let message = "was packed in a draft of the format, which is no longer read";
        let remedy = "unpack it with the version of ign that packed it, and pack its text again";
        return Err(Error::unsupported(message).with_remedy(remedy));
    }
    Ok(())
}

/// Whether bytes begin like an archive, or like one of a draft of the format.
pub fn is_at(bytes: &[u8]) -> bool {
    [frame::Kind::Header, frame::Kind::Draft]
        .into_iter()
        .any(|kind| frame::is_kind(bytes, kind))
}

/// The error for a file that is no archive.
pub fn no_archive() -> Error {
    Error::corrupt("not an ign archive").with_remedy(Remedy::Pack)
}

/// Takes the version and the flags, with which the payloads of footers and of parity frames begin.
///
/// # Errors
/// Corrupt, if they are missing. Unsupported, naming the version or the flags.
pub fn take_version(input: &mut &[u8]) -> Result<()> {
    version::check(take_byte(input)?)?;
    check_flags(take_byte(input)?)
}

/// Rejects reserved flags that are set.
///
/// # Errors
/// Unsupported, naming the flags.
fn check_flags(flags: u8) -> Result<()> {
    if flags == RESERVED_FLAGS {
        return Ok(());
    }
    Err(
        Error::unsupported(format!("reserved flags {flags:#04x} are set"))
            .with_remedy(Remedy::OtherVersion),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn headers_round_trip_with_the_fixed_length() {
        let bytes = write();
        assert_eq!(bytes.len(), LEN);
        read(&bytes).unwrap();
    }

    #[test]
    fn rejects_another_version_and_reserved_flags() {
        for payload in [[version::LATEST + 1, 0], [version::STRUCTURE, 1]] {
            let bytes = frame::seal(frame::Kind::Header, &payload);
            assert_eq!(read(&bytes).unwrap_err().kind(), Kind::Unsupported);
        }
    }

    #[test]
    fn names_drafts_of_the_format() {
        let bytes = frame::seal(frame::Kind::Draft, &[20, RESERVED_FLAGS]);
        assert!(is_at(&bytes) && is_at(&write()) && !is_at(b"1. e4"));
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert_eq!(
            error.message(),
            "was packed in a draft of the format, which is no longer read"
        );
    }

    #[test]
    fn rejects_headers_of_another_length() {
        for payload in [&[][..], &[version::STRUCTURE], &[version::STRUCTURE, 0, 0]] {
            let bytes = frame::seal(frame::Kind::Header, payload);
            assert_eq!(read(&bytes).unwrap_err().kind(), Kind::Corrupt);
        }
    }

    #[test]
    fn rejects_other_files() {
        for bytes in [&b""[..], b"[Event \"x\"]", &[0; 22]] {
            assert!(read(bytes).is_err());
        }
    }
}
