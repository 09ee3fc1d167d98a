//! Adaptive binary range coder (spec §9.1, §9.2): the entropy coder of every
//! column that is not plain text.
//!
//! A binary range coder codes one bit at a time. It divides its interval in
//! proportion to the probability of a 0 and keeps the part of the coded bit.
//! The probability comes from an adaptive [`Bit`], which moves towards the bits
//! that it has coded. Two models turn values into adaptive bits: [`BitTree`] for
//! small alphabets and [`Number`], with its signed form [`Signed`], for integers
//! of any magnitude.
//!
//! Models and columns are written once for both directions. The methods of
//! [`Coder`] take the value to encode and return the value in the stream: an
//! [`Encoder`] writes its argument and returns it, a [`Decoder`] ignores its
//! argument and returns what it reads.
//!
//! Decoding never fails and never panics, whatever the bytes. The decoder reads
//! zeros past the end of its input and counts them ([`Decoder::overrun`]).
//!
//! ```
//! use ign_entropy::adaptive::{Coder, Decoder, Encoder, Number};
//!
//! fn code(coder: &mut impl Coder, values: &mut [u64]) {
//!     let mut model = Number::<3>::default();
//!     for value in values {
//!         *value = model.code(coder, *value);
//!     }
//! }
//!
//! let mut encoder = Encoder::new();
//! code(&mut encoder, &mut [7, 8, 7]);
//! let bytes = encoder.finish();
//!
//! let mut values = [0; 3];
//! code(&mut Decoder::new(&bytes), &mut values);
//! assert_eq!(values, [7, 8, 7]);
//! ```

mod bit;
mod coder;
mod number;

pub use bit::Bit;
pub use coder::{Coder, Decoder, Encoder};
pub use number::{BitTree, Number, Signed};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn encodes_a_short_stream_to_fixed_bytes() {
        // Other bytes here are a change of the format.
        let mut coder = Encoder::new();
        let mut bit = Bit::new();
        for value in [true, true, false, true] {
            coder.bit(&mut bit, value);
        }
        coder.uniform(0xbeef, 16);
        let mut number = Number::<3>::default();
        for value in [0, 1, 2, 300, 1 << 40] {
            number.code(&mut coder, value);
        }
        let bytes = coder.finish();
        assert_eq!(bytes, GOLDEN, "{bytes:02x?}");
    }
    const GOLDEN: &[u8] = &[0xaf, 0x35, 0xbb, 0xc9, 0xf3, 0x45, 0xd4, 0xd4, 0xdc, 0xc9];

    #[test]
    fn decoding_any_bytes_returns_and_counts_the_overrun() {
        let mut decoder = Decoder::new(&[0xff; 3]);
        let mut number = Number::<3>::default();
        for _ in 0..1000 {
            number.code(&mut decoder, 0);
            decoder.uniform(0, 64);
        }
        assert!(decoder.overrun() > 1000);
    }

    proptest! {
        #[test]
        fn round_trips_bits_and_numbers(
            values in prop::collection::vec((any::<bool>(), any::<i32>(), 0u32..64, any::<u64>()), 0..400)
        ) {
            let (mut bit, mut signed, mut tree) = (Bit::new(), Signed::default(), BitTree::<5>::default());
            let mut number = Number::<3>::default();
            let mut coder = Encoder::new();
            for &(flag, step, count, value) in &values {
                coder.bit(&mut bit, flag);
                signed.code(&mut coder, i64::from(step));
                tree.code(&mut coder, count & 31);
                coder.uniform(value & ((1 << count) - 1), count);
                coder.one_of(value as u32 % (1 + 977 * count), 1 + 977 * count);
                number.code(&mut coder, value >> 1 >> count);
            }
            let bytes = coder.finish();
            let (mut bit, mut signed, mut tree) = (Bit::new(), Signed::default(), BitTree::<5>::default());
            let mut number = Number::<3>::default();
            let mut decoder = Decoder::new(&bytes);
            for &(flag, step, count, value) in &values {
                prop_assert_eq!(decoder.bit(&mut bit, false), flag);
                prop_assert_eq!(signed.code(&mut decoder, 0), i64::from(step));
                prop_assert_eq!(tree.code(&mut decoder, 0), count & 31);
                prop_assert_eq!(decoder.uniform(0, count), value & ((1 << count) - 1));
                prop_assert_eq!(decoder.one_of(0, 1 + 977 * count), value as u32 % (1 + 977 * count));
                prop_assert_eq!(number.code(&mut decoder, 0), value >> 1 >> count);
            }
        }
    }
}
