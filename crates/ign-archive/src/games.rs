//! The games of an archive in order.

use std::{fmt, ops::RangeBounds, sync::Arc};

use ign_format::{
    error::{Error, Result},
    game_number::GameNumber,
};

use crate::{
    Game,
    archive::Archive,
    archives::Archives,
    loaded::{LoadedBlock, Scope, Shared},
    ordered::{Ordered, ordered_detached},
};

/// A part of the games that threads decode in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GamePart {
    /// The tags.
    Tags,
    /// The moves of the main line.
    Moves,
    /// The exact text, and with it comments, clocks, evaluations and variations.
    Text,
}

/// An iterator over the games of an archive, in order.
///
/// Several threads read the blocks in advance and decode the parts that
/// [`decoding`](Self::decoding) names; other parts are decoded when they are asked for, by the
/// thread that asks. At most the number of threads plus 4 blocks are in memory, and those of games
/// that the caller keeps.
///
/// The first error ends the iteration.
pub struct Games {
    archive: Archive,
    /// Games still to come, counted from 0.
    rest: std::ops::Range<u64>,
    /// The chosen games, ascending; all if there is no choice.
    chosen: Option<Arc<[GameNumber]>>,
    parts: Vec<GamePart>,
    blocks: Option<Ordered<Shared>>,
    /// The current block, its number of the next game, and the records of its games.
    current: Option<(Shared, std::vec::IntoIter<(u64, usize)>)>,
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games")
            .field("archive", &self.archive)
            .field("rest", &self.rest)
            .field("parts", &self.parts)
            .finish_non_exhaustive()
    }
}

impl Archives {
    /// A game.
    ///
    /// # Errors
    /// As [`Archive::game`].
    pub fn game(&self, number: impl TryInto<GameNumber, Error: Into<Error>>) -> Result<Game> {
        let place = self.locate(number)?;
        self.archives()[place.archive].game(place.number)
    }
}

impl IntoIterator for &Archive {
    type Item = Result<Game>;
    type IntoIter = Games;

    /// [`Archive::games`].
    fn into_iter(self) -> Games {
        self.games()
    }
}

impl Archive {
    /// One game by its number: `archive.game(12)`. Only the head of its block is decoded at first.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such game; [`Io`](crate::ErrorKind::Io);
    /// [`Corrupt`](crate::ErrorKind::Corrupt) if its block is damaged.
    pub fn game(&self, number: impl TryInto<GameNumber, Error: Into<Error>>) -> Result<Game> {
        let number = number.try_into();
        let number = number.map_err(|e| e.into().in_file(self.path()))?;
        let (block, place) = self.locate(number)?;
        self.preload();
        let mut record = 0;
        let block = LoadedBlock::read(self, block, |records| {
            let found = records.of_game(place as usize);
            record = found.ok_or_else(|| self.no_game(number.get()))?;
            Ok(Scope::One(record))
        })?;
        Ok(Game::new(Arc::new(block), record, number))
    }

    /// All games in order. See [`Games`].
    ///
    /// ```
    /// # use ign_archive::{Archive, Input, Packer, GamePart};
    /// # let text = b"[White \"Ann\"]\n\n1. e4 *\n\n[White \"Ben\"]\n\n1. d4 *\n\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
    /// # let archive = Archive::from_source(bytes, "a.ign")?;
    /// let mut white = Vec::new();
    /// for game in archive.games().decoding([GamePart::Tags]) {
    ///     white.extend(game?.tag("White")?.map(|name| name.into_owned()));
    /// }
    /// assert_eq!(white, ["Ann", "Ben"]);
    ///
    /// let second = archive.games().range(2..).next().unwrap()?;
    /// assert_eq!(second.moves()?.next().unwrap().to_string(), "d2-d4");
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    pub fn games(&self) -> Games {
        Games {
            archive: self.clone(),
            rest: 0..self.len(),
            chosen: None,
            parts: vec![GamePart::Tags],
            blocks: None,
            current: None,
        }
    }
}

impl Games {
    /// Chooses what the threads decode in advance, instead of the tags. Name everything that the
    /// program asks of every game. Other parts are decoded when they are asked for: for the first
    /// few games of a block one by one, then for the whole block at once.
    #[must_use]
    pub fn decoding(mut self, parts: impl IntoIterator<Item = GamePart>) -> Self {
        self.parts = parts.into_iter().collect();
        self
    }

    /// Chooses the games, numbered from 1. Numbers that the archive does not have are left out.
    #[must_use]
    pub fn range(mut self, games: impl RangeBounds<u64>) -> Self {
        self.rest = self.archive.clamp(games);
        self
    }

    /// Chooses some games by their numbers, which must ascend. Blocks without any of them
    /// are not read. Numbers that the archive does not have are left out. The games of a query are
    /// `archive.games().only(archive.find(&query)?)`.
    ///
    /// ```
    /// # use ign_archive::{Archive, GameNumber, Input, Packer};
    /// # let text = b"1. e4 *\n\n1. d4 *\n\n1. c4 *\n";
    /// # let (bytes, _) = Packer::new().pack([Input::reader("a.pgn", &text[..])], Vec::new())?;
    /// # let archive = Archive::from_source(bytes, "a.ign")?;
    /// let some: Vec<_> = [1, 3, 9].into_iter().filter_map(GameNumber::new).collect();
    /// let some = archive.games().only(some);
    /// let numbers: ign_archive::Result<Vec<_>> = some.map(|game| Ok(game?.number())).collect();
    /// assert_eq!(numbers?, [1, 3]);
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    #[must_use]
    pub fn only(mut self, games: impl Into<Arc<[GameNumber]>>) -> Self {
        self.chosen = Some(games.into());
        self
    }

    /// Whether a game, counted from 0, is still to come.
    fn is_wanted(&self, game: u64) -> bool {
        let chosen = self.chosen.as_deref();
        self.rest.contains(&game)
            && chosen.is_none_or(|games| games.binary_search(&GameNumber::from_index(game)).is_ok())
    }

    /// The blocks with games that are still to come.
    fn blocks_to_read(&self) -> Vec<usize> {
        let Some(games) = self.chosen.as_deref() else {
            return self.archive.blocks_of(&self.rest);
        };
        let first = games.partition_point(|game| game.index() < self.rest.start);
        let end = games.partition_point(|game| game.index() < self.rest.end);
        self.archive.blocks_with(&games[first..end.max(first)])
    }

    /// The next block with games of the range.
    fn next_block(&mut self) -> Option<Result<()>> {
        if self.blocks.is_none() {
            let numbers = self.blocks_to_read();
            let (archive, parts) = (self.archive.clone(), self.parts.clone());
            let threads = archive.threads().min(numbers.len());
            self.blocks = Some(ordered_detached(
                threads,
                numbers.into_iter().map(Ok),
                move |number| load(&archive, number, &parts).map(Arc::new),
            ));
        }
        let block = match self.blocks.as_mut()?.next()? {
            Ok(block) => block,
            Err(error) => return Some(Err(error)),
        };
        let first = block.first_game();
        let games: Vec<_> = (first..)
            .zip(block.records.games())
            .filter(|&(game, _)| self.is_wanted(game))
            .collect();
        self.current = Some((block, games.into_iter()));
        Some(Ok(()))
    }
}

/// Reads a block and decodes parts of it.
fn load(archive: &Archive, number: usize, parts: &[GamePart]) -> Result<LoadedBlock> {
    let block = LoadedBlock::read(archive, number, |_| Ok(Scope::All))?;
    for part in parts {
        match part {
            GamePart::Tags => _ = block.tags()?,
            GamePart::Moves => block.decode_moves()?,
            GamePart::Text => block.decode_text()?,
        }
    }
    Ok(block)
}

impl Iterator for Games {
    type Item = Result<Game>;

    fn next(&mut self) -> Option<Result<Game>> {
        while !self.rest.is_empty() {
            if let Some((block, games)) = &mut self.current
                && let Some((game, record)) = games.next()
            {
                self.rest.start = game + 1;
                return Some(Ok(Game::new(
                    block.clone(),
                    record,
                    GameNumber::from_index(game),
                )));
            }
            if let Err(error) = self.next_block()? {
                self.rest = 0..0;
                return Some(Err(error));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = usize::try_from(self.rest.end - self.rest.start);
        (0, len.ok())
    }
}
