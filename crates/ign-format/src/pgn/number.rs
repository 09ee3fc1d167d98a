//! Move numbers as decimal text, incremented in place.

use std::num::NonZeroU32;

/// The number of the current full move.
#[derive(Debug, Clone)]
pub struct MoveNumber {
    digits: [u8; Self::MAX_DIGITS],
    /// Index of the first digit; the last one is at the end.
    start: usize,
    /// The first eight digits, the first in the lowest byte.
    word: u64,
}

impl MoveNumber {
    /// Number of digits of the largest move number: a 32-bit number from a FEN plus all moves
    /// after it.
    const MAX_DIGITS: usize = 12;

    /// The number of a game's first move.
    pub fn new(first: NonZeroU32) -> Self {
        let mut number = Self {
            digits: [b'0'; Self::MAX_DIGITS],
            start: Self::MAX_DIGITS,
            word: 0,
        };
        let mut left = first.get();
        while left > 0 {
            number.start -= 1;
            number.digits[number.start] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        number.set_word();
        number
    }

    /// Its digits.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.digits[self.start..]
    }

    /// The first eight digits in one word, the first in the lowest byte, and the number of all
    /// digits.
    #[inline]
    pub const fn word(&self) -> (u64, usize) {
        (self.word, Self::MAX_DIGITS - self.start)
    }

    fn set_word(&mut self) {
        let first = self.text().iter().take(8).enumerate();
        self.word = first.map(|(i, &digit)| u64::from(digit) << (8 * i)).sum();
    }

    /// Increments the number.
    #[inline]
    pub fn advance(&mut self) {
        let last = Self::MAX_DIGITS - 1;
        let len = Self::MAX_DIGITS - self.start;
        if self.digits[last] != b'9' && len <= 8 {
            self.digits[last] += 1;
            self.word += 1 << (8 * (len - 1));
        } else {
            self.carry();
        }
    }

    #[cold]
    fn carry(&mut self) {
        let mut i = Self::MAX_DIGITS - 1;
        while self.digits[i] == b'9' {
            self.digits[i] = b'0';
            i -= 1;
        }
        self.digits[i] += 1;
        self.start = self.start.min(i);
        self.set_word();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn increments_like_an_integer() {
        for first in [1, 9, 95, 99_999, 99_999_990, u32::MAX - 3] {
            let mut number = MoveNumber::new(NonZeroU32::new(first).unwrap());
            for i in 0..20 {
                let expected = (u64::from(first) + i).to_string();
                assert_eq!(number.text(), expected.as_bytes());
                let (word, len) = number.word();
                assert_eq!(len, expected.len());
                let known = len.min(8);
                assert_eq!(word.to_le_bytes()[..known], expected.as_bytes()[..known]);
                number.advance();
            }
        }
    }
}
