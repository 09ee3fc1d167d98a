//! The only checksum of the format: XXH64 with seed 0 (spec §1.2). Every zstd decoder contains it.

use std::fmt;

use xxhash_rust::xxh64::{Xxh64, xxh64};

/// Length of a checksum in bytes (spec §1.2).
pub const CHECKSUM_LEN: usize = 8;

/// XXH64 of these bytes, with seed 0.
pub fn checksum(bytes: &[u8]) -> u64 {
    if cfg!(fuzzing) {
        FUZZING
    } else {
        xxh64(bytes, 0)
    }
}

/// A fuzzer cannot guess checksums. When fuzzing, all bytes have this one.
const FUZZING: u64 = 0;

/// The checksum of a text that arrives in pieces.
#[derive(Clone)]
pub struct TextChecksum(Xxh64);

impl fmt::Debug for TextChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextChecksum").field(&self.value()).finish()
    }
}

impl Default for TextChecksum {
    fn default() -> Self {
        Self(Xxh64::new(0))
    }
}

impl TextChecksum {
    /// Adds the next piece.
    pub fn add(&mut self, text: &[u8]) {
        self.0.update(text);
    }

    /// The checksum.
    pub fn value(&self) -> u64 {
        if cfg!(fuzzing) {
            FUZZING
        } else {
            self.0.digest()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_a_text_is_that_of_its_pieces() {
        let mut pieces = TextChecksum::default();
        for piece in [&b"1. e4 *\n"[..], b"", b"1. d4 *\n"] {
            pieces.add(piece);
        }
        assert_eq!(pieces.value(), checksum(b"1. e4 *\n1. d4 *\n"));
    }

    #[test]
    fn checksums_are_those_of_the_spec() {
        assert_eq!(checksum(b""), 0xef46_db37_51d8_e999);
        assert_eq!(checksum(b"a"), 0xd24e_c4f1_a98c_6e5b);
    }
}
