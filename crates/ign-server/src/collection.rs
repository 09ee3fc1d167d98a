//! The archives that are served: all as one collection, and each as a source of its own name.

use std::{path::Path, sync::Arc};

use ign_archive::{Archive, Archives, Batch, Result};
use quick_cache::{Weighter, sync::Cache};
use xxhash_rust::xxh64::xxh64;

use crate::{
    answer::{self, read_block},
    failure::Failure,
    options::Options,
};

/// Bytes of what describes the games of a block, for the allocation of the cache only.
const TYPICAL_BLOCK: u64 = 1 << 20;

/// The archives, as they were opened or reloaded.
pub struct Collection {
    all: View,
    sources: Vec<Source>,
    identity: u64,
    heads: Cache<(usize, usize), Arc<Batch>, HeadBytes>,
}

/// An archive with its name.
pub struct Source {
    /// The name: that of the file, made unique.
    pub name: String,
    /// The archive alone.
    pub view: View,
}

/// Archives that a request is about. Games are numbered over all of them.
#[derive(Clone)]
pub struct View {
    /// The archives.
    pub archives: Archives,
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
            .map(ign_archive::ColumnData::size)
            .sum()
    }
}

impl Collection {
    /// Opens the archives of the options.
    ///
    /// # Errors
    /// As [`Archive::open`]; io of the shared index.
    pub fn open(options: &Options) -> Result<Self> {
        let open = |path| Ok(Archive::open(path)?.with_index(options.uses_indexes));
        let opened: Result<Vec<Archive>> = options.archives.iter().map(open).collect();
        // A request is computed by one thread; several are computed at the same time.
        let mut all = Archives::from(opened?).with_threads(1);
        if let Some(path) = &options.index {
            all = all.with_index(path)?;
        }
        keep_sections(&all, options.index_bytes);
        let each = options.block_bytes / all.archives().len().max(1) as u64;
        all.archives()
            .iter()
            .for_each(|archive| archive.keep_blocks(each));
        let mut identity = env!("CARGO_PKG_VERSION").to_owned();
        let (mut sources, mut games_before) = (Vec::new(), 0);
        for (number, archive) in all.archives().iter().enumerate() {
            let name = name_of(archive.path(), &sources);
            identity += &format!("\0{name}\0{:x}", archive.identity());
            sources.push(Source {
                name,
                view: View {
                    archives: Archives::from(vec![archive.clone()]).with_threads(1),
                    first_archive: number,
                    games_before,
                },
            });
            games_before += archive.len();
        }
        let blocks = usize::try_from(options.heads_bytes / TYPICAL_BLOCK).unwrap_or(usize::MAX);
        Ok(Self {
            all: View {
                archives: all,
                first_archive: 0,
                games_before: 0,
            },
            sources,
            identity: xxh64(identity.as_bytes(), 0),
            heads: Cache::with_weighter(blocks, options.heads_bytes, HeadBytes),
        })
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
    pub fn all(&self) -> &View {
        &self.all
    }

    /// The archives of a source; all if there is no name.
    ///
    /// # Errors
    /// There is no such source.
    pub fn view(&self, source: Option<&str>) -> std::result::Result<&View, Failure> {
        let Some(name) = source else {
            return Ok(&self.all);
        };
        let found = self.sources.iter().find(|source| source.name == name);
        found.map(|source| &source.view).ok_or_else(|| {
            let names: Vec<&str> = self.sources.iter().map(|s| &*s.name).collect();
            let message = format!("source: write one of {}", names.join(", "));
            Failure::parameter("source", message)
        })
    }

    /// The source of an archive of a view.
    pub fn source(&self, view: &View, archive: usize) -> &Source {
        &self.sources[view.first_archive + archive]
    }

    /// Games of a view by their numbers.
    ///
    /// # Errors
    /// [`Io`](ign_archive::ErrorKind::Io); [`Corrupt`](ign_archive::ErrorKind::Corrupt).
    pub fn games(&self, view: &View, numbers: &[u64]) -> Result<Vec<answer::Game>> {
        let game = |&number: &u64| {
            let at = view.archives.game_ref(number)?;
            let archive = &view.archives.archives()[at.archive];
            let block = archive.index().block_of_game(at.number - 1);
            let block =
                block.ok_or_else(|| ign_archive::Error::internal("a game without block"))?;
            let key = (view.first_archive + at.archive, block);
            let batch = self
                .heads
                .get_or_insert_with(&key, || read_block(archive, block).map(Arc::new))?;
            let row = batch.games().binary_search(&at.number);
            let row = row.map_err(|_| ign_archive::Error::internal("a block without its game"))?;
            let id = || (view.games_before + number).to_string();
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
    let indexes = archives.archives().iter().filter_map(Archive::search_index);
    let indexes: Vec<_> = indexes.collect();
    let each = bytes / indexes.len().max(1) as u64;
    indexes
        .into_iter()
        .for_each(|index| index.keep_sections(each));
}

/// The name of a file without `.ign`; with a number if a source has this name.
fn name_of(path: &Path, sources: &[Source]) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name = file.strip_suffix(".ign").unwrap_or(&file);
    let is_free = |name: &str| sources.iter().all(|source| source.name != name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}
