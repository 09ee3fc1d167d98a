//! Filter columns: a number for each game (spec §15.4).
//!
//! A column is cut into chunks, and a chunk into blocks of 64 values. The code of a value is its
//! difference from the least value of the chunk. A block has the lowest bits of its codes in one
//! word, their next bits in the next word, and so on, so that a condition is evaluated for 64 games
//! at a time:
//!
//! ```text
//! codes 1 3 0 2 …  ─►  word 0: bits 1 1 0 0 …   word 1: bits 0 1 0 1 …
//! ```
//!
//! The least value and the number of bits of each chunk are in the directory. Chunks whose values
//! are all accepted, or none of them, are not read. Text that takes few distinct values is stored
//! as the number of the value in a dictionary.

use std::ops::{Range, RangeInclusive};

use ign_format::error::{Error, Result};

use super::source::Extent;
use crate::values::{Date, Eco, Ending, GameResult, Speed};

/// Values of a chunk of a column in the order of the opening tree. A position reads a few places
/// of these columns.
pub const TREE_CHUNK: u64 = 1 << 13;

/// A column of numbers of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum IndexColumn {
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
    /// The games with a slot in the order of the opening tree. This and those below are not in the
    /// order of games.
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
    /// How the games ended, in the order of games.
    Ending = 15,
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
        Self::Ending,
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
            Self::Ending => "ending",
        }
    }

    /// Values of a chunk, which is a frame of its own.
    pub fn chunk_len(self) -> u64 {
        if self.is_by_game() {
            1 << 16
        } else {
            TREE_CHUNK
        }
    }

    /// Whether its values are in the order of games, and not in that of the opening tree.
    pub fn is_by_game(self) -> bool {
        self < Self::TreeGames || self == Self::Ending
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

/// An ending as a number.
pub fn ending_number(ending: Ending) -> u32 {
    ending as u32
}

/// The ending of a number.
pub fn ending_of(number: u32) -> Option<Ending> {
    Ending::ALL.get(number as usize).copied()
}

/// The ECO code of a number.
pub fn eco_of(number: u32) -> Option<Eco> {
    u16::try_from(number).ok().and_then(Eco::from_number)
}

/// How a column is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// The number of values.
    pub count: u64,
    /// Its chunks, of [`IndexColumn::chunk_len`] values each; the last one may have fewer.
    pub chunks: Vec<Chunk>,
}

/// How a chunk of a column is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Chunk {
    /// The number of values.
    pub count: usize,
    /// The least value, 0 if all are missing.
    pub min: u32,
    /// The number of bits of a code.
    pub bits: u32,
    /// Whether some values are missing.
    pub has_missing: bool,
    /// Its frame. A chunk of codes without bits has none.
    pub place: Extent,
}

/// For each byte the word with bit i of the byte in its byte i.
static SPREAD: [u64; 256] = {
    let mut words = [0; 256];
    let mut byte = 0;
    while byte < words.len() {
        let mut bit = 0;
        while bit < 8 {
            words[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    words
};

/// Values of a block, one for each bit of a word.
const BLOCK: usize = u64::BITS as usize;

impl Chunk {
    /// The chunk of these values, without its place, and its bytes. No value is `u32::MAX`.
    pub fn write(values: &[Option<u32>]) -> (Self, Vec<u8>) {
        let known = || values.iter().flatten().copied();
        let min = known().min().unwrap_or(0);
        let mut chunk = Self {
            count: values.len(),
            min,
            has_missing: values.contains(&None),
            ..Self::default()
        };
        let greatest = known().max().map_or(0, |max| chunk.code(Some(max)));
        chunk.bits = u32::BITS - greatest.leading_zeros();
        let mut out = Vec::with_capacity(chunk.len());
        for block in values.chunks(BLOCK) {
            let mut planes = [0u64; u32::BITS as usize];
            for (place, &value) in block.iter().enumerate() {
                let code = chunk.code(value);
                for (bit, plane) in planes[..chunk.bits as usize].iter_mut().enumerate() {
                    *plane |= u64::from(code >> bit & 1) << place;
                }
            }
            for plane in &planes[..chunk.bits as usize] {
                out.extend_from_slice(&plane.to_le_bytes());
            }
        }
        (chunk, out)
    }

    /// The number of bytes.
    pub fn len(&self) -> usize {
        self.count.div_ceil(BLOCK) * self.bits as usize * size_of::<u64>()
    }

    /// The values that it can have, without missing ones.
    pub fn values(&self) -> RangeInclusive<u32> {
        let codes = (1u64 << self.bits) - 1;
        match codes.checked_sub(u64::from(self.has_missing)) {
            Some(above) => self.min..=self.min.saturating_add(above as u32),
            // All are missing.
            None => RangeInclusive::new(1, 0),
        }
    }

    /// Reads the values.
    ///
    /// # Errors
    /// Corrupt if the bytes are not as many as the chunk has.
    pub fn open<'b>(&self, bytes: &'b [u8]) -> Result<Values<'b>> {
        if bytes.len() != self.len() {
            return Err(Error::corrupt("a column of the index is cut off"));
        }
        Ok(Values {
            chunk: *self,
            planes: bytes.as_chunks().0,
        })
    }

    /// The code of a value.
    fn code(&self, value: Option<u32>) -> u32 {
        value.map_or(0, |value| value - self.min + u32::from(self.has_missing))
    }

    /// The value of a code.
    #[inline]
    fn value(&self, code: u32) -> Option<u32> {
        let above = code.checked_sub(self.has_missing.into())?;
        Some(self.min.saturating_add(above))
    }
}

/// The values of a chunk.
#[derive(Debug, Clone, Copy)]
pub struct Values<'b> {
    chunk: Chunk,
    /// For each 64 values the lowest bits of their codes, then the next bits, and so on.
    planes: &'b [[u8; size_of::<u64>()]],
}

impl<'b> Values<'b> {
    /// The planes of a block of 64 values.
    fn block(&self, block: usize) -> impl DoubleEndedIterator<Item = u64> + use<'b> {
        let bits = self.chunk.bits as usize;
        let planes = self.planes.get(block * bits..(block + 1) * bits);
        planes
            .unwrap_or_default()
            .iter()
            .map(|&plane| u64::from_le_bytes(plane))
    }

    /// The value at a place, counted from 0 in the chunk.
    fn get(&self, place: usize) -> Option<u32> {
        let codes = self.block(place / BLOCK).rev();
        self.chunk.value(codes.fold(0, |code, plane| {
            code << 1 | (plane >> (place % BLOCK) & 1) as u32
        }))
    }

    /// The codes of a block of 64 values.
    fn codes(&self, block: usize) -> [u32; BLOCK] {
        const BYTE: usize = u8::BITS as usize;
        // For each 8 bits of a code those of 8 values in each word.
        let mut bytes = [[0u64; BLOCK / BYTE]; size_of::<u32>()];
        for (bit, plane) in self.block(block).enumerate() {
            for (word, byte) in bytes[bit / BYTE].iter_mut().zip(plane.to_le_bytes()) {
                *word |= SPREAD[usize::from(byte)] << (bit % BYTE);
            }
        }
        let mut codes = [0; BLOCK];
        let used = (self.chunk.bits as usize).div_ceil(BYTE);
        for (number, words) in bytes[..used].iter().enumerate() {
            let values = words.iter().flat_map(|word| word.to_le_bytes());
            for (code, value) in codes.iter_mut().zip(values) {
                *code |= u32::from(value) << (BYTE * number);
            }
        }
        codes
    }

    /// Visits the values at these places, counted from 0 in the chunk, as far as there are any.
    pub fn visit(&self, places: Range<usize>, mut visit: impl FnMut(Option<u32>)) {
        let end = places.end.min(self.chunk.count);
        let mut start = places.start;
        while start < end {
            let block = start / BLOCK;
            let next = end.min((block + 1) * BLOCK);
            for &code in &self.codes(block)[start % BLOCK..][..next - start] {
                visit(self.chunk.value(code));
            }
            start = next;
        }
    }

    /// Visits the values at some places, ascending, counted from 0 in the chunk.
    pub fn visit_some(&self, places: &[usize], mut visit: impl FnMut(Option<u32>)) {
        /// So many values of a block are read faster together.
        const TOGETHER: usize = 8;
        for places in places.chunk_by(|one, other| one / BLOCK == other / BLOCK) {
            if places.len() < TOGETHER {
                places.iter().for_each(|&place| visit(self.get(place)));
                continue;
            }
            let codes = self.codes(places[0] / BLOCK);
            let values = places
                .iter()
                .map(|place| self.chunk.value(codes[place % BLOCK]));
            values.for_each(&mut visit);
        }
    }

    /// The values of a block of 64 that a filter accepts, of those with a bit in `among`.
    pub fn matching(&self, block: usize, accepted: &Accepted, among: u64) -> u64 {
        let mut matching = 0;
        if accepted.none && self.chunk.has_missing {
            matching |= self.between(block, 0, 0);
        }
        for run in accepted.within(self.chunk.values()) {
            let [least, greatest] =
                [*run.start(), *run.end()].map(|value| self.chunk.code(Some(value)));
            matching |= self.between(block, least, greatest);
        }
        matching & among
    }

    /// The values of a block whose codes are from `least` to `greatest`.
    fn between(&self, block: usize, least: u32, greatest: u32) -> u64 {
        // The values whose higher bits are those of `least`, those above them; and for `greatest`.
        let (mut as_least, mut above) = (u64::MAX, 0);
        let (mut as_greatest, mut below) = (u64::MAX, 0);
        for (plane, bit) in self.block(block).rev().zip((0..self.chunk.bits).rev()) {
            if least >> bit & 1 == 1 {
                as_least &= plane;
            } else {
                above |= as_least & plane;
                as_least &= !plane;
            }
            if greatest >> bit & 1 == 1 {
                below |= as_greatest & !plane;
                as_greatest &= plane;
            } else {
                as_greatest &= !plane;
            }
        }
        (as_least | above) & (as_greatest | below)
    }
}

/// The values of a column that a condition accepts.
#[derive(Debug)]
pub struct Accepted {
    /// Values, ascending.
    runs: Vec<RangeInclusive<u32>>,
    /// Whether missing values are accepted.
    none: bool,
}

impl Accepted {
    /// The values of a column that a condition accepts; `None` if the column has values in too
    /// large a range.
    pub fn of(layout: &Layout, accepts: impl Fn(Option<u32>) -> bool) -> Option<Self> {
        /// Dates are below, with zones that are rounded up to whole bits.
        const MAX_RANGE: u64 = 1 << 24;
        let zones = || {
            layout
                .chunks
                .iter()
                .map(Chunk::values)
                .filter(|zone| !zone.is_empty())
        };
        let min = zones().map(|zone| *zone.start()).min().unwrap_or(0);
        let end = zones()
            .map(|zone| u64::from(*zone.end()) + 1)
            .max()
            .unwrap_or(0);
        if end.saturating_sub(min.into()) > MAX_RANGE {
            return None;
        }
        let mut runs: Vec<RangeInclusive<u32>> = Vec::new();
        let values = (u64::from(min)..end).map(|value| value as u32);
        for value in values.filter(|&value| accepts(Some(value))) {
            match runs.last_mut() {
                Some(run) if *run.end() + 1 == value => *run = *run.start()..=value,
                _ => runs.push(value..=value),
            }
        }
        Some(Self {
            runs,
            none: accepts(None),
        })
    }

    /// The parts of the accepted values that are in a range.
    fn within(&self, zone: RangeInclusive<u32>) -> impl Iterator<Item = RangeInclusive<u32>> {
        // The zone of a chunk without values is empty.
        let (start, end) = zone.into_inner();
        let first = self.runs.partition_point(|run| *run.end() < start);
        self.runs[first..]
            .iter()
            .take_while(move |run| start <= end && *run.start() <= end)
            .map(move |run| start.max(*run.start())..=end.min(*run.end()))
    }

    /// Whether all values of a chunk are accepted, or none; `None` if that depends on the values.
    pub fn of_chunk(&self, chunk: &Chunk) -> Option<bool> {
        let zone = chunk.values();
        let (missing, accepts_missing) = (chunk.has_missing, chunk.has_missing && self.none);
        let first = self.within(zone.clone()).next();
        if first.is_none() && !accepts_missing {
            return Some(false);
        }
        let has_all = zone.is_empty() || first == Some(zone);
        (has_all && missing == accepts_missing).then_some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of different widths, with and without missing values.
    fn columns() -> Vec<Vec<Option<u32>>> {
        vec![
            vec![None],
            vec![None, None],
            vec![Some(7), Some(7)],
            vec![Some(1500), None, Some(2400), Some(1499)],
            (0..1000).map(|i| (i % 3 > 0).then_some(i)).collect(),
            (0..130).map(|i| Some(4000 + i * i % 97)).collect(),
            vec![Some(u32::MAX - 1), Some(0), None],
            vec![Some(u32::MAX), Some(0)],
        ]
    }

    #[test]
    fn values_and_missing_values_round_trip() {
        for values in columns() {
            let (chunk, bytes) = Chunk::write(&values);
            let read = chunk.open(&bytes).unwrap();
            let mut back = Vec::new();
            read.visit(0..usize::MAX, |value| back.push(value));
            assert_eq!(back, values);
            for step in [1, 3, 20] {
                let places: Vec<_> = (0..values.len()).step_by(step).collect();
                let mut some = places.iter().map(|&place| values[place]);
                read.visit_some(&places, |value| assert_eq!(Some(value), some.next()));
                assert_eq!(some.next(), None);
            }
            back.clear();
            read.visit(1..values.len() - 1, |value| back.push(value));
            assert_eq!(back, values.get(1..values.len() - 1).unwrap_or_default());
            assert!(chunk.open(&[&bytes[..], &[0]].concat()).is_err());
        }
    }

    #[test]
    fn values_that_are_accepted_are_found_in_blocks_and_by_the_zone() {
        let conditions: [&dyn Fn(Option<u32>) -> bool; 6] = [
            &|value| value.is_some_and(|value| value % 5 < 2),
            &|value| value.is_none(),
            &|value| value.is_some(),
            &|value| value.is_none_or(|value| (30..700).contains(&value)),
            &|_| true,
            &|_| false,
        ];
        for values in columns() {
            let (chunk, bytes) = Chunk::write(&values);
            // Another chunk of the column, whose values are accepted by some conditions.
            let (other, _) = Chunk::write(&[Some(0), Some(1), Some(2)]);
            let layout = Layout {
                count: values.len() as u64 + 3,
                chunks: vec![chunk, other],
            };
            for (number, accepts) in conditions.iter().enumerate() {
                let Some(accepted) = Accepted::of(&layout, accepts) else {
                    // The range of the values is too large.
                    assert!(*chunk.values().end() > 1 << 23);
                    continue;
                };
                let expected: Vec<bool> = values.iter().map(|&value| accepts(value)).collect();
                let read = chunk.open(&bytes).unwrap();
                for (block, expected) in expected.chunks(BLOCK).enumerate() {
                    let bits = expected
                        .iter()
                        .rev()
                        .fold(0, |bits, &is_in| bits << 1 | u64::from(is_in));
                    let all = u64::MAX >> (BLOCK - expected.len());
                    assert_eq!(
                        read.matching(block, &accepted, all),
                        bits,
                        "{values:?} {number}"
                    );
                    assert_eq!(read.matching(block, &accepted, 5 & all), bits & 5);
                }
                let count = expected.iter().filter(|&&is_in| is_in).count();
                match accepted.of_chunk(&chunk) {
                    Some(true) => assert_eq!(count, values.len()),
                    Some(false) => assert_eq!(count, 0),
                    // Values of the same zone may make a difference.
                    None => assert!(values.iter().flatten().count() > 0),
                }
            }
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
