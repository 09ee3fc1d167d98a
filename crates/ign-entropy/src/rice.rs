//! Golomb–Rice codes: integers ≥ 0 whose typical magnitude is known.
//!
//! With parameter `p` the codeword is the quotient by `2^p` in unary (that many
//! zeros, then a one), then the `p` low bits (R. F. Rice, 1979; the Golomb code
//! of a power of two). It is best when about half of the integers are below
//! `2^p`. A much larger integer takes `value / 2^p` bits, so readers pass a
//! maximum, and writers need another code where integers can be huge.
//!
//! ```
//! use ign_entropy::{BitReader, BitWriter, rice};
//!
//! let mut bytes = Vec::new();
//! let mut writer = BitWriter::new(&mut bytes);
//! rice::write(&mut writer, 11, 2);
//! assert_eq!(writer.finish(), 5);
//! assert_eq!(bytes, [0b0011_1000]);
//! assert_eq!(rice::read(&mut BitReader::new(&bytes), 2, 100), Ok(11));
//! ```

use super::{BitError, BitErrorKind, BitReader, BitWriter};

/// The greatest parameter.
pub const MAX_PARAMETER: u32 = 63;

/// Length in bits of the codeword of `value` with `parameter`. Saturates at
/// `u64::MAX`, which only parameter 0 can reach.
#[inline]
pub const fn len(value: u64, parameter: u32) -> u64 {
    (value >> parameter).saturating_add(1 + parameter as u64)
}

/// Writes `value` with `parameter` (0 to [`MAX_PARAMETER`]) in time
/// proportional to [`len`].
#[inline]
pub fn write(writer: &mut BitWriter<'_>, value: u64, parameter: u32) {
    debug_assert!(parameter <= MAX_PARAMETER);
    writer.write_unary(value >> parameter);
    writer.write_bits(value & ((1 << parameter) - 1), parameter);
}

/// Reads an integer from 0 to `max`, written with `parameter`.
///
/// # Errors
/// [`BitErrorKind::TooLarge`] for an integer above `max`,
/// [`BitErrorKind::OutOfBits`] if the codeword does not end.
#[inline]
pub fn read(reader: &mut BitReader<'_>, parameter: u32, max: u64) -> Result<u64, BitError> {
    debug_assert!(parameter <= MAX_PARAMETER);
    let start = reader.position();
    let too_large = BitErrorKind::TooLarge { max };
    let quotient = match reader.read_unary(max >> parameter) {
        Ok(zeros) => zeros,
        Err(BitError {
            kind: BitErrorKind::TooLarge { .. },
            ..
        }) => return Err(reader.error_at(start, too_large)),
        Err(error) => return Err(error),
    };
    match reader.read_bits(parameter) {
        Ok(low) if quotient << parameter | low <= max => Ok(quotient << parameter | low),
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
        for (value, parameter, expected) in [
            (0, 0, "1"),
            (1, 0, "01"),
            (5, 0, "000001"),
            (0, 2, "100"),
            (3, 2, "111"),
            (4, 2, "0100"),
            (11, 2, "00111"),
            (11, 3, "01011"),
        ] {
            assert_eq!(codeword(|w| write(w, value, parameter)), expected);
            assert_eq!(len(value, parameter), expected.len() as u64);
        }
        let longest = codeword(|w| write(w, u64::MAX, 63));
        assert_eq!(longest, "01".to_owned() + &"1".repeat(63));
        assert_eq!(len(u64::MAX, 63), 65);
        assert_eq!(len(u64::MAX, 0), u64::MAX);
    }

    #[test]
    fn rejects_integers_above_the_maximum() {
        let bytes = pack("00111");
        assert_eq!(read(&mut BitReader::new(&bytes), 2, 11), Ok(11));
        for max in [0, 3, 7, 8, 10] {
            let mut reader = BitReader::new(&bytes);
            let error = read(&mut reader, 2, max).unwrap_err();
            assert_eq!(error.kind, BitErrorKind::TooLarge { max });
            assert_eq!((error.position, reader.position()), (0, 0));
        }
        let zeros = [0; 9];
        let kind = |max| read(&mut BitReader::new(&zeros), 0, max).unwrap_err().kind;
        assert_eq!(kind(u64::MAX), BitErrorKind::OutOfBits);
        assert_eq!(kind(71), BitErrorKind::TooLarge { max: 71 });
        let cut = read(&mut BitReader::new(&[0x01]), 9, u64::MAX).unwrap_err();
        assert_eq!((cut.position, cut.kind), (0, BitErrorKind::OutOfBits));
    }

    proptest! {
        #[test]
        fn round_trips_any_integers(values in prop::collection::vec((any::<u64>(), 0u32..=63), 0..100)) {
            // At most 1,023 zeros per codeword, for any parameter.
            let limit = |(value, p): (u64, u32)| (value >> 54u32.saturating_sub(p), p);
            let values: Vec<_> = values.into_iter().map(limit).collect();
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            values.iter().for_each(|&(v, p)| write(&mut writer, v, p));
            prop_assert_eq!(writer.finish(), values.iter().map(|&(v, p)| len(v, p)).sum::<u64>());
            let mut reader = BitReader::new(&bytes);
            for &(value, parameter) in &values {
                prop_assert_eq!(read(&mut reader, parameter, value), Ok(value));
            }
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }
}
