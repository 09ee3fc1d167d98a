//! Open archives as one collection, whose games are numbered from 1 one after the other.

use std::{ops::RangeBounds, path::Path};

use ign_archive::{Archives, Error, GameRef, Query, Result};
use pyo3::Python;

use crate::{failure, interrupt::interruptible, numbers::Numbers};

/// Open archives.
pub struct Opened {
    /// The archives.
    pub archives: Archives,
    /// For each archive the number of games in those before it.
    before: Vec<u64>,
}

impl Opened {
    /// Numbers the games of archives.
    pub fn new(archives: Archives) -> Self {
        let mut games = 0;
        let before = archives.archives().iter().map(|archive| {
            let before = games;
            games += archive.len();
            before
        });
        Self {
            before: before.collect(),
            archives,
        }
    }

    /// The number of games.
    pub fn len(&self) -> u64 {
        self.archives.len()
    }

    /// The numbers of all games.
    pub fn all(&self) -> Numbers {
        Numbers::Range(1..self.len() + 1)
    }

    /// The numbers of the games that meet all conditions, of the first `limit` games at most.
    ///
    /// # Errors
    /// As [`Archives::find_first`]; the exception of a signal.
    pub fn find(
        &self,
        py: Python,
        query: &Query,
        limit: Option<usize>,
    ) -> failure::Result<Numbers> {
        self.find_within(py, query, .., limit)
    }

    /// [`find`](Self::find) among the games of a range, numbered from 1.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_within(
        &self,
        py: Python,
        query: &Query,
        games: impl RangeBounds<u64> + Send,
        limit: Option<usize>,
    ) -> failure::Result<Numbers> {
        let found = interruptible(py, |cancel| {
            let archives = self.archives.clone().with_cancel(cancel.flag());
            archives.find_within(query, games, limit.unwrap_or(usize::MAX))
        })?;
        let numbers = found.into_iter().map(|game| self.number(game));
        Ok(Numbers::List(numbers.collect()))
    }

    /// The number of games in the archives before this one.
    pub fn before(&self, archive: usize) -> u64 {
        self.before[archive]
    }

    /// The path of an archive.
    pub fn path(&self, archive: usize) -> &Path {
        self.archives.archives()[archive].path()
    }

    /// The paths of all archives, for messages.
    pub fn name(&self) -> String {
        let paths: Vec<_> = self
            .archives
            .archives()
            .iter()
            .map(|a| a.path().display().to_string())
            .collect();
        match &paths[..] {
            [path] => path.clone(),
            [first, .., last] => format!("{first} … {last} ({} archives)", paths.len()),
            [] => "no archives".to_owned(),
        }
    }

    /// The number of a game over all archives.
    fn number(&self, game: GameRef) -> u64 {
        self.before(game.archive) + game.number
    }

    /// The archive of a game, and its number there.
    ///
    /// # Errors
    /// Usage if there is no such game.
    pub fn locate(&self, number: u64) -> Result<GameRef> {
        if number == 0 || number > self.len() {
            return Err(Error::usage(format!(
                "there is no game {number}: the games are numbered from 1 to {}",
                self.len()
            ))
            .in_file(self.name()));
        }
        let archive = self.before.partition_point(|&before| before < number) - 1;
        Ok(GameRef {
            archive,
            number: number - self.before[archive],
        })
    }
}
