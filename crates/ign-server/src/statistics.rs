//! Statistics of the served archives, computed once in the background.
//!
//! One thread computes at a time. What is complete is kept until other archives are served.

use std::{
    collections::HashMap,
    ops::ControlFlow,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

use axum::body::Bytes;
use ign_archive::{
    Progress, Result,
    stats::{Stats, StatsBuilder},
};

use crate::{
    answer::to_json,
    collection::{Collection, View},
    failure::Failure,
    played::Played,
    report::Report,
    workers::Cancel,
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

/// The statistics of the archives that are served.
#[derive(Default)]
pub struct Statistics {
    current: Mutex<Current>,
    /// Held by the thread that computes.
    turn: Mutex<()>,
}

/// Statistics of a collection.
#[derive(Default)]
struct Current {
    /// The identity of the collection.
    identity: u64,
    /// By the name of the source; `None` is all archives.
    states: HashMap<Option<String>, State>,
    /// Ends the computations.
    cancel: Cancel,
}

impl Current {
    /// Forgets the statistics of another collection, and ends their computation.
    fn keep(&mut self, identity: u64) {
        if self.identity != identity {
            self.cancel.store(true, Ordering::Relaxed);
            *self = Self {
                identity,
                ..Self::default()
            };
        }
    }
}

impl Statistics {
    /// The state of the statistics of a view, which is that of this source. The first call starts
    /// the computation.
    pub fn of(self: &Arc<Self>, view: View, source: Option<String>) -> State {
        let mut current = self.lock();
        current.keep(view.collection().identity());
        if let Some(state) = current.states.get(&source) {
            return state.clone();
        }
        let start = State::Computing(0.0);
        current.states.insert(source.clone(), start.clone());
        let view = view.with_cancel(&current.cancel);
        let statistics = self.clone();
        std::thread::spawn(move || statistics.compute(&view, source.as_deref()));
        start
    }

    /// The archives were opened again: statistics of others are forgotten, and those that failed
    /// are tried again.
    pub fn reload(&self, collection: &Collection) {
        let mut current = self.lock();
        current.keep(collection.identity());
        let is_kept = |state: &mut State| !matches!(state, State::Failed(_));
        current.states.retain(|_, state| is_kept(state));
    }

    /// Ends the computation soon.
    pub fn stop(&self) {
        self.lock().cancel.store(true, Ordering::Relaxed);
    }

    fn compute(&self, view: &View, source: Option<&str>) {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let computed = self.json(view, source);
        let state = match computed {
            Ok(json) => State::Ready(json.into()),
            Err(error) => State::Failed(error.into()),
        };
        self.set(view, source, state);
    }

    /// Sets the state of a view that is still served.
    fn set(&self, view: &View, source: Option<&str>, state: State) {
        let mut current = self.lock();
        if current.identity == view.collection().identity() {
            current.states.insert(source.map(str::to_owned), state);
        }
    }

    fn json(&self, view: &View, source: Option<&str>) -> Result<Vec<u8>> {
        let archives = view.archives.archives();
        let total: u64 = archives.iter().map(|a| a.blocks_len()).sum();
        let (mut all, mut before) = (Stats::default(), 0);
        for archive in archives {
            let mut done = 0;
            let on_progress = |progress: Progress| {
                done = progress.bytes;
                let part = (before + done) as f64 / total.max(1) as f64;
                self.set(view, source, State::Computing(part));
                ControlFlow::Continue(())
            };
            all.merge(
                &StatsBuilder::new()
                    .on_progress(on_progress)
                    .of_archive(archive)?,
            );
            before += done;
        }
        let mut played = Played::default();
        for archive in archives {
            for batch in archive.scan().columns(Played::COLUMNS) {
                played.add(&batch?);
            }
        }
        to_json(&Report::new(&all, &played))
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
