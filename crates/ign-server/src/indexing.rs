//! Indexes that are built while the server runs.
//!
//! A missing index is built on one thread and written beside its archive, and one that lacks games
//! is extended, as `ign index` does. When it is complete, the archives are opened again and use it.
//! The thread then waits until the archives are opened again by request, and builds what they lack.

use std::{
    collections::HashSet,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

use ign_archive::{
    Archive, Error, ErrorKind, NewFile, Progress, Result,
    index::{self, IndexBuilder},
};

use crate::{app::App, collection::Collection, log::say, workers::Cancel};

/// The state of the building of indexes.
#[derive(Default)]
pub struct Indexing {
    state: Mutex<State>,
    /// Missing indexes are to be looked for, or the server stops.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The index that is being built.
    current: Option<Building>,
    /// Whether missing indexes are to be looked for.
    is_requested: bool,
    is_stopped: bool,
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
        self.lock().current.clone()
    }

    /// Ends the building of indexes soon. What is not complete is removed.
    pub fn stop(&self) {
        // Whoever starts to build after this sees it.
        let mut state = self.lock();
        state.is_stopped = true;
        if let Some(building) = &state.current {
            building.cancel.store(true, Ordering::Relaxed);
        }
        self.changed.notify_all();
    }

    /// Ends the building of an index of an archive that is not served any more.
    pub fn keep(&self, collection: &Collection) {
        let archives = collection.archives().archives();
        if let Some(building) = &self.lock().current {
            let is_served = archives.iter().any(|a| a.identity() == building.archive);
            building.cancel.fetch_or(!is_served, Ordering::Relaxed);
        }
    }

    /// Requests to build the indexes that are missing, also those that could not be built before.
    pub fn request(&self) {
        self.lock().is_requested = true;
        self.changed.notify_all();
    }

    /// Builds the indexes that are missing, and extends those that lack games, one after the other,
    /// until the server stops.
    pub fn build_missing(app: &Arc<App>) {
        let mut looked = Looked::default();
        loop {
            while let Some((source, archive)) = looked.next(app) {
                let Some(cancel) = app.indexing.start(source, &archive) else {
                    return;
                };
                let path = index::path_of(archive.path());
                app.say(&format!("{}: building", path.display()));
                let built = app.indexing.build(archive, &cancel, &path);
                app.indexing.lock().current = None;
                match built.and_then(|()| app.reopen()) {
                    Ok(()) => {
                        app.say(&format!("{}: built", path.display()));
                        looked.used.insert(path);
                    }
                    Err(error) if error.kind() == ErrorKind::Cancelled => {}
                    Err(error) => say(&format!("{}: {error}", path.display())),
                }
            }
            if !app.indexing.wait() {
                return;
            }
            looked.tried.clear();
        }
    }

    /// Waits for a request; false if the server stops.
    fn wait(&self) -> bool {
        let state = self.lock();
        let waits = |state: &mut State| !state.is_requested && !state.is_stopped;
        let mut state = self
            .changed
            .wait_while(state, waits)
            .unwrap_or_else(PoisonError::into_inner);
        state.is_requested = false;
        !state.is_stopped
    }

    /// Enters the index that is to be built; `None` if the server stops. Returns what cancels the
    /// building.
    fn start(&self, source: usize, archive: &Archive) -> Option<Cancel> {
        let mut state = self.lock();
        let cancel = Cancel::default();
        state.current = Some(Building {
            source,
            progress: 0.0,
            archive: archive.identity(),
            cancel: cancel.clone(),
        });
        (!state.is_stopped).then_some(cancel)
    }

    fn build(&self, archive: Archive, cancel: &Cancel, path: &Path) -> Result<()> {
        let total = archive.blocks_len();
        let on_progress = |done: Progress| {
            if let Some(building) = &mut self.lock().current {
                building.progress = done.bytes as f64 / total.max(1) as f64;
            }
            ControlFlow::Continue(())
        };
        let builder = IndexBuilder::new().on_progress(on_progress);
        let has_index = archive.search_index().is_some();
        let archives = [archive.with_cancel(cancel.clone())];
        if has_index {
            builder.extend(path, &archives)?;
            return Ok(());
        }
        // Only an index that is not needed any more is there.
        let mut file = NewFile::create(path, true)?;
        builder.build(&archives, &mut file)?;
        // Beside another archive that has replaced this one it would only be in the way.
        if cancel.load(Ordering::Relaxed) {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled"));
        }
        file.finish()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the search for missing indexes has seen.
#[derive(Default)]
struct Looked {
    /// The identities of archives whose index has been built, or was tried to.
    tried: HashSet<u64>,
    /// The paths of indexes that were in use.
    used: HashSet<PathBuf>,
}

impl Looked {
    /// The first archive without a complete index that has not been tried, with the number of its
    /// source. A file in the place of the index that is not used belongs to another archive, or it
    /// is damaged: it is replaced only if it was in use before its archive was replaced. Otherwise
    /// it may not be ours to replace.
    fn next(&mut self, app: &App) -> Option<(usize, Archive)> {
        let collection = app.collection();
        let archives = collection.archives().archives();
        let mut missing = None;
        for (source, archive) in archives.iter().enumerate() {
            let path = index::path_of(archive.path());
            let is_missing = match archive.search_index() {
                Some(index) => {
                    self.used.insert(path);
                    index.games() < archive.len()
                }
                None => self.used.contains(&path) || !path.exists(),
            };
            if missing.is_none() && is_missing && self.tried.insert(archive.identity()) {
                missing = Some((source, archive.clone()));
            }
        }
        missing
    }
}
