//! The archives that are served: all as one collection, and each as a source of its own name.

use std::{
    collections::HashSet,
    fmt,
    path::Path,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
};

use ign_archive::{Archive, Archives, Error, GameNumber, Position, Result, scan::Batch};
use quick_cache::{Weighter, sync::Cache};
use xxhash_rust::xxh64::xxh64;

use crate::{
    answer::{self, read_block},
    failure::{Failure, archive_name},
    key::Key,
    searches::Searches,
    selection::Selection,
};

/// A flag that ends work on archives when it is set.
pub type Cancel = Arc<AtomicBool>;

/// Bytes of what describes the games of a block, for the allocation of the cache only.
const TYPICAL_BLOCK: u64 = 1 << 20;

/// Bytes that a collection keeps in memory of what it has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Names, ratings and ids of games.
    pub heads: u64,
    /// Indexes.
    pub indexes: u64,
    /// Blocks of archives.
    pub blocks: u64,
}

/// The archives, as they were opened or reloaded.
pub struct Collection {
    archives: Archives,
    sources: Vec<Source>,
    identity: u64,
    heads: Cache<(usize, usize), Arc<Batch>, HeadBytes>,
    searches: Searches,
    /// [Warnings](Self::new_warnings) that have been returned.
    reported: Mutex<HashSet<String>>,
}

/// An archive with its name.
pub struct Source {
    /// The name: that of the file, made unique.
    pub name: String,
    /// The archive, as a collection of its own.
    alone: Archives,
    /// The number of games of the collection before those of the archive.
    pub games_before: u64,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Source").field(&self.name).finish()
    }
}

impl Source {
    /// The archive.
    pub fn archive(&self) -> &Archive {
        &self.alone.archives()[0]
    }
}

/// The archives that a request is about. Games are numbered over all of them. A view keeps its
/// collection, so that a request is answered from the same files from its start to its end.
#[derive(Clone)]
pub struct View {
    /// The archives.
    pub archives: Archives,
    /// The collection that they are of.
    collection: Arc<Collection>,
    /// The number of the first archive in the collection.
    first_archive: usize,
    /// The number of games of the collection before those of the view.
    pub games_before: u64,
}

#[derive(Clone)]
struct HeadBytes;

impl Weighter<(usize, usize), Arc<Batch>> for HeadBytes {
    fn weight(&self, _: &(usize, usize), batch: &Arc<Batch>) -> u64 {
        batch
            .columns()
            .iter()
            .map(ign_archive::scan::ColumnData::size)
            .sum()
    }
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collection")
            .field("sources", &self.sources)
            .finish_non_exhaustive()
    }
}

impl Collection {
    /// The archives as sources, with their indexes. A request is computed by one thread.
    pub fn new(archives: Archives, memory: Memory) -> Self {
        let all = archives.with_threads(1);
        keep_sections(&all, memory.indexes);
        let each = memory.blocks / all.archives().len().max(1) as u64;
        all.archives()
            .iter()
            .for_each(|archive| archive.keep_blocks(each));
        let mut identity = env!("CARGO_PKG_VERSION").to_owned();
        let (mut sources, mut games_before) = (Vec::new(), 0);
        for archive in all.archives() {
            let name = name_of(archive.path(), &sources);
            identity += &format!("\0{name}\0{:x}", archive.identity());
            sources.push(Source {
                name,
                alone: Archives::from(vec![archive.clone()]).with_threads(1),
                games_before,
            });
            games_before += archive.len();
        }
        let blocks = usize::try_from(memory.heads / TYPICAL_BLOCK).unwrap_or(usize::MAX);
        Self {
            archives: all,
            sources,
            identity: xxh64(identity.as_bytes(), 0),
            heads: Cache::with_weighter(blocks, memory.heads, HeadBytes),
            searches: Searches::default(),
            reported: Mutex::default(),
        }
    }

    /// A checksum that changes with the names of the sources and with their games.
    pub fn identity(&self) -> u64 {
        self.identity
    }

    /// The sources.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// All archives.
    pub fn archives(&self) -> &Archives {
        &self.archives
    }

    /// The archives of a source; all if there is no name.
    ///
    /// # Errors
    /// There is no such source.
    pub fn view(self: Arc<Self>, source: Option<&str>) -> std::result::Result<View, Failure> {
        let found = match source {
            None => Some((self.archives.clone(), 0, 0)),
            Some(name) => {
                let place = self.sources.iter().position(|source| source.name == name);
                place.map(|number| {
                    let source = &self.sources[number];
                    (source.alone.clone(), number, source.games_before)
                })
            }
        };
        let Some((archives, first_archive, games_before)) = found else {
            let names: Vec<&str> = self.sources.iter().map(|s| &*s.name).collect();
            let wrong: String = source.unwrap_or_default().chars().take(40).collect();
            let message = format!(
                "source: there is no archive '{wrong}'; write one of {}",
                names.join(", ")
            );
            return Err(Failure::parameter("source", message));
        };
        Ok(View {
            archives,
            collection: self,
            first_archive,
            games_before,
        })
    }

    /// Why the index that a source would use is not used; `None` if it is used or there is none.
    pub fn rejected_index<'c>(&'c self, source: &'c Source) -> Option<&'c Error> {
        let shared = self.archives.rejected_shared_index();
        shared.or_else(|| source.archive().rejected_index())
    }

    /// Messages for the log: why indexes are not used, and archives that are given twice. Each is
    /// returned once.
    pub fn new_warnings(&self) -> Vec<String> {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        let rejected = self
            .archives
            .rejected_indexes()
            .map(|e| format!("{e}; answers are computed without the index"));
        rejected
            .chain(self.repeated())
            .filter(|message| reported.insert(message.clone()))
            .collect()
    }

    /// Archives with the same bytes as one before them.
    fn repeated(&self) -> impl Iterator<Item = String> {
        let archives = self.archives.archives();
        archives.iter().enumerate().filter_map(|(number, archive)| {
            let is_same = |other: &&Archive| other.identity() == archive.identity();
            let first = archives[..number].iter().find(is_same)?;
            let (path, first) = (archive.path().display(), first.path().display());
            (!archive.is_empty())
                .then(|| format!("{path} has the same games as {first}; all of them count twice"))
        })
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View")
            .field("archives", &self.archives.archives().len())
            .finish_non_exhaustive()
    }
}

impl View {
    /// The collection.
    pub fn collection(&self) -> &Collection {
        &self.collection
    }

    /// The same archives, of which no more is read once the flag is set.
    pub fn with_cancel(mut self, cancel: &Cancel) -> Self {
        self.archives = self.archives.with_cancel(cancel);
        self
    }

    /// The games of a selection, with `at` those through this position, if that is a search of
    /// positions or one without an index: requests for the same games search once.
    ///
    /// # Errors
    /// As [`Archives::find`].
    pub(crate) fn found(
        &self,
        selection: &Selection,
        at: Option<Position>,
    ) -> Result<Option<Arc<[GameNumber]>>> {
        let query = &selection.query;
        let archives = self.archives.archives();
        let is_indexed = self.archives.shared_index().is_some()
            || archives
                .iter()
                .all(|archive| archive.search_index().is_some());
        if (query.is_empty() && at.is_none()) || (is_indexed && !query.has_positions()) {
            return Ok(None);
        }
        let key = self.search_key(selection, at);
        let searches = &self.collection.searches;
        let games = searches.games(&key, &self.archives, query, at);
        games.map(Some)
    }

    /// How far a search of [`found`](Self::found) that runs has come, from 0 to 1.
    pub(crate) fn progress(&self, selection: &Selection, at: Option<Position>) -> Option<f64> {
        let key = self.search_key(selection, at);
        self.collection.searches.progress(&key)
    }

    fn search_key(&self, selection: &Selection, at: Option<Position>) -> Key {
        let fields = at.map(|at| at.fen_fields()).unwrap_or_default();
        let fen = String::from_utf8_lossy(&fields);
        Key::new(
            self.collection.identity,
            std::iter::once(&*fen).chain(selection.parts()),
        )
    }

    /// The source of an archive of the view.
    pub(crate) fn source(&self, archive: usize) -> &Source {
        &self.collection.sources[self.first_archive + archive]
    }

    /// Games by their numbers.
    ///
    /// # Errors
    /// [`Io`](ign_archive::ErrorKind::Io); [`Corrupt`](ign_archive::ErrorKind::Corrupt).
    pub(crate) fn games(&self, numbers: &[GameNumber]) -> Result<Vec<answer::Game>> {
        let game = |&number: &GameNumber| {
            let at = self.archives.locate(number)?;
            let archive = &self.archives.archives()[at.archive];
            let block = archive
                .block_of_game(at.number)
                .ok_or_else(|| ign_archive::Error::internal("a game without block"))?;
            let key = (self.first_archive + at.archive, block);
            let heads = &self.collection.heads;
            let batch =
                heads.get_or_insert_with(&key, || read_block(archive, block).map(Arc::new))?;
            let row = batch
                .games()
                .binary_search(&at.number.get())
                .map_err(|_| ign_archive::Error::internal("a block without its game"))?;
            let id = || (self.games_before + number.get()).to_string();
            Ok(answer::Game::of_row(&batch, row, id))
        };
        numbers.iter().map(game).collect()
    }
}

/// Opens the indexes and lets them keep what they read, together up to this number of bytes.
fn keep_sections(archives: &Archives, bytes: u64) {
    if let Some(index) = archives.shared_index() {
        return index.keep_sections(bytes);
    }
    let indexes: Vec<_> = archives
        .archives()
        .iter()
        .filter_map(Archive::search_index)
        .collect();
    let each = bytes / indexes.len().max(1) as u64;
    indexes
        .into_iter()
        .for_each(|index| index.keep_sections(each));
}

/// The name of a file without `.ign`; with a number if a source has this name.
fn name_of(path: &Path, sources: &[Source]) -> String {
    let name = archive_name(path);
    let is_free = |name: &str| sources.iter().all(|source| source.name != name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}
