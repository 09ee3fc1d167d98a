//! Iteration over games, in batches.

use std::{
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use ign_archive::Error;
use pyo3::{prelude::*, sync::MutexExt as _};

use crate::{failure::Result, game::Game, numbers::Numbers, opened::Opened};

/// The number of games that are taken at once, without Python's lock. Signals are looked for
/// between.
const BATCH: usize = 256;
/// The number of games that are taken first. Each batch is twice as long as the one before, so that
/// threads know early which parts of the games the program uses.
const FIRST_BATCH: usize = 4;

#[doc = docs!("GameIterator")]
#[pyclass(frozen, module = "ign_archive")]
pub struct GameIterator(Mutex<State>);

struct State {
    opened: Arc<Opened>,
    numbers: Numbers,
    /// The places in `numbers` that are still to come after the batch.
    rest: Range<usize>,
    source: Option<Source>,
    /// The number of games of the next batch.
    batch_len: usize,
    batch: std::vec::IntoIter<(usize, ign_archive::Game)>,
    /// What ended the iteration, after the games of the batch.
    failed: Option<Error>,
}

/// The games of one archive.
struct Source {
    archive: usize,
    games: ign_archive::Games,
    /// The place in the numbers after the last of these games.
    end: usize,
}

impl GameIterator {
    /// Iterates over games by their numbers.
    pub fn new(opened: Arc<Opened>, numbers: Numbers) -> Self {
        Self(Mutex::new(State {
            rest: 0..numbers.len(),
            opened,
            numbers,
            source: None,
            batch_len: FIRST_BATCH,
            batch: Vec::new().into_iter(),
            failed: None,
        }))
    }
}

impl State {
    /// The games of the archive that has the next game.
    fn next_source(&self) -> ign_archive::Result<Source> {
        let first = self.numbers.get(self.rest.start);
        let archive = self.opened.locate(first)?.archive;
        let before = self.opened.games_before(archive);
        let of = &self.opened.archives()[archive];
        let end = self.numbers.count_up_to(before + of.len());
        let games = of.games().decoding([]);
        let own = self.numbers.slice(self.rest.start..end, 1);
        let games = match own.less(before) {
            Numbers::Range(numbers) => games.range(numbers),
            numbers => games.only(numbers.into_list()),
        };
        Ok(Source {
            archive,
            games,
            end,
        })
    }

    /// Takes the next game of a list that does not ascend. Only this game and its block are in
    /// memory.
    ///
    /// # Errors
    /// As [`fill`](Self::fill).
    fn fill_in_order(&mut self) -> ign_archive::Result<()> {
        let Some(place) = self.rest.next() else {
            return Ok(());
        };
        let read = || {
            let found = self.opened.locate(self.numbers.get(place))?;
            let game = self.opened.archives()[found.archive].game(found.number)?;
            Ok::<_, Error>((found.archive, game))
        };
        let game = read().inspect_err(|_| self.rest = 0..0)?;
        self.batch = vec![game].into_iter();
        Ok(())
    }

    /// Takes the next games.
    ///
    /// # Errors
    /// Io, corrupt, unsupported. The iteration has ended then.
    fn fill(&mut self) -> ign_archive::Result<()> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if matches!(self.numbers, Numbers::Ordered(_)) {
            return self.fill_in_order();
        }
        let len = self.batch_len.min(self.rest.len());
        self.batch_len = BATCH.min(2 * self.batch_len);
        let mut batch = Vec::with_capacity(len);
        while batch.len() < len && !self.rest.is_empty() {
            let source = match self.source.take() {
                Some(source) => source,
                None => self.next_source()?,
            };
            let source = self.source.insert(source);
            match source.games.next() {
                Some(Ok(game)) => {
                    batch.push((source.archive, game));
                    self.rest.start += 1;
                }
                Some(Err(error)) => {
                    self.failed = Some(error);
                    self.rest = 0..0;
                }
                None => {
                    self.rest.start = source.end;
                    self.source = None;
                }
            }
        }
        if batch.is_empty()
            && let Some(error) = self.failed.take()
        {
            return Err(error);
        }
        self.batch = batch.into_iter();
        Ok(())
    }
}

#[pymethods]
impl GameIterator {
    fn __iter__(this: PyRef<Self>) -> PyRef<Self> {
        this
    }

    fn __next__(&self, py: Python) -> Result<Option<Game>> {
        let mut state = self
            .0
            .lock_py_attached(py)
            .unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        let next = match state.batch.next() {
            Some(next) => Some(next),
            None => {
                py.check_signals()?;
                py.detach(|| state.fill())?;
                state.batch.next()
            }
        };
        Ok(next.map(|(archive, game)| Game::new(game, &state.opened, archive)))
    }

    fn __length_hint__(&self) -> usize {
        let state = self.0.try_lock();
        state.map_or(0, |state| state.rest.len() + state.batch.len())
    }
}
