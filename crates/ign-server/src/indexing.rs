//! The index that is being built while the server runs: its state, shared by requests and the
//! `indexer`.

use std::{
    ops::ControlFlow,
    path::Path,
    sync::{Condvar, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

use ign_archive::{Archive, Error, ErrorKind, NewFile, Progress, Result, index::IndexBuilder};

use ign_api::{self as api, Cancel, Collection};

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
    /// The source, and the part that is done.
    pub state: api::Building,
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

    /// Waits for a request; false if the server stops.
    pub fn wait(&self) -> bool {
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
    pub fn start(&self, source: usize, archive: &Archive) -> Option<Cancel> {
        let mut state = self.lock();
        let cancel = Cancel::default();
        state.current = Some(Building {
            state: api::Building {
                source,
                progress: 0.0,
            },
            archive: archive.identity(),
            cancel: cancel.clone(),
        });
        (!state.is_stopped).then_some(cancel)
    }

    /// The building of an index has ended.
    pub fn end(&self) {
        self.lock().current = None;
    }

    /// Builds the index of an archive, or extends it.
    ///
    /// # Errors
    /// Those of the archive and of the file; cancelled.
    pub fn build(&self, archive: Archive, cancel: &Cancel, path: &Path) -> Result<()> {
        let total = archive.blocks_len();
        let on_progress = |done: Progress| {
            if let Some(building) = &mut self.lock().current {
                building.state.progress = done.bytes as f64 / total.max(1) as f64;
            }
            ControlFlow::Continue(())
        };
        let builder = IndexBuilder::new().on_progress(on_progress);
        let has_index = archive.search_index().is_some();
        let archives = [archive.with_cancel(cancel)];
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
