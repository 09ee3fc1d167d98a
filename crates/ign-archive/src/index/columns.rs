//! Filter columns: a number of fixed width for each game (spec §15.4).
//!
//! A value is stored as its difference from the least one, plus 1; 0 is a missing value. Text that
//! takes few distinct values is stored as the number of the value in a dictionary.

use std::ops::Range;

use ign_format::error::Result;

use super::packed::{self, Packed};
use crate::values::{Date, Eco, GameResult, Speed};

/// Values of a chunk, which is a frame of its own.
pub const CHUNK: u64 = 1 << 16;

/// A column of numbers of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IndexColumn {
    /// White's rating.
    WhiteElo = 1,
    /// Black's rating.
    BlackElo = 2,
    /// The date: year · 512 + month · 32 + day, 0 for an unknown month or day.
    Date = 3,
    /// The result: 0 `1-0`, 1 `0-1`, 2 `1/2-1/2`, 3 `*`, 4 `0-0`.
    Result = 4,
    /// The number of the ECO code.
    Eco = 5,
    /// The number of the time control in its dictionary.
    TimeControl = 6,
    /// The number of the termination in its dictionary.
    Termination = 7,
    /// The number of plies.
    Plies = 8,
    /// The games with a slot in the order of the opening tree. This and those below are not in the order of games.
    TreeGames = 9,
    /// White's ratings in the order of the opening tree.
    TreeWhiteElo = 10,
    /// Black's ratings.
    TreeBlackElo = 11,
    /// Dates.
    TreeDate = 12,
    /// Results.
    TreeResult = 13,
    /// Speeds.
    TreeSpeed = 14,
}

impl IndexColumn {
    /// All columns, in the order of their numbers.
    pub const ALL: &'static [Self] = &[
        Self::WhiteElo,
        Self::BlackElo,
        Self::Date,
        Self::Result,
        Self::Eco,
        Self::TimeControl,
        Self::Termination,
        Self::Plies,
        Self::TreeGames,
        Self::TreeWhiteElo,
        Self::TreeBlackElo,
        Self::TreeDate,
        Self::TreeResult,
        Self::TreeSpeed,
    ];

    /// The name for messages and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::WhiteElo => "white_elo",
            Self::BlackElo => "black_elo",
            Self::Date => "date",
            Self::Result => "result",
            Self::Eco => "eco",
            Self::TimeControl => "time_control",
            Self::Termination => "termination",
            Self::Plies => "plies",
            Self::TreeGames => "tree_games",
            Self::TreeWhiteElo => "tree_white_elo",
            Self::TreeBlackElo => "tree_black_elo",
            Self::TreeDate => "tree_date",
            Self::TreeResult => "tree_result",
            Self::TreeSpeed => "tree_speed",
        }
    }

    /// The column with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|&column| column as u8 == number)
    }
}

/// A date as a number in the order of dates.
pub fn date_number(date: Date) -> u32 {
    u32::from(date.year) << 9 | u32::from(date.month) << 5 | u32::from(date.day)
}

/// The date of a number.
pub fn date_of(number: u32) -> Date {
    Date {
        year: (number >> 9) as u16,
        month: (number >> 5 & 15) as u8,
        day: (number & 31) as u8,
    }
}

/// A speed as a number.
pub fn speed_number(speed: Speed) -> u32 {
    speed as u32
}

/// The speed of a number.
pub fn speed_of(number: u32) -> Option<Speed> {
    Speed::ALL.get(number as usize).copied()
}

/// A result as a number.
pub fn result_number(result: GameResult) -> u32 {
    match result {
        GameResult::WhiteWins => 0,
        GameResult::BlackWins => 1,
        GameResult::Draw => 2,
        GameResult::Unknown => 3,
        GameResult::BothLose => 4,
    }
}

/// The result of a number.
pub fn result_of(number: u32) -> Option<GameResult> {
    use GameResult::{BlackWins, BothLose, Draw, Unknown, WhiteWins};
    [WhiteWins, BlackWins, Draw, Unknown, BothLose]
        .get(number as usize)
        .copied()
}

/// The ECO code of a number.
pub fn eco_of(number: u32) -> Option<Eco> {
    u16::try_from(number).ok().and_then(Eco::from_number)
}

/// How a column is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// The number of values.
    pub count: u64,
    /// The least value.
    pub min: u32,
    /// The number of bits of a value.
    pub bits: u32,
}

impl Layout {
    /// The layout for so many values with this least and greatest one; `None` if all are missing.
    pub fn of(count: u64, bounds: Option<(u32, u32)>) -> Self {
        Self {
            count,
            min: bounds.map_or(0, |(min, _)| min),
            bits: packed::bits_for(bounds.map_or(0, |(min, max)| u64::from(max - min) + 1)),
        }
    }

    /// The number of chunks.
    pub fn chunks(&self) -> u64 {
        self.count.div_ceil(CHUNK)
    }

    /// The number of values of a chunk.
    pub fn chunk_count(&self, chunk: u64) -> u64 {
        (self.count - chunk * CHUNK).min(CHUNK)
    }

    /// The bytes of a chunk.
    pub fn chunk_len(&self, chunk: u64) -> u64 {
        packed::len(self.chunk_count(chunk), self.bits)
    }

    /// The bytes of the values of a chunk.
    pub fn write(&self, values: &[Option<u32>]) -> Vec<u8> {
        let mut out = Vec::new();
        let code = |value: &Option<u32>| value.map_or(0, |value| u64::from(value - self.min) + 1);
        packed::write(&mut out, values.iter().map(code), self.bits);
        out
    }

    /// Visits the values of a chunk at these places, counted from 0 in the chunk.
    ///
    /// # Errors
    /// Corrupt if the bytes are too few.
    pub fn read(
        &self,
        chunk: u64,
        mut bytes: &[u8],
        places: Range<u64>,
        mut visit: impl FnMut(Option<u32>),
    ) -> Result<()> {
        let count = self.chunk_count(chunk);
        let packed = Packed::read(&mut bytes, count, self.bits)?;
        for index in places.start..places.end.min(count) {
            visit(self.value(packed.get(index)));
        }
        Ok(())
    }

    /// Visits the values of a chunk at these places, counted from 0 in the chunk.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_some(
        &self,
        chunk: u64,
        mut bytes: &[u8],
        places: impl Iterator<Item = u64>,
        mut visit: impl FnMut(Option<u32>),
    ) -> Result<()> {
        let packed = Packed::read(&mut bytes, self.chunk_count(chunk), self.bits)?;
        places.for_each(|place| visit(self.value(packed.get(place))));
        Ok(())
    }

    /// The value of a code.
    fn value(&self, code: u64) -> Option<u32> {
        let above = code.checked_sub(1)?;
        Some(self.min.saturating_add(above as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_missing_values_round_trip() {
        for values in [
            vec![],
            vec![None, None],
            vec![Some(7), Some(7)],
            vec![Some(1500), None, Some(2400), Some(1499)],
            (0..70_000).map(|i| (i % 3 > 0).then_some(i)).collect(),
            vec![Some(u32::MAX), Some(0), None],
        ] {
            let known = || values.iter().flatten().copied();
            let layout = Layout::of(values.len() as u64, known().min().zip(known().max()));
            let mut back = Vec::new();
            for (chunk, values) in (0..).zip(values.chunks(CHUNK as usize)) {
                let bytes = layout.write(values);
                assert_eq!(bytes.len() as u64, layout.chunk_len(chunk));
                layout
                    .read(chunk, &bytes, 0..CHUNK, |value| back.push(value))
                    .unwrap();
            }
            assert_eq!(back, values);
        }
    }

    #[test]
    fn dates_and_results_round_trip_and_dates_keep_their_order() {
        let dates =
            ["2013", "2013-01", "2013-01-05", "2013-02"].map(|d| d.parse::<Date>().unwrap());
        let numbers = dates.map(date_number);
        assert!(numbers.is_sorted());
        assert_eq!(numbers.map(date_of), dates);
        for number in 0..5 {
            assert_eq!(result_number(result_of(number).unwrap()), number);
        }
        assert_eq!(result_of(5), None);
    }
}
