//! A segment of the signature index (spec §5.3).
//!
//! A game's signature is six squares: where its 20th, 40th and 60th half-moves
//! (A) and its 31st, 51st and 71st (B) went (seed document 002). For each of
//! the six and each of the 64 squares a segment holds the list of games that
//! have it, as Rice-coded steps. A lookup reads only the lists it asks for and
//! keeps the games that stand in all of them; a game that ended before a move
//! stands in no list of that move.

use super::{
    CHECKSUM_LEN,
    block::{take, take_byte, take_u64},
    checksum,
    frame::{self, SEAL_LEN},
};
use crate::{
    bits::{BitReader, BitWriter, rice, varint},
    error::{Error, Result},
};

/// Half-moves, counted from one, whose destinations make a signature: A's
/// three, then B's (spec §5.3).
pub const PLIES: [usize; 6] = [20, 40, 60, 31, 51, 71];
/// Which of the six, if any, the half-move of this number gives.
#[inline]
pub fn element_of_ply(ply: usize) -> Option<usize> {
    PLIES.iter().position(|&p| p == ply)
}

/// Squares of the board.
const SQUARES: usize = 64;
/// Games of one segment, so that building the index takes bounded memory
/// (spec §5.3).
pub const SEGMENT_GAMES: usize = 1 << 20;

/// Where one of the six moves went: a square from 0 (a1) to 63 (h8), or none
/// when the game was over.
pub type Element = Option<u8>;
/// The six squares of a game.
pub type Signature = [Element; 6];

/// Where a list stands in its segment.
#[derive(Debug, Clone, Copy)]
struct ListEntry {
    /// Games in the list.
    count: u64,
    parameter: u32,
    /// Offset in the segment's frame, and bytes.
    offset: usize,
    len: usize,
    checksum: u64,
}

/// The sealed frame of a segment with these games, and the length of its part
/// up to the end of the directory.
///
/// # Panics
/// With more than [`SEGMENT_GAMES`] games.
pub fn write(games: &[Signature]) -> (Vec<u8>, usize) {
    assert!(games.len() <= SEGMENT_GAMES);
    let mut directory = Vec::new();
    let mut lists = Vec::new();
    varint::write(&mut directory, games.len() as u64);
    for element in 0..PLIES.len() {
        let mut members = vec![Vec::new(); SQUARES];
        for (game, signature) in games.iter().enumerate() {
            if let Some(square) = signature[element] {
                members[usize::from(square)].push(game as u64);
            }
        }
        for members in &members {
            varint::write(&mut directory, members.len() as u64);
            if members.is_empty() {
                continue;
            }
            let start = lists.len();
            let parameter = write_list(&mut lists, members, games.len());
            directory.push(parameter as u8);
            varint::write(&mut directory, (lists.len() - start) as u64);
            directory.extend_from_slice(&checksum(&lists[start..]).to_le_bytes());
        }
    }
    let sum = checksum(&directory);
    directory.extend_from_slice(&sum.to_le_bytes());
    // The directory starts with its own length, so that it can be read alone.
    let mut payload = (directory.len() as u32).to_le_bytes().to_vec();
    payload.extend_from_slice(&directory);
    let head_len = SEAL_LEN - CHECKSUM_LEN + payload.len();
    payload.extend_from_slice(&lists);
    (frame::seal(frame::Kind::Signatures, &payload), head_len)
}

/// Appends the steps of a list with the parameter that makes them shortest,
/// and gives the parameter.
fn write_list(out: &mut Vec<u8>, members: &[u64], games: usize) -> u32 {
    let steps = || {
        let mut next = 0;
        members.iter().map(move |&game| {
            let step = game - next;
            next = game + 1;
            step
        })
    };
    let usual = (games / members.len()).max(1).ilog2();
    let size = |&k: &u32| steps().map(|step| rice::len(step, k)).sum::<u64>();
    let parameter = (usual.saturating_sub(1)..=usual)
        .min_by_key(size)
        .expect("two to choose from");
    let mut writer = BitWriter::new(out);
    for step in steps() {
        rice::write(&mut writer, step, parameter);
    }
    writer.finish();
    parameter
}

/// The directory of a segment, from which lists are found.
#[derive(Debug)]
pub struct Directory {
    games: u64,
    lists: Vec<ListEntry>,
}

impl Directory {
    /// Reads the first `head_len` bytes of a segment's frame.
    ///
    /// # Errors
    /// Corrupt, as the checks find.
    pub fn read(head: &[u8]) -> Result<Self> {
        let malformed = || Error::corrupt("a segment of the signature index is malformed");
        if !frame::is_kind(head, frame::Kind::Signatures) {
            return Err(malformed());
        }
        let mut input = head.get(SEAL_LEN - CHECKSUM_LEN..).ok_or_else(malformed)?;
        let len = take(&mut input, 4)?;
        let len = u32::from_le_bytes(len.try_into().expect("four bytes")) as usize;
        if len != input.len() || len < CHECKSUM_LEN {
            return Err(malformed());
        }
        let (directory, sum) = input.split_at(len - CHECKSUM_LEN);
        if checksum(directory).to_le_bytes() != sum {
            return Err(Error::corrupt(
                "the checksum of a signature directory differs",
            ));
        }
        let mut input = directory;
        let games = varint::read_limited(
            &mut input,
            SEGMENT_GAMES as u64,
            "a segment's number of games",
        )? as u64;
        let mut offset = head.len();
        let mut lists = Vec::with_capacity(PLIES.len() * SQUARES);
        for _ in 0..PLIES.len() * SQUARES {
            let count = varint::read_limited(&mut input, games, "a list's number of games")? as u64;
            let mut entry = ListEntry {
                count,
                parameter: 0,
                offset,
                len: 0,
                checksum: 0,
            };
            if count > 0 {
                entry.parameter = u32::from(take_byte(&mut input)?).min(32);
                entry.len =
                    varint::read_limited(&mut input, u64::from(u32::MAX), "a list's length")?;
                entry.checksum = take_u64(&mut input)?;
                offset += entry.len;
            }
            lists.push(entry);
        }
        if input.is_empty() {
            Ok(Self { games, lists })
        } else {
            Err(malformed())
        }
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
        let asked = wanted.iter().enumerate().filter_map(|(element, square)| {
            square.map(|square| self.lists[element * SQUARES + usize::from(square)])
        });
        let mut asked: Vec<ListEntry> = asked.collect();
        // The shortest list first: what it rules out, the others need not keep.
        asked.sort_by_key(|entry| entry.count);
        let mut found: Option<Vec<u64>> = None;
        for entry in asked {
            if entry.count == 0 {
                return Ok(Vec::new());
            }
            let bytes = read(entry.offset, entry.len)?;
            let members = self.read_list(&entry, &bytes)?;
            found = Some(match found {
                None => members,
                Some(found) => common(&found, &members),
            });
        }
        Ok(found.unwrap_or_else(|| (0..self.games).collect()))
    }

    fn read_list(&self, entry: &ListEntry, bytes: &[u8]) -> Result<Vec<u64>> {
        if bytes.len() != entry.len || checksum(bytes) != entry.checksum {
            return Err(Error::corrupt("the checksum of a signature list differs"));
        }
        let mut reader = BitReader::new(bytes);
        let mut next = 0;
        let mut members = Vec::with_capacity(entry.count as usize);
        for _ in 0..entry.count {
            let limit = self.games.checked_sub(next + 1).ok_or_else(beyond)?;
            let game =
                next + rice::read(&mut reader, entry.parameter, limit).map_err(|_| beyond())?;
            members.push(game);
            next = game + 1;
        }
        reader.finish().map_err(|_| beyond())?;
        Ok(members)
    }
}

fn beyond() -> Error {
    Error::corrupt("a signature list goes beyond its games")
}

/// The numbers that stand in both of two ascending lists.
fn common(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut rest = b;
    let mut out = Vec::new();
    for &game in a {
        rest = &rest[rest.partition_point(|&other| other < game)..];
        if rest.first() == Some(&game) {
            out.push(game);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Vec<Signature> {
        (0..1000u32)
            .map(|i| {
                std::array::from_fn(|e| {
                    (i % 7 > e as u32).then_some((i * (e as u32 + 3) % 13) as u8)
                })
            })
            .collect()
    }

    fn find(wanted: &Signature) -> Vec<u64> {
        let (frame, head_len) = write(&games());
        let directory = Directory::read(&frame[..head_len]).unwrap();
        directory
            .find(wanted, |offset, len| {
                Ok(frame[offset..offset + len].to_vec())
            })
            .unwrap()
    }

    #[test]
    fn lookups_agree_with_a_scan() {
        let games = games();
        for wanted in [
            [None; 6],
            [Some(0), None, None, None, None, None],
            [Some(3), Some(4), None, None, None, None],
            [None, None, None, None, None, Some(5)],
            [Some(3), Some(4), Some(5), Some(6), Some(7), Some(8)],
            [Some(63), None, None, None, None, None],
        ] {
            let matches = |s: &Signature| wanted.iter().zip(s).all(|(w, s)| w.is_none() || w == s);
            let scanned: Vec<u64> = (0..1000).filter(|&i| matches(&games[i as usize])).collect();
            assert_eq!(find(&wanted), scanned, "{wanted:?}");
        }
    }

    #[test]
    fn a_flipped_bit_in_directory_or_lists_is_seen() {
        let (frame, head_len) = write(&games());
        for bit in (SEAL_LEN - CHECKSUM_LEN) * 8..head_len * 8 {
            let mut bad = frame[..head_len].to_vec();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(Directory::read(&bad).is_err(), "bit {bit}");
        }
        let directory = Directory::read(&frame[..head_len]).unwrap();
        let spoiled = |offset: usize, len: usize| {
            let mut bytes = frame[offset..offset + len].to_vec();
            bytes[0] ^= 1;
            Ok(bytes)
        };
        assert!(
            directory
                .find(&[Some(0), None, None, None, None, None], spoiled)
                .is_err()
        );
    }

    #[test]
    fn an_empty_segment_is_small() {
        let (frame, head_len) = write(&[[None; 6]; 3]);
        assert!(frame.len() < 500);
        let directory = Directory::read(&frame[..head_len]).unwrap();
        assert_eq!(
            directory.find(&[None; 6], |_, _| unreachable!()).unwrap(),
            [0, 1, 2]
        );
    }
}
