//! Indexes that are built while the server runs.
//!
//! A missing index is built on one thread and written beside its archive, and one that lacks games is
//! extended, as `ign index` does. When it is complete, the archives are opened again and use it.

use std::{
    ops::ControlFlow,
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::app::App;
use ign_archive::{
    Archive, Progress, Result,
    index::{self, Sections},
};

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
}

impl Indexing {
    /// The index that is being built.
    pub fn current(&self) -> Option<Building> {
        let current = self.current.lock();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, building: Option<Building>) {
        let current = self.current.lock();
        *current.unwrap_or_else(PoisonError::into_inner) = building;
    }

    /// Ends the building of indexes soon. What is not complete is removed.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Builds the indexes that are missing, and extends those that lack games, one after the other. `say`
    /// gets a line for each.
    pub fn build_missing(app: &Arc<App>, say: impl Fn(&str)) {
        let collection = app.collection();
        for (source, archive) in collection.all().archives.archives().iter().enumerate() {
            let path = index::path_of(archive.path());
            let index = archive.search_index();
            let is_complete = index.is_some_and(|index| index.games() == archive.len());
            if is_complete || app.indexing.is_stopped.load(Ordering::Relaxed) {
                continue;
            }
            if index.is_none() && path.exists() {
                // It belongs to another archive, or it is damaged. It may not be ours to replace.
                say(&format!(
                    "{}: not used; ign index -f builds it again",
                    path.display()
                ));
                continue;
            }
            say(&format!("{}: building", path.display()));
            let built = app.indexing.build(archive, source, &path);
            app.indexing.set(None);
            match built.and_then(|()| app.reload()) {
                Ok(()) => say(&format!("{}: built", path.display())),
                Err(error) => say(&format!("{}: {error}", path.display())),
            }
        }
    }

    fn build(&self, archive: &Archive, source: usize, path: &Path) -> Result<()> {
        let total = archive.index().stored_len();
        let on_progress = |done: Progress| {
            self.set(Some(Building {
                source,
                progress: done.bytes as f64 / total.max(1) as f64,
            }));
            match self.is_stopped.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        self.set(Some(Building {
            source,
            progress: 0.0,
        }));
        let archives = [archive.clone()];
        match archive.search_index() {
            Some(_) => _ = index::extend(path, &archives, on_progress)?,
            None => _ = index::build_file(path, &archives, Sections::ALL, on_progress)?,
        }
        Ok(())
    }
}
