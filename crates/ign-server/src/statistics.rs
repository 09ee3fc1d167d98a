//! Statistics of the served archives, computed once in the background.
//!
//! One thread computes at a time. What is complete is kept until other archives are served.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::Ordering},
};

use axum::body::Bytes;
use ign_api::{Cancel, Collection, Failure, View, statistics::json};

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
        let cancel = current.cancel.clone();
        let view = view.with_cancel(&cancel);
        let statistics = self.clone();
        std::thread::spawn(move || statistics.compute(&view, source.as_deref(), &cancel));
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

    fn compute(&self, view: &View, source: Option<&str>, cancel: &Cancel) {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let computed = json(view, |part| {
            self.set(source, State::Computing(part), cancel)
        });
        let state = match computed {
            Ok(json) => State::Ready(json.into()),
            Err(error) => State::Failed(error.into()),
        };
        self.set(source, state, cancel);
    }

    /// Sets the state of a computation, unless it was ended because other archives are served.
    fn set(&self, source: Option<&str>, state: State, cancel: &Cancel) {
        let mut current = self.lock();
        if !cancel.load(Ordering::Relaxed) {
            current.states.insert(source.map(str::to_owned), state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
