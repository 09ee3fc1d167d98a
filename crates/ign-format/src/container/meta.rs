//! The metadata record: who packed the archive, with what options (spec §2.1).
//!
//! For people and `ign info`; nothing needs it to read the archive. Its bytes
//! are bincode 1.3's with variable-length numbers, bounded, and read only after
//! the frame's checksum has been found true. This is the one place where they
//! are made.

use bincode::Options as _;
use serde::{Deserialize, Serialize};

use crate::{
    container::frame::{self, Kind},
    error::{Error, Result},
};

/// The longest record, in bytes (spec §7).
const MAX_LEN: u64 = 1 << 16;

/// The record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// Name and version of the program that packed it.
    pub program: String,
    /// The move coding asked for.
    pub coding: String,
    /// The zstd level of text streams.
    pub level: i32,
    /// Bytes of text that a block aims at.
    pub block_size: u64,
}

impl Meta {
    /// What this program notes of its options.
    pub fn new(coding: &str, level: i32, block_size: u64) -> Self {
        Self {
            program: concat!("ign ", env!("CARGO_PKG_VERSION")).into(),
            coding: coding.into(),
            level,
            block_size,
        }
    }

    /// The sealed frame.
    ///
    /// # Errors
    /// Internal, when the record is too long.
    pub fn write(&self) -> Result<Vec<u8>> {
        let bytes = codec()
            .serialize(self)
            .map_err(|e| Error::internal(format!("metadata: {e}")))?;
        Ok(frame::seal(Kind::Meta, &bytes))
    }

    /// Reads the sealed frame, exactly `bytes`.
    ///
    /// # Errors
    /// Corrupt.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let payload = frame::open(Kind::Meta, bytes)?;
        codec()
            .deserialize(payload)
            .map_err(|e| Error::corrupt(format!("the metadata is malformed: {e}")))
    }
}

fn codec() -> impl bincode::Options {
    bincode::DefaultOptions::new().with_limit(MAX_LEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_record_are_those_of_the_spec() {
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
    fn cut_off_and_long_records_are_refused() {
        for payload in [
            &b"\x05ign"[..],
            b"\xfd\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\x00\x00\x00\x00\x00",
        ] {
            assert!(Meta::read(&frame::seal(Kind::Meta, payload)).is_err());
        }
    }
}
