//! Indexes that are built while the server runs.
//!
//! A missing index is built on one thread and written beside its archive, and one that lacks games is
//! extended, as `ign index` does. When it is complete, the archives are opened again and use it.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use ign_archive::{
    Archive, Error, ErrorKind, NewFile, Progress, Result,
    index::{self, Sections},
};

use crate::{app::App, collection::Collection, log::say, workers::Cancel};

/// The index that is being built.
#[derive(Default)]
pub struct Indexing {
    current: Mutex<Option<Building>>,
    is_stopped: AtomicBool,
}

/// How far an index has come.
#[derive(Debug, Clone)]
pub struct Building {
    /// The number of the source.
    pub source: usize,
    /// The part that is done, from 0 to 1.
    pub progress: f64,
    /// The identity of the archive.
    archive: u64,
    cancel: Cancel,
}

impl Indexing {
    /// The index that is being built.
    pub fn current(&self) -> Option<Building> {
        self.lock().clone()
    }

    /// Ends the building of indexes soon. What is not complete is removed.
    pub fn stop(&self) {
        // Whoever starts to build after this sees it.
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(building) = &*self.lock() {
            building.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Ends the building of an index of an archive that is not served any more.
    pub fn keep(&self, collection: &Collection) {
        let archives = collection.archives().archives();
        if let Some(building) = &*self.lock() {
            let is_served = archives.iter().any(|a| a.identity() == building.archive);
            building.cancel.fetch_or(!is_served, Ordering::Relaxed);
        }
    }

    /// Builds the indexes that are missing, and extends those that lack games, one after the other.
    pub fn build_missing(app: &Arc<App>) {
        let mut tried = HashSet::new();
        while let Some((source, archive)) = next(app, &mut tried) {
            let Some(cancel) = app.indexing.start(source, &archive) else {
                return;
            };
            let path = index::path_of(archive.path());
            app.say(&format!("{}: building", path.display()));
            let built = app.indexing.build(archive, &cancel, &path);
            *app.indexing.lock() = None;
            match built.and_then(|()| app.reload()) {
                Ok(()) => app.say(&format!("{}: built", path.display())),
                Err(error) if error.kind() == ErrorKind::Cancelled => {}
                Err(error) => say(&format!("{}: {error}", path.display())),
            }
        }
    }

    /// Enters the index that is to be built; `None` if the server stops. Returns what cancels the building.
    fn start(&self, source: usize, archive: &Archive) -> Option<Cancel> {
        let mut current = self.lock();
        let cancel = Cancel::default();
        *current = Some(Building {
            source,
            progress: 0.0,
            archive: archive.identity(),
            cancel: cancel.clone(),
        });
        (!self.is_stopped.load(Ordering::Relaxed)).then_some(cancel)
    }

    fn build(&self, archive: Archive, cancel: &Cancel, path: &Path) -> Result<()> {
        let total = archive.index().stored_len();
        let on_progress = |done: Progress| {
            if let Some(building) = &mut *self.lock() {
                building.progress = done.bytes as f64 / total.max(1) as f64;
            }
            ControlFlow::Continue(())
        };
        let has_index = archive.search_index().is_some();
        let archives = [archive.with_cancel(cancel.clone())];
        if has_index {
            index::extend(path, &archives, on_progress)?;
            return Ok(());
        }
        let mut file = NewFile::create(path, false)?;
        index::build(&archives, Sections::ALL, &mut file, on_progress)?;
        // Beside another archive that has replaced this one it would only be in the way.
        if cancel.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled"));
        }
        file.finish()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Building>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The first archive without a complete index that has not been tried, with the number of its source. A file in
/// the place of the index that is not used belongs to another archive, or it is damaged: it may not be ours to
/// replace.
fn next(app: &App, tried: &mut HashSet<u64>) -> Option<(usize, Archive)> {
    let collection = app.collection();
    let mut archives = collection.archives().archives().iter().enumerate();
    let missing = archives.find(|(_, archive)| {
        let is_missing = match archive.search_index() {
            Some(index) => index.games() < archive.len(),
            None => !index::path_of(archive.path()).exists(),
        };
        is_missing && tried.insert(archive.identity())
    });
    missing.map(|(source, archive)| (source, archive.clone()))
}
