//! The signatures of all games of a block, and lookups by signature (spec §4.1.2).
//!
//! The signature of a game is six squares, or points of a Go board: the destinations of plies 20,
//! 31, 40, 51, 60 and 71 (D. Dyer, "Signatures for Go game records"). For each of these plies, a
//! *level* has a number for each game that reached the level before: 0 if the game ended before
//! this ply, otherwise the square plus one. Points are numbered after the squares. If a block has
//! points, its numbers have two bytes, and a level stores all low bytes before all high bytes.
//!
//! Each level is a stream. zstd compresses a square to about five and a half bits, close to its
//! entropy. A lookup reads the levels up to the last one that the query names, and maps the matches
//! back to the first level, where every game has a bit. Lists of games by square would be faster to
//! search but larger: they store a game's number once for each ply.

mod bitset;

use std::borrow::Cow;

use ign_notation::signature::{LEVELS, POINTS, Signature};

use self::bitset::Bitset;
use crate::error::{Error, Result};

/// Flag: numbers have two bytes, because there are points among them (spec §4.1.2).
pub const WIDE: u8 = 1;

/// Encodes signatures into the levels, and the flags of the column.
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

/// The levels of a block, from which signatures are read in order.
#[derive(Debug)]
pub struct Levels<'a> {
    streams: Vec<Cow<'a, [u8]>>,
    wide: bool,
    /// Number of games in the block.
    games: usize,
}

impl<'a> Levels<'a> {
    /// Checks the levels of a block with this number of games.
    ///
    /// # Errors
    /// Corrupt, if a level has a wrong length or an invalid number.
    pub fn open(streams: Vec<Cow<'a, [u8]>>, flags: u8, games: usize) -> Result<Self> {
        if streams.len() != LEVELS {
            return Err(malformed());
        }
        let wide = flags & WIDE != 0;
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

    /// The number of elements of each signature.
    pub fn elements(&self) -> Vec<u8> {
        let mut elements = vec![0; self.games];
        // The games that reached the level.
        let mut reached: Vec<u32> = (0..self.games as u32).collect();
        for stream in &self.streams {
            let level = Level::split(stream, self.wide);
            let mut place = 0;
            reached.retain(|&game| {
                let survives = level.number(place) != 0;
                place += 1;
                elements[game as usize] += u8::from(survives);
                survives
            });
        }
        elements
    }

    /// The signatures of the games from this zero-based one on.
    pub fn from(&self, game: usize) -> impl Iterator<Item = Signature> {
        let mut place = game;
        // Each level with the place of the next game in it.
        let mut levels: Vec<_> = self
            .streams
            .iter()
            .map(|stream| {
                let level = Level::split(stream, self.wide);
                let here = place;
                place = level.survivors_before(here);
                (level, here)
            })
            .collect();
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

/// Finds the games whose signature has the elements of `query`; `None` matches any element, and
/// none. Returns zero-based numbers in order. `level` returns the stream of a level.
///
/// # Errors
/// Corrupt, if a level has a wrong length or an invalid number. Errors of `level`.
pub fn find<'s>(
    query: &Signature,
    flags: u8,
    games: usize,
    mut level: impl FnMut(usize) -> Result<Cow<'s, [u8]>>,
) -> Result<Vec<u64>> {
    let last = query.iter().rposition(Option::is_some);
    let levels = last.map_or(0, |last| last + 1);
    // For each level, the games that survived it, and of those the matches.
    let mut examined = Vec::with_capacity(levels);
    let mut reached = games;
    for (number, element) in query[..levels].iter().enumerate() {
        let bytes = level(number)?;
        let level = Level::check(&bytes, flags & WIDE != 0, reached)?;
        let survivors = level.survivors();
        reached = survivors.count_ones();
        examined.push((survivors, element.map(|element| level.matches(element))));
    }
    let mut found: Option<Bitset> = None;
    for (survivors, matches) in examined.into_iter().rev() {
        // The matches of the later levels, among the games that reached this one.
        let later = found.map(|found| found.deposit(&survivors));
        found = match (later, matches) {
            (Some(mut later), Some(matches)) => {
                later.intersect(&matches);
                Some(later)
            }
            (later, matches) => later.or(matches),
        };
    }
    Ok(match found {
        Some(found) => found.ones().collect(),
        None => (0..games as u64).collect(),
    })
}

/// The numbers of a level.
struct Level<'a> {
    low: &'a [u8],
    /// Empty if numbers have one byte.
    high: &'a [u8],
}

impl<'a> Level<'a> {
    /// Splits a stream into low and high bytes.
    fn split(bytes: &'a [u8], wide: bool) -> Self {
        let (low, high) = bytes.split_at(bytes.len() / (1 + usize::from(wide)));
        Self { low, high }
    }

    /// Splits a stream, and checks that it has valid numbers for this number of games.
    fn check(bytes: &'a [u8], wide: bool, games: usize) -> Result<Self> {
        let level = Self::split(bytes, wide);
        let invalid = |&number: &u8| !wide && u16::from(number) > POINTS;
        if bytes.len() != games * (1 + usize::from(wide)) || level.low.iter().any(invalid) {
            return Err(malformed());
        }
        Ok(level)
    }

    fn number(&self, place: usize) -> u16 {
        let high = self.high.get(place).copied().unwrap_or(0);
        u16::from_le_bytes([self.low[place], high])
    }

    /// How many of the first `games` games survived this level. There must be at least as many.
    fn survivors_before(&self, games: usize) -> usize {
        if self.high.is_empty() {
            return self.low[..games].iter().filter(|&&low| low != 0).count();
        }
        (0..games).filter(|&game| self.number(game) != 0).count()
    }

    /// The games that survived this level.
    fn survivors(&self) -> Bitset {
        let mut bits = self.equal_to(0);
        bits.invert();
        bits
    }

    /// The games with this element.
    fn matches(&self, element: u16) -> Bitset {
        self.equal_to(element.saturating_add(1))
    }

    /// The games with this number.
    fn equal_to(&self, number: u16) -> Bitset {
        let [low, high] = number.to_le_bytes();
        let mut bits = Bitset::equal_to(self.low, low);
        if !self.high.is_empty() {
            bits.intersect(&Bitset::equal_to(self.high, high));
        } else if high != 0 {
            bits.clear();
        }
        bits
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

    /// The levels as a reader receives them.
    fn streams(levels: &[Vec<u8>]) -> Vec<Cow<'_, [u8]>> {
        levels
            .iter()
            .map(|level| Cow::Borrowed(&level[..]))
            .collect()
    }

    fn decode(levels: &[Vec<u8>], flags: u8, games: usize) -> Result<Vec<Signature>> {
        let levels = Levels::open(streams(levels), flags, games)?;
        for game in [0, 1, games / 2, games.saturating_sub(1), games] {
            let rest = levels.from(game.min(games));
            assert!(rest.eq(levels.from(0).skip(game)), "{game}");
        }
        let elements = levels
            .from(0)
            .map(|signature| signature.iter().flatten().count() as u8);
        assert!(elements.eq(levels.elements()));
        Ok(levels.from(0).collect())
    }

    #[test]
    fn all_signatures_round_trip() {
        let mut all = games();
        for games in [&[][..], &all[..1], &all] {
            let (levels, flags) = encode(games);
            assert_eq!(flags, 0);
            assert_eq!(decode(&levels, flags, games.len()).unwrap(), games);
        }
        all[7][0] = Some(2000);
        let (levels, flags) = encode(&all);
        assert_eq!(flags, WIDE);
        assert_eq!(decode(&levels, flags, all.len()).unwrap(), all);
    }

    #[test]
    fn a_level_has_a_number_for_each_game_that_reached_the_level_before() {
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
    fn rejects_what_no_writer_stores() {
        let (levels, _) = encode(&games());
        assert!(decode(&levels, 0, 999).is_err() && decode(&levels, 0, 1001).is_err());
        assert!(decode(&levels[..5], 0, 1000).is_err());
        for level in 0..6 {
            let mut bad = levels.clone();
            bad[level].push(0);
            assert!(decode(&bad, 0, 1000).is_err(), "level {level}");
            let mut bad = levels.clone();
            *bad[level].last_mut().unwrap() = 65;
            assert!(decode(&bad, 0, 1000).is_err(), "a point in level {level}");
        }
        let squares: Vec<Vec<u8>> = levels
            .iter()
            .map(|l| [&l[..], &vec![0; l.len()]].concat())
            .collect();
        assert!(decode(&squares, WIDE, 1000).is_err(), "wide without points");
    }

    fn found(games: &[Signature], wanted: &Signature) -> Vec<u64> {
        let (levels, flags) = encode(games);
        let level = |number: usize| Ok(Cow::Borrowed(&levels[number][..]));
        find(wanted, flags, games.len(), level).unwrap()
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
    fn lookups_find_points_of_a_go_board_among_squares() {
        for max in [64, 463, 2768] {
            let mut games = games();
            for (i, game) in games.iter_mut().enumerate().skip(500) {
                let point = 64 + i as u16 * 13 % (max - 63);
                game.iter_mut().flatten().for_each(|e| *e = point);
            }
            games[999] = [Some(max); 6];
            let (levels, flags) = encode(&games);
            assert_eq!(decode(&levels, flags, 1000).unwrap(), games);
            assert!(found(&games, &[Some(max), None, None, None, None, None]).contains(&999));
            for wanted in [0, 15, 64, 70, max - 1, 4095, u16::MAX] {
                let scanned: Vec<u64> = (0..1000)
                    .filter(|&i| games[i as usize][2] == Some(wanted))
                    .collect();
                let signature = [None, None, Some(wanted), None, None, None];
                assert_eq!(found(&games, &signature), scanned, "{wanted}");
            }
        }
        // A column of squares only has no point.
        let signature = [None, None, None, None, Some(64), None];
        assert!(found(&super::tests::games(), &signature).is_empty());
    }

    #[test]
    fn a_lookup_reads_no_level_after_the_last_it_requires() {
        let games = games();
        let (levels, flags) = encode(&games);
        let wanted = [None, Some(20), None, None, None, None];
        let level = |number: usize| match levels.get(number) {
            Some(level) if number < 2 => Ok(Cow::Borrowed(&level[..])),
            _ => Err(malformed()),
        };
        assert!(find(&wanted, flags, games.len(), level).is_ok());
    }
}
