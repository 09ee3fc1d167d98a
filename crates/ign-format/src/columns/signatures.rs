//! Signatures of a block's games, and how games are found by them (spec §4.1.2).
//!
//! A game's signature is six squares, or points of a Go board: where its 20th,
//! 40th and 60th moves (A) and its 31st, 51st and 71st (B) went (seed document
//! 002). For each of the six moves, in the order of play, a *level* has a byte for
//! each game that reached the level before: 0 if it was over before this move,
//! else the number of the square and one. Where there are points too, which are
//! numbered behind the squares, numbers have a second byte, which stands behind
//! the first ones of all.
//!
//! Each level is a stream by itself, which zstd makes of a square some five bits
//! and a half, near to what its frequency is worth. A lookup reads the levels down
//! to the last one that it knows and carries the matches up to the first, where
//! every game has its bit. Lists of games by square would be read sooner, but cannot
//! be smaller: they tell each game's number anew for every move.

use std::borrow::Cow;

use crate::error::{Error, Result};
use ign_notation::signature::{LEVELS, POINTS, Signature};

/// Numbers have two bytes: there are points among them.
pub const WIDE: u8 = 1;

/// The levels of these games, and the switches of the column.
pub fn encode(games: &[Signature]) -> ([Vec<u8>; LEVELS], u8) {
    let is_point = |&element: &u16| element >= POINTS;
    let wide = games.iter().flatten().flatten().any(is_point);
    let mut levels = [const { Vec::new() }; LEVELS];
    let mut reached: Vec<&Signature> = games.iter().collect();
    for (level, stream) in levels.iter_mut().enumerate() {
        let number = |game: &&Signature| game[level].map_or(0, |element| element + 1);
        let bytes = |byte: usize| reached.iter().map(move |g| number(g).to_le_bytes()[byte]);
        stream.extend(bytes(0));
        if wide {
            stream.extend(bytes(1));
        }
        reached.retain(|game| game[level].is_some());
    }
    (levels, if wide { WIDE } else { 0 })
}

/// The levels of a block, from which single signatures are read.
pub struct Levels<'a> {
    streams: Vec<Cow<'a, [u8]>>,
    wide: bool,
    /// How many games there are.
    games: usize,
}

impl<'a> Levels<'a> {
    /// The levels of so many games.
    ///
    /// # Errors
    /// Corrupt when they are not those of so many.
    pub fn open(streams: Vec<Cow<'a, [u8]>>, switches: u8, games: usize) -> Result<Self> {
        if streams.len() != LEVELS {
            return Err(malformed());
        }
        let wide = switches & WIDE != 0;
        let mut reached = games;
        let mut points = false;
        for stream in &streams {
            let level = Level::check(stream, wide, reached)?;
            points |= wide && (0..reached).any(|place| level.number(place) > POINTS);
            reached = level.survivors_before(reached);
        }
        if points != wide {
            return Err(malformed());
        }
        Ok(Self {
            streams,
            wide,
            games,
        })
    }

    /// The signatures of all games from this one on.
    pub fn from(&self, game: usize) -> impl Iterator<Item = Signature> {
        let mut place = game;
        let levels = self.streams.iter().map(|stream| {
            let level = Level::split(stream, self.wide);
            let here = place;
            place = level.survivors_before(here);
            (level, here)
        });
        // Each with the place of the next game there.
        let mut levels: Vec<_> = levels.collect();
        (game..self.games).map(move |_| {
            let mut signature = Signature::default();
            for (element, (level, place)) in signature.iter_mut().zip(&mut levels) {
                let number = level.number(*place);
                *place += 1;
                *element = number.checked_sub(1);
                if number == 0 {
                    break;
                }
            }
            signature
        })
    }
}

/// Which of so many games went to these squares, counted from zero; `None` is any square, or
/// none. `level` gives the stream of a level.
///
/// # Errors
/// Corrupt when the levels are not those of so many; those of `level`.
pub fn find<'s>(
    wanted: &Signature,
    switches: u8,
    games: usize,
    mut level: impl FnMut(usize) -> Result<Cow<'s, [u8]>>,
) -> Result<Vec<u64>> {
    // What is asked, level by level: who survived it, and who of them went there.
    let asked = wanted
        .iter()
        .rposition(Option::is_some)
        .map_or(0, |n| n + 1);
    let mut looked = Vec::with_capacity(asked);
    let mut reached = games;
    for (number, wanted) in wanted[..asked].iter().enumerate() {
        let bytes = level(number)?;
        let level = Level::check(&bytes, switches & WIDE != 0, reached)?;
        let survivors = level.survivors();
        reached = survivors.ones();
        looked.push((survivors, wanted.map(|element| level.matches(element))));
    }
    let mut found: Option<Bits> = None;
    for (survivors, matches) in looked.into_iter().rev() {
        // Those found behind this level, among all that reached it.
        let behind = found.map(|found| found.carried_up(&survivors));
        found = match (behind, matches) {
            (Some(mut behind), Some(matches)) => {
                behind.keep(&matches);
                Some(behind)
            }
            (behind, matches) => behind.or(matches),
        };
    }
    Ok(match found {
        Some(found) => found.positions().collect(),
        None => (0..games as u64).collect(),
    })
}

/// The numbers of a level.
struct Level<'a> {
    low: &'a [u8],
    /// Empty where no number needs it.
    high: &'a [u8],
}

impl<'a> Level<'a> {
    /// Those of a stream, each of one byte or two.
    fn split(bytes: &'a [u8], wide: bool) -> Self {
        let (low, high) = bytes.split_at(bytes.len() / (1 + usize::from(wide)));
        Self { low, high }
    }

    /// The same, if they are those of so many games.
    fn check(bytes: &'a [u8], wide: bool, games: usize) -> Result<Self> {
        let level = Self::split(bytes, wide);
        let beyond = |&number: &u8| !wide && u16::from(number) > POINTS;
        if bytes.len() != games * (1 + usize::from(wide)) || level.low.iter().any(beyond) {
            return Err(malformed());
        }
        Ok(level)
    }

    /// How many of the first games were not over, at most as many as there are.
    fn survivors_before(&self, games: usize) -> usize {
        if self.high.is_empty() {
            return self.low[..games].iter().filter(|&&low| low != 0).count();
        }
        (0..games).filter(|&game| self.number(game) != 0).count()
    }

    fn number(&self, place: usize) -> u16 {
        let high = self.high.get(place).copied().unwrap_or(0);
        u16::from_le_bytes([self.low[place], high])
    }

    /// A bit for each game, set for those whose number is this one.
    fn of(&self, number: u16) -> Bits {
        let [low, high] = number.to_le_bytes();
        let mut bits = Bits::of_bytes(self.low, low);
        if !self.high.is_empty() {
            bits.keep(&Bits::of_bytes(self.high, high));
        } else if high != 0 {
            bits.words.fill(0);
        }
        bits
    }

    /// Those that were not over.
    fn survivors(&self) -> Bits {
        let mut bits = self.of(0);
        bits.invert();
        bits
    }

    /// Those that went there.
    fn matches(&self, element: u16) -> Bits {
        self.of(element.saturating_add(1))
    }
}

/// A row of bits, the first in the lowest bit of the first word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// A bit for each byte, set for those that are this one.
    fn of_bytes(bytes: &[u8], wanted: u8) -> Self {
        let word = |bytes: &[u8]| {
            let bits = bytes.iter().enumerate();
            bits.fold(0, |word, (i, &byte)| word | u64::from(byte == wanted) << i)
        };
        Self {
            words: bytes.chunks(64).map(word).collect(),
            len: bytes.len(),
        }
    }

    /// Clears the bits that `other`, which is as long, has not.
    fn keep(&mut self, other: &Self) {
        for (word, kept) in self.words.iter_mut().zip(&other.words) {
            *word &= kept;
        }
    }

    /// Sets the bits that are not set, and clears those that are.
    fn invert(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        if let Some(last) = self.words.last_mut() {
            *last &= u64::MAX >> ((64 - self.len % 64) % 64);
        }
    }

    fn ones(&self) -> usize {
        let ones = self.words.iter().map(|word| word.count_ones() as usize);
        ones.sum()
    }

    /// Numbers of the bits that are set, ascending.
    fn positions(&self) -> impl Iterator<Item = u64> {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(i as u64 * 64 + u64::from(bit))
            })
        })
    }

    /// Carries matches up a level: bit n of `self` belongs to the n-th survivor.
    fn carried_up(&self, survivors: &Self) -> Self {
        let mut up = Self {
            words: vec![0; survivors.words.len()],
            len: survivors.len,
        };
        let mut matches = self.positions().peekable();
        let mut before = 0;
        for (word, out) in survivors.words.iter().zip(&mut up.words) {
            let count = u64::from(word.count_ones());
            let mut left = *word;
            let mut passed = 0;
            while let Some(rank) = matches.next_if(|&rank| rank < before + count) {
                for _ in passed..rank - before {
                    left &= left - 1;
                }
                passed = rank - before;
                *out |= left & left.wrapping_neg();
            }
            before += count;
        }
        up
    }
}

fn malformed() -> Error {
    Error::corrupt("the column of signatures is malformed")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Vec<Signature> {
        (0..1000u32)
            .map(|i| {
                std::array::from_fn(|e| {
                    (i % 7 > e as u32).then_some((i * (e as u32 + 3) % 13 * 5) as u16)
                })
            })
            .collect()
    }

    /// The levels as a reader gets them.
    fn streams(levels: &[Vec<u8>]) -> Vec<Cow<'_, [u8]>> {
        levels
            .iter()
            .map(|level| Cow::Borrowed(&level[..]))
            .collect()
    }

    fn back(levels: &[Vec<u8>], switches: u8, games: usize) -> Result<Vec<Signature>> {
        let levels = Levels::open(streams(levels), switches, games)?;
        for game in [0, 1, games / 2, games.saturating_sub(1), games] {
            let behind = levels.from(game.min(games));
            assert!(behind.eq(levels.from(0).skip(game)), "{game}");
        }
        Ok(levels.from(0).collect())
    }

    #[test]
    fn all_signatures_come_back() {
        let mut all = games();
        for games in [&[][..], &all[..1], &all] {
            let (levels, switches) = encode(games);
            assert_eq!(switches, 0);
            assert_eq!(back(&levels, switches, games.len()).unwrap(), games);
        }
        all[7][0] = Some(2000);
        let (levels, switches) = encode(&all);
        assert_eq!(switches, WIDE);
        assert_eq!(back(&levels, switches, all.len()).unwrap(), all);
    }

    #[test]
    fn a_level_has_a_number_for_each_game_that_reached_the_one_before() {
        let all = [
            [Some(0), Some(63), None, None, None, None],
            [None; 6],
            [Some(9); 6],
        ];
        let expected: [&[u8]; 6] = [&[1, 0, 10], &[64, 10], &[0, 10], &[10], &[10], &[10]];
        assert_eq!(encode(&all), (expected.map(<[u8]>::to_vec), 0));
        let points = [[Some(64), Some(255), Some(2767), None, None, None]];
        let expected: [&[u8]; 6] = [&[65, 0], &[0, 1], &[208, 10], &[0, 0], &[], &[]];
        assert_eq!(encode(&points), (expected.map(<[u8]>::to_vec), WIDE));
    }

    #[test]
    fn what_no_writer_stores_is_refused() {
        let (levels, _) = encode(&games());
        assert!(back(&levels, 0, 999).is_err() && back(&levels, 0, 1001).is_err());
        assert!(back(&levels[..5], 0, 1000).is_err());
        for level in 0..6 {
            let mut bad = levels.clone();
            bad[level].push(0);
            assert!(back(&bad, 0, 1000).is_err(), "level {level}");
            let mut bad = levels.clone();
            *bad[level].last_mut().unwrap() = 65;
            assert!(back(&bad, 0, 1000).is_err(), "a point in level {level}");
        }
        let squares: Vec<Vec<u8>> = levels
            .iter()
            .map(|l| [&l[..], &vec![0; l.len()]].concat())
            .collect();
        assert!(back(&squares, WIDE, 1000).is_err(), "wide without points");
    }

    fn found(games: &[Signature], wanted: &Signature) -> Vec<u64> {
        let (levels, switches) = encode(games);
        let level = |number: usize| Ok(Cow::Borrowed(&levels[number][..]));
        find(wanted, switches, games.len(), level).unwrap()
    }

    #[test]
    fn lookups_agree_with_a_scan() {
        for count in [0, 1, 63, 64, 65, 1000] {
            let games = &games()[..count];
            for wanted in [
                [None; 6],
                [Some(0), None, None, None, None, None],
                [Some(15), Some(20), None, None, None, None],
                [None, None, None, None, None, Some(25)],
                [None, Some(20), None, Some(30), None, None],
                [Some(15), Some(20), Some(25), Some(30), Some(35), Some(40)],
                [Some(63), None, None, None, None, None],
            ] {
                let matches =
                    |s: &Signature| wanted.iter().zip(s).all(|(w, s)| w.is_none() || w == s);
                let scanned: Vec<u64> = (0..count as u64)
                    .filter(|&i| matches(&games[i as usize]))
                    .collect();
                assert_eq!(found(games, &wanted), scanned, "{wanted:?}");
            }
        }
    }

    #[test]
    fn points_of_a_go_board_are_found_among_squares() {
        for most in [64, 463, 2768] {
            let mut games = games();
            for (i, game) in games.iter_mut().enumerate().skip(500) {
                let point = 64 + i as u16 * 13 % (most - 63);
                game.iter_mut().flatten().for_each(|e| *e = point);
            }
            games[999] = [Some(most); 6];
            let (levels, switches) = encode(&games);
            assert_eq!(back(&levels, switches, 1000).unwrap(), games);
            assert!(found(&games, &[Some(most), None, None, None, None, None]).contains(&999));
            for wanted in [0, 15, 64, 70, most - 1, 4095, u16::MAX] {
                let scanned: Vec<u64> = (0..1000)
                    .filter(|&i| games[i as usize][2] == Some(wanted))
                    .collect();
                let signature = [None, None, Some(wanted), None, None, None];
                assert_eq!(found(&games, &signature), scanned, "{wanted}");
            }
        }
        // Where there are squares only, a point is nowhere.
        let signature = [None, None, None, None, Some(64), None];
        assert!(found(&super::tests::games(), &signature).is_empty());
    }

    #[test]
    fn a_lookup_reads_no_level_behind_the_last_that_is_asked_for() {
        let games = games();
        let (levels, switches) = encode(&games);
        let wanted = [None, Some(20), None, None, None, None];
        let level = |number: usize| match levels.get(number) {
            Some(level) if number < 2 => Ok(Cow::Borrowed(&level[..])),
            _ => Err(malformed()),
        };
        assert!(find(&wanted, switches, games.len(), level).is_ok());
    }
}
