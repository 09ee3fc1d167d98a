//! Open archives, and searches of them, which Ctrl-C ends.

use std::{
    ffi::OsString,
    ops::{Deref, RangeBounds},
    sync::{Arc, Mutex, PoisonError},
};

use ign_archive::{Archives, GameNumber, Query, SortKey, Sorter};
use pyo3::{
    prelude::*,
    types::{PyWeakref, PyWeakrefReference},
};

use crate::{
    archive::Archive,
    failure::{Result, warn},
    interrupt::interruptible,
    numbers::Numbers,
};

/// The arguments of [`open`](crate::archive::open). Names are no paths of Python, which would
/// change addresses.
pub type Source = (Vec<OsString>, Option<OsString>, Option<usize>, bool, bool);

/// What pickling stores of an object: a function, and its arguments.
pub type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// Open archives, which an `Archive` of Python shares with its games, lists and scans.
pub struct Opened {
    archives: Archives,
    source: Source,
    /// Their `Archive`, if it still exists. Games and lists that are pickled together have it in
    /// common, so it is stored once.
    python: Mutex<Option<Py<PyWeakref>>>,
}

impl Opened {
    /// Archives that were opened with these arguments.
    pub fn new(archives: Archives, source: Source) -> Self {
        Self {
            archives,
            source,
            python: Mutex::default(),
        }
    }

    /// How they were opened.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Their `Archive`: another one if it is closed, or nothing refers to it.
    pub fn archive<'py>(self: &Arc<Self>, py: Python<'py>) -> PyResult<Bound<'py, Archive>> {
        let lock = || self.python.lock().unwrap_or_else(PoisonError::into_inner);
        let last = lock().as_ref().map(|last| last.clone_ref(py));
        let archive = last.and_then(|last| last.bind(py).upgrade());
        if let Some(archive) = archive.and_then(|archive| archive.cast_into::<Archive>().ok())
            && archive.get().opened().is_ok()
        {
            return Ok(archive);
        }
        let archive = Bound::new(py, Archive::of(self.clone()))?;
        let reference = PyWeakrefReference::new(&archive)?.cast_into::<PyWeakref>();
        *lock() = Some(reference.map_err(PyErr::from)?.unbind());
        Ok(archive)
    }
}

impl Deref for Opened {
    type Target = Archives;

    fn deref(&self) -> &Archives {
        &self.archives
    }
}

/// The numbers of all games.
pub fn all(archives: &Archives) -> Numbers {
    Numbers::Range(1..archives.len() + 1)
}

/// The numbers of the games of a range that meet all conditions, of the first `limit` games at
/// most.
///
/// # Errors
/// As [`Archives::find_within`]; the exception of a signal.
pub fn find_within(
    py: Python,
    archives: &Archives,
    query: &Query,
    games: impl RangeBounds<u64> + Send,
    limit: Option<usize>,
) -> Result<Numbers> {
    let found = interruptible(py, |cancel| {
        let archives = archives.clone().with_cancel(cancel.flag());
        archives.find_within(query, games, limit.unwrap_or(usize::MAX))
    })?;
    warn_of_rejected(py, archives)?;
    Ok(Numbers::List(found.into()))
}

/// Warns of indexes beside archives that are not used, after a search. `open` warns of a shared one.
///
/// # Errors
/// The warning, if it is made an exception.
pub fn warn_of_rejected(py: Python, archives: &Archives) -> PyResult<()> {
    let archives = archives.archives().iter();
    let mut rejected = archives.filter_map(ign_archive::Archive::rejected_index);
    rejected.try_for_each(|error| {
        let message = format!("{error}; searched without the index");
        warn(py, &message, 1)
    })
}

/// The first `limit` games of an ascending list, in the order of the keys; in that of the list if
/// there are no keys.
///
/// # Errors
/// As [`Sorter::sort`]; the exception of a signal.
pub fn sorted(
    py: Python,
    archives: &Archives,
    games: Numbers,
    keys: Vec<SortKey>,
    limit: Option<usize>,
) -> Result<Numbers> {
    let limit = limit.unwrap_or(usize::MAX);
    if keys.is_empty() {
        let len = games.len();
        return Ok(games.slice(0..limit.min(len), 1));
    }
    let sorted = interruptible(py, |cancel| {
        let archives = archives.clone().with_cancel(cancel.flag());
        let games: Vec<GameNumber> = games.iter().collect();
        Sorter::new(keys).limit(limit).sort(&archives, &games)
    })?;
    Ok(Numbers::in_order(sorted))
}
