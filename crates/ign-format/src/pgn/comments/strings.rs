//! Dictionary of strings: templates and moves, numbered by first appearance (spec §4.5.2).
//!
//! A string is stored once, in a stream of text, followed by `}`, which it cannot contain.

use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use ign_entropy::adaptive::{Bit, Coder, Number};

/// Stream of new strings: written by a packer, read by an unpacker.
pub trait Strings {
    /// The next new string. A packer passes it; an unpacker passes anything.
    ///
    /// # Errors
    /// Returns a corruption error if there is none.
    fn next(&mut self, given: &[u8]) -> Result<Vec<u8>>;
}

/// Writes strings.
impl Strings for Vec<u8> {
    fn next(&mut self, given: &[u8]) -> Result<Vec<u8>> {
        self.extend_from_slice(given);
        self.push(b'}');
        Ok(given.to_vec())
    }
}

/// Reads strings.
impl Strings for &[u8] {
    fn next(&mut self, _: &[u8]) -> Result<Vec<u8>> {
        let end = memchr::memchr(b'}', self)
            .ok_or_else(|| Error::corrupt("the comments column has too few strings"))?;
        let string = self[..end].to_vec();
        *self = &self[end + 1..];
        Ok(string)
    }
}

/// Strings by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Dictionary {
    strings: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u32>,
    is_new: [Bit; 2],
    was_new: bool,
    number: Number<12>,
}

impl Dictionary {
    /// The string of this number, which must be known.
    pub fn get(&self, number: u32) -> &[u8] {
        &self.strings[number as usize]
    }

    /// Takes a string out, to be returned by [`put_back`](Self::put_back).
    pub fn take(&mut self, number: u32) -> Vec<u8> {
        std::mem::take(&mut self.strings[number as usize])
    }

    /// Returns a string that was taken out.
    pub fn put_back(&mut self, number: u32, string: Vec<u8>) {
        self.strings[number as usize] = string;
    }

    /// The number of a string; the next free number if it is new.
    pub fn find(&self, string: &[u8]) -> u32 {
        let next = self.strings.len() as u32;
        self.numbers.get(string).copied().unwrap_or(next)
    }

    /// Codes a string and returns its number; `number` is the result of [`find`](Self::find).
    pub fn code(
        &mut self,
        coder: &mut impl Coder,
        strings: &mut impl Strings,
        given: &[u8],
        number: u32,
    ) -> Result<u32> {
        let known = self.strings.len() as u32;
        let estimate = &mut self.is_new[usize::from(self.was_new)];
        let is_new = coder.bit(estimate, number == known);
        self.was_new = is_new;
        if !is_new {
            let number = self.number.code(coder, u64::from(number));
            return u32::try_from(number)
                .ok()
                .filter(|&n| n < known)
                .ok_or_else(|| Error::corrupt("a comment refers to an unknown string"));
        }
        let string = strings.next(given)?;
        self.numbers.insert(string.clone(), known);
        self.strings.push(string);
        Ok(known)
    }
}
