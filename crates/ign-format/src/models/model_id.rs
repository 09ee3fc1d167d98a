//! Identities of models (spec §8.6).

use std::fmt;

use ign_entropy::varint;
use sha2::{Digest, Sha256};

use crate::{
    container::bytes::{take, take_byte},
    error::{Error, Result},
};

/// Bytes of a hash.
const HASH_LEN: usize = 16;

/// The identity of a model: the number of its architecture, and the first 16 bytes of the SHA-256
/// of that number, as one byte, and its data.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId {
    /// The number of the architecture.
    pub architecture: u8,
    /// The hash of the data.
    pub hash: [u8; HASH_LEN],
}

/// The models that are published with the format; archives name them by their place in this list,
/// from 1 (spec §8.6).
pub const PUBLISHED: [ModelId; 5] = [
    ModelId::of_hash(1, 0xb87d_19ce_a12a_92f5_5d9b_7d4b_5c92_071c),
    ModelId::of_hash(2, 0x25b8_2a8a_36d0_8b05_83ab_fbe7_9565_6b58),
    ModelId::of_hash(3, 0x3efc_3dc2_2ba8_461a_f829_f2d6_22bc_8fc9),
    ModelId::of_hash(4, 0x1932_969d_f3d1_d7e4_110a_81f4_965d_9d3e),
    ModelId::of_hash(5, 0xc55d_0eac_d43d_2a9c_ace2_4f49_7bd0_c75f),
];

impl ModelId {
    /// The identity with this hash, its first byte first.
    const fn of_hash(architecture: u8, hash: u128) -> Self {
        Self {
            architecture,
            hash: hash.to_be_bytes(),
        }
    }

    /// The identity of the model with these data.
    pub fn of_data(architecture: u8, data: &[u8]) -> Self {
        let digest = Sha256::new()
            .chain_update([architecture])
            .chain_update(data)
            .finalize();
        let mut hash = [0; HASH_LEN];
        hash.copy_from_slice(&digest[..HASH_LEN]);
        Self { architecture, hash }
    }

    /// Whether the model is published with the format.
    pub fn is_published(&self) -> bool {
        PUBLISHED.contains(self)
    }

    /// The hash in hexadecimal.
    pub fn hash_text(&self) -> String {
        let hash = u128::from_be_bytes(self.hash);
        format!("{hash:032x}")
    }

    /// Appends the identity: the number of a published model, or 0 and all of it.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        if let Some(place) = PUBLISHED.iter().position(|id| id == self) {
            varint::write(out, place as u64 + 1);
        } else {
            varint::write(out, 0);
            out.push(self.architecture);
            out.extend_from_slice(&self.hash);
        }
    }

    /// Reads an identity.
    ///
    /// # Errors
    /// Corrupt, if it is cut off, or names a published model that does not exist.
    pub(crate) fn read(input: &mut &[u8]) -> Result<Self> {
        let number = varint::read_limited(input, PUBLISHED.len() as u64, "the number of a model")?;
        if let Some(place) = number.checked_sub(1) {
            return Ok(PUBLISHED[place]);
        }
        let architecture = take_byte(input)?;
        let mut hash = [0; HASH_LEN];
        hash.copy_from_slice(take(input, HASH_LEN)?);
        let id = Self { architecture, hash };
        if id.is_published() {
            return Err(Error::corrupt("a published model is named by its hash"));
        }
        Ok(id)
    }
}

/// `1:97d9a9f7…`, the architecture and the hash in hexadecimal.
impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.architecture, self.hash_text())
    }
}

impl fmt::Debug for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_round_trip_and_published_ones_take_a_byte() {
        let other = ModelId::of_data(1, b"data");
        for (id, len) in PUBLISHED.iter().map(|id| (*id, 1)).chain([(other, 18)]) {
            let mut out = Vec::new();
            id.write(&mut out);
            assert_eq!(out.len(), len);
            assert_eq!(ModelId::read(&mut &out[..]).unwrap(), id);
            for end in 0..len {
                assert!(ModelId::read(&mut &out[..end]).is_err());
            }
        }
    }

    #[test]
    fn rejects_unknown_numbers_and_long_forms_of_published_models() {
        assert!(ModelId::read(&mut &[6][..]).is_err());
        let long = [&[0, PUBLISHED[0].architecture][..], &PUBLISHED[0].hash].concat();
        assert!(ModelId::read(&mut &long[..]).is_err());
    }

    #[test]
    fn the_hash_is_the_start_of_sha_256_of_architecture_and_data() {
        // printf '\001abc' | sha256sum
        let id = ModelId::of_data(1, b"abc");
        assert_eq!(id.to_string(), "1:1e18834c426d00e57788444cb3ccd62c");
    }
}
