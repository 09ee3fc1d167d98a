//! Writing bits to the end of a byte vector, most significant bit first.
//!
//! Invariant: the accumulator holds fewer than 64 pending bits, right-aligned,
//! with zeros above them; all earlier bits are in the vector, in whole 64-bit
//! words. [`BitReader`](super::BitReader) reads the result.

/// Appends bits to a `Vec<u8>`.
///
/// The stream is complete only after [`finish`](BitWriter::finish), which writes
/// the pending bits and pads the last byte with zeros.
///
/// ```
/// use ign_entropy::BitWriter;
///
/// let mut bytes = Vec::new();
/// let mut writer = BitWriter::new(&mut bytes);
/// writer.write_bits(0b011, 3);
/// writer.write_bits(0, 1);
/// assert_eq!(writer.finish(), 4);
/// assert_eq!(bytes, [0b0110_0000]);
/// ```
#[derive(Debug)]
#[must_use = "the last bits are written by `finish`"]
pub struct BitWriter<'a> {
    /// Receives whole words, after its previous content.
    out: &'a mut Vec<u8>,
    /// Offset of the stream in `out`, in bytes.
    start: usize,
    /// Pending bits, right-aligned.
    pending: u64,
    /// Number of pending bits, 0 to 63.
    filled: u32,
}

impl<'a> BitWriter<'a> {
    /// A writer that appends to `out`.
    pub fn new(out: &'a mut Vec<u8>) -> Self {
        let start = out.len();
        BitWriter {
            out,
            start,
            pending: 0,
            filled: 0,
        }
    }

    /// Writes the `width` low bits of `value` (0 to 64), the most significant
    /// first. The bits above them must be zero: debug builds check it, others
    /// ignore them.
    #[inline]
    pub fn write_bits(&mut self, value: u64, width: u32) {
        debug_assert!(width <= 64, "a field of {width} bits");
        debug_assert!(
            value & !low_mask(width) == 0,
            "{value} in a field of {width} bits"
        );
        let value = value & low_mask(width);
        let free = 64 - self.filled;
        if width < free {
            self.pending = self.pending << width | value;
            self.filled += width;
        } else {
            let rest = width - free;
            // `free` is 64 when no bits are pending, an invalid shift; the word is
            // then the value alone.
            let above = self.pending.checked_shl(free).unwrap_or(0);
            self.out
                .extend_from_slice(&(above | value >> rest).to_be_bytes());
            self.pending = value & low_mask(rest);
            self.filled = rest;
        }
    }

    /// Writes the unary code of `zeros`: that many zero bits, then a one.
    #[inline]
    pub fn write_unary(&mut self, mut zeros: u64) {
        while zeros >= 63 {
            self.write_bits(0, 63);
            zeros -= 63;
        }
        self.write_bits(1, zeros as u32 + 1);
    }

    /// Number of bits written so far, padding excluded.
    pub fn bits_written(&self) -> u64 {
        (self.out.len() - self.start) as u64 * 8 + u64::from(self.filled)
    }

    /// Writes the pending bits, pads the last byte with zeros and returns the
    /// number of bits written, padding excluded.
    pub fn finish(self) -> u64 {
        let bits = self.bits_written();
        if self.filled > 0 {
            let bytes = (self.pending << (64 - self.filled)).to_be_bytes();
            let len = self.filled.div_ceil(8) as usize;
            self.out.extend_from_slice(&bytes[..len]);
        }
        bits
    }
}

/// The mask of the `width` lowest bits, `width` 0 to 64.
#[inline]
pub(super) const fn low_mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::BitReader;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_empty_stream_has_no_bytes() {
        let mut bytes = vec![7];
        assert_eq!(BitWriter::new(&mut bytes).finish(), 0);
        assert_eq!(bytes, [7]);
    }

    #[test]
    fn writes_fields_from_the_most_significant_bit() {
        let mut bytes = vec![0xff];
        let mut writer = BitWriter::new(&mut bytes);
        writer.write_bits(1, 1);
        writer.write_bits(u64::MAX, 64);
        writer.write_bits(0, 0);
        writer.write_bits(0, 6);
        writer.write_bits(0x0123_4567_89ab_cdef, 64);
        writer.write_bits(1, 2);
        assert_eq!(writer.finish(), 137);
        let text: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
        let field = format!("{:064b}", 0x0123_4567_89ab_cdef_u64);
        let expected = [
            "11111111",
            &"1".repeat(65),
            "000000",
            &field,
            "01",
            "0000000",
        ];
        assert_eq!(text, expected.concat());
    }

    #[test]
    fn unary_is_zeros_then_a_one() {
        for zeros in [0, 1, 62, 63, 64, 126, 200] {
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            writer.write_unary(zeros);
            assert_eq!(writer.finish(), zeros + 1);
            let set: u32 = bytes.iter().map(|byte| byte.count_ones()).sum();
            assert_eq!(set, 1);
            assert_eq!(bytes[zeros as usize / 8], 0x80 >> (zeros % 8));
        }
    }

    proptest! {
        #[test]
        fn round_trips_any_fields(fields in prop::collection::vec((any::<u64>(), 0u32..=64), 0..200)) {
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            let mut total = 0;
            for &(value, width) in &fields {
                writer.write_bits(value & low_mask(width), width);
                total += u64::from(width);
                prop_assert_eq!(writer.bits_written(), total);
            }
            prop_assert_eq!(writer.finish(), total);
            prop_assert_eq!(bytes.len() as u64, total.div_ceil(8));
            let mut reader = BitReader::new(&bytes);
            for &(value, width) in &fields {
                prop_assert_eq!(reader.read_bits(width), Ok(value & low_mask(width)));
            }
            prop_assert_eq!(reader.position(), total);
            prop_assert_eq!(reader.finish(), Ok(()));
        }
    }
}
