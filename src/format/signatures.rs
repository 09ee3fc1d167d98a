//! A segment of the signature index (spec §5.3).
//!
//! A game's signature is six squares, or points of a Go board: where its 20th,
//! 40th and 60th moves (A) and its 31st, 51st and 71st (B) went (seed document
//! 002). The index is bit-sliced (O'Neil and Quass, 1997): for each of the six
//! moves, in the order of play, a *level* holds
//!
//! * the survivors: a bit for each game that reached the level before, set if
//!   it reached this move too;
//! * planes: bit 0 to bit 5 of the square, a bit for each survivor. A segment
//!   that has points too, which are numbered behind the squares, is of a kind of
//!   its own and has as many planes as its largest number needs.
//!
//! A lookup reads the planes of the moves it knows, compares 64 games at once,
//! and carries the matches from the last of them up to the first, where every
//! game has its bit. Lists of games by square would be read sooner, but cannot
//! be smaller: they tell each game's number anew for every move, an eighth more
//! in all.

use super::{
    CHECKSUM_LEN,
    block::take_u64,
    checksum,
    frame::{self, SEAL_LEN},
};
use crate::{
    bits::varint,
    error::{Error, Result},
};

/// Half-moves, counted from one, whose destinations make a signature: the first,
/// third and fifth are A, the others B (spec §5.3).
pub const PLIES: [usize; LEVELS] = [20, 31, 40, 51, 60, 71];
/// Moves of a signature.
pub const LEVELS: usize = 6;
/// Bits of a square.
const SQUARE_PLANES: usize = 6;
/// The most bits of a point (spec §5.3).
const MAX_PLANES: usize = 12;
/// Games of one segment, so that building the index takes bounded memory
/// (spec §5.3).
pub const SEGMENT_GAMES: usize = 1 << 20;

/// Where one of the six moves went: a square from 0 (a1) to 63 (h8), a point of
/// a Go board from 64 on (`go::signature`), or none when the game was over.
pub type Element = Option<u16>;
/// Where the six moves of a game went, in the order of play.
pub type Signature = [Element; LEVELS];

/// Which of the six, if any, the half-move of this number gives.
#[inline]
pub fn element_of_ply(ply: usize) -> Option<usize> {
    PLIES.iter().position(|&p| p == ply)
}

/// A row of bits, the first in the lowest bit of the first byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.words[self.len / 64] |= u64::from(bit) << (self.len % 64);
        self.len += 1;
    }

    /// Bytes of a row of so many bits.
    const fn bytes(len: usize) -> usize {
        len.div_ceil(8)
    }

    fn write(&self, out: &mut Vec<u8>) {
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
        out.extend(bytes.take(Self::bytes(self.len)));
    }

    fn read(bytes: &[u8], len: usize) -> Result<Self> {
        debug_assert_eq!(bytes.len(), Self::bytes(len));
        let words = bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        let row = Self {
            words: words.collect(),
            len,
        };
        match row.words.last() {
            Some(&last) if last & !row.mask_of_last() != 0 => Err(malformed()),
            _ => Ok(row),
        }
    }

    /// The bits of the last word that are in use.
    fn mask_of_last(&self) -> u64 {
        u64::MAX >> ((64 - self.len % 64) % 64)
    }

    fn ones(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
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

/// The sealed frame of a segment with these games, and the length of its part
/// up to the end of the directory.
///
/// # Panics
/// With more than [`SEGMENT_GAMES`] games.
pub fn write(games: &[Signature]) -> (Vec<u8>, usize) {
    assert!(games.len() <= SEGMENT_GAMES);
    let mut directory = Vec::new();
    let mut rows = Vec::new();
    varint::write(&mut directory, games.len() as u64);
    let largest = games.iter().flatten().flatten().max().copied();
    let planes = bits_of(largest.unwrap_or(0)).max(SQUARE_PLANES);
    let kind = if planes == SQUARE_PLANES {
        frame::Kind::Signatures
    } else {
        varint::write(&mut directory, planes as u64);
        frame::Kind::Points
    };
    // Places, not references: there may be a million.
    let mut reached: Vec<u32> = (0..games.len() as u32).collect();
    let square = |game: u32, level: usize| games[game as usize][level];
    for level in 0..LEVELS {
        let mut survivors = Bits::default();
        reached.retain(|&game| {
            let survives = square(game, level).is_some();
            survivors.push(survives);
            survives
        });
        let start = rows.len();
        survivors.write(&mut rows);
        varint::write(&mut directory, reached.len() as u64);
        directory.extend_from_slice(&checksum(&rows[start..]).to_le_bytes());
        let start = rows.len();
        for plane in 0..planes {
            let mut row = Bits::default();
            for square in reached.iter().filter_map(|&game| square(game, level)) {
                row.push(square >> plane & 1 == 1);
            }
            row.write(&mut rows);
        }
        directory.extend_from_slice(&checksum(&rows[start..]).to_le_bytes());
    }
    drop(reached);
    let sum = checksum(&directory);
    directory.extend_from_slice(&sum.to_le_bytes());
    let head_len = SEAL_LEN - CHECKSUM_LEN + directory.len();
    directory.extend_from_slice(&rows);
    drop(rows);
    (frame::seal(kind, &directory), head_len)
}

/// How many bits a number has.
fn bits_of(number: u16) -> usize {
    (u16::BITS - number.leading_zeros()) as usize
}

/// Fails unless `frame` is one whole segment with a true checksum.
///
/// # Errors
/// Corrupt.
pub fn check(frame: &[u8]) -> Result<()> {
    let kind = if frame::is_kind(frame, frame::Kind::Points) {
        frame::Kind::Points
    } else {
        frame::Kind::Signatures
    };
    frame::open(kind, frame).map(|_| ())
}

/// A part of a segment: where it stands in the frame.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    offset: usize,
    len: usize,
    checksum: u64,
}

impl Part {
    /// Its bytes, as `read` gives them.
    fn take(&self, mut read: impl FnMut(usize, usize) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        let bytes = read(self.offset, self.len)?;
        if bytes.len() != self.len || checksum(&bytes) != self.checksum {
            return Err(Error::corrupt(
                "the checksum of a part of the signature index differs",
            ));
        }
        Ok(bytes)
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// Games that reached the level before, and this one.
    reached: [usize; 2],
    survivors: Part,
    planes: Part,
}

/// The directory of a segment, from which its rows are found.
#[derive(Debug)]
pub struct Directory {
    games: usize,
    /// Bits of each number.
    planes: usize,
    levels: [Level; LEVELS],
}

impl Directory {
    /// Reads the first `head_len` bytes of a segment's frame.
    ///
    /// # Errors
    /// Corrupt, as the checks find.
    pub fn read(head: &[u8]) -> Result<Self> {
        let start = SEAL_LEN - CHECKSUM_LEN;
        let points = frame::is_kind(head, frame::Kind::Points);
        if !points && !frame::is_kind(head, frame::Kind::Signatures)
            || head.len() < start + CHECKSUM_LEN
        {
            return Err(malformed());
        }
        let (mut input, sum) = head[start..].split_at(head.len() - start - CHECKSUM_LEN);
        if checksum(input).to_le_bytes() != sum {
            return Err(Error::corrupt(
                "the checksum of a signature directory differs",
            ));
        }
        let input = &mut input;
        let games =
            varint::read_limited(input, SEGMENT_GAMES as u64, "a segment's number of games")?;
        let planes = if points {
            varint::read_limited(input, MAX_PLANES as u64, "a segment's number of planes")?
        } else {
            SQUARE_PLANES
        };
        if points && planes <= SQUARE_PLANES {
            return Err(malformed());
        }
        let mut levels = [Level::default(); LEVELS];
        let mut offset = head.len();
        let mut before = games;
        for level in &mut levels {
            let survivors =
                varint::read_limited(input, before as u64, "a segment's number of survivors")?;
            level.reached = [before, survivors];
            for (part, len) in [
                (&mut level.survivors, Bits::bytes(before)),
                (&mut level.planes, planes * Bits::bytes(survivors)),
            ] {
                *part = Part {
                    offset,
                    len,
                    checksum: take_u64(input)?,
                };
                offset += len;
            }
            before = survivors;
        }
        if input.is_empty() {
            Ok(Self {
                games,
                planes,
                levels,
            })
        } else {
            Err(malformed())
        }
    }

    /// The signatures of all games of the segment. `read` is as for [`find`](Self::find).
    ///
    /// # Errors
    /// Corrupt, as the checks find, and those of `read`.
    pub fn all(
        &self,
        mut read: impl FnMut(usize, usize) -> Result<Vec<u8>>,
    ) -> Result<Vec<Signature>> {
        let mut all = vec![Signature::default(); self.games];
        let mut reached: Vec<u64> = (0..self.games as u64).collect();
        for (number, level) in self.levels.iter().enumerate() {
            let survivors = level.survivors(&level.survivors.take(&mut read)?)?;
            reached = survivors
                .positions()
                .map(|place| reached[place as usize])
                .collect();
            let mut squares = vec![0u16; reached.len()];
            let planes = level.planes.take(&mut read)?;
            let rows = planes.chunks_exact(Bits::bytes(reached.len()).max(1));
            for (plane, bytes) in rows.enumerate() {
                for place in Bits::read(bytes, reached.len())?.positions() {
                    squares[place as usize] |= 1 << plane;
                }
            }
            for (&game, square) in reached.iter().zip(squares) {
                all[game as usize][number] = Some(square);
            }
        }
        Ok(all)
    }

    /// Games whose moves went to these squares, numbered from the segment's
    /// first; `None` is any square, or none. `read` gives bytes of the
    /// segment's frame, by offset and length.
    ///
    /// # Errors
    /// Corrupt, as the checks find, and those of `read`.
    pub fn find(
        &self,
        wanted: &Signature,
        mut read: impl FnMut(usize, usize) -> Result<Vec<u8>>,
    ) -> Result<Vec<u64>> {
        let mut found: Option<Bits> = None;
        for (level, wanted) in self.levels.iter().zip(wanted).rev() {
            if let Some(square) = *wanted {
                let planes = level.planes.take(&mut read)?;
                let matches = if bits_of(square) > self.planes {
                    // No game of the segment has so large a number.
                    Bits {
                        words: vec![0; level.reached[1].div_ceil(64)],
                        len: level.reached[1],
                    }
                } else {
                    level.matches(square, &planes)?
                };
                found = Some(match found {
                    None => matches,
                    Some(mut found) => {
                        found
                            .words
                            .iter_mut()
                            .zip(&matches.words)
                            .for_each(|(f, m)| *f &= m);
                        found
                    }
                });
            }
            if let Some(matches) = &mut found {
                let survivors = level.survivors(&level.survivors.take(&mut read)?)?;
                *matches = matches.carried_up(&survivors);
            }
        }
        Ok(found.map_or_else(
            || (0..self.games as u64).collect(),
            |found| found.positions().collect(),
        ))
    }
}

impl Level {
    /// The row that tells which games survive.
    fn survivors(&self, bytes: &[u8]) -> Result<Bits> {
        let [before, reached] = self.reached;
        let survivors = Bits::read(bytes, before)?;
        if survivors.ones() != reached {
            return Err(malformed());
        }
        Ok(survivors)
    }

    /// The survivors whose move went to this square.
    fn matches(&self, square: u16, planes: &[u8]) -> Result<Bits> {
        let len = self.reached[1];
        let mut matches = Bits {
            words: vec![u64::MAX; len.div_ceil(64)],
            len,
        };
        if let Some(last) = matches.words.len().checked_sub(1) {
            matches.words[last] = matches.mask_of_last();
        }
        for (plane, bytes) in planes.chunks_exact(Bits::bytes(len).max(1)).enumerate() {
            let flip = if square >> plane & 1 == 1 {
                0
            } else {
                u64::MAX
            };
            let row = Bits::read(bytes, len)?;
            matches
                .words
                .iter_mut()
                .zip(&row.words)
                .for_each(|(m, bits)| *m &= bits ^ flip);
        }
        Ok(matches)
    }
}

fn malformed() -> Error {
    Error::corrupt("a segment of the signature index is malformed")
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

    #[test]
    fn all_signatures_come_back() {
        let mut all = games();
        for games in [&[][..], &all[..1], &all] {
            let (frame, head_len) = write(games);
            let directory = Directory::read(&frame[..head_len]).unwrap();
            let read = |at: usize, len| Ok(frame[at..at + len].to_vec());
            assert_eq!(directory.all(read).unwrap(), games);
        }
        all[7][0] = Some(2000);
        let (mut frame, head_len) = write(&all);
        let directory = Directory::read(&frame[..head_len]).unwrap();
        let read = |at: usize, len| Ok(frame[at..at + len].to_vec());
        assert_eq!(directory.all(read).unwrap(), all);
        frame[head_len] ^= 1;
        let read = |at: usize, len| Ok(frame[at..at + len].to_vec());
        assert!(directory.all(read).is_err());
    }

    fn find(games: &[Signature], wanted: &Signature) -> Vec<u64> {
        let (frame, head_len) = write(games);
        let directory = Directory::read(&frame[..head_len]).unwrap();
        directory
            .find(wanted, |offset, len| {
                Ok(frame[offset..offset + len].to_vec())
            })
            .unwrap()
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
                assert_eq!(find(games, &wanted), scanned, "{wanted:?}");
            }
        }
    }

    #[test]
    fn points_of_a_go_board_are_found_among_squares() {
        for (most, planes) in [(64, 7), (463, 9), (2768, 12)] {
            let mut games = games();
            for (i, game) in games.iter_mut().enumerate().skip(500) {
                let point = 64 + i as u16 * 13 % (most - 63);
                game.iter_mut().flatten().for_each(|e| *e = point);
            }
            games[999] = [Some(most); 6];
            let (frame, head_len) = write(&games);
            check(&frame).unwrap();
            assert_eq!(Directory::read(&frame[..head_len]).unwrap().planes, planes);
            assert!(find(&games, &[Some(most), None, None, None, None, None]).contains(&999));
            for wanted in [0, 15, 64, 70, most - 1, 4095, u16::MAX] {
                let scanned: Vec<u64> = (0..1000)
                    .filter(|&i| games[i as usize][2] == Some(wanted))
                    .collect();
                let signature = [None, None, Some(wanted), None, None, None];
                assert_eq!(find(&games, &signature), scanned, "{wanted}");
            }
        }
        // Where there are squares only, a point is nowhere.
        let signature = [None, None, None, None, Some(64), None];
        assert!(find(&super::tests::games(), &signature).is_empty());
    }

    #[test]
    fn a_flipped_bit_anywhere_that_a_lookup_looks_is_seen() {
        let games = &games()[..100];
        let (frame, head_len) = write(games);
        let wanted = [Some(15), Some(20), Some(25), Some(30), Some(35), Some(40)];
        let find = |frame: &[u8]| {
            let directory = Directory::read(&frame[..head_len])?;
            directory.find(&wanted, |offset, len| {
                Ok(frame[offset..offset + len].to_vec())
            })
        };
        assert!(find(&frame).is_ok());
        for bit in (SEAL_LEN - CHECKSUM_LEN) * 8..(frame.len() - CHECKSUM_LEN) * 8 {
            let mut bad = frame.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(find(&bad).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_game_costs_a_bit_a_level_and_six_a_square() {
        let games: Vec<Signature> = (0..8000).map(|i| [Some((i % 64) as u16); 6]).collect();
        let (frame, head_len) = write(&games);
        assert_eq!(frame.len() - head_len - CHECKSUM_LEN, 8000 * 6 * 7 / 8);
    }
}
