//! Elias gamma code: an integer ≥ 1 as its bit length in unary, then its bits.
//!
//! The codeword of an integer of `L` bits is `L − 1` zeros followed by the
//! integer from its leading one down: `1`, `010`, `011`, `00100`, … (P. Elias,
//! Universal codeword sets and representations of the integers, 1975). It has
//! `2·L − 1` bits and is optimal for probabilities that decrease as 1/n². Zero
//! has no codeword; callers that need it encode `n + 1`.
//!
//! ```
//! use ign_entropy::{BitReader, BitWriter, gamma};
//!
//! let mut bytes = Vec::new();
//! let mut writer = BitWriter::new(&mut bytes);
//! gamma::write(&mut writer, 5);
//! assert_eq!(writer.finish(), 5);
//! assert_eq!(bytes, [0b0010_1000]);
//! assert_eq!(gamma::read(&mut BitReader::new(&bytes), 100), Ok(5));
//! ```

use super::{BitError, BitErrorKind, BitReader, BitWriter};

/// Length in bits of the codeword of `value` ≥ 1: 1 to 127.
#[inline]
pub const fn len(value: u64) -> u32 {
    2 * value.ilog2() + 1
}

/// Writes the codeword of `value`.
///
/// # Panics
/// If `value` is 0, which has no codeword.
#[inline]
pub fn write(writer: &mut BitWriter<'_>, value: u64) {
    let below = value.ilog2();
    writer.write_bits(0, below);
    writer.write_bits(value, below + 1);
}

/// Reads an integer from 1 to `max`.
///
/// # Errors
/// [`BitErrorKind::TooLarge`] for an integer above `max`,
/// [`BitErrorKind::OutOfBits`] if the codeword does not end.
#[inline]
pub fn read(reader: &mut BitReader<'_>, max: u64) -> Result<u64, BitError> {
    let start = reader.position();
    let too_large = BitErrorKind::TooLarge { max };
    let longest = u64::from(max.max(1).ilog2());
    // With more than `longest` zeros the integer exceeds `max`.
    let below = match reader.read_unary(longest) {
        Ok(zeros) => zeros as u32,
        Err(BitError {
            kind: BitErrorKind::TooLarge { .. },
            ..
        }) => return Err(reader.error_at(start, too_large)),
        Err(error) => return Err(error),
    };
    match reader.read_bits(below) {
        Ok(low) if 1 << below | low <= max => Ok(1 << below | low),
        Ok(_) => Err(reader.error_at(start, too_large)),
        Err(error) => Err(reader.error_at(start, error.kind)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_support::{codeword, pack};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn writes_the_known_codewords() {
        for (value, expected) in [
            (1, "1"),
            (2, "010"),
            (3, "011"),
            (4, "00100"),
            (5, "00101"),
            (7, "00111"),
            (8, "0001000"),
            (255, "000000011111111"),
            (256, "00000000100000000"),
        ] {
            assert_eq!(codeword(|w| write(w, value)), expected);
            assert_eq!(len(value) as usize, expected.len());
        }
        let ones = "1".repeat(64);
        assert_eq!(codeword(|w| write(w, u64::MAX)), "0".repeat(63) + &ones);
        assert_eq!(len(u64::MAX), 127);
        let power = "0".repeat(63) + "1" + &"0".repeat(63);
        assert_eq!(codeword(|w| write(w, 1 << 63)), power);
    }

    #[test]
    fn rejects_integers_above_the_maximum() {
        let bytes = pack("00101");
        assert_eq!(read(&mut BitReader::new(&bytes), 5), Ok(5));
        for max in [0, 1, 3, 4] {
            let mut reader = BitReader::new(&bytes);
            let error = read(&mut reader, max).unwrap_err();
            assert_eq!(error.kind, BitErrorKind::TooLarge { max });
            assert_eq!((error.position, reader.position()), (0, 0));
        }
        let kind = |bits: &str| {
            read(&mut BitReader::new(&pack(bits)), u64::MAX)
                .unwrap_err()
                .kind
        };
        assert_eq!(kind(""), BitErrorKind::OutOfBits);
        assert_eq!(kind("00000001"), BitErrorKind::OutOfBits);
        assert_eq!(kind("00000000"), BitErrorKind::OutOfBits);
        assert_eq!(
            kind(&("0".repeat(64) + &"1".repeat(64))),
            BitErrorKind::TooLarge { max: u64::MAX }
        );
    }

    proptest! {
        #[test]
        fn round_trips_any_integers(values in prop::collection::vec((1..=u64::MAX, 0u32..64), 0..100)) {
            let values: Vec<u64> = values.into_iter().map(|(v, shift)| (v >> shift).max(1)).collect();
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            values.iter().for_each(|&value| write(&mut writer, value));
            let bits = writer.finish();
            prop_assert_eq!(bits, values.iter().map(|&v| u64::from(len(v))).sum::<u64>());
            let mut reader = BitReader::new(&bytes);
            for &value in &values {
                prop_assert_eq!(read(&mut reader, value), Ok(value));
            }
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }
}
