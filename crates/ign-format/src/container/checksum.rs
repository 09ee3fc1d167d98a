//! The only checksum of the format: XXH64 with seed 0 (spec §1.2). Every zstd decoder contains it.

use xxhash_rust::xxh64::xxh64;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_spec() {
        assert_eq!(checksum(b""), 0xef46_db37_51d8_e999);
        assert_eq!(checksum(b"a"), 0xd24e_c4f1_a98c_6e5b);
    }
}
