//! Move numbers as text, counted up in place.

use std::num::NonZeroU32;

/// The number that the next move of White carries, or Black's if it is his turn.
#[derive(Debug, Clone)]
pub struct MoveNumber {
    digits: [u8; Self::ROOM],
    /// Where the digits start; they go up to the end.
    start: usize,
}

impl MoveNumber {
    /// Digits of the largest number: a FEN's 32 bits and all moves after it.
    const ROOM: usize = 12;

    /// The number that a game starts with.
    pub fn new(first: NonZeroU32) -> Self {
        let mut number = Self {
            digits: [b'0'; Self::ROOM],
            start: Self::ROOM,
        };
        let mut left = first.get();
        while left > 0 {
            number.start -= 1;
            number.digits[number.start] = b'0' + (left % 10) as u8;
            left /= 10;
        }
        number
    }

    /// Its digits.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.digits[self.start..]
    }

    /// Counts up by one.
    #[inline]
    pub fn advance(&mut self) {
        let mut i = Self::ROOM - 1;
        while self.digits[i] == b'9' {
            self.digits[i] = b'0';
            i -= 1;
        }
        self.digits[i] += 1;
        self.start = self.start.min(i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_up_as_integers_do() {
        for first in [1, 9, 95, 99_999, u32::MAX - 3] {
            let mut number = MoveNumber::new(NonZeroU32::new(first).unwrap());
            for i in 0..20 {
                assert_eq!(number.text(), (u64::from(first) + i).to_string().as_bytes());
                number.advance();
            }
        }
    }
}
