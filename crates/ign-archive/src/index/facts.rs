//! What the index has of a game in the order of the opening tree (spec §15.6): what statistics of
//! positions need.

use shakmaty::ByColor;

use super::columns::{IndexColumn, date_of, result_of, speed_of};
use crate::values::{Date, GameResult, Speed};

/// Ratings, date, result and speed of a game, as far as they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Facts {
    pub ratings: ByColor<Option<u16>>,
    pub date: Option<Date>,
    pub result: Option<GameResult>,
    pub speed: Option<Speed>,
}

impl Facts {
    /// The columns, in the order of the numbers.
    pub const COLUMNS: [IndexColumn; 5] = [
        IndexColumn::TreeWhiteElo,
        IndexColumn::TreeBlackElo,
        IndexColumn::TreeDate,
        IndexColumn::TreeResult,
        IndexColumn::TreeSpeed,
    ];
    /// Bytes of the facts of a game while an index is built.
    pub const LEN: usize = 4 * size_of::<u32>();

    /// The facts of these numbers.
    #[inline]
    pub fn of_numbers([white, black, date, result, speed]: [Option<u32>; 5]) -> Self {
        let rating = |number: Option<u32>| number.map(|rating| rating as u16);
        Self {
            ratings: ByColor {
                white: rating(white),
                black: rating(black),
            },
            date: date.map(date_of),
            result: result.and_then(result_of),
            speed: speed.and_then(speed_of),
        }
    }

    /// The mean of both ratings, rounded down.
    #[inline]
    pub fn mean_rating(&self) -> Option<u16> {
        let ByColor { white, black } = self.ratings;
        Some(u16::midpoint(white?, black?))
    }
}

/// Numbers as bytes; 0 is a missing number.
pub fn to_bytes(numbers: [Option<u32>; 5]) -> [u8; Facts::LEN] {
    let [white, black, date, result, speed] = numbers.map(|number| number.map_or(0, |n| n + 1));
    let small = result << 8 | speed;
    let mut bytes = [0; Facts::LEN];
    for (place, word) in bytes
        .as_chunks_mut::<4>()
        .0
        .iter_mut()
        .zip([white, black, date, small])
    {
        *place = word.to_le_bytes();
    }
    bytes
}

/// The numbers of these bytes.
pub fn from_bytes(bytes: &[u8; Facts::LEN]) -> [Option<u32>; 5] {
    let (words, _) = bytes.as_chunks::<4>();
    let word = |place: usize| u32::from_le_bytes(words[place]);
    [word(0), word(1), word(2), word(3) >> 8, word(3) & 255].map(|code| code.checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::columns::{date_number, result_number, speed_number};

    #[test]
    fn numbers_and_bytes_round_trip() {
        let all = Facts {
            ratings: ByColor {
                white: Some(1),
                black: Some(9999),
            },
            date: Some("2013-01-31".parse().unwrap()),
            result: Some(GameResult::BothLose),
            speed: Some(Speed::Correspondence),
        };
        let some = Facts {
            date: None,
            ratings: ByColor {
                white: None,
                black: Some(2000),
            },
            ..all
        };
        for facts in [all, some, Facts::default()] {
            let numbers = [
                facts.ratings.white.map(u32::from),
                facts.ratings.black.map(u32::from),
                facts.date.map(date_number),
                facts.result.map(result_number),
                facts.speed.map(speed_number),
            ];
            assert_eq!(Facts::of_numbers(numbers), facts);
            assert_eq!(from_bytes(&to_bytes(numbers)), numbers);
        }
        assert_eq!((all.mean_rating(), some.mean_rating()), (Some(5000), None));
    }
}
