//! Bits: the order in which they lie in bytes, and the codes made of them.
//!
//! **Order.** Bits fill a byte from the most significant one down, and a field
//! is written from its own most significant bit down. A codeword printed from
//! left to right is therefore read off a hex dump from left to right: the
//! three bits `011` followed by `0` are the byte `0110_0000` = `60`.
//!
//! **Invariant.** A stream of bits ends on a byte boundary and the bits that
//! fill its last byte are zero; [`BitReader::finish`] checks both, so that one
//! content has one form in bytes.
//!
//! **Place.** Floor 0: nothing here knows of games or of files. Reading never
//! panics and never allocates more than the stream could fill, whatever the
//! bytes; writing trusts its caller.
//!
//! | module | codes |
//! | --- | --- |
//! | [`gamma`] | Elias gamma: whole numbers ≥ 1, small ones short |
//! | [`rice`] | Golomb–Rice: whole numbers ≥ 0 around a known size |
//! | [`prefixed`] | an integer of any length behind its own length |
//! | [`varint`] | LEB128, in whole bytes: the numbers of headers and indexes |
//! | [`range`] | adaptive range coder: the decisions that columns are made of |
//! | [`frequency`] | range coder by given frequency: the choices that a model weighs |
//! | [`mixing`] | steps of that coder, predicted by several contexts at once |
//! | [`text`] | bytes of text, predicted by those before them |
//! | [`network`] | what is predicted by what was taught beforehand |

pub mod adaptive;
pub mod frequencies;
pub mod gamma;
pub mod mixing;
pub mod network;
pub mod prefixed;
mod reader;
pub mod rice;
pub mod text_model;
pub mod varint;
mod writer;

pub use reader::{BitError, BitErrorKind, BitReader};
pub use writer::BitWriter;

/// Codewords as text, for the literal tests of the codes.
#[cfg(test)]
mod tests_support {
    use super::BitWriter;

    /// The bits that `write` writes, as zeros and ones.
    pub fn codeword(write: impl FnOnce(&mut BitWriter<'_>)) -> String {
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes);
        write(&mut writer);
        let bits = writer.finish() as usize;
        let mut text: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
        assert!(text[bits..].bytes().all(|bit| bit == b'0'));
        text.truncate(bits);
        text
    }

    /// The bytes of a text of zeros and ones.
    pub fn pack(text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = BitWriter::new(&mut bytes);
        for bit in text.bytes() {
            writer.write_bits(u64::from(bit - b'0'), 1);
        }
        writer.finish();
        bytes
    }
}
