//! Searches whose games several requests need, such as the table of moves and the list of games of
//! one view of the page: the archives are searched once.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use ign_archive::{Archive, Archives, GameNumber, Position, Query, Result};
use quick_cache::{Weighter, sync::Cache};
use web_time::Instant;

use crate::key::Key;

/// Bytes of games that are kept.
const KEPT: u64 = 32 << 20;
/// Searches that are kept, for the allocation of the cache only.
const TYPICAL_SEARCHES: usize = 64;
/// How often the progress of a search is stated, about.
const STEP: Duration = Duration::from_millis(250);
/// How many times as many blocks as before a step takes at most.
const GROWTH: usize = 8;

/// The games of searches, and the progress of those that run.
pub struct Searches {
    found: Cache<Key, Arc<[GameNumber]>, Bytes>,
    running: Mutex<HashMap<Key, f64>>,
}

#[derive(Clone)]
struct Bytes;

impl Weighter<Key, Arc<[GameNumber]>> for Bytes {
    fn weight(&self, _: &Key, games: &Arc<[GameNumber]>) -> u64 {
        1 + size_of_val::<[GameNumber]>(games) as u64
    }
}

impl Default for Searches {
    fn default() -> Self {
        Self {
            found: Cache::with_weighter(TYPICAL_SEARCHES, KEPT, Bytes),
            running: Mutex::default(),
        }
    }
}

impl Searches {
    /// The games that match a query, ascending; with `at` those that also pass through this
    /// position. Of several requests for the same key one searches, and the others wait.
    ///
    /// # Errors
    /// As [`Archives::find`].
    pub fn games(
        &self,
        key: &Key,
        archives: &Archives,
        query: &Query,
        at: Option<Position>,
    ) -> Result<Arc<[GameNumber]>> {
        self.found.get_or_insert_with(key, || {
            let progress = |part| {
                self.running().insert(key.clone(), part);
            };
            let found = search(archives, query, at, progress);
            self.running().remove(key);
            found.map(Into::into)
        })
    }

    /// How far a search that runs has come, from 0 to 1.
    pub fn progress(&self, key: &Key) -> Option<f64> {
        self.running().get(key).copied()
    }

    fn running(&self) -> MutexGuard<'_, HashMap<Key, f64>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Searches in steps of whole blocks. A step takes as many as can be searched in the time of
/// [`STEP`], so where an index decides, there are few.
fn search(
    archives: &Archives,
    query: &Query,
    at: Option<Position>,
    progress: impl Fn(f64),
) -> Result<Vec<GameNumber>> {
    // The conditions on positions may hold for another position than `at`.
    let (query, through) = match at {
        Some(at) if query.has_positions() => (query.clone(), Some(Query::new().position(at))),
        Some(at) => (query.clone().position(at), None),
        None => (query.clone(), None),
    };
    let ends = ends_of_blocks(archives.archives());
    let mut found = Vec::new();
    let (mut done, mut first, mut blocks) = (0, 0, 1);
    while done < ends.len() {
        progress(done as f64 / ends.len() as f64);
        let start = Instant::now();
        let next = (done + blocks).min(ends.len());
        let games = first + 1..=ends[next - 1];
        let mut step = archives.find_within(&query, games.clone(), usize::MAX)?;
        if let (Some(through), false) = (&through, step.is_empty()) {
            // Games ascend.
            let through = archives.find_within(through, games, usize::MAX)?;
            step.retain(|game| through.binary_search(game).is_ok());
        }
        found.append(&mut step);
        (done, first) = (next, ends[next - 1]);
        let possible = STEP.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-6);
        let factor = possible.min(GROWTH as f64);
        blocks = ((blocks as f64 * factor) as usize).max(1);
    }
    Ok(found)
}

/// The number of games up to the end of each block of all archives.
fn ends_of_blocks(archives: &[Archive]) -> Vec<u64> {
    let mut before = 0;
    let mut ends = Vec::new();
    for archive in archives {
        let blocks = archive.blocks().iter();
        ends.extend(blocks.map(|block| before + block.first_game + block.games));
        before += archive.len();
    }
    ends
}
