//! The metadata record: which program packed the archive, and with what options (spec §2.1).
//!
//! It serves people and `ign info`; reading an archive does not require it. Its bytes are those of
//! bincode 1.3 with variable-length integers. They are read with a size limit, and only after the
//! checksum of the frame has been verified. No other module uses bincode.

use bincode::Options as _;
use serde::{Deserialize, Serialize};

use super::{
    frame::{self, Kind},
    limits::MAX_META_LEN,
};
use crate::error::{Error, Result};

/// The coding of an archive that was merged from archives of several codings.
pub const MIXED: &str = "mixed";

/// The metadata record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Meta {
    /// Name and version of the program that packed the archive.
    pub program: String,
    /// Name of the requested move coding; [`MIXED`] for an archive that was merged from several
    /// codings.
    pub coding: String,
    /// The zstd level of text streams.
    pub level: i32,
    /// Target length of a block's text, in bytes.
    pub block_size: u64,
}

impl Meta {
    /// The record of this program with these options.
    #[doc(hidden)]
    pub fn new(coding: &str, level: i32, block_size: u64) -> Self {
        Self {
            program: concat!("ign ", env!("CARGO_PKG_VERSION")).into(),
            coding: coding.into(),
            level,
            block_size,
        }
    }

    /// Writes the record as a sealed frame.
    ///
    /// # Errors
    /// Internal, if the record is too long.
    #[doc(hidden)]
    pub fn write(&self) -> Result<Vec<u8>> {
        let bytes = codec()
            .serialize(self)
            .map_err(|e| Error::internal(format!("the metadata cannot be written: {e}")))?;
        Ok(frame::seal(Kind::Meta, &bytes))
    }

    /// Reads the record from its sealed frame, which must be all of `bytes`.
    ///
    /// # Errors
    /// Corrupt.
    #[doc(hidden)]
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let payload = frame::open(Kind::Meta, bytes)?;
        codec()
            .deserialize(payload)
            .map_err(|e| Error::corrupt(format!("the metadata is malformed: {e}")))
    }
}

fn codec() -> impl bincode::Options {
    bincode::DefaultOptions::new().with_limit(MAX_META_LEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_bytes_of_the_spec() {
        let meta = Meta {
            program: "ign 1".into(),
            coding: "ign".into(),
            level: 9,
            block_size: 1000,
        };
        let frame = meta.write().unwrap();
        let payload = frame::open(Kind::Meta, &frame).unwrap();
        assert_eq!(payload, b"\x05ign 1\x03ign\x12\xfb\xe8\x03");
        assert_eq!(Meta::read(&frame).unwrap(), meta);
    }

    #[test]
    fn rejects_truncated_and_long_records() {
        for payload in [
            &b"\x05ign"[..],
            b"\xfd\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x00\x00\x00\x00\x00",
        ] {
            assert!(Meta::read(&frame::seal(Kind::Meta, payload)).is_err());
        }
    }
}
