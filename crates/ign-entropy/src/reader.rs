//! Reading bits from a byte slice, most significant bit first.
//!
//! Invariant: the position counts bits and never passes the end of the slice; a
//! failed read does not change it. The bytes are untrusted: every failure is a
//! [`BitError`] with its position, never a panic.

use std::fmt;

/// A fault in a bit stream and its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitError {
    /// Start of the faulty field, in bits from the start of the slice.
    pub position: u64,
    /// The kind of fault.
    pub kind: BitErrorKind,
}

/// The kinds of [`BitError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitErrorKind {
    /// The stream ends inside the field.
    OutOfBits,
    /// The value of the field is above the maximum of the caller.
    TooLarge {
        /// The largest valid value.
        max: u64,
    },
    /// The bits after the last field are not zero, or are eight or more.
    Padding,
}

impl fmt::Display for BitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            BitErrorKind::OutOfBits => {
                write!(
                    f,
                    "the bit stream ends inside the field at bit {}",
                    self.position
                )
            }
            BitErrorKind::TooLarge { max } => {
                write!(f, "the field at bit {} is above {max}", self.position)
            }
            BitErrorKind::Padding => write!(
                f,
                "the padding from bit {} on is not fewer than eight zero bits",
                self.position
            ),
        }
    }
}

impl std::error::Error for BitError {}

/// Reads bits from a slice; the inverse of [`BitWriter`](super::BitWriter).
///
/// ```
/// use ign_entropy::BitReader;
///
/// let mut reader = BitReader::new(&[0b0110_0000]);
/// assert_eq!(reader.read_bits(3), Ok(0b011));
/// assert_eq!(reader.read_bits(1), Ok(0));
/// assert!(reader.clone().read_bits(5).is_err());
/// assert_eq!(reader.finish(), Ok(()));
/// ```
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    /// Position of the next bit.
    position: u64,
}

impl<'a> BitReader<'a> {
    /// A reader at the first bit of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        BitReader { bytes, position: 0 }
    }

    /// Position of the next bit, from the start of the slice.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Number of unread bits, padding included.
    pub fn remaining(&self) -> u64 {
        self.bytes.len() as u64 * 8 - self.position
    }

    /// Reads a field of `width` bits (0 to 64), the most significant first.
    ///
    /// # Errors
    /// [`BitErrorKind::OutOfBits`] if fewer bits are left.
    #[inline]
    pub fn read_bits(&mut self, width: u32) -> Result<u64, BitError> {
        debug_assert!(width <= 64, "a field of {width} bits");
        if u64::from(width) > self.remaining() {
            return Err(self.error(BitErrorKind::OutOfBits));
        }
        if width == 0 {
            return Ok(0);
        }
        let (window, valid) = self.window();
        let value = if width <= valid {
            window >> (64 - width)
        } else {
            // At most 7 bits of the field are in the ninth byte.
            let below = width - valid;
            let ninth = self.bytes[(self.position / 8) as usize + 8];
            window >> (64 - valid) << below | u64::from(ninth >> (8 - below))
        };
        self.position += u64::from(width);
        Ok(value)
    }

    /// Skips `count` bits.
    ///
    /// # Errors
    /// [`BitErrorKind::OutOfBits`] if fewer bits are left.
    #[inline]
    pub fn skip_bits(&mut self, count: u64) -> Result<(), BitError> {
        if count > self.remaining() {
            return Err(self.error(BitErrorKind::OutOfBits));
        }
        self.position += count;
        Ok(())
    }

    /// Reads a unary code: returns the number of zeros before the next one bit
    /// and consumes that bit too.
    ///
    /// # Errors
    /// [`BitErrorKind::TooLarge`] if there are more than `max` zeros,
    /// [`BitErrorKind::OutOfBits`] if no one bit follows.
    #[inline]
    pub fn read_unary(&mut self, max: u64) -> Result<u64, BitError> {
        let start = self.position;
        let kind = loop {
            let (window, valid) = self.window();
            let zeros = window.leading_zeros().min(valid);
            self.position += u64::from(zeros);
            if self.position - start > max {
                break BitErrorKind::TooLarge { max };
            }
            if zeros < valid {
                let count = self.position - start;
                self.position += 1;
                return Ok(count);
            }
            if self.remaining() == 0 {
                break BitErrorKind::OutOfBits;
            }
        };
        self.position = start;
        Err(self.error(kind))
    }

    /// Checks the end of the stream: only the zeros that pad the last byte, fewer
    /// than eight, may be left.
    ///
    /// # Errors
    /// [`BitErrorKind::Padding`] otherwise.
    pub fn finish(self) -> Result<(), BitError> {
        let (window, _) = self.window();
        if self.remaining() >= 8 || window != 0 {
            return Err(self.error(BitErrorKind::Padding));
        }
        Ok(())
    }

    /// An error at the current position.
    pub(super) fn error(&self, kind: BitErrorKind) -> BitError {
        BitError {
            position: self.position,
            kind,
        }
    }

    /// An error of the field that started at `position`; moves back there.
    pub(super) fn error_at(&mut self, position: u64, kind: BitErrorKind) -> BitError {
        self.position = position;
        self.error(kind)
    }

    /// The next bits, left-aligned and followed by zeros, and the number of
    /// valid ones: at least 57, or all that are left.
    #[inline]
    fn window(&self) -> (u64, u32) {
        let offset = (self.position / 8) as usize;
        let skip = (self.position % 8) as u32;
        let rest = &self.bytes[offset..];
        if let Some(word) = rest.first_chunk::<8>() {
            (u64::from_be_bytes(*word) << skip, 64 - skip)
        } else {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            let valid = rest.len() as u32 * 8;
            // At the end of the slice both `valid` and `skip` are zero.
            (u64::from_be_bytes(word) << skip, valid.saturating_sub(skip))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_read_past_the_end_fails_and_keeps_the_position() {
        let mut reader = BitReader::new(&[0xa5]);
        assert_eq!(reader.read_bits(3), Ok(0b101));
        let error = reader.read_bits(6).unwrap_err();
        assert_eq!(error.position, 3);
        assert_eq!(error.kind, BitErrorKind::OutOfBits);
        assert_eq!(reader.read_bits(5), Ok(0b00101));
        assert_eq!(reader.read_bits(0), Ok(0));
        assert!(reader.read_bits(1).is_err());
        assert!(reader.read_unary(9).is_err());
        let mut reader = BitReader::new(&[0xa5]);
        assert!(reader.skip_bits(9).is_err());
        assert_eq!(reader.skip_bits(5), Ok(()));
        assert_eq!(reader.read_bits(3), Ok(0b101));
    }

    #[test]
    fn reads_64_bits_at_every_offset() {
        let bytes: Vec<u8> = (0..24u8).map(|i| i.wrapping_mul(37) ^ 0x5a).collect();
        let bit = |i: u64| u64::from(bytes[(i / 8) as usize] >> (7 - i % 8) & 1);
        for offset in 0..64u32 {
            let mut reader = BitReader::new(&bytes);
            reader.read_bits(offset).unwrap();
            let expected = (0..64).fold(0, |x, i| x << 1 | bit(u64::from(offset) + i));
            assert_eq!(reader.read_bits(64), Ok(expected));
        }
    }

    #[test]
    fn padding_is_fewer_than_eight_zeros() {
        let finish_after = |bytes: &'static [u8], skip| {
            let mut reader = BitReader::new(bytes);
            reader.read_bits(skip).unwrap();
            reader.finish()
        };
        assert_eq!(finish_after(&[], 0), Ok(()));
        assert_eq!(finish_after(&[0x80], 1), Ok(()));
        assert_eq!(finish_after(&[0x81], 8), Ok(()));
        assert!(finish_after(&[0x81], 7).is_err());
        assert!(finish_after(&[0x81], 1).is_err());
        assert!(
            finish_after(&[0x00], 0).is_err(),
            "a whole byte is not padding"
        );
    }

    #[test]
    fn rejects_unary_codes_above_the_maximum() {
        let mut bytes = vec![0; 20];
        bytes.push(0x10);
        let mut reader = BitReader::new(&bytes);
        let error = reader.read_unary(162).unwrap_err();
        assert_eq!(error.kind, BitErrorKind::TooLarge { max: 162 });
        assert_eq!(reader.position(), 0);
        assert_eq!(reader.read_unary(163), Ok(163));
        assert_eq!(
            reader.read_unary(99).unwrap_err().kind,
            BitErrorKind::OutOfBits
        );
    }

    proptest! {
        #[test]
        fn reading_any_bytes_does_not_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..40),
            widths in prop::collection::vec((0u32..=64, any::<bool>()), 0..40),
        ) {
            let mut reader = BitReader::new(&bytes);
            for (width, unary) in widths {
                let before = reader.position();
                let failed = if unary {
                    reader.read_unary(u64::from(width)).is_err()
                } else {
                    reader.read_bits(width).is_err()
                };
                prop_assert!(!failed || reader.position() == before);
                prop_assert!(reader.position() <= bytes.len() as u64 * 8);
            }
            let _ = reader.finish();
        }
    }
}
