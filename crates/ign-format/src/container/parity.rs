//! The frames of a parity set (spec §16).
//!
//! A set protects a range of bytes of the file: *data shards* of equal length, the last one filled
//! up with zeros. *Recovery shards* of the same length are computed from them by a Reed–Solomon
//! code; any of them replaces any lost data shard.
//!
//! ```text
//! description … | recovery shard … | description … | trailer
//! ```
//!
//! Each frame of a description has the parameters of the set and the checksums of some data shards.
//! All of it is stored twice, so that a burst destroys one copy at most. Places and lengths of all
//! frames follow from the parameters.

use std::ops::Range;

use super::{
    CHECKSUM_LEN, MAX_PARITY_CHECKSUMS, MAX_SHARD_LEN, MAX_SHARDS, SHARD_UNIT,
    bytes::{take, take_u32, take_u64},
    frame::{self, KIND_LEN, Kind, SEAL_LEN, SKIPPABLE_HEADER_LEN},
    header, version,
};
use crate::error::{Error, Result};

/// Length of the parameters in a description: version, flags, four 64-bit and two 32-bit integers.
const PARAMETERS_LEN: u64 = 2 + 4 * 8 + 2 * 4;
/// Length of the payload of a description before its checksums.
const DESCRIPTION_LEN: u64 = PARAMETERS_LEN + 4;
/// Length of the payload of a recovery frame before its shard: the place of the set and the number
/// of the shard.
const RECOVERY_LEN: u64 = 8 + 4;
/// Length of magic number, length and kind.
const BEFORE_PAYLOAD: u64 = (SKIPPABLE_HEADER_LEN + KIND_LEN) as u64;

/// The parameters of a parity set (spec §16.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Set {
    /// Where its first frame starts in the file.
    pub at: u64,
    /// Where the protected bytes start.
    pub start: u64,
    /// Where they end; a footer ends there.
    pub end: u64,
    /// Length of a shard in bytes.
    pub shard_len: u64,
    /// Number of data shards.
    pub data: u32,
    /// Number of recovery shards.
    pub recovery: u32,
}

impl Set {
    /// Checks that the parameters are within the limits and agree with each other.
    ///
    /// # Errors
    /// Corrupt.
    pub fn check(&self) -> Result<()> {
        let len = self.end.checked_sub(self.start).filter(|&len| len > 0);
        let fits = len.is_some_and(|len| {
            self.shard_len > 0
                && self.shard_len <= MAX_SHARD_LEN
                && self.shard_len.is_multiple_of(SHARD_UNIT)
                // A forged set must not demand more memory or space than the file has bytes.
                && self.shard_len < len + SHARD_UNIT
                && self.recovery <= self.data
                && len.div_ceil(self.shard_len) == u64::from(self.data)
        });
        let counts = 1..=MAX_SHARDS;
        let counted = counts.contains(&self.data) && counts.contains(&self.recovery);
        // All places of the set are far below 2^63 then.
        if !fits || !counted || self.at < self.end || self.at > 1 << 62 {
            return Err(Error::corrupt("a parity set has invalid parameters"));
        }
        Ok(())
    }

    /// The bytes of the file that a data shard holds; the rest of it is zeros.
    pub fn data_shard(&self, shard: u32) -> Range<u64> {
        let start = self.start + u64::from(shard) * self.shard_len;
        start..(start + self.shard_len).min(self.end)
    }

    /// Number of frames of a copy of the description.
    pub fn descriptions(&self) -> u32 {
        self.data.div_ceil(MAX_PARITY_CHECKSUMS)
    }

    /// Number of all frames of the set.
    pub fn frames(&self) -> u64 {
        2 * u64::from(self.descriptions()) + u64::from(self.recovery) + 1
    }

    /// The data shards whose checksums a frame of the description has.
    pub fn described(&self, description: u32) -> Range<u32> {
        let first = description * MAX_PARITY_CHECKSUMS;
        first..(first + MAX_PARITY_CHECKSUMS).min(self.data)
    }

    /// Length of a copy of the description in bytes.
    fn copy_len(&self) -> u64 {
        let frames = u64::from(self.descriptions()) * (SEAL_LEN as u64 + DESCRIPTION_LEN);
        frames + CHECKSUM_LEN as u64 * u64::from(self.data)
    }

    /// The place of a frame of the description, in its first or second copy.
    pub fn description_frame(&self, copy: u32, description: u32) -> Range<u64> {
        let full = SEAL_LEN as u64
            + DESCRIPTION_LEN
            + CHECKSUM_LEN as u64 * u64::from(MAX_PARITY_CHECKSUMS);
        let described = self.described(description);
        let checksums = u64::from(described.end - described.start);
        let copies = match copy {
            0 => self.at,
            _ => self.at + self.copy_len() + u64::from(self.recovery) * self.recovery_frame_len(),
        };
        let start = copies + u64::from(description) * full;
        start..start + SEAL_LEN as u64 + DESCRIPTION_LEN + CHECKSUM_LEN as u64 * checksums
    }

    fn recovery_frame_len(&self) -> u64 {
        SEAL_LEN as u64 + RECOVERY_LEN + self.shard_len
    }

    /// The place of the frame of a recovery shard.
    pub fn recovery_frame(&self, shard: u32) -> Range<u64> {
        let start = self.at + self.copy_len() + u64::from(shard) * self.recovery_frame_len();
        start..start + self.recovery_frame_len()
    }

    /// The place of a recovery shard in the file.
    pub fn recovery_shard(&self, shard: u32) -> Range<u64> {
        let start = self.recovery_frame(shard).start + BEFORE_PAYLOAD + RECOVERY_LEN;
        start..start + self.shard_len
    }

    /// The place of the trailer.
    pub fn trailer(&self) -> Range<u64> {
        let start =
            self.at + 2 * self.copy_len() + u64::from(self.recovery) * self.recovery_frame_len();
        start..start + trailer::LEN as u64
    }

    /// Where the set ends in the file.
    pub fn file_end(&self) -> u64 {
        self.trailer().end
    }

    /// What the frame of a recovery shard begins with: everything before the shard.
    pub fn recovery_start(&self, shard: u32) -> Vec<u8> {
        let mut out = Vec::new();
        let content = self.recovery_frame_len() as usize - SKIPPABLE_HEADER_LEN;
        frame::write_skippable_header(&mut out, content);
        out.extend_from_slice(&Kind::Recovery.tag());
        out.extend_from_slice(&self.at.to_le_bytes());
        out.extend_from_slice(&shard.to_le_bytes());
        out
    }

    /// Writes a frame of the description with the checksums of [its](Self::described) shards.
    pub fn write_description(&self, description: u32, checksums: &[u64]) -> Vec<u8> {
        let mut out = vec![version::STRUCTURE, header::RESERVED_FLAGS];
        for value in [self.at, self.start, self.end, self.shard_len] {
            out.extend_from_slice(&value.to_le_bytes());
        }
        for value in [self.data, self.recovery, description] {
            out.extend_from_slice(&value.to_le_bytes());
        }
        for checksum in checksums {
            out.extend_from_slice(&checksum.to_le_bytes());
        }
        frame::seal(Kind::Parity, &out)
    }

    /// Reads a frame of a description: the parameters, the number of the frame, and its checksums.
    ///
    /// # Errors
    /// Corrupt; unsupported.
    pub fn read_description(bytes: &[u8]) -> Result<(Self, u32, Vec<u64>)> {
        let input = &mut frame::open(Kind::Parity, bytes)?;
        header::take_version(input)?;
        let set = Self {
            at: take_u64(input)?,
            start: take_u64(input)?,
            end: take_u64(input)?,
            shard_len: take_u64(input)?,
            data: take_u32(input)?,
            recovery: take_u32(input)?,
        };
        set.check()?;
        let description = take_u32(input)?;
        if description >= set.descriptions() {
            return Err(Error::corrupt("a parity set has too many descriptions"));
        }
        let described = set.described(description);
        let checksums = described.map(|_| take_u64(input)).collect::<Result<_>>()?;
        if !input.is_empty() {
            return Err(Error::corrupt("a parity frame has excess bytes"));
        }
        Ok((set, description, checksums))
    }

    /// Checks the frame of a recovery shard and returns the shard.
    ///
    /// # Errors
    /// Corrupt, if it is damaged or another frame.
    pub fn read_recovery<'b>(&self, shard: u32, bytes: &'b [u8]) -> Result<&'b [u8]> {
        let mut input = frame::open(Kind::Recovery, bytes)?;
        if take_u64(&mut input)? != self.at || take_u32(&mut input)? != shard {
            return Err(Error::corrupt("a recovery shard is another one"));
        }
        let shard = take(&mut input, self.shard_len as usize)?;
        if input.is_empty() {
            Ok(shard)
        } else {
            Err(Error::corrupt("a recovery shard has excess bytes"))
        }
    }
}

/// The trailer: the last frame of a set. It has a fixed length, so it is found from the end of the
/// file, and points to the footer (spec §16.3).
pub mod trailer {
    use super::{
        super::{
            bytes::take_u64,
            frame::{self, Kind, SEAL_LEN},
            header, version,
        },
        Set,
    };
    use crate::error::{Error, Result};

    /// Length of the trailer in bytes.
    pub const LEN: usize = SEAL_LEN + 2 + 3 * size_of::<u64>();

    /// Writes the trailer of a set.
    pub fn write(set: &Set) -> Vec<u8> {
        let mut out = vec![version::STRUCTURE, header::RESERVED_FLAGS];
        for value in [set.at, set.end, set.file_end()] {
            out.extend_from_slice(&value.to_le_bytes());
        }
        frame::seal(Kind::Trailer, &out)
    }

    /// Reads the trailer in the last [`LEN`] bytes of a file of `file_len` bytes. Returns where the
    /// footer ends.
    ///
    /// # Errors
    /// Corrupt, if there is none or it contradicts the file; unsupported.
    pub fn read(bytes: &[u8], file_len: u64) -> Result<u64> {
        let contradiction = || Error::corrupt("the parity trailer contradicts the file");
        let input = &mut frame::open(Kind::Trailer, bytes)?;
        // The place is stated in every version. A trailer at another place is none.
        if input.last_chunk() != Some(&file_len.to_le_bytes()) {
            return Err(contradiction());
        }
        header::take_version(input)?;
        let [at, end] = [take_u64(input)?, take_u64(input)?];
        if end > at || at > file_len {
            return Err(contradiction());
        }
        Ok(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> Set {
        Set {
            at: 100_100,
            start: 100,
            end: 100_100,
            shard_len: 128,
            data: 782,
            recovery: 16,
        }
    }

    #[test]
    fn frames_follow_each_other_and_have_the_lengths_that_are_written() {
        let set = set();
        set.check().unwrap();
        let mut end = set.at;
        let mut next = |range: Range<u64>, len: usize| {
            assert_eq!(range, end..end + len as u64);
            end = range.end;
        };
        for copy in 0..2 {
            for description in 0..set.descriptions() {
                let described = set.described(description);
                let checksums: Vec<u64> = described.map(u64::from).collect();
                let frame = set.write_description(description, &checksums);
                next(set.description_frame(copy, description), frame.len());
                let back = Set::read_description(&frame).unwrap();
                assert_eq!(back, (set, description, checksums));
            }
            if copy == 0 {
                for shard in 0..set.recovery {
                    let mut frame = set.recovery_start(shard);
                    frame.extend_from_slice(&[7; 128]);
                    let sum = super::super::checksum(&frame);
                    frame.extend_from_slice(&sum.to_le_bytes());
                    assert_eq!(set.read_recovery(shard, &frame).unwrap(), [7; 128]);
                    assert!(set.read_recovery(shard + 1, &frame).is_err());
                    next(set.recovery_frame(shard), frame.len());
                }
            }
        }
        let frame = trailer::write(&set);
        assert_eq!(frame.len(), trailer::LEN);
        next(set.trailer(), frame.len());
        assert_eq!(trailer::read(&frame, set.file_end()).unwrap(), set.end);
        assert!(trailer::read(&frame, set.file_end() + 1).is_err());
    }

    #[test]
    fn rejects_invalid_parameters() {
        let change: [fn(&mut Set); 9] = [
            |set| set.at = 5,
            |set| set.start = set.end,
            |set| set.shard_len = 0,
            |set| set.shard_len = 127,
            |set| set.data += 1,
            |set| set.data = 0,
            |set| set.recovery = 0,
            |set| set.recovery = set.data + 1,
            |set| (set.shard_len, set.data) = (100_000u64.next_multiple_of(64) + 64, 1),
        ];
        for change in change {
            let mut bad = set();
            change(&mut bad);
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
