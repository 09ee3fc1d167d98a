//! The number of a game.

use std::{fmt, num::NonZeroU64, str::FromStr};

use crate::error::{Error, Result};

/// The number of a game in an archive, or in several that are one collection, counted from 1.
///
/// It is not the index of the game, which counts from 0. Ranges of numbers are ranges of integers,
/// `200..=300`, and so are the numbers in columns of many games.
///
/// ```
/// # use ign_format::game_number::GameNumber;
/// let number: GameNumber = "1240".parse()?;
/// assert_eq!((number.get(), number.index()), (1240, 1239));
/// assert_eq!(number, GameNumber::from_index(1239));
/// assert!(GameNumber::new(0).is_none());
/// # Ok::<(), ign_format::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameNumber(NonZeroU64);

impl GameNumber {
    /// The game with this number; `None` for 0.
    pub const fn new(number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The game with this index, counted from 0. No collection has a game of index `u64::MAX`.
    pub const fn from_index(index: u64) -> Self {
        Self(NonZeroU64::MIN.saturating_add(index))
    }

    /// The number, counted from 1.
    pub const fn get(self) -> u64 {
        self.0.get()
    }

    /// The index of the game, counted from 0.
    pub const fn index(self) -> u64 {
        self.get() - 1
    }
}

impl TryFrom<u64> for GameNumber {
    type Error = Error;

    /// Fails with an error of [`Usage`](crate::error::Kind::Usage) for 0.
    fn try_from(number: u64) -> Result<Self> {
        Self::new(number)
            .ok_or_else(|| Error::usage("there is no game 0: games are numbered from 1"))
    }
}

impl From<GameNumber> for u64 {
    fn from(number: GameNumber) -> Self {
        number.get()
    }
}

impl FromStr for GameNumber {
    type Err = Error;

    /// Fails with an error of [`Usage`](crate::error::Kind::Usage) if the text is no number from 1.
    fn from_str(text: &str) -> Result<Self> {
        let number = text.parse::<u64>();
        let number = number.map_err(|_| Error::usage(format!("'{text}' is not a game number")));
        number?.try_into()
    }
}

impl PartialEq<u64> for GameNumber {
    fn eq(&self, number: &u64) -> bool {
        self.get() == *number
    }
}

impl PartialEq<GameNumber> for u64 {
    fn eq(&self, number: &GameNumber) -> bool {
        *self == number.get()
    }
}

impl fmt::Display for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_indexes_differ_by_one() {
        for (number, index) in [(1, 0), (2, 1), (u64::MAX, u64::MAX - 1)] {
            let game = GameNumber::new(number).unwrap();
            assert_eq!((game.get(), game.index()), (number, index));
            assert_eq!(GameNumber::from_index(index), game);
            assert_eq!(game, number);
        }
        assert_eq!(GameNumber::from_index(u64::MAX), u64::MAX);
    }

    #[test]
    fn texts_are_numbers_from_1() {
        let read = |text: &str| text.parse().map(GameNumber::get).map_err(|e| e.to_string());
        assert_eq!(read("7"), Ok(7));
        assert_eq!(
            read("0"),
            Err("there is no game 0: games are numbered from 1".into())
        );
        for wrong in ["", "-1", "x", "1..2", "18446744073709551616"] {
            assert_eq!(read(wrong), Err(format!("'{wrong}' is not a game number")));
        }
        assert_eq!(format!("{:>4}", GameNumber::from_index(6)), "   7");
    }
}
