//! Several archives as one collection of games.

mod output;

use std::{
    fmt,
    ops::RangeBounds,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use ign_format::error::{Error, Kind, Result};
use ign_notation::chess::Position;

use crate::{
    archive::{Archive, clamp, default_threads},
    collection::Collection,
    find::Explanation,
    game::Game,
    index::{Index, IndexInUse},
    query::Query,
    tree::{Tree, TreeOptions},
};

/// Several archives that are searched as one: the parts of a month, for example.
///
/// A game is named by its archive and its number there, a [`GameRef`]. A search uses the index that
/// all archives [share](Self::with_index), or else of each archive the index beside it. Results do
/// not depend on indexes.
///
/// ```
/// # use ign_archive::{Archive, Input, Packer};
/// # let archive = |text: &'static str| {
/// #     let input = Input::reader("a.pgn", text.as_bytes());
/// #     let (bytes, _) = Packer::new().pack([input], Vec::new())?;
/// #     Archive::from_source(bytes, "a.ign")
/// # };
/// # let first = archive("[White \"Ann\"]\n\n1. e4 *\n\n")?;
/// # let second = archive("[White \"Ben\"]\n\n1. d4 *\n\n[White \"Ann\"]\n\n1. c4 *\n\n")?;
/// use ign_archive::{Archives, GameRef, Query};
///
/// // Archives::open(["first.ign", "second.ign"])? opens files.
/// let archives = Archives::from(vec![first, second]);
/// let found = archives.find(&Query::new().white("ann"))?;
/// assert_eq!(found, [GameRef { archive: 0, number: 1 }, GameRef { archive: 1, number: 2 }]);
/// assert_eq!(archives.game(found[1])?.tag("White")?.as_deref(), Some("Ann"));
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Clone)]
pub struct Archives {
    archives: Vec<Archive>,
    shared: Option<Arc<IndexInUse>>,
    threads: usize,
}

impl fmt::Debug for Archives {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Archives")
            .field("archives", &self.archives)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// A game of one of several archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameRef {
    /// The archive, counted from 0 in the order in which they were given.
    pub archive: usize,
    /// The number of the game in the archive, from 1.
    pub number: u64,
}

impl From<Vec<Archive>> for Archives {
    /// These archives, in this order.
    fn from(archives: Vec<Archive>) -> Self {
        Self {
            archives,
            shared: None,
            threads: default_threads(),
        }
    }
}

impl Archives {
    /// Opens archive files.
    ///
    /// # Errors
    /// As [`Archive::open`], of the first file that cannot be opened.
    pub fn open(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<Self> {
        let archives: Result<Vec<_>> = paths.into_iter().map(Archive::open).collect();
        Ok(archives?.into())
    }

    /// Sets the number of threads, as [`Archive::with_threads`].
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        let archives = self.archives.into_iter();
        self.archives = archives
            .map(|archive| archive.with_threads(threads))
            .collect();
        self
    }

    /// Sets a flag that cancels operations, as [`Archive::with_cancel`].
    #[must_use]
    pub fn with_cancel(mut self, flag: &Arc<AtomicBool>) -> Self {
        let archives = self.archives.into_iter();
        self.archives = archives
            .map(|archive| archive.with_cancel(flag.clone()))
            .collect();
        self
    }

    /// Uses an index of all these archives in this order, or of the first of their games, as
    /// [`index::build`](crate::index::build) writes it. A file that is damaged or belongs to other
    /// archives is [rejected](Self::rejected_indexes) and not used.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io) if the file cannot be read.
    pub fn with_index(mut self, path: impl AsRef<Path>) -> Result<Self> {
        let members: Vec<&Archive> = self.archives.iter().collect();
        let shared = IndexInUse::default();
        match Index::open(path, &members) {
            Ok(index) => _ = shared.get(|| Ok(Some(index))),
            Err(error) if matches!(error.kind(), Kind::Corrupt | Kind::Unsupported) => {
                shared.reject(error);
            }
            Err(error) => return Err(error),
        }
        self.shared = Some(Arc::new(shared));
        Ok(self)
    }

    /// The index of all archives, if one is [shared](Self::with_index) and not rejected.
    pub fn shared_index(&self) -> Option<&Index> {
        self.shared.as_ref()?.get(|| Ok(None))
    }

    /// The number of threads that operations on this handle use.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// The archives, in order.
    pub fn archives(&self) -> &[Archive] {
        &self.archives
    }

    /// The number of games of all archives.
    pub fn len(&self) -> u64 {
        self.archives.iter().map(Archive::len).sum()
    }

    /// Whether no archive has games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Why indexes are not used, the shared one or those beside the archives: they belong to other
    /// archives, or they are damaged. Known after the first query.
    pub fn rejected_indexes(&self) -> impl Iterator<Item = &Error> {
        let own = self.archives.iter().filter_map(Archive::rejected_index);
        self.rejected_shared_index().into_iter().chain(own)
    }

    /// Why the index that the archives would [share](Self::with_index) is not used.
    pub fn rejected_shared_index(&self) -> Option<&Error> {
        self.shared.as_ref()?.rejected()
    }

    /// The games that match a query, in the order of the archives and of their games.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn find(&self, query: &Query) -> Result<Vec<GameRef>> {
        self.find_first(query, usize::MAX)
    }

    /// The first `limit` of the games that [`find`](Self::find) returns.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn find_first(&self, query: &Query, limit: usize) -> Result<Vec<GameRef>> {
        let found = self.collection().search(query, limit)?.found;
        Ok(self.game_refs(&found))
    }

    /// The first `limit` of the games that [`find`](Self::find) returns among those of a range.
    /// They are numbered from 1 over all archives, one after the other. Blocks without games of the
    /// range are not read.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn find_within(
        &self,
        query: &Query,
        games: impl RangeBounds<u64>,
        limit: usize,
    ) -> Result<Vec<GameRef>> {
        let games = clamp(games, self.len());
        let explanation = self.collection().search_within(query, games, limit)?;
        Ok(self.game_refs(&explanation.found))
    }

    /// [`find`](Self::find), with what each stage of the search read.
    ///
    /// # Errors
    /// As [`Archive::find`].
    pub fn explain(&self, query: &Query) -> Result<Explanation<GameRef>> {
        let explanation = self.collection().search(query, usize::MAX)?;
        Ok(Explanation {
            games: explanation.games,
            stages: explanation.stages,
            found: self.game_refs(&explanation.found),
        })
    }

    /// The moves played from a position in the games that match a query, as [`Archive::tree`]. The
    /// games of a [`Tree`] are numbered over all archives, one after the other;
    /// [`game_ref`](Self::game_ref) gives their archives.
    ///
    /// # Errors
    /// As [`Archive::tree`].
    pub fn tree(&self, position: &Position, query: &Query) -> Result<Tree> {
        self.tree_with(position, query, TreeOptions::default())
    }

    /// [`tree`](Self::tree) with options.
    ///
    /// # Errors
    /// As [`Archive::tree_with`].
    pub fn tree_with(
        &self,
        position: &Position,
        query: &Query,
        options: TreeOptions,
    ) -> Result<Tree> {
        self.collection().tree_with(position, query, options)
    }

    /// The archive of a game that is numbered from 1 over all archives, and its number there.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn game_ref(&self, number: u64) -> Result<GameRef> {
        match self.game_refs(&[number])[..] {
            [game] => Ok(game),
            _ => Err(Error::usage(format!(
                "there is no game {number}: the archives have {}",
                self.len()
            ))),
        }
    }

    /// A game.
    ///
    /// # Errors
    /// As [`Archive::game`]; [`Usage`](crate::ErrorKind::Usage) if there is no such archive.
    pub fn game(&self, game: GameRef) -> Result<Game> {
        self.archive(game.archive)?.game(game.number)
    }

    fn archive(&self, number: usize) -> Result<&Archive> {
        self.archives.get(number).ok_or_else(|| {
            Error::usage(format!(
                "there is no archive {number}: there are {}, counted from 0",
                self.archives.len()
            ))
        })
    }

    /// The games that are numbered over all archives, ascending, as games of the archives.
    fn game_refs(&self, numbers: &[u64]) -> Vec<GameRef> {
        let (mut rest, mut before) = (numbers, 0);
        let mut games = Vec::with_capacity(numbers.len());
        for (archive, of) in self.archives.iter().enumerate() {
            let end = before + of.len();
            let (own, others) = rest.split_at(rest.partition_point(|&number| number <= end));
            games.extend(
                own.iter()
                    .filter(|&&number| number > before)
                    .map(|number| GameRef {
                        archive,
                        number: number - before,
                    }),
            );
            (rest, before) = (others, end);
        }
        games
    }

    pub(crate) fn collection(&self) -> Collection<'_> {
        let shared = self.shared.as_deref();
        match shared.filter(|index| index.rejected().is_none()) {
            Some(index) => Collection::sharing(&self.archives, index, self.threads),
            None => Collection::separate(&self.archives, self.threads),
        }
    }
}
