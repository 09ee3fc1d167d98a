//! The first frame of an archive: magic and version (spec §2).
//!
//! Twenty-two bytes; whoever reads an archive starts here.

use crate::container::{VERSION, frame};
use crate::error::{Error, Kind, Result};

/// Length of the header frame in bytes (spec §2).
pub const LEN: usize = PAYLOAD_LEN + frame::SEAL_LEN;
const PAYLOAD_LEN: usize = 2;

/// The header frame of this version.
pub fn write() -> Vec<u8> {
    // version, then flags: all reserved
    frame::seal(frame::Kind::Header, &[VERSION, 0])
}

/// Checks the header frame in the first [`LEN`] bytes of a file.
///
/// # Errors
/// Corrupt when there is no header; unsupported when the version is another.
pub fn read(bytes: &[u8]) -> Result<()> {
    if !frame::is_kind(bytes, frame::Kind::Header) {
        return Err(Error::corrupt("not an ign archive").with_remedy("ign pack makes one"));
    }
    let payload = frame::open(frame::Kind::Header, bytes.get(..LEN).unwrap_or(bytes))?;
    check_version(payload[0])?;
    check_reserved(payload[1])
}

/// Refuses versions other than ours.
///
/// # Errors
/// Unsupported, naming both versions.
pub fn check_version(version: u8) -> Result<()> {
    if version == VERSION {
        return Ok(());
    }
    Err(Error::new(
        Kind::Unsupported,
        format!("format version {version}, where this program reads version {VERSION}"),
    )
    .with_remedy("use the version of ign that packed it"))
}

/// Refuses reserved bits that are set.
///
/// # Errors
/// Unsupported, showing the bits.
pub fn check_reserved(flags: u8) -> Result<()> {
    if flags == 0 {
        return Ok(());
    }
    Err(Error::new(
        Kind::Unsupported,
        format!("reserved flags {flags:#04x} are set"),
    )
    .with_remedy("use the version of ign that packed it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_its_length_and_reads_back() {
        let bytes = write();
        assert_eq!(bytes.len(), LEN);
        read(&bytes).unwrap();
    }

    #[test]
    fn another_version_is_named() {
        let bytes = frame::seal(frame::Kind::Header, &[VERSION + 1, 0]);
        let error = read(&bytes).unwrap_err();
        assert_eq!(error.kind(), Kind::Unsupported);
        assert!(error.to_string().contains(&format!("version {VERSION}")));
        let bytes = frame::seal(frame::Kind::Header, &[VERSION, 1]);
        assert_eq!(read(&bytes).unwrap_err().kind(), Kind::Unsupported);
    }

    #[test]
    fn anything_else_is_no_archive() {
        for bytes in [&b""[..], b"[Event \"x\"]", &[0; 22]] {
            assert!(read(bytes).is_err());
        }
    }
}
