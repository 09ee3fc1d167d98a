//! Versions of the format (spec §12).
//!
//! The header, the footers and the parity frames state the version of the structure of the file.
//! Each block states the lowest version that reads it, so an archive may hold blocks of several
//! versions, and blocks of a later version can be copied without being read.

use std::sync::OnceLock;

use crate::error::{Error, Remedy, Result};

/// The first version that is read.
pub const FIRST: u8 = 1;
/// The latest version that is read.
pub const LATEST: u8 = 1;
/// The version of the structure of a file that is written: header, metadata, index, footer, marks
/// and parity.
pub const STRUCTURE: u8 = 1;

/// Rejects versions that are not read.
///
/// # Errors
/// Unsupported, naming the version and those that are read.
pub fn check(version: u8) -> Result<()> {
    let latest = LATEST + u8::from(next::is_read());
    if (FIRST..=latest).contains(&version) {
        return Ok(());
    }
    if version < FIRST {
        return Err(Error::unsupported(format!(
            "there is no format version {version}"
        )));
    }
    let needs =
        format!("needs format version {version}; this program reads up to version {latest}");
    Err(Error::unsupported(needs).with_remedy(Remedy::LaterVersion))
}

/// The lowest version that reads a block with these tag names.
pub(super) fn of_block(tag_names: &[Vec<u8>]) -> u8 {
    if next::is_read() && next::is_needed(tag_names) {
        LATEST + 1
    } else {
        FIRST
    }
}

/// A version after [`LATEST`] that does not exist, for tests of how earlier and later programs work
/// on the same archive.
///
/// Programs with debug assertions know it if the environment has the variable `IGN_NEXT_VERSION`. A
/// block needs it if it has a tag `NextVersion`; the bytes of its head after the prefix are then
/// inverted.
pub(super) mod next {
    use super::{LATEST, OnceLock};

    /// Whether this program knows the version.
    pub fn is_read() -> bool {
        static IS_READ: OnceLock<bool> = OnceLock::new();
        cfg!(debug_assertions)
            && *IS_READ.get_or_init(|| std::env::var_os("IGN_NEXT_VERSION").is_some())
    }

    /// Whether only this version can express a block with these tag names.
    pub fn is_needed(tag_names: &[Vec<u8>]) -> bool {
        tag_names.iter().any(|name| name == b"NextVersion")
    }

    /// Converts the bytes of a head after the prefix from the form of [`LATEST`] to that of
    /// `version`, or back.
    pub fn convert(version: u8, body: &mut [u8]) {
        if version > LATEST {
            body.iter_mut().for_each(|byte| *byte = !*byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn rejects_versions_outside_the_range_and_names_it() {
        for (version, expected) in [
            (0, "there is no format version 0".into()),
            (
                LATEST + 1,
                format!(
                    "needs format version {}; this program reads up to version {LATEST}",
                    LATEST + 1
                ),
            ),
        ] {
            let error = check(version).unwrap_err();
            assert_eq!(
                (error.kind(), error.message()),
                (Kind::Unsupported, &*expected)
            );
        }
        (FIRST..=LATEST).for_each(|version| check(version).unwrap());
    }

    #[test]
    fn versions_that_are_written_are_read() {
        assert!((FIRST..=LATEST).contains(&STRUCTURE));
    }
}
