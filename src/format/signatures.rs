//! A segment of the signature index (spec §5.3).
//!
//! A game's signature is six squares, or points of a Go board: where its 20th,
//! 40th and 60th moves (A) and its 31st, 51st and 71st (B) went (seed document
//! 002). For each of the six moves, in the order of play, a *level* holds
//!
//! * the survivors: a bit for each game that reached the level before, set if
//!   it reached this move too;
//! * the squares: a byte for each survivor. A segment that has points too, which
//!   are numbered behind the squares, is of a kind of its own and has a second
//!   byte of each.
//!
//! Each is a part by itself, compressed by zstd, which makes of a square some
//! five bits and a half, near to what its frequency is worth. A lookup reads the
//! parts of the moves it knows and carries the matches from the last of them up
//! to the first, where every game has its bit. Lists of games by square would be
//! read sooner, but cannot be smaller: they tell each game's number anew for
//! every move.

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
/// Squares are numbered below this, points from here on.
const POINTS: u16 = 64;
/// How parts are compressed. There is nothing in them to be found by looking longer.
const ZSTD_LEVEL: i32 = 3;
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

    fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes());
        bytes.take(Self::bytes(self.len)).collect()
    }

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

    /// Makes it so long, what is added being zeros.
    fn resize(&mut self, len: usize) {
        self.words.resize(len.div_ceil(64), 0);
        self.len = len;
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

/// Whether there is a point of a Go board among the elements.
fn has_points(games: &[Signature]) -> bool {
    games
        .iter()
        .flatten()
        .flatten()
        .any(|&element| element >= POINTS)
}

/// The sealed frame of a segment with these games, and the length of its part
/// up to the end of the directory.
///
/// # Errors
/// Internal, when zstd fails, as it does without memory.
///
/// # Panics
/// With more than [`SEGMENT_GAMES`] games.
pub fn write(games: &[Signature]) -> Result<(Vec<u8>, usize)> {
    assert!(games.len() <= SEGMENT_GAMES);
    let mut directory = Vec::new();
    let mut parts = Vec::new();
    let mut add = |directory: &mut Vec<u8>, bytes: &[u8]| {
        let compressed = zstd::bulk::compress(bytes, ZSTD_LEVEL)
            .map_err(|e| Error::internal(format!("zstd cannot compress: {e}")))?;
        let stored = match compressed.len() < bytes.len() {
            true => &compressed[..],
            false => bytes,
        };
        varint::write(directory, stored.len() as u64);
        directory.extend_from_slice(&checksum(stored).to_le_bytes());
        parts.extend_from_slice(stored);
        Ok::<_, Error>(())
    };
    varint::write(&mut directory, games.len() as u64);
    let kind = match has_points(games) {
        true => frame::Kind::Points,
        false => frame::Kind::Signatures,
    };
    // Places, not references: there may be a million.
    let mut reached: Vec<u32> = (0..games.len() as u32).collect();
    let element = |game: u32, level: usize| games[game as usize][level];
    for level in 0..LEVELS {
        let before = reached.len();
        let mut survivors = Bits::default();
        reached.retain(|&game| {
            let survives = element(game, level).is_some();
            survivors.push(survives);
            survives
        });
        if before == 0 {
            break;
        }
        varint::write(&mut directory, reached.len() as u64);
        if !reached.is_empty() && reached.len() < before {
            add(&mut directory, &survivors.to_bytes())?;
        }
        let bytes = |byte: usize| -> Vec<u8> {
            let elements = reached.iter().filter_map(|&game| element(game, level));
            elements.map(|e| e.to_le_bytes()[byte]).collect()
        };
        if !reached.is_empty() {
            add(&mut directory, &bytes(0))?;
            if kind == frame::Kind::Points {
                add(&mut directory, &bytes(1))?;
            }
        }
    }
    drop(reached);
    let sum = checksum(&directory);
    directory.extend_from_slice(&sum.to_le_bytes());
    let head_len = SEAL_LEN - CHECKSUM_LEN + directory.len();
    directory.extend_from_slice(&parts);
    drop(parts);
    Ok((frame::seal(kind, &directory), head_len))
}

/// The signatures of all games of the segment that `frame` is, whose part up to the end of the
/// directory is so long.
///
/// # Errors
/// Corrupt.
pub fn read(frame: &[u8], head_len: usize) -> Result<Vec<Signature>> {
    let points = frame::is_kind(frame, frame::Kind::Points);
    let kind = match points {
        true => frame::Kind::Points,
        false => frame::Kind::Signatures,
    };
    frame::open(kind, frame)?;
    let directory = Directory::read(frame.get(..head_len).ok_or_else(malformed)?)?;
    if directory.end + CHECKSUM_LEN != frame.len() {
        return Err(malformed());
    }
    let games = directory.all(|offset, len| Ok(frame[offset..offset + len].to_vec()))?;
    match has_points(&games) == points {
        true => Ok(games),
        false => Err(malformed()),
    }
}

/// A part of a segment: where it stands in the frame.
#[derive(Debug, Clone, Copy)]
struct Part {
    offset: usize,
    /// Bytes in the frame, and those that it stands for.
    stored_len: usize,
    len: usize,
    checksum: u64,
}

impl Part {
    /// The bytes that it stands for; `read` gives those of the frame.
    fn take(&self, mut read: impl FnMut(usize, usize) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
        let bytes = read(self.offset, self.stored_len)?;
        if bytes.len() != self.stored_len || checksum(&bytes) != self.checksum {
            return Err(Error::corrupt(
                "the checksum of a part of the signature index differs",
            ));
        }
        if self.stored_len == self.len {
            return Ok(bytes);
        }
        if !frame::is_zstd_of(&bytes, self.len) {
            return Err(malformed());
        }
        zstd::bulk::decompress(&bytes, self.len).map_err(|_| malformed())
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// Games that reached the level before, and this one.
    reached: [usize; 2],
    /// None where all survive, or none.
    survivors: Option<Part>,
    /// The low bytes of the elements, and the high ones where there are points.
    bytes: [Option<Part>; 2],
}

/// The directory of a segment, from which its parts are found.
#[derive(Debug)]
pub struct Directory {
    games: usize,
    levels: [Level; LEVELS],
    /// Where the parts end.
    end: usize,
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
        let mut offset = head.len();
        let mut part = |input: &mut &[u8], len: usize| {
            let stored_len = varint::read_limited(input, len as u64, "the length of a part")?;
            let part = Part {
                offset,
                stored_len,
                len,
                checksum: take_u64(input)?,
            };
            offset += stored_len;
            Ok::<_, Error>(Some(part))
        };
        let mut levels = [Level::default(); LEVELS];
        let mut before = games;
        for level in &mut levels {
            if before == 0 {
                break;
            }
            let reached =
                varint::read_limited(input, before as u64, "a segment's number of survivors")?;
            level.reached = [before, reached];
            if reached > 0 && reached < before {
                level.survivors = part(input, Bits::bytes(before))?;
            }
            if reached > 0 {
                level.bytes[0] = part(input, reached)?;
                if points {
                    level.bytes[1] = part(input, reached)?;
                }
            }
            before = reached;
        }
        if !input.is_empty() {
            return Err(malformed());
        }
        Ok(Self {
            games,
            levels,
            end: offset,
        })
    }

    /// The signatures of all games of the segment. `read` is as for [`find`](Self::find).
    ///
    /// # Errors
    /// Corrupt, as the checks find, and those of `read`.
    fn all(&self, mut read: impl FnMut(usize, usize) -> Result<Vec<u8>>) -> Result<Vec<Signature>> {
        let mut all = vec![Signature::default(); self.games];
        let mut reached: Vec<u64> = (0..self.games as u64).collect();
        for (number, level) in self.levels.iter().enumerate() {
            if let Some(survivors) = level.survivors(&mut read)? {
                reached = survivors
                    .positions()
                    .map(|place| reached[place as usize])
                    .collect();
            }
            reached.truncate(level.reached[1]);
            let [low, high] = level.bytes(&mut read)?;
            let high = high.into_iter().chain(std::iter::repeat(0));
            for ((&game, low), high) in reached.iter().zip(low).zip(high) {
                all[game as usize][number] = Some(u16::from_le_bytes([low, high]));
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
            if let Some(element) = *wanted {
                let mut matches = level.matches(element, &mut read)?;
                if let Some(found) = &found {
                    matches.keep(found);
                }
                found = Some(matches);
            }
            if let Some(matches) = &mut found {
                match level.survivors(&mut read)? {
                    Some(survivors) => *matches = matches.carried_up(&survivors),
                    // All survive, or none: then nothing matches.
                    None => matches.resize(level.reached[0]),
                }
            }
        }
        Ok(found.map_or_else(
            || (0..self.games as u64).collect(),
            |found| found.positions().collect(),
        ))
    }
}

impl Level {
    /// The row that tells which games survive; none where all do, or none.
    fn survivors(&self, read: impl FnMut(usize, usize) -> Result<Vec<u8>>) -> Result<Option<Bits>> {
        let [before, reached] = self.reached;
        let Some(part) = self.survivors else {
            return Ok(None);
        };
        let survivors = Bits::read(&part.take(read)?, before)?;
        if survivors.ones() != reached {
            return Err(malformed());
        }
        Ok(Some(survivors))
    }

    /// The low bytes of the elements and the high ones; those that are all 0 are left out.
    fn bytes(&self, mut read: impl FnMut(usize, usize) -> Result<Vec<u8>>) -> Result<[Vec<u8>; 2]> {
        let mut bytes = [const { Vec::new() }; 2];
        for (bytes, part) in bytes.iter_mut().zip(&self.bytes) {
            if let Some(part) = part {
                *bytes = part.take(&mut read)?;
            }
        }
        let is_point = |&byte: &u8| u16::from(byte) >= POINTS;
        if self.bytes[1].is_none() && bytes[0].iter().any(is_point) {
            return Err(malformed());
        }
        Ok(bytes)
    }

    /// The survivors whose move went there.
    fn matches(
        &self,
        element: u16,
        read: impl FnMut(usize, usize) -> Result<Vec<u8>>,
    ) -> Result<Bits> {
        let [low, high] = self.bytes(read)?;
        let [wanted, wanted_high] = element.to_le_bytes();
        let mut matches = Bits::of_bytes(&low, wanted);
        if !high.is_empty() {
            matches.keep(&Bits::of_bytes(&high, wanted_high));
        } else if wanted_high != 0 {
            matches.words.fill(0);
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
            let (frame, head_len) = write(games).unwrap();
            assert_eq!(read(&frame, head_len).unwrap(), games);
        }
        all[7][0] = Some(2000);
        let (mut frame, head_len) = write(&all).unwrap();
        assert_eq!(read(&frame, head_len).unwrap(), all);
        assert!(read(&frame, head_len + 1).is_err() && read(&frame, 9999).is_err());
        frame[head_len] ^= 1;
        assert!(read(&frame, head_len).is_err());
    }

    /// A segment of one level with this part of low bytes, which stands for so many.
    fn with_part(kind: frame::Kind, part: &[u8], len: u64) -> (Vec<u8>, usize) {
        let mut payload = Vec::new();
        varint::write(&mut payload, len);
        varint::write(&mut payload, len);
        varint::write(&mut payload, part.len() as u64);
        payload.extend_from_slice(&checksum(part).to_le_bytes());
        varint::write(&mut payload, 0);
        let sum = checksum(&payload);
        payload.extend_from_slice(&sum.to_le_bytes());
        let head_len = SEAL_LEN - CHECKSUM_LEN + payload.len();
        payload.extend_from_slice(part);
        (frame::seal(kind, &payload), head_len)
    }

    #[test]
    fn what_no_writer_stores_is_refused() {
        let is_read = |kind, part: &[u8], len| {
            let (frame, head_len) = with_part(kind, part, len);
            read(&frame, head_len).is_ok()
        };
        let squares = frame::Kind::Signatures;
        let packed = zstd::bulk::compress(&[9; 90], ZSTD_LEVEL).unwrap();
        assert!(is_read(squares, &packed, 90) && is_read(squares, &[63; 5], 5));
        assert!(!is_read(squares, &packed, 91), "another length");
        let half = zstd::bulk::compress(&[9; 45], ZSTD_LEVEL).unwrap();
        assert!(
            !is_read(squares, &[&half[..], &half].concat(), 90),
            "two frames"
        );
        assert!(!is_read(squares, &[64; 5], 5), "points among squares");
        let (frame, head_len) = with_part(squares, &[63; 5], 5);
        let payload = &frame[SEAL_LEN - CHECKSUM_LEN..frame.len() - CHECKSUM_LEN];
        let longer = frame::seal(squares, &[payload, b"more"].concat());
        assert!(read(&frame, head_len).is_ok() && read(&longer, head_len).is_err());
    }

    fn find(games: &[Signature], wanted: &Signature) -> Vec<u64> {
        let (frame, head_len) = write(games).unwrap();
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
        for most in [64, 463, 2768] {
            let mut games = games();
            for (i, game) in games.iter_mut().enumerate().skip(500) {
                let point = 64 + i as u16 * 13 % (most - 63);
                game.iter_mut().flatten().for_each(|e| *e = point);
            }
            games[999] = [Some(most); 6];
            let (frame, head_len) = write(&games).unwrap();
            assert_eq!(read(&frame, head_len).unwrap(), games);
            assert!(frame::is_kind(&frame, frame::Kind::Points));
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
        let (frame, head_len) = write(games).unwrap();
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
    fn what_is_known_without_it_is_not_there() {
        let none = len_of(&[]);
        assert_eq!(
            len_of(&[[None; 6]; 20]),
            none + 1,
            "a level that none reaches"
        );
        // For each level how many reach it, a part with its length and checksum.
        let all = len_of(&[[Some(9); 6]]);
        assert_eq!(all, none + 6 * (1 + 1 + 8 + 1), "levels that all reach");
    }

    #[test]
    fn a_square_costs_what_its_frequency_is_worth() {
        // Half of all go to one square, the others to sixteen.
        let mut seed = 1u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 16
        };
        let square = |random: u32| {
            Some(if random & 16 == 0 {
                60
            } else {
                random as u16 & 15
            })
        };
        let games: Vec<Signature> = (0..20_000)
            .map(|_| [(); 6].map(|()| square(random())))
            .collect();
        let bits = 8 * len_of(&games) / (6 * games.len());
        assert_eq!(bits, 3);
    }

    fn len_of(games: &[Signature]) -> usize {
        write(games).unwrap().0.len()
    }
}
