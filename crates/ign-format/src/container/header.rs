//! The header: the first frame of an archive, with the version of the format (spec §2).

use super::frame;
use crate::error::{Error, Remedy, Result};

/// Version of the format that this library writes, and the only one that it reads (spec §2).
pub const VERSION: u8 = 17;

/// Length of the payload: the version and the reserved flags (spec §2).
const PAYLOAD_LEN: usize = 2;
/// Length of the header frame in bytes (spec §2).
pub const LEN: usize = PAYLOAD_LEN + frame::SEAL_LEN;
/// All flags of header and footer are reserved (spec §2, §6).
pub const RESERVED_FLAGS: u8 = 0;

/// Writes the header frame.
pub fn write() -> Vec<u8> {
    frame::seal(frame::Kind::Header, &[VERSION, RESERVED_FLAGS])
}

/// Checks the header frame in the first [`LEN`] bytes of a file.
///
/// # Errors
/// Corrupt, if there is no header. Unsupported, if the version or a flag is unknown.
pub fn read(bytes: &[u8]) -> Result<()> {
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
    check_version(version)?;
    check_flags(flags)
}

/// The error for a file that is no archive.
pub fn no_archive() -> Error {
    Error::corrupt("not an ign archive").with_remedy(Remedy::Pack)
}

/// Rejects every version other than [`VERSION`].
///
/// # Errors
/// Unsupported, naming both versions.
pub fn check_version(version: u8) -> Result<()> {
    if version == VERSION {
        return Ok(());
    }
    Err(Error::unsupported(format!(
        "format version {version}; this program reads version {VERSION}"
    ))
    .with_remedy(Remedy::OtherVersion))
}

/// Rejects reserved flags that are set.
///
/// # Errors
/// Unsupported, naming the flags.
pub fn check_flags(flags: u8) -> Result<()> {
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
    fn rejects_another_version_and_names_both() {
        let bytes = frame::seal(frame::Kind::Header, &[VERSION + 1, 0]);
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains(&format!("version {VERSION}")));
        let bytes = frame::seal(frame::Kind::Header, &[VERSION, 1]);
        assert_eq!(read(&bytes).unwrap_err().kind(), Kind::Unsupported);
    }

    #[test]
    fn rejects_headers_of_another_length() {
        for payload in [&[][..], &[VERSION], &[VERSION, 0, 0]] {
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
