//! Lines and texts of games of several archives, and archives of them.

use std::io::Write;

use ign_format::{error::Result, game_number::GameNumber};

use super::Archives;
use crate::{archive::Archive, unpack::GameSeparator};

impl Archives {
    /// A game as text: its archive and its number there, `a.ign:1240`. If there is only one archive,
    /// this is the number alone.
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

    /// Writes the lines of [`list`](Self::list) of some games, in ascending order.
    ///
    /// # Errors
    /// As [`Archive::list_games`]; [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn list_games(&self, games: &[GameNumber], mut out: impl Write) -> Result<()> {
        for (number, archive, games) in self.by_archive(games)? {
            archive.list_games_as(&self.prefix(number), &games, &mut out)?;
        }
        Ok(())
    }

    /// Writes the text of some games, in ascending order, each with what follows it up to the next
    /// game. An empty line is written between games that would run into each other: the last game
    /// of an input may end without a line end.
    ///
    /// # Errors
    /// As [`Archive::write_games`]; [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn write_games(&self, games: &[GameNumber], out: impl Write) -> Result<()> {
        let mut out = GameSeparator::new(out);
        for (_, archive, games) in self.by_archive(games)? {
            let ranges: Vec<_> = games.iter().map(|game| game.get()..=game.get()).collect();
            archive.write_games_apart(&ranges, &mut out)?;
        }
        Ok(())
    }

    /// Games, which must ascend, by archive: its number from 0, the archive, and the numbers of the
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
