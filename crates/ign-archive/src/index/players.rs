//! Players and their games (spec §15.5).
//!
//! Names are sorted by their folded text, in which case and accents make no difference, and cut
//! into shards. Within a shard each name gives the number of bytes that it has in common with the
//! name before it. The games of a player follow the names: twice the game, counted from 0, plus 1
//! for Black, as Rice-coded gaps.

use std::io::{BufWriter, Write as _};

use ign_entropy::varint;
use ign_format::error::{Error, Result};
use rayon::prelude::*;

use super::gaps;
use crate::{
    source::ReadAt as _,
    temp_file::AnonymousTempFile,
    values::{TextPattern, folded},
};

/// Names of a shard.
pub const SHARD_NAMES: usize = 4096;

/// Sorts names, each with a value, by their folded text, then by their bytes.
pub fn sort<T: Ord + Send>(names: &mut [(Vec<u8>, T)]) {
    names.par_sort_unstable();
    names.par_sort_by_cached_key(|(name, _)| folded(name));
}

/// A game of a player: its number, counted from 0, and whether the player has Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlayerGame(u64);

impl PlayerGame {
    /// A game of a player who has White, or Black.
    pub fn new(game: u64, is_black: bool) -> Self {
        Self(2 * game + u64::from(is_black))
    }

    /// The game, counted from 0.
    pub fn game(self) -> u64 {
        self.0 / 2
    }

    /// Whether the player has Black.
    pub fn is_black(self) -> bool {
        self.0 % 2 == 1
    }

    /// The bytes, which sort as the games do.
    pub(super) fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// The game of these bytes.
    pub(super) fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_be_bytes(bytes))
    }
}

/// The games of a player, coded.
#[derive(Debug, Default)]
pub struct GameList {
    count: u64,
    bytes: Vec<u8>,
}

impl GameList {
    /// The list of these games, which ascend, in an index of `games` games.
    fn new(list: &[PlayerGame], games: u64) -> Self {
        let numbers: Vec<u64> = list.iter().map(|&PlayerGame(number)| number).collect();
        Self {
            count: list.len() as u64,
            bytes: gaps::write(&numbers, 2 * games),
        }
    }
}

/// The games of players by the number of the player, in a temporary file.
#[derive(Debug, Default)]
pub struct GameLists {
    file: Option<BufWriter<AnonymousTempFile>>,
    /// For each player the number of games, and the end of the list in the file.
    lists: Vec<(u64, u64)>,
}

impl GameLists {
    /// Adds the games of the next player, which ascend, in an index of `games` games.
    ///
    /// # Errors
    /// Io of the temporary file.
    pub fn add(&mut self, games_of: &[PlayerGame], games: u64) -> Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            empty => empty.insert(BufWriter::new(AnonymousTempFile::new()?)),
        };
        let list = GameList::new(games_of, games);
        file.write_all(&list.bytes)?;
        let start = self.lists.last().map_or(0, |&(_, end)| end);
        self.lists
            .push((list.count, start + list.bytes.len() as u64));
        Ok(())
    }

    /// Writes what is held in memory. After this lists can be read.
    ///
    /// # Errors
    /// Io of the temporary file.
    pub fn finish(mut self) -> Result<Self> {
        if let Some(file) = &mut self.file {
            file.flush()?;
        }
        Ok(self)
    }

    /// The games of a player; none if there is no such player.
    ///
    /// # Errors
    /// Io of the temporary file.
    pub fn read(&self, player: u32) -> Result<GameList> {
        let player = player as usize;
        let (Some(file), Some(&(count, end))) = (&self.file, self.lists.get(player)) else {
            return Ok(GameList::default());
        };
        let start = player
            .checked_sub(1)
            .map_or(0, |before| self.lists[before].1);
        let mut bytes = vec![0; (end - start) as usize];
        file.get_ref().read_exact_at(&mut bytes, start)?;
        Ok(GameList { count, bytes })
    }
}

/// Writes a shard: names in order, each with its games.
///
/// # Errors
/// Those of the names.
pub fn write<'p>(players: impl Iterator<Item = Result<(&'p [u8], GameList)>>) -> Result<Vec<u8>> {
    let (mut names, mut lists) = (Vec::new(), Vec::new());
    let mut before: &[u8] = &[];
    let mut players_written = 0;
    for player in players {
        let (name, list) = player?;
        let common = name.iter().zip(before).take_while(|(a, b)| a == b).count();
        varint::write(&mut names, common as u64);
        varint::write(&mut names, (name.len() - common) as u64);
        names.extend_from_slice(&name[common..]);
        varint::write(&mut names, list.count);
        varint::write(&mut names, list.bytes.len() as u64);
        lists.extend_from_slice(&list.bytes);
        before = name;
        players_written += 1;
    }
    let mut out = Vec::new();
    varint::write(&mut out, players_written);
    varint::write(&mut out, names.len() as u64);
    out.extend_from_slice(&names);
    out.extend_from_slice(&lists);
    Ok(out)
}

/// Visits the names of a shard that match, with the number of their games and these in ascending
/// order.
///
/// # Errors
/// Corrupt; the errors of `visit`.
pub fn find(
    mut shard: &[u8],
    games: u64,
    pattern: &TextPattern,
    mut visit: impl FnMut(&[u8], u64, &mut dyn Iterator<Item = Result<PlayerGame>>) -> Result<()>,
) -> Result<()> {
    let input = &mut shard;
    let count = varint::read_limited(input, input.len() as u64, "the number of names")?;
    let len = varint::read_limited(input, input.len() as u64, "the length of names")?;
    let names = &mut input.split_off(..len).ok_or_else(cut_off)?;
    let lists = input;
    let mut name = Vec::new();
    for _ in 0..count {
        let common = varint::read_limited(names, name.len() as u64, "a common prefix")?;
        let rest = varint::read_limited(names, names.len() as u64, "the length of a name")?;
        name.truncate(common);
        name.extend_from_slice(names.split_off(..rest).ok_or_else(cut_off)?);
        let count = varint::read_at_most(names, 2 * games, "the games of a player")?;
        let len = varint::read_limited(names, lists.len() as u64, "the games of a player")?;
        let list = lists.split_off(..len).ok_or_else(cut_off)?;
        if !pattern.matches(&name) {
            continue;
        }
        let mut games_of = gaps::read(list, count, 2 * games).map(|number| number.map(PlayerGame));
        visit(&name, count, &mut games_of)?;
    }
    Ok(())
}

/// The shards that may have names of a pattern, given the first name and the place of each shard.
pub fn shards_of<P>(shards: &[(Vec<u8>, P)], pattern: &TextPattern) -> std::ops::Range<usize> {
    let prefix = pattern.folded_prefix().as_bytes();
    let start = |(name, _): &(Vec<u8>, P)| {
        let name = folded(name);
        name[..prefix.len().min(name.len())].cmp(prefix)
    };
    // Names with the prefix may begin in the shard before the first that begins with it.
    let from = shards.partition_point(|shard| start(shard).is_lt());
    let to = shards.partition_point(|shard| start(shard).is_le());
    from.saturating_sub(1)..to
}

fn cut_off() -> Error {
    Error::corrupt("the players of the index are cut off")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(numbers: &[u64]) -> Vec<PlayerGame> {
        numbers.iter().map(|&number| PlayerGame(number)).collect()
    }

    fn found(shard: &[u8], pattern: &str) -> Vec<(String, Vec<PlayerGame>)> {
        let mut found = Vec::new();
        find(shard, 50, &TextPattern::new(pattern), |name, _, games| {
            let name = String::from_utf8_lossy(name).into_owned();
            found.push((name, games.collect::<Result<Vec<_>>>()?));
            Ok(())
        })
        .unwrap();
        found
    }

    #[test]
    fn names_are_found_in_both_cases_and_by_prefix() {
        let players = [
            ("anna", games(&[0, 7, 99])),
            ("Anna", games(&[3])),
            ("Annabel", games(&[2, 4])),
            ("bob", games(&[])),
        ];
        let mut sorted = players.map(|(name, games)| (name.as_bytes().to_vec(), games));
        sort(&mut sorted);
        assert_eq!(sorted[0].0, b"Anna");
        let mut lists = GameLists::default();
        for (_, games) in &sorted {
            lists.add(games, 50).unwrap();
        }
        let lists = lists.finish().unwrap();
        let names = sorted.iter().zip(0..);
        let shard =
            write(names.map(|((name, _), player)| Ok((&name[..], lists.read(player)?)))).unwrap();
        let names = |pattern: &str| -> Vec<String> {
            found(&shard, pattern).into_iter().map(|f| f.0).collect()
        };
        assert_eq!(names("ANNA"), ["Anna", "anna"]);
        assert_eq!(names("anna*"), ["Anna", "anna", "Annabel"]);
        assert_eq!(names("*b"), ["bob"]);
        assert!(names("ann").is_empty());
        assert_eq!(found(&shard, "annabel")[0].1, games(&[2, 4]));
        for len in 0..shard.len() {
            let result = find(&shard[..len], 50, &TextPattern::new("*"), |_, _, games| {
                games.collect::<Result<Vec<_>>>().map(|_| ())
            });
            assert!(result.is_err(), "{len}");
        }
    }

    #[test]
    fn a_pattern_names_the_shards_that_can_hold_it() {
        let mut first = [
            &b"Dorfman"[..],
            b"Carlsen, M",
            b"m\xfcller",
            b"Adams",
            b"Carlsen",
            b"carl",
            "Müller, J".as_bytes(),
        ]
        .map(|name| (name.to_vec(), ()));
        sort(&mut first);
        let shards = |pattern: &str| shards_of(&first, &TextPattern::new(pattern));
        assert_eq!(shards("CARLSEN*"), 1..4);
        assert_eq!(shards("Aaron"), 0..0);
        assert_eq!(shards("Bert"), 0..1);
        assert_eq!(shards("zz*"), 6..7);
        assert_eq!(shards("MULLER*"), 4..7);
        assert_eq!(shards("Müller"), 4..7);
        assert_eq!(shards("*"), 0..7);
    }
}
