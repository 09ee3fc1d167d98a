//! Several archives as one collection of games.

mod lacking;
mod output;
mod parts;

use std::{
    fmt,
    path::Path,
    sync::{Arc, atomic::AtomicBool},
};

use ign_format::{
    error::{Error, Kind, Result},
    game_number::GameNumber,
};

pub use self::lacking::LackingTags;
pub(crate) use self::parts::{LocatedBlock, Part};
use crate::{
    archive::{Archive, default_threads},
    index::{Index, IndexInUse},
};

/// One or several archives as one collection: the parts of a month, for example.
///
/// Games are numbered from 1 over all archives, one after the other; [`locate`](Self::locate) gives
/// the archive of a game and its number there. A search uses the index that all archives
/// [share](Self::with_shared_index), or else of each archive the index beside it. Results do not
/// depend on indexes.
///
/// ```
/// # use ign_archive::{Archive, Input, Packer};
/// # let archive = |text: &'static str| {
/// #     let input = Input::reader("a.pgn", text.as_bytes());
/// #     let (bytes, _) = Packer::new().pack([input], Vec::new())?;
/// #     Archive::from_read_at(bytes, "a.ign")
/// # };
/// # let first = archive("[White \"Ann\"]\n\n1. e4 *\n\n")?;
/// # let second = archive("[White \"Ben\"]\n\n1. d4 *\n\n[White \"Ann\"]\n\n1. c4 *\n\n")?;
/// use ign_archive::{Archives, Query};
///
/// // Archives::open(["first.ign", "second.ign"])? opens files.
/// let archives = Archives::from(vec![first, second]);
/// let found = archives.find(&Query::new().white("ann"))?;
/// assert_eq!(found, [1, 3]);
/// assert_eq!(archives.game(3)?.tag("White")?.as_deref(), Some("Ann"));
/// let place = archives.locate(3)?;
/// assert_eq!((place.archive, place.number.get()), (1, 2));
/// # Ok::<(), ign_archive::Error>(())
/// ```
#[derive(Clone)]
pub struct Archives {
    archives: Vec<Archive>,
    /// The number of games before each archive, and that of all.
    before: Vec<u64>,
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

/// Where a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct GameRef {
    /// The archive, counted from 0 in the order in which they were given.
    pub archive: usize,
    /// The number of the game in the archive.
    pub number: GameNumber,
}

impl From<Vec<Archive>> for Archives {
    /// These archives, in this order.
    fn from(archives: Vec<Archive>) -> Self {
        let mut before = vec![0];
        before.extend(archives.iter().scan(0, |games, archive| {
            *games += archive.len();
            Some(*games)
        }));
        Self {
            archives,
            before,
            shared: None,
            threads: default_threads(),
        }
    }
}

impl From<&Archive> for Archives {
    /// This archive, with its number of threads.
    fn from(archive: &Archive) -> Self {
        Self {
            threads: archive.threads(),
            ..vec![archive.clone()].into()
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
        self.archives = archives.map(|archive| archive.with_cancel(flag)).collect();
        self
    }

    /// Uses an index of all these archives in this order, or of the first of their games, as
    /// [`IndexBuilder`](crate::index::IndexBuilder) writes it. A file that is damaged or belongs to
    /// other archives is [rejected](Self::rejected_indexes) and not used.
    ///
    /// # Errors
    /// [`Io`](crate::ErrorKind::Io) if the file cannot be read.
    pub fn with_shared_index(mut self, path: impl AsRef<Path>) -> Result<Self> {
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

    /// The index of all archives, if one is [shared](Self::with_shared_index) and not rejected.
    pub fn shared_index(&self) -> Option<&Index> {
        self.shared.as_ref()?.get(|| Ok(None))
    }

    /// The index of all archives, which may have been rejected.
    pub(crate) fn index_in_use(&self) -> Option<&Arc<IndexInUse>> {
        self.shared.as_ref()
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
        self.games_before(self.archives.len())
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

    /// Why the index that the archives would [share](Self::with_shared_index) is not used.
    pub fn rejected_shared_index(&self) -> Option<&Error> {
        self.shared.as_ref()?.rejected()
    }

    /// The number of games in the archives before one, which is counted from 0: all games if there
    /// are fewer archives.
    pub fn games_before(&self, archive: usize) -> u64 {
        self.before[archive.min(self.archives.len())]
    }

    /// The archive of a game, and its number there.
    ///
    /// # Errors
    /// [`Usage`](crate::ErrorKind::Usage) if there is no such game.
    pub fn locate(&self, game: impl TryInto<GameNumber, Error: Into<Error>>) -> Result<GameRef> {
        let game = game.try_into().map_err(|e| e.into().in_file(self.name()))?;
        let (index, games) = (game.index(), self.len());
        if index >= games {
            let message =
                format!("there is no game {game}: the games are numbered from 1 to {games}");
            return Err(Error::usage(message).in_file(self.name()));
        }
        let archive = self.before.partition_point(|&before| before <= index) - 1;
        Ok(GameRef {
            archive,
            number: GameNumber::from_index(index - self.before[archive]),
        })
    }

    /// The paths of all archives, for messages.
    pub fn name(&self) -> String {
        let path = |archive: &Archive| archive.path().display().to_string();
        match &self.archives[..] {
            [] => "no archives".to_owned(),
            [one] => path(one),
            [first, .., last] => {
                let number = self.archives.len();
                format!("{} … {} ({number} archives)", path(first), path(last))
            }
        }
    }
}
