//! Statistics of the served archives, computed once in the background.
//!
//! One thread computes at a time. What is complete is kept until the archives are opened again.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::body::Bytes;
use ign_archive::{
    ErrorKind, Progress, Result,
    stats::{Stats, of_archive},
};

use crate::{
    answer::to_json,
    collection::{Collection, View},
    failure::Failure,
    played::Played,
    report::Report,
};

/// The state of the statistics of a view.
#[derive(Debug, Clone)]
pub enum State {
    /// They are being computed, or wait for others; the part that is done is from 0 to 1.
    Computing(f64),
    /// They are complete.
    Ready(Bytes),
    /// An archive cannot be read.
    Failed(Failure),
}

/// The statistics of views, by identity of the collection and source.
#[derive(Default)]
pub struct Statistics {
    states: Mutex<HashMap<Key, State>>,
    /// Held by the thread that computes.
    turn: Mutex<()>,
    is_stopped: AtomicBool,
}

type Key = (u64, Option<String>);

impl Statistics {
    /// The state of the statistics of a source, of all archives if there is none. The first call starts
    /// the computation.
    ///
    /// # Errors
    /// There is no such source.
    pub fn of(
        self: &Arc<Self>,
        collection: &Arc<Collection>,
        source: Option<&str>,
    ) -> std::result::Result<State, Failure> {
        collection.view(source)?;
        let key = (collection.identity(), source.map(str::to_owned));
        let mut states = lock(&self.states);
        if let Some(state) = states.get(&key) {
            return Ok(state.clone());
        }
        // Statistics of archives as they were before are not requested any more.
        states.retain(|(identity, _), _| *identity == key.0);
        let start = State::Computing(0.0);
        states.insert(key.clone(), start.clone());
        let (statistics, collection) = (self.clone(), collection.clone());
        std::thread::spawn(move || statistics.compute(&collection, key));
        Ok(start)
    }

    /// Ends the computation soon.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    fn compute(&self, collection: &Collection, key: Key) {
        let _turn = lock(&self.turn);
        let computed = collection
            .view(key.1.as_deref())
            .and_then(|view| Ok(self.json(view, &key)?));
        let mut states = lock(&self.states);
        match computed {
            Ok(json) => _ = states.insert(key, State::Ready(json.into())),
            Err(failure) => _ = states.insert(key, State::Failed(failure)),
        }
    }

    fn json(&self, view: &View, key: &Key) -> Result<Vec<u8>> {
        let archives = view.archives.archives();
        let total: u64 = archives.iter().map(|a| a.index().stored_len()).sum();
        let (mut all, mut before) = (Stats::default(), 0);
        for archive in archives {
            let mut done = 0;
            let on_progress = |progress: Progress| {
                done = progress.bytes;
                let part = (before + done) as f64 / total.max(1) as f64;
                if let Some(state) = lock(&self.states).get_mut(key) {
                    *state = State::Computing(part);
                }
                match self.is_stopped.load(Ordering::Relaxed) {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            all.merge(&of_archive(archive, on_progress)?);
            before += done;
        }
        let mut played = Played::default();
        for archive in archives {
            for batch in archive.scan().columns(Played::COLUMNS) {
                if self.is_stopped.load(Ordering::Relaxed) {
                    return Err(ign_archive::Error::new(ErrorKind::Cancelled, "cancelled"));
                }
                played.add(&batch?);
            }
        }
        to_json(&Report::new(&all, &played))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
