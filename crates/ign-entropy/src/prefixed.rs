//! Length-prefixed integers of any size (spec §4.2.2).
//!
//! The codeword of an integer of `L` bits (`L` = 0 for zero) is the Elias gamma
//! codeword of `L + 1`, then the `L − 1` bits below the leading one from the
//! highest down. The leading one follows from the length and is not written, so
//! every integer has exactly one codeword. The first codewords:
//!
//! | integer | codeword |
//! | --- | --- |
//! | 0 | `1` |
//! | 1 | `010` |
//! | 2 | `011` `0` |
//! | 3 | `011` `1` |
//! | 4 | `00100` `00` |
//!
//! In memory an integer is a slice of 64-bit limbs, the least significant
//! first. Zero limbs at the top do not change its value.

use super::writer::low_mask;
use super::{BitError, BitErrorKind, BitReader, BitWriter, gamma};

/// Bit length of an integer: 0 for zero.
#[inline]
pub fn bit_length(limbs: &[u64]) -> u64 {
    match limbs.iter().rposition(|&limb| limb != 0) {
        Some(top) => top as u64 * 64 + u64::from(limbs[top].ilog2()) + 1,
        None => 0,
    }
}

/// Length of the codeword of an integer in bits.
#[inline]
pub fn len(limbs: &[u64]) -> u64 {
    let bits = bit_length(limbs);
    u64::from(gamma::len(bits + 1)) + bits.saturating_sub(1)
}

/// Writes an integer.
#[inline]
pub fn write_integer(writer: &mut BitWriter<'_>, limbs: &[u64]) {
    let bits = bit_length(limbs);
    gamma::write(writer, bits + 1);
    if bits > 1 {
        let top = ((bits - 1) / 64) as usize;
        let below = ((bits - 1) % 64) as u32;
        writer.write_bits(limbs[top] & low_mask(below), below);
        for &limb in limbs[..top].iter().rev() {
            writer.write_bits(limb, 64);
        }
    }
}

/// Reads an integer of at most `max_bits` bits into `limbs`, replacing its
/// content. The top limb is not zero; the integer zero has no limbs.
///
/// # Errors
/// [`BitErrorKind::TooLarge`] if the integer is longer than `max_bits` (its
/// `max` is `max_bits + 1`, as the prefix stores the length plus one);
/// [`BitErrorKind::OutOfBits`] if the stream ends before the integer does.
/// Both are detected before memory is allocated. `limbs` is empty after an
/// error.
#[inline]
pub fn read_integer(
    reader: &mut BitReader<'_>,
    limbs: &mut Vec<u64>,
    max_bits: u64,
) -> Result<(), BitError> {
    limbs.clear();
    let start = reader.position();
    let bits = gamma::read(reader, max_bits.saturating_add(1))? - 1;
    if bits == 0 {
        return Ok(());
    }
    if bits - 1 > reader.remaining() {
        return Err(reader.error_at(start, BitErrorKind::OutOfBits));
    }
    let top = ((bits - 1) / 64) as usize;
    let below = ((bits - 1) % 64) as u32;
    limbs.resize(top + 1, 0);
    limbs[top] = 1 << below | reader.read_bits(below)?;
    for limb in limbs[..top].iter_mut().rev() {
        *limb = reader.read_bits(64)?;
    }
    Ok(())
}

/// Skips an integer of at most `max_bits` bits.
///
/// # Errors
/// As [`read_integer`].
#[inline]
pub fn skip_integer(reader: &mut BitReader<'_>, max_bits: u64) -> Result<(), BitError> {
    let start = reader.position();
    let bits = gamma::read(reader, max_bits.saturating_add(1))? - 1;
    reader
        .skip_bits(bits.saturating_sub(1))
        .map_err(|error| reader.error_at(start, error.kind))
}

#[cfg(test)]
mod tests {
    use super::super::tests_support::{codeword, pack};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn writes_the_known_codewords() {
        for (limbs, expected) in [
            (&[][..], "1"),
            (&[0, 0], "1"),
            (&[1], "010"),
            (&[2], "0110"),
            (&[3, 0], "0111"),
            (&[4], "0010000"),
            (&[7], "0010011"),
            (&[8], "00101000"),
        ] {
            assert_eq!(codeword(|w| write_integer(w, limbs)), expected);
            assert_eq!(len(limbs), expected.len() as u64);
        }
        // 64 bits: gamma(65) is six zeros and 1000001; then 63 ones.
        let ones = codeword(|w| write_integer(w, &[u64::MAX]));
        assert_eq!(ones, "0000001000001".to_owned() + &"1".repeat(63));
        // 65 bits: all of the low limb follows.
        let power = codeword(|w| write_integer(w, &[5, 1]));
        assert_eq!(power, "0000001000010".to_owned() + &"0".repeat(61) + "101");
    }

    #[test]
    fn rejects_a_length_before_it_allocates() {
        let mut limbs = vec![9];
        // A length of 2^63 − 2 bits, which the stream does not have.
        let huge = pack(&("0".repeat(62) + &"1".repeat(63)));
        let error = read_integer(&mut BitReader::new(&huge), &mut limbs, u64::MAX).unwrap_err();
        assert_eq!((error.position, error.kind), (0, BitErrorKind::OutOfBits));
        assert!(limbs.is_empty() && limbs.capacity() < 9);
        let error = read_integer(&mut BitReader::new(&huge), &mut limbs, 100).unwrap_err();
        assert_eq!(error.kind, BitErrorKind::TooLarge { max: 101 });
        let two = pack("0110");
        assert!(read_integer(&mut BitReader::new(&two), &mut limbs, 1).is_err());
        assert_eq!(
            read_integer(&mut BitReader::new(&two), &mut limbs, 2),
            Ok(())
        );
        assert_eq!(limbs, [2]);
    }

    proptest! {
        #[test]
        fn round_trips_any_integers(integers in prop::collection::vec(
            (prop::collection::vec(any::<u64>(), 0..12), 0u32..64), 0..30))
        {
            let shorten = |(mut limbs, shift): (Vec<u64>, u32)| {
                if let Some(top) = limbs.last_mut() {
                    *top >>= shift;
                }
                limbs
            };
            let integers: Vec<Vec<u64>> = integers.into_iter().map(shorten).collect();
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            integers.iter().for_each(|limbs| write_integer(&mut writer, limbs));
            prop_assert_eq!(writer.finish(), integers.iter().map(|i| len(i)).sum::<u64>());
            let mut reader = BitReader::new(&bytes);
            let mut read = Vec::new();
            for limbs in &integers {
                let bits = bit_length(limbs);
                prop_assert_eq!(read_integer(&mut reader, &mut read, bits), Ok(()));
                let used = bits.div_ceil(64) as usize;
                prop_assert_eq!(&read[..], &limbs[..used]);
            }
            prop_assert_eq!(reader.finish(), Ok(()));
        }

        #[test]
        fn reading_any_bytes_does_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..40), max in any::<u64>()) {
            let mut reader = BitReader::new(&bytes);
            let mut limbs = Vec::new();
            while read_integer(&mut reader, &mut limbs, max).is_ok() {}
        }
    }
}
