//! Searches over all games: the evaluation of a [`Query`].
//!
//! If an archive has an index, the index decides the conditions that it knows about. The conditions
//! that are left are evaluated block by block on the games that are left.
//!
//! | file | holds |
//! | --- | --- |
//! | `search` | the search of a collection of archives, which may be one archive |
//! | `game` | what it means that a game matches |
//! | `block` | the matching games of a block, in stages |
//! | `ranges` | the games of packed files |
//! | `signature` | the column of signatures |

mod block;
mod game;
mod ranges;
mod search;
mod signature;

use std::ops::{Bound, RangeBounds};

use ign_format::{error::Result, game_number::GameNumber};

use crate::{
    archive::{Archive, clamp},
    archives::Archives,
    plan::Explanation,
    progress::{OnProgress, progress_setter},
    query::Query,
};

/// Searches with options. The default is all games that match.
///
/// ```no_run
/// use ign_archive::{Archives, Finder, Query};
/// use std::ops::ControlFlow;
///
/// let archives = Archives::open(["games.ign"])?;
/// let finder = Finder::new().limit(100).on_progress(|progress| {
///     eprintln!("{} games searched", progress.games);
///     ControlFlow::Continue(()) // Break cancels
/// });
/// let found = finder.find(&archives, &Query::new().elo(2700..))?;
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Finder<'p> {
    range: (Bound<u64>, Bound<u64>),
    limit: usize,
    on_progress: OnProgress<'p>,
}

impl Default for Finder<'_> {
    fn default() -> Self {
        Self {
            range: (Bound::Unbounded, Bound::Unbounded),
            limit: usize::MAX,
            on_progress: OnProgress::default(),
        }
    }
}

impl<'p> Finder<'p> {
    progress_setter!();

    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only games of this range of numbers. Blocks without games of the range are not read.
    #[must_use]
    pub fn within(mut self, games: impl RangeBounds<u64>) -> Self {
        self.range = (games.start_bound().cloned(), games.end_bound().cloned());
        self
    }

    /// Only the first `games` of the games that match.
    #[must_use]
    pub fn limit(mut self, games: usize) -> Self {
        self.limit = games;
        self
    }

    /// The games that match a query, ascending.
    ///
    /// # Errors
    /// As [`Archive::find`]; [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn find(self, archives: &Archives, query: &Query) -> Result<Vec<GameNumber>> {
        self.explain(archives, query)
            .map(|explanation| explanation.found)
    }

    /// [`find`](Self::find), with what each stage of the search read.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn explain(mut self, archives: &Archives, query: &Query) -> Result<Explanation> {
        let games = clamp(self.range, archives.len());
        archives.search(query, games, self.limit, &mut self.on_progress)
    }
}

impl Archive {
    /// The numbers of the games that match a query, ascending. Of each block only the
    /// columns that the query names are decoded.
    ///
    /// ```no_run
    /// use ign_archive::{Archive, Query};
    ///
    /// let archive = Archive::open("games.ign")?;
    /// let query = Query::new().player("carlsen*").elo(2700..);
    /// for number in archive.find(&query)? {
    ///     println!("{number}");
    /// }
    /// # Ok::<(), ign_archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io), also if the text of a game is rejected by `pgn-reader`;
    /// [`Corrupt`](crate::ErrorKind::Corrupt); [`Unsupported`](crate::ErrorKind::Unsupported) if
    /// moves were coded by another move model.
    pub fn find(&self, query: &Query) -> Result<Vec<GameNumber>> {
        Archives::from(self).find(query)
    }

    /// The first `limit` of the games that [`find`](Self::find) returns. Blocks are searched in
    /// order until enough are found.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn find_first(&self, query: &Query, limit: usize) -> Result<Vec<GameNumber>> {
        Archives::from(self).find_first(query, limit)
    }

    /// [`find`](Self::find), with what each stage of the search read.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    pub fn explain(&self, query: &Query) -> Result<Explanation> {
        Archives::from(self).explain(query)
    }
}

impl Archives {
    /// The games that match a query, ascending.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn find(&self, query: &Query) -> Result<Vec<GameNumber>> {
        self.find_first(query, usize::MAX)
    }

    /// The first `limit` of the games that [`find`](Self::find) returns.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn find_first(&self, query: &Query, limit: usize) -> Result<Vec<GameNumber>> {
        self.find_within(query, .., limit)
    }

    /// The first `limit` of the games that [`find`](Self::find) returns among those of a range.
    /// Blocks without games of the range are not read.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn find_within(
        &self,
        query: &Query,
        games: impl RangeBounds<u64>,
        limit: usize,
    ) -> Result<Vec<GameNumber>> {
        Finder::new().within(games).limit(limit).find(self, query)
    }

    /// [`find`](Self::find), with what each stage of the search read.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn explain(&self, query: &Query) -> Result<Explanation> {
        Finder::new().explain(self, query)
    }
}
