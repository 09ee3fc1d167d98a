//! The only checksum of the format: XXH64 with seed 0 (spec §1.2). Every zstd decoder contains it.

use std::fmt;

use xxhash_rust::xxh64::{Xxh64, xxh64};

/// Length of a checksum in bytes (spec §1.2).
pub const CHECKSUM_LEN: usize = 8;

/// XXH64 of these bytes, with seed 0.
pub fn checksum(bytes: &[u8]) -> u64 {
    // A fuzzer cannot guess checksums. When fuzzing, all bytes have the same one.
    if cfg!(fuzzing) {
        return 0;
    }
    xxh64(bytes, 0)
}

/// Computes the checksum of a source from the texts of its blocks (spec §5.1).
#[derive(Clone)]
pub struct SourceChecksum {
    hash: Xxh64,
    is_part: bool,
}

impl fmt::Debug for SourceChecksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceChecksum")
            .field("digest", &self.hash.digest())
            .field("is_part", &self.is_part)
            .finish()
    }
}

impl SourceChecksum {
    /// The checksum of a whole input: that of its text.
    pub fn whole() -> Self {
        Self {
            hash: Xxh64::new(0),
            is_part: false,
        }
    }

    /// The checksum of a part of an input: that of the checksums of its blocks. It is known without
    /// the text.
    pub fn part() -> Self {
        Self {
            is_part: true,
            ..Self::whole()
        }
    }

    /// The checksum of a whole input or of a part of one.
    pub fn of(is_part: bool) -> Self {
        if is_part { Self::part() } else { Self::whole() }
    }

    /// Adds the text of the next block.
    pub fn add_block(&mut self, text: &[u8]) {
        if self.is_part {
            self.add_checksum(text.len() as u64, checksum(text));
        } else {
            self.hash.update(text)
        }
    }

    /// Adds the next block of a part by the length of its text and its checksum. A block without text does not
    /// count.
    pub fn add_checksum(&mut self, text_len: u64, text_checksum: u64) {
        if text_len > 0 {
            self.hash.update(&text_checksum.to_le_bytes());
        }
    }

    /// The checksum.
    pub fn value(&self) -> u64 {
        self.hash.digest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksum_of_a_part_is_that_of_the_checksums_of_its_blocks() {
        let mut whole = SourceChecksum::of(false);
        let [mut part, mut copied] = [(); 2].map(|()| SourceChecksum::of(true));
        let mut sums = Vec::new();
        for text in [&b"1. e4 *\n"[..], b"1. d4 *\n"] {
            whole.add_block(text);
            part.add_block(text);
            copied.add_checksum(text.len() as u64, checksum(text));
            sums.extend(checksum(text).to_le_bytes());
        }
        assert_eq!(whole.value(), checksum(b"1. e4 *\n1. d4 *\n"));
        assert_eq!(part.value(), checksum(&sums));
        assert_eq!(copied.value(), part.value());
    }

    #[test]
    fn checksums_are_those_of_the_spec() {
        assert_eq!(checksum(b""), 0xef46_db37_51d8_e999);
        assert_eq!(checksum(b"a"), 0xd24e_c4f1_a98c_6e5b);
    }
}
