//! Integers of a fixed number of bits, the first in the lowest bits (spec §15.3).

use ign_format::error::{Error, Result};

/// The greatest number of bits of a value.
pub const MAX_BITS: u32 = 56;

/// The bytes that `count` values take.
pub fn len(count: u64, bits: u32) -> u64 {
    (u128::from(count) * u128::from(bits)).div_ceil(8) as u64
}

/// Appends values of `bits` bits each, at most [`MAX_BITS`].
pub fn write(out: &mut Vec<u8>, values: impl Iterator<Item = u64>, bits: u32) {
    let (mut word, mut used) = (0u128, 0);
    for value in values {
        word |= u128::from(value) << used;
        used += bits;
        if used >= u64::BITS {
            out.extend_from_slice(&(word as u64).to_le_bytes());
            word >>= u64::BITS;
            used -= u64::BITS;
        }
    }
    out.extend_from_slice(&(word as u64).to_le_bytes()[..used.div_ceil(8) as usize]);
}

/// Values in memory.
#[derive(Debug, Clone, Copy)]
pub struct Packed<'a> {
    bytes: &'a [u8],
    bits: u32,
}

impl<'a> Packed<'a> {
    /// Reads `count` values of `bits` bits from the front of `input`.
    ///
    /// # Errors
    /// Corrupt if the input is too short or `bits` too large.
    pub fn read(input: &mut &'a [u8], count: u64, bits: u32) -> Result<Self> {
        let len = usize::try_from(len(count, bits))
            .ok()
            .filter(|_| bits <= MAX_BITS);
        let bytes = len
            .and_then(|len| input.split_off(..len))
            .ok_or_else(|| Error::corrupt("an array of the index is cut off"))?;
        Ok(Self { bytes, bits })
    }

    /// The value at an index; 0 after the end.
    #[inline]
    pub fn get(&self, index: u64) -> u64 {
        let bit = index * u64::from(self.bits);
        let (byte, shift) = ((bit / 8) as usize, bit % 8);
        let word = match self.bytes.get(byte..byte + 8) {
            Some(word) => u64::from_le_bytes(word.try_into().unwrap_or_default()),
            None => {
                let rest = self.bytes.get(byte..).unwrap_or_default();
                rest.iter()
                    .rev()
                    .fold(0, |word, &byte| word << 8 | u64::from(byte))
            }
        };
        word >> shift & ((1 << self.bits) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_value_is_in_the_lowest_bits() {
        let mut out = Vec::new();
        write(&mut out, [1, 2, 3, 4].into_iter(), 3);
        assert_eq!(out, [0b11_010_001, 0b1000]);
    }

    proptest! {
        #[test]
        fn values_round_trip(values in prop::collection::vec(any::<u64>(), 0..100), bits in 0..=MAX_BITS) {
            let values: Vec<u64> = values.iter().map(|value| value & ((1 << bits) - 1)).collect();
            let mut out = Vec::new();
            write(&mut out, values.iter().copied(), bits);
            prop_assert_eq!(out.len() as u64, len(values.len() as u64, bits));
            let packed = Packed::read(&mut &out[..], values.len() as u64, bits).unwrap();
            for (i, value) in (0..).zip(&values) {
                prop_assert_eq!(packed.get(i), *value);
            }
        }
    }
}
