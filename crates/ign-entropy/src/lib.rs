//! Entropy coding on integers only: bit streams, integer codes, range coders,
//! context mixing and small networks. The crate knows no games and no files.
//!
//! An entropy coder writes a sequence of values in as few bits as their
//! probabilities allow. Coding splits into two parts: a *model*, which assigns
//! probabilities, and a *coder*, which turns values and probabilities into
//! bits. The decoder runs the same model on the values that it has decoded so
//! far, so nothing about the model is stored.
//!
//! # Bit order
//!
//! Bits fill a byte from the most significant one down, and a field is written
//! from its own most significant bit down. A codeword can therefore be read off
//! a hex dump from left to right: the bits `011` followed by `0` are the byte
//! `0110_0000` = `60`. A stream ends on a byte boundary, padded with zeros;
//! [`BitReader::finish`] checks the padding, so equal content has equal bytes.
//!
//! # Integer codes
//!
//! They need no model, only a guess of the magnitude.
//!
//! | module | code | use |
//! | --- | --- | --- |
//! | [`gamma`] | Elias gamma | integers ≥ 1, mostly small |
//! | [`rice`] | Golomb–Rice | integers ≥ 0 of a known typical magnitude |
//! | [`prefixed`] | gamma-coded length, then the bits | integers of any size |
//! | [`varint`] | LEB128, in whole bytes | fields of headers and indexes |
//!
//! # Range coders
//!
//! A range coder keeps an interval of numbers and narrows it for every symbol in
//! proportion to the symbol's probability; the stream is a number in the final
//! interval. A symbol of probability p takes −log2(p) bits, also fractions of a
//! bit.
//!
//! | module | coder | probabilities from |
//! | --- | --- | --- |
//! | [`adaptive`] | binary range coder | adaptive bits, bit trees and integers built from them |
//! | [`frequencies`] | range coder for any alphabet | frequencies that the caller computes |
//!
//! # Models
//!
//! They compute the probabilities of the bits of the [`adaptive`] coder.
//!
//! | module | model |
//! | --- | --- |
//! | [`mixing`] | signed integers; several contexts combined by logistic mixing |
//! | [`text_model`] | text; order-N contexts and the longest match, mixed likewise |
//! | [`network`] | small integer networks, trained beforehand, that predict from categorical inputs |
//! | [`logistic`] | what these share: stretch and squash, and the update rules of logistic mixing |
//!
//! # Guarantees
//!
//! All arithmetic is integral, so that every machine writes the same bytes.
//! Reading never panics, whatever the bytes, and allocates no memory that the
//! stream could not fill or that the caller did not ask for. Writing trusts its
//! caller: debug builds check its arguments.
//!
//! # Example
//!
//! ```
//! use ign_entropy::{BitReader, BitWriter, gamma, rice};
//!
//! let mut bytes = Vec::new();
//! let mut writer = BitWriter::new(&mut bytes);
//! gamma::write(&mut writer, 3);
//! rice::write(&mut writer, 9, 2);
//! assert_eq!(writer.finish(), 8);
//! assert_eq!(bytes, [0b011_001_01]);
//!
//! let mut reader = BitReader::new(&bytes);
//! assert_eq!(gamma::read(&mut reader, u64::MAX), Ok(3));
//! assert_eq!(rice::read(&mut reader, 2, u64::MAX), Ok(9));
//! assert_eq!(reader.finish(), Ok(()));
//! ```

#![deny(missing_docs)]

pub mod adaptive;
pub mod frequencies;
pub mod gamma;
pub mod logistic;
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

/// Conversion between bytes and text of zeros and ones, for the literal tests
/// of the codes.
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
