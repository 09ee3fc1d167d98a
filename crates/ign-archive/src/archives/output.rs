//! Lines and texts of games of several archives, and archives of them.

use std::{io::Write, ops::Range};

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};

use super::Archives;
use crate::{
    archive::Archive,
    threads::each_block,
    unpack::{GameSeparator, text_of_each_game},
};

/// The number of games in another order than that of the archives whose lines are in memory.
const LINES: usize = if cfg!(test) { 7 } else { 1 << 20 };

/// The bytes of the texts of such games that are in memory, about.
const TEXTS: u64 = if cfg!(test) { 1 << 13 } else { 1 << 28 };

impl Archives {
    /// A game as text: its archive and its number there, `a.ign:1240`. If there is only one
    /// archive, this is the number alone.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn name_of(&self, game: GameNumber) -> Result<String> {
        let place = self.locate(game)?;
        Ok(format!("{}{}", self.prefix(place.archive), place.number))
    }

    /// What is written before the numbers of the games of an archive.
    pub(crate) fn prefix(&self, archive: usize) -> String {
        match &self.archives[..] {
            [] | [_] => String::new(),
            archives => archives
                .get(archive)
                .map(|archive| format!("{}:", archive.path().display()))
                .unwrap_or_default(),
        }
    }

    /// Writes a line for each game of all archives, as [`Archive::list`]. If there are several
    /// archives, the [name](Self::name_of) of a game takes the place of its number.
    ///
    /// # Errors
    /// As [`Archive::list`].
    pub fn list(&self, mut out: impl Write) -> Result<()> {
        for (number, archive) in self.archives.iter().enumerate() {
            archive.list_as(&self.prefix(number), .., &mut out)?;
        }
        Ok(())
    }

    /// Writes the lines of [`list`](Self::list) of some games, in this order. If they do not
    /// ascend, the lines of 1,048,576 games are in memory, and each block is read at most once for
    /// each 1,048,576 games.
    ///
    /// # Errors
    /// As [`Archive::list_games`]; [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn list_games(&self, games: &[GameNumber], mut out: impl Write) -> Result<()> {
        if games.is_sorted_by(|one, other| one < other) {
            return self.list_ascending(games, out);
        }
        for games in games.chunks(LINES) {
            let sorted = ascending(games);
            let mut lines = Vec::new();
            self.list_ascending(&sorted, &mut lines)?;
            let ends = memchr::memchr_iter(b'\n', &lines).map(|end| end + 1);
            let ends: Vec<usize> = ends.collect();
            for game in games {
                let line = sorted
                    .binary_search(game)
                    .ok()
                    .and_then(|place| range_of(&ends, place));
                out.write_all(line.map(|line| &lines[line]).ok_or_else(lost)?)?;
            }
        }
        Ok(out.flush()?)
    }

    /// [`list_games`](Self::list_games) of games that ascend.
    fn list_ascending(&self, games: &[GameNumber], mut out: impl Write) -> Result<()> {
        for (number, archive, games) in self.by_archive(games)? {
            archive.list_games_as(&self.prefix(number), &games, &mut out)?;
        }
        Ok(())
    }

    /// Writes the text of some games, in this order, each with what follows it up to the next
    /// game. Between games of different inputs an empty line is written, since the last game of an
    /// input may end without a line end. If the games do not ascend, it is written between all of
    /// them, texts of about 256 MiB are in memory, and each block is read at most once for each of
    /// these.
    ///
    /// # Errors
    /// As [`Archive::write_games`]; [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn write_games(&self, games: &[GameNumber], out: impl Write) -> Result<()> {
        let mut out = GameSeparator::new(out);
        if games.is_sorted_by(|one, other| one < other) {
            for (_, archive, games) in self.by_archive(games)? {
                let ranges: Vec<_> = games.iter().map(|game| game.get()..=game.get()).collect();
                archive.write_games_separated(&ranges, &mut out)?;
            }
            return Ok(());
        }
        for games in self.chunks_by_text(games, TEXTS)? {
            self.write_chunk(games, &mut out)?;
        }
        Ok(out.into_inner().flush()?)
    }

    /// Writes the texts of games in any order. All are in memory, and each block is read once.
    pub(crate) fn write_chunk(
        &self,
        games: &[GameNumber],
        out: &mut GameSeparator<impl Write>,
    ) -> Result<()> {
        let sorted = ascending(games);
        let mut blocks: Vec<(Vec<u8>, Vec<usize>)> = Vec::new();
        // For each block the number of games before it.
        let (mut before, mut known) = (Vec::new(), 0);
        for (_, archive, games) in self.by_archive(&sorted)? {
            let numbers = archive.blocks_with(&games);
            archive.preload();
            archive.will_read(&numbers);
            let texts = |block| text_of_each_game(archive, block, &games);
            for (text, ends) in each_block(archive, numbers, texts)? {
                before.push(known);
                known += ends.len();
                blocks.push((text, ends));
            }
        }
        for game in games {
            let place = sorted.binary_search(game).map_err(|_| lost())?;
            let block = before
                .partition_point(|&before| before <= place)
                .checked_sub(1)
                .ok_or_else(lost)?;
            let (text, ends) = &blocks[block];
            let range = range_of(ends, place - before[block]).ok_or_else(lost)?;
            out.write_text(&text[range], false)?;
        }
        Ok(())
    }

    /// Games in any order, divided into chunks whose texts are held in memory.
    pub(crate) fn text_chunks<'g>(&self, games: &'g [GameNumber]) -> Result<Vec<&'g [GameNumber]>> {
        self.chunks_by_text(games, TEXTS)
    }

    /// Divides games in any order into chunks, the next one after the other, whose texts have at
    /// most about this number of bytes: of each game the mean of its block counts. Whoever reads
    /// the games of a chunk in ascending order reads each block at most once for it, and has them
    /// in memory to return them in their order.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn chunks_by_text<'g>(
        &self,
        games: &'g [GameNumber],
        bytes: u64,
    ) -> Result<Vec<&'g [GameNumber]>> {
        let (mut chunks, mut start, mut len) = (Vec::new(), 0, 0_u64);
        for (place, &game) in games.iter().enumerate() {
            let found = self.locate(game)?;
            let archive = &self.archives[found.archive];
            let (block, _) = archive.locate(found.number)?;
            let entry = &archive.blocks()[block];
            let own = entry.text_len / entry.games.max(1);
            if place > start && len.saturating_add(own) > bytes {
                chunks.push(&games[start..place]);
                (start, len) = (place, 0);
            }
            len = len.saturating_add(own);
        }
        if start < games.len() {
            chunks.push(&games[start..]);
        }
        Ok(chunks)
    }

    /// Runs of games of the same archive: its number from 0, the archive, and the numbers of the
    /// games there.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn by_archive(
        &self,
        games: &[GameNumber],
    ) -> Result<Vec<(usize, &Archive, Vec<GameNumber>)>> {
        let mut groups: Vec<(usize, &Archive, Vec<GameNumber>)> = Vec::new();
        for &game in games {
            let place = self.locate(game)?;
            match groups.last_mut() {
                Some((archive, _, games)) if *archive == place.archive => games.push(place.number),
                _ => {
                    let archive = &self.archives[place.archive];
                    groups.push((place.archive, archive, vec![place.number]));
                }
            }
        }
        Ok(groups)
    }
}

/// The games in ascending order, each once.
fn ascending(games: &[GameNumber]) -> Vec<GameNumber> {
    let mut sorted = games.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}

/// The place of one of several pieces that end here, one after the other.
fn range_of(ends: &[usize], place: usize) -> Option<Range<usize>> {
    let start = place
        .checked_sub(1)
        .map_or(Some(0), |before| ends.get(before).copied());
    Some(start?..*ends.get(place)?)
}

fn lost() -> Error {
    Error::internal("a game was not read with its block")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coding, Input, Packer};

    /// Two archives with the games 1 to 40 and 41 to 60; the last game of the first has no line
    /// end.
    fn archives() -> Archives {
        let text = |games: Range<u32>| {
            let comment = "words ".repeat(300);
            let game = |n| format!("[White \"{n}\"]\n\n1. e4 {{ {comment} }} e5 2. Nf3 *\n\n");
            games.map(game).collect::<String>()
        };
        let archive = |text: String, name: &str| {
            let input = Input::reader("a.pgn", std::io::Cursor::new(text));
            let packer = Packer::new().coding(Coding::Ign).block_size(1 << 12);
            let (bytes, _) = packer.pack([input], Vec::new()).unwrap();
            Archive::from_read_at(bytes, name).unwrap()
        };
        let first = archive(text(1..41).trim_end().to_owned(), "a.ign");
        vec![first, archive(text(41..61), "b.ign")].into()
    }

    /// All games in an order that jumps between blocks, and one of them again.
    fn jumping() -> Vec<GameNumber> {
        let numbers = (0..60).map(|n| n * 37 % 60).chain([39, 3]);
        numbers.map(GameNumber::from_index).collect()
    }

    #[test]
    fn games_in_any_order_are_written_in_it() {
        let (archives, games) = (archives(), jumping());
        assert!(archives.archives()[0].blocks().len() > 3);
        let one = |game: &GameNumber| {
            let (mut text, mut line) = (Vec::new(), Vec::new());
            archives.write_games(&[*game], &mut text).unwrap();
            archives.list_games(&[*game], &mut line).unwrap();
            (text, line)
        };
        let (texts, lines): (Vec<_>, Vec<_>) = games.iter().map(one).unzip();
        let mut expected = Vec::new();
        for text in texts {
            let separates = expected.last().is_some_and(|&last| last != b'\n');
            expected.extend_from_slice(if separates { b"\n\n" } else { b"" });
            expected.extend(text);
        }
        let (mut text, mut list) = (Vec::new(), Vec::new());
        archives.write_games(&games, &mut text).unwrap();
        archives.list_games(&games, &mut list).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            String::from_utf8(expected).unwrap()
        );
        assert_eq!(list, lines.concat());
        // As an archive too.
        let packer = Packer::new().coding(Coding::Ign);
        let (bytes, _) = packer
            .pack_games_of(&archives, &games[..60], Vec::new())
            .unwrap();
        let packed = Archive::from_read_at(bytes, "c.ign").unwrap();
        for (game, of) in packed.games().zip(&games) {
            let white = game.unwrap().tag("White").unwrap().unwrap().into_owned();
            assert_eq!(white, of.to_string());
        }
    }

    #[test]
    fn chunks_are_all_games_in_their_order() {
        let (archives, games) = (archives(), jumping());
        for (bytes, most) in [(0, 1), (1, 1), (10_000, 7), (u64::MAX, games.len())] {
            let chunks = archives.chunks_by_text(&games, bytes).unwrap();
            assert_eq!(chunks.concat(), games);
            assert!(
                chunks.iter().all(|chunk| (1..=most).contains(&chunk.len())),
                "{bytes}"
            );
        }
        assert!(archives.chunks_by_text(&[], 1).unwrap().is_empty());
        let wrong = [GameNumber::from_index(60), GameNumber::from_index(1)];
        for result in [
            archives.chunks_by_text(&wrong, 1).map(drop),
            archives.write_games(&wrong, Vec::new()),
            archives.list_games(&wrong, Vec::new()),
        ] {
            assert_eq!(result.unwrap_err().kind(), crate::ErrorKind::Usage);
        }
    }
}
