//! Reading bits from a byte slice, most significant bit first.
//!
//! Invariant: the position is a number of bits and never passes the end of the
//! slice; a read that fails leaves it where it was. The bytes may be anybody's:
//! every failure is a [`BitError`] with its place, none is a panic.

use std::fmt;

/// What is wrong with a stream of bits, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitError {
    /// Position in bits from the start of the slice at which the failed field
    /// begins.
    pub position: u64,
    /// What was found there.
    pub kind: BitErrorKind,
}

/// The kinds of [`BitError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitErrorKind {
    /// The field goes on past the end of the bits.
    OutOfBits,
    /// The field holds more than the caller allows: a value above this one.
    TooLarge {
        /// The greatest value allowed.
        max: u64,
    },
    /// Bits after the last field are not zero, or fill a byte or more.
    Padding,
}

impl fmt::Display for BitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            BitErrorKind::OutOfBits => {
                write!(f, "bits end inside the field at bit {}", self.position)
            }
            BitErrorKind::TooLarge { max } => {
                write!(f, "field at bit {} holds more than {max}", self.position)
            }
            BitErrorKind::Padding => write!(
                f,
                "bits from bit {} on should be zeros that fill one byte",
                self.position
            ),
        }
    }
}

impl std::error::Error for BitError {}

/// Reads bits from a slice; the other half of [`super::BitWriter`].
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
    /// The bits, eight to a byte.
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

    /// Bits not read yet, padding included.
    pub fn remaining(&self) -> u64 {
        self.bytes.len() as u64 * 8 - self.position
    }

    /// Reads a field of `width` bits, 0 to 64.
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
            // At most 7 bits of the field lie in the ninth byte.
            let below = width - valid;
            let ninth = self.bytes[(self.position / 8) as usize + 8];
            window >> (64 - valid) << below | u64::from(ninth >> (8 - below))
        };
        self.position += u64::from(width);
        Ok(value)
    }

    /// Passes over `count` bits.
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

    /// Reads a unary code: the number of zero bits before the next one, which
    /// is read too.
    ///
    /// # Errors
    /// [`BitErrorKind::TooLarge`] if more than `max` zeros come first,
    /// [`BitErrorKind::OutOfBits`] if no one comes.
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

    /// Ends the reading: what is left must be the zeros that fill the last
    /// byte, fewer than eight.
    ///
    /// # Errors
    /// [`BitErrorKind::Padding`] if it is not.
    pub fn finish(self) -> Result<(), BitError> {
        let (window, _) = self.window();
        if self.remaining() >= 8 || window != 0 {
            return Err(self.error(BitErrorKind::Padding));
        }
        Ok(())
    }

    /// An error at the present position.
    pub(super) fn error(&self, kind: BitErrorKind) -> BitError {
        BitError {
            position: self.position,
            kind,
        }
    }

    /// An error of the field that began at `position`; goes back there.
    pub(super) fn error_at(&mut self, position: u64, kind: BitErrorKind) -> BitError {
        self.position = position;
        self.error(kind)
    }

    /// The next bits, left-aligned with zeros below, and how many of them are
    /// the stream's: at least 57, or all that are left.
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
            // At the very end both are zero: nothing is skipped there.
            (u64::from_be_bytes(word) << skip, valid.saturating_sub(skip))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn running_out_is_an_error_and_moves_nothing() {
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
    fn sixty_four_bits_at_every_offset() {
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
    fn padding_must_be_zeros_within_a_byte() {
        let at = |bytes: &'static [u8], skip| {
            let mut reader = BitReader::new(bytes);
            reader.read_bits(skip).unwrap();
            reader.finish()
        };
        assert_eq!(at(&[], 0), Ok(()));
        assert_eq!(at(&[0x80], 1), Ok(()));
        assert_eq!(at(&[0x81], 8), Ok(()));
        assert!(at(&[0x81], 7).is_err());
        assert!(at(&[0x81], 1).is_err());
        assert!(at(&[0x00], 0).is_err(), "a whole byte is not padding");
    }

    #[test]
    fn unary_stops_at_its_bound() {
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
        fn no_bytes_make_it_panic(
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
